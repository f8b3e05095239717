//! The command line: what can be typed, what is printed, and how the process ends.
//!
//! One file per command holds its arguments and what it does; the domain does the work. Results
//! go to stdout, everything else to stderr, and only this room prints.

mod agent;
mod cas;
mod completions;
mod context;
mod doctor;
mod error;
mod failure;
mod help;
mod installed;
mod journal;
mod keyboard;
mod limits;
mod log;
mod man;
mod output;
mod parse;
mod questions;
mod reference;
mod setup;
mod skill;
mod thread;
mod usage;
mod workflow;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};

use self::context::Context;
use self::error::{CommandError, Result};
use self::output::Format;
use self::output::style::Colours;
use crate::host::{Host, HostError};

/// The heading above the options that every command has.
const GLOBAL: &str = "Global options";

/// Run workflows of AI agents, one step at a time.
#[derive(Debug, Parser)]
#[command(
    name = "uwf",
    version,
    disable_version_flag = true,
    disable_help_flag = true,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    after_help = "A workflow is registered once (`uwf workflow put`), a thread is one run of it \
                  (`uwf thread start`), and each `uwf thread step` does one role's work and exits."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,

    /// Print results as json, yaml or text [default: json]
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "FORMAT",
        hide_possible_values = true,
        help_heading = GLOBAL
    )]
    format: Option<Format>,

    /// Print errors as text or json [default: text]
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        hide_possible_values = true,
        hide_default_value = true,
        help_heading = GLOBAL
    )]
    error_format: ErrorFormat,

    /// Print help
    #[arg(short, long, global = true, action = clap::ArgAction::Help, help_heading = GLOBAL)]
    help: (),

    /// Print the version
    #[arg(short = 'V', long, action = clap::ArgAction::Version, help_heading = GLOBAL)]
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
    #[command(flatten)]
    OfStore(OfStore),
    #[command(flatten)]
    OfProgram(OfProgram),
}

/// Commands that need the storage root.
#[derive(Debug, Subcommand)]
enum OfStore {
    /// Register workflows and look at them
    #[command(subcommand)]
    Workflow(workflow::Command),
    /// Start threads, step them, read them
    #[command(subcommand)]
    Thread(thread::Command),
    /// Read and write nodes of the content-addressed store
    #[command(subcommand)]
    Cas(cas::Command),
    /// Be one of the agents that ship in the binary
    #[command(subcommand)]
    Agent(agent::Command),
    Setup(setup::Arguments),
    Doctor(doctor::Arguments),
    /// Look at the process log
    #[command(subcommand)]
    Log(log::Command),
}

impl OfStore {
    fn run(&self, context: &Context) -> Result {
        match self {
            Self::Workflow(command) => command.run(context),
            Self::Thread(command) => command.run(context),
            Self::Cas(command) => command.run(context),
            Self::Agent(command) => command.run(context),
            Self::Setup(arguments) => setup::run(arguments, context),
            Self::Doctor(arguments) => doctor::run(arguments, context),
            Self::Log(command) => command.run(context),
        }
    }
}

/// Commands about the program itself.
#[derive(Debug, Subcommand)]
enum OfProgram {
    /// Print what an agent has to know
    #[command(subcommand)]
    Skill(skill::Command),
    Completions(completions::Arguments),
    Man(man::Arguments),
    Help(help::Arguments),
}

impl OfProgram {
    fn run(&self, colours: Colours) -> Result {
        match self {
            Self::Skill(command) => command.run(),
            Self::Completions(arguments) => completions::run(arguments),
            Self::Man(arguments) => man::run(arguments),
            Self::Help(arguments) => help::run(arguments, colours),
        }
    }
}

/// Everything that can be typed. Help, completions, manual pages and the reference are made of it.
fn definition() -> clap::Command {
    let mut definition = Arguments::command();
    definition.build();
    definition
}

/// Runs one command: `arguments` begins with the program's name.
///
/// Prints the result to stdout and what went wrong to stderr, and gives the code the process
/// ends with (`README.md`, "Exit codes").
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let host = Host::capture();
    let screen = Screen::of(&host);
    // Whatever it is called: the file of an agent that calls itself may have the agent's name.
    if let Some(failed) = agent::confined::run(&arguments) {
        return ended(Err(failed), ErrorFormat::Text, screen);
    }
    let arguments = agent::by_program_name(arguments);
    let parsed = match Arguments::try_parse_from(&arguments) {
        Ok(parsed) => parsed,
        Err(error) => {
            let host = host.as_ref().ok();
            if let Some((shipped, own)) = agent::entry::called(&arguments)
                && host.is_some_and(agent::perform::is_called_by_engine)
            {
                let error = agent::entry::refusal(&error, shipped, own);
                let told = agent::perform::refused(error, host).and_then(Err);
                return ended(told, ErrorFormat::Text, screen);
            }
            return refuse(&error, &arguments, screen);
        }
    };
    let done = match parsed.command {
        Command::OfStore(command) => Context::new(host, parsed.format).and_then(|context| {
            let done = command.run(&context);
            context.debug(|| format!("took {} ms", context.elapsed_ms()));
            done
        }),
        Command::OfProgram(command) => command.run(screen.stdout),
    };
    ended(done, parsed.error_format, screen)
}

/// The code the process ends with, after what went wrong is told.
fn ended(done: Result, format: ErrorFormat, screen: Screen) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error, format, screen);
            error.exit_code()
        }
    }
}

/// Where there may be colours.
#[derive(Debug, Clone, Copy, Default)]
struct Screen {
    stdout: Colours,
    stderr: Colours,
}

impl Screen {
    fn of(host: &std::result::Result<Host, HostError>) -> Self {
        // Where the surroundings cannot be captured nothing is known of them.
        host.as_ref().map_or_else(
            |_| Self::default(),
            |host| Self {
                stdout: Colours::wanted(host, host.stdout_is_terminal),
                stderr: Colours::wanted(host, host.stderr_is_terminal),
            },
        )
    }
}

/// Help and version are results; everything else clap says is a usage error.
fn refuse(error: &clap::Error, arguments: &[OsString], screen: Screen) -> ExitCode {
    let wants_json = arguments
        .windows(2)
        .any(|pair| pair[0] == "--error-format" && pair[1] == "json")
        || arguments
            .iter()
            .any(|argument| argument == "--error-format=json");
    let format = if wants_json {
        ErrorFormat::Json
    } else {
        ErrorFormat::Text
    };
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        let text = screen.stdout.paint_help(&error.render().to_string());
        return ended(context::print_document(&text), format, screen);
    }
    let explained = usage::explain(error, arguments);
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand && !wants_json {
        // Whoever did not say which command is shown which there are.
        let text = screen.stderr.paint_help(&error.render().to_string());
        let _ = std::io::stderr().write_all(text.as_bytes());
    } else {
        report(&explained, format, screen);
    }
    explained.exit_code()
}

fn report(error: &CommandError, format: ErrorFormat, screen: Screen) {
    if error.is_silent() {
        return;
    }
    let text = match format {
        ErrorFormat::Text => error.to_text(screen.stderr),
        ErrorFormat::Json => error.to_json(),
    };
    // When the error stream is gone there is nobody left to tell.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
