//! `uwf cas`: nodes of the content-addressed store, for people and for agents.

mod get;
mod has;
mod hash;
mod payload;
mod put;
mod put_text;
mod refs;
mod reindex;
mod schema;
mod walk;

use clap::Subcommand;

use super::context::Context;
use super::error::Result;

#[derive(Debug, Subcommand)]
pub enum Command {
    Get(get::Arguments),
    Put(put::Arguments),
    PutText(put_text::Arguments),
    Has(has::Arguments),
    Hash(hash::Arguments),
    Refs(refs::Arguments),
    Walk(walk::Arguments),
    Reindex(reindex::Arguments),
    /// Look at the schemas of the store, and register more
    #[command(subcommand)]
    Schema(schema::Command),
}

impl Command {
    pub fn run(&self, context: &Context) -> Result {
        match self {
            Self::Get(arguments) => get::run(arguments, context),
            Self::Put(arguments) => put::run(arguments, context),
            Self::PutText(arguments) => put_text::run(arguments, context),
            Self::Has(arguments) => has::run(arguments, context),
            Self::Hash(arguments) => hash::run(arguments, context),
            Self::Refs(arguments) => refs::run(arguments, context),
            Self::Walk(arguments) => walk::run(arguments, context),
            Self::Reindex(arguments) => reindex::run(arguments, context),
            Self::Schema(command) => command.run(context),
        }
    }
}
