//! `uwf cas schema`: the schemas of the store.

use clap::{Subcommand, ValueEnum};
use serde_json::{Map, Value, json};

use crate::cas::{CasError, json_cas_workflow};
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
        /// The schema's hash, or its beginning
        hash: String,
    },
    /// Store the schemas of a package, and print the hash of each
    #[command(after_help = "Result: {name: hash, ...}")]
    Register {
        /// The package: json-cas-workflow
        #[arg(value_enum, hide_possible_values = true)]
        package: Package,
    },
}

/// A package of schemas that can be registered.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Package {
    /// Workflows, threads and conversations of programs that use json-cas
    JsonCasWorkflow,
}

impl Command {
    pub fn run(&self, context: &Context) -> Result {
        match self {
            Self::List => list(context),
            Self::Get { hash: text } => {
                context.print(&context.store.schema(&hash(text, context)?)?)
            }
            Self::Register { package } => register(*package, context),
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

fn register(package: Package, context: &Context) -> Result {
    let now_ms = context.host.now_ms();
    let registered = match package {
        Package::JsonCasWorkflow => json_cas_workflow::register(&context.store, now_ms)?,
    };
    let printed: Map<String, Value> = registered
        .into_iter()
        .map(|(name, hash)| (name.to_owned(), json!(hash)))
        .collect();
    context.print(&Value::Object(printed))
}
