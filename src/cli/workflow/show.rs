//! `uwf workflow show`.

use serde_json::{Value, json};

use super::resolve::{registered, sought};
use super::{file, form};
use crate::cas::known;
use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::model::Hash;
use crate::workflow::{self, Found, StoredError};

/// Print a workflow as it is stored
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: {hash, name, type, payload, timestamp}")]
pub struct Arguments {
    /// The workflow's name, hash or file; of a hash its beginning is enough
    workflow: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let result = match sought(&arguments.workflow, context)? {
        Found::File(path) => {
            let definition = file::definition(&path, context)?;
            json!({
                "hash": definition.hash(),
                "name": definition.workflow().name,
                "type": known::WORKFLOW,
                "payload": definition.payload(),
                "timestamp": null,
            })
        }
        Found::Stored(hash) => shown(hash, context)?,
        Found::Registered { name, hash } => {
            workflow::stored(&context.store, &hash).map_err(|error| registered(&name, error))?;
            shown(hash, context)?
        }
    };
    context.print_with_form(&result, || form::for_people(&result))
}

fn shown(hash: Hash, context: &Context) -> Result<Value> {
    let node = context.store.get(&hash)?;
    if !known::is_workflow(&node.type_hash) {
        let type_hash = node.type_hash;
        return Err(StoredError::OtherType { hash, type_hash }.into());
    }
    let name = node.payload.get("name").cloned().unwrap_or(Value::Null);
    Ok(json!({
        "hash": hash,
        "name": name,
        "type": node.type_hash,
        "payload": node.payload,
        "timestamp": node.timestamp,
    }))
}
