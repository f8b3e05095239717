//! `uwf thread start`.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::ValueHint;
use serde_json::json;

use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::journal::Journal;
use crate::cli::workflow::resolve;
use crate::fsx;
use crate::log::{About, Entry};
use crate::model::StartNode;
use crate::thread::{self, Heads};

/// Bytes of a task's file.
const MOST_BYTES: u64 = 16 << 20;

/// Start a thread of a workflow; nothing is run yet
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Result: {workflow, thread}

Examples:
  uwf thread start solve-issue -p 'The login page redirects to itself'
  uwf thread start ./review.yaml -p 'Write the release notes' --cwd ~/src/shop")]
pub struct Arguments {
    /// A workflow's name, hash or file; of a hash its beginning is enough
    workflow: String,
    /// The task, which every role is told
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    #[arg(
        required_unless_present = "prompt_file",
        conflicts_with = "prompt_file"
    )]
    prompt: Option<String>,
    /// Read the task from this file; `-` is standard input
    #[arg(long, value_name = "FILE")]
    prompt_file: Option<PathBuf>,
    /// Let its agents work in this folder [default: the current one]
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    cwd: Option<PathBuf>,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let cwd = working_folder(arguments, context)?;
    let prompt = prompt(arguments, context)?;
    // A list that cannot be read is found out before anything is stored.
    Heads::read(&context.root)?;
    let workflow = resolve::stored(&arguments.workflow, context)?;
    let thread = context.host.new_thread_id();
    let node = StartNode { workflow, prompt };
    let head = thread::start(
        &context.store,
        &context.root,
        thread,
        &node,
        &cwd,
        context.host.now_ms(),
    )?;
    context.remember(thread);
    let about = About {
        thread: Some(thread),
        workflow: Some(workflow),
    };
    Journal::of("thread start", about, context).write(&Entry::ThreadStarted { head });
    context.print(&json!({"workflow": workflow, "thread": thread}))
}

fn prompt(arguments: &Arguments, context: &Context) -> Result<String> {
    let Some(file) = &arguments.prompt_file else {
        return Ok(arguments.prompt.clone().unwrap_or_default());
    };
    if file == Path::new("-") {
        let refused = |why: String| {
            CommandError::new(Kind::Request, "cannot read the prompt from standard input")
                .cause(why)
        };
        let mut bytes = Vec::new();
        let read = io::stdin().take(MOST_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(|error| refused(error.to_string()))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(refused(format!("it has more than {MOST_BYTES} bytes")));
        }
        return String::from_utf8(bytes).map_err(|error| {
            let place = error.utf8_error().valid_up_to();
            refused(format!("it is not UTF-8 text (byte {place})"))
        });
    }
    let path = context.host.absolute(file);
    let found = fsx::read_named_text(&path, MOST_BYTES)
        .map_err(|error| CommandError::unreadable(&error))?;
    found.ok_or_else(|| {
        CommandError::new(
            Kind::Request,
            format!("there is no file {}", path.display()),
        )
        .hint("give --prompt-file a text file, or `-` for standard input")
    })
}

fn working_folder(arguments: &Arguments, context: &Context) -> Result<PathBuf> {
    let Some(folder) = &arguments.cwd else {
        return Ok(context.host.cwd.clone());
    };
    let folder = context.host.absolute(folder);
    if folder.is_dir() {
        return Ok(folder);
    }
    let what = if folder.exists() {
        "is not a folder"
    } else {
        "does not exist"
    };
    Err(CommandError::new(
        Kind::Request,
        format!("the working folder {} {what}", folder.display()),
    )
    .hint("give --cwd a folder that exists"))
}
