//! Whether a payload may be stored under a type.

use serde_json::Value;

use super::error::{CasError, Result};
use super::known;
use super::store::Store;
use crate::model::Hash;
use crate::schema::{self, Schema, SchemaFault};

impl Store {
    /// Checks a payload against the type under which it is to be stored.
    ///
    /// The type must be a schema that is stored. For the known ones nothing is read to check.
    pub fn validate(&self, type_hash: &Hash, payload: &Value) -> Result<()> {
        let built_in = known::built_in().iter().any(|one| one.hash == *type_hash);
        if !built_in && !self.contains(type_hash)? {
            return Err(CasError::UnknownType {
                type_hash: *type_hash,
            });
        }
        if known::is_meta_schema(type_hash) {
            return validate_schema(payload);
        }
        if let Some(schema) = known::find(type_hash).and_then(known::Known::compiled) {
            return check(type_hash, schema, payload);
        }
        let compiled = Schema::compile(&self.schema(type_hash)?);
        check(
            type_hash,
            &compiled.map_err(|faults| unusable(type_hash, faults))?,
            payload,
        )
    }
}

/// A schema is one of the original's or one of draft 2020-12; the meta-schema itself is not
/// asked, since it would refuse the latter.
fn validate_schema(payload: &Value) -> Result<()> {
    let faults = schema::faults(payload);
    if faults.is_empty() {
        return Ok(());
    }
    Err(CasError::IllegalSchema { faults })
}

fn check(type_hash: &Hash, schema: &Schema, payload: &Value) -> Result<()> {
    schema.check(payload).map_err(|violations| CasError::Unfit {
        type_hash: *type_hash,
        violations,
    })
}

fn unusable(hash: &Hash, faults: Vec<SchemaFault>) -> CasError {
    CasError::UnusableSchema {
        hash: *hash,
        faults,
    }
}
