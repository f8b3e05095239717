//! `uwf cas schema`: the schemas of the store.

use clap::Subcommand;
use serde_json::{Value, json};

use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::parse::hash;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the schemas with their titles
    List,
    /// Print a schema
    Get {
        /// The schema's hash, or its beginning
        hash: String,
    },
}

impl Command {
    pub fn run(&self, context: &Context) -> Result {
        match self {
            Self::List => list(context),
            Self::Get { hash: text } => {
                context.print(&context.store.schema(&hash(text, context)?)?)
            }
        }
    }
}

fn list(context: &Context) -> Result {
    let schemas = context.store.schemas()?;
    let listed = schemas
        .iter()
        .map(|(hash, title)| json!({"hash": hash, "title": title}));
    context.print(&listed.collect::<Value>())
}
