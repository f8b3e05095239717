//! `uwf cas put-text`.

use serde_json::json;

use crate::cli::context::Context;
use crate::cli::error::Result;

/// Store a text and print its hash
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: {hash}")]
pub struct Arguments {
    /// The text to store
    #[arg(allow_hyphen_values = true)]
    text: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let hash = context
        .store
        .put_text(&arguments.text, context.host.now_ms())?;
    context.print(&json!({"hash": hash}))
}
