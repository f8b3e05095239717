//! The arguments that the entry of an agent in the binary has, without the thread and the role
//! behind them: what they mean, and what is wrong with them.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use super::Command;
use crate::agent::Shipped;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::{self, OfStore, usage};
use crate::wording::quoted;

/// A thread and a role that need not exist: they complete a call that is not made.
const NOBODYS_TURN: [&str; 2] = ["06H2S7T0SYTNXJYWQYS40BBMNR", "writer"];

/// The agent that these arguments call.
pub fn read(shipped: Shipped, own: &[OsString]) -> Result<Command> {
    let turn = NOBODYS_TURN.map(OsString::from);
    let whole = call(shipped, own).chain(turn);
    match cli::Arguments::try_parse_from(whole) {
        Ok(cli::Arguments {
            command: cli::Command::OfStore(OfStore::Agent(command)),
            ..
        }) => Ok(command),
        Ok(_) => Err(CommandError::new(
            Kind::Usage,
            format!("these are no arguments of `{}`", shipped.command()),
        )),
        Err(error) => Err(refusal(&error, shipped, own)),
    }
}

/// What is wrong with a call that clap refused, told of the arguments that stand before the
/// thread and the role: those two are right, whichever of them clap stumbled over.
pub fn refusal(error: &clap::Error, shipped: Shipped, own: &[OsString]) -> CommandError {
    let whole: Vec<_> = call(shipped, own).collect();
    let parsed = without_turn(shipped).try_get_matches_from(&whole);
    let error = match &parsed {
        Ok(matches) => {
            let agent = matches
                .subcommand()
                .and_then(|(_, agent)| agent.subcommand());
            let stray = agent.and_then(|(_, it)| it.try_get_one::<String>("thread").ok()?);
            if let Some(stray) = stray {
                return CommandError::new(
                    Kind::Usage,
                    format!(
                        "`uwf agent {}` takes no argument {} before the thread and the role",
                        shipped.name(),
                        quoted(stray)
                    ),
                )
                .hint("leave it out of the agent's `args`");
            }
            error
        }
        Err(error) => error,
    };
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => CommandError::new(
            Kind::Usage,
            format!(
                "`uwf agent {}` is asked for help, and does no turn",
                shipped.name()
            ),
        )
        .hint("leave `--help` out of the agent's `args`"),
        _ => usage::explain(error, &whole),
    }
}

/// The agent that is called, with its own arguments, when a whole call of one it is.
pub fn called(arguments: &[OsString]) -> Option<(Shipped, &[OsString])> {
    let [_, agent, name, own @ .., _thread, _role] = arguments else {
        return None;
    };
    let mut all = Shipped::ALL.into_iter();
    let shipped = all.find(|shipped| name == shipped.name())?;
    (agent == "agent").then_some((shipped, own))
}

fn call(shipped: Shipped, own: &[OsString]) -> impl Iterator<Item = OsString> {
    let itself = ["uwf", "agent", shipped.name()].map(OsString::from);
    itself.into_iter().chain(own.iter().cloned())
}

/// What can be typed, where the agent may go without a thread and a role.
fn without_turn(shipped: Shipped) -> clap::Command {
    let optional = |argument: clap::Arg| match argument.get_id().as_str() {
        "thread" | "role" => argument.required(false),
        _ => argument,
    };
    cli::Arguments::command().mut_subcommand("agent", |agents| {
        agents.mut_subcommand(shipped.name(), |agent| agent.mut_args(optional))
    })
}
