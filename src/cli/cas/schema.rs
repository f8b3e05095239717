//! `uwf cas schema`: the schemas of the store.

use clap::Subcommand;
use serde_json::{Value, json};

use crate::cas::CasError;
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Result};
use crate::cli::parse::hash;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the schemas with their titles
    #[command(after_help = "Result: [{hash, title}]")]
    List,
    /// Print a schema
    #[command(after_help = "Result: the schema")]
    Get {
        /// The schema's hash
        hash: String,
    },
}

impl Command {
    pub fn run(&self, context: &Context) -> Result {
        match self {
            Self::List => list(context),
            Self::Get { hash: text } => context.print(&context.store.schema(&hash(text)?)?),
        }
    }
}

fn list(context: &Context) -> Result {
    let schemas = context.store.schemas().map_err(|error| match error {
        CasError::Missing { .. } | CasError::NotASchema { .. } => CommandError::damaged(&error)
            .hint("`uwf cas reindex` makes the list of schemas anew from the nodes"),
        other => other.into(),
    })?;
    let listed = schemas
        .iter()
        .map(|(hash, title)| json!({"hash": hash, "title": title}));
    context.print(&listed.collect::<Value>())
}
