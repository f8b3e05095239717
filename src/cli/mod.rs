//! The command line: what can be typed, what is printed, and how the process ends.
//!
//! One file per command holds its arguments and what it does; the domain does the work. Results
//! go to stdout, everything else to stderr, and only this room prints.

mod cas;
mod context;
mod error;
mod failure;
mod journal;
mod log;
mod output;
mod parse;
mod thread;
mod workflow;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand, ValueEnum};

use self::context::Context;
use self::error::{CommandError, Kind};
use self::output::Format;

/// Run workflows of AI agents, one step at a time.
#[derive(Debug, Parser)]
#[command(
    name = "uwf",
    version,
    disable_version_flag = true,
    arg_required_else_help = true,
    after_help = "A workflow is registered once (`uwf workflow put`), a thread is one run of it \
                  (`uwf thread start`), and each `uwf thread step` does one role's work and exits."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,

    /// How results are printed: json or yaml [default: json]
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "FORMAT",
        hide_possible_values = true
    )]
    format: Option<Format>,

    /// How errors are printed: text or json [default: text]
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        hide_possible_values = true,
        hide_default_value = true
    )]
    error_format: ErrorFormat,

    /// Print the version
    #[arg(short = 'V', long, action = clap::ArgAction::Version)]
    version: (),
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum ErrorFormat {
    #[default]
    Text,
    Json,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Register workflows and look at them
    #[command(subcommand)]
    Workflow(workflow::Command),
    /// Start threads, step them, read them
    #[command(subcommand)]
    Thread(thread::Command),
    /// Read and write nodes of the content-addressed store
    #[command(subcommand)]
    Cas(cas::Command),
    /// Look at the process log: what was started, chosen, run and archived, and when
    #[command(subcommand)]
    Log(log::Command),
}

/// Runs one command: `arguments` begins with the program's name.
///
/// Prints the result to stdout and what went wrong to stderr, and gives the code the process
/// ends with (`README.md`, "Exit codes").
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let parsed = match Arguments::try_parse_from(&arguments) {
        Ok(parsed) => parsed,
        Err(error) => return refuse(&error, &arguments),
    };
    let done = Context::new(parsed.format).and_then(|context| {
        let done = match parsed.command {
            Command::Workflow(command) => command.run(&context),
            Command::Thread(command) => command.run(&context),
            Command::Cas(command) => command.run(&context),
            Command::Log(command) => command.run(&context),
        };
        context.debug(|| format!("took {} ms", context.elapsed_ms()));
        done
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error, parsed.error_format);
            error.exit_code()
        }
    }
}

/// Help and version are results; everything else clap says is a usage error.
fn refuse(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        // A reader that went away has seen what it wanted.
        let _ = write!(std::io::stdout(), "{}", error.render());
        return ExitCode::SUCCESS;
    }
    let wants_json = arguments
        .windows(2)
        .any(|pair| pair[0] == "--error-format" && pair[1] == "json")
        || arguments
            .iter()
            .any(|argument| argument == "--error-format=json");
    if wants_json {
        let text = error.render().to_string();
        let message = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
        report(&CommandError::new(Kind::Usage, message), ErrorFormat::Json);
    } else {
        let _ = write!(std::io::stderr(), "{}", error.render());
    }
    ExitCode::from(Kind::Usage.code())
}

fn report(error: &CommandError, format: ErrorFormat) {
    if error.is_silent() {
        return;
    }
    let text = match format {
        ErrorFormat::Text => error.to_text(),
        ErrorFormat::Json => error.to_json(),
    };
    // When the error stream is gone there is nobody left to tell.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
