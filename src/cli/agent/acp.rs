//! `uwf agent acp`, also called `uwf-acp`; and what it shares with the agents of one program.

use std::ffi::{OsStr, OsString};

use super::{Turn, perform};
use crate::agent::Shipped;
use crate::bundled::{Acp, Permissions};
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};

/// Let any agent that speaks the Agent Client Protocol do a role's turn
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The command is run in the thread's folder and spoken to over its standard streams. It is given \
what a role is told, and asked again in the same session when its answer does not fit; in the \
role's next turn the session is taken up where the agent can do that.

Example, in config.yaml:
  agents:
    opencode: {command: uwf-acp, args: [--, opencode, acp]}")]
pub struct Arguments {
    #[command(flatten)]
    permissions: Permission,
    /// The agent's command, then the thread and the role whose turn it is
    #[arg(last = true, required = true, value_name = "COMMAND")]
    words: Vec<OsString>,
}

/// What the agent is told when it asks for a permission.
#[derive(Debug, clap::Args)]
pub struct Permission {
    /// What it is told when it asks for a permission: allow, deny or ask (you)
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "ANSWER",
        hide_possible_values = true
    )]
    permissions: Said,
}

#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum Said {
    #[default]
    Allow,
    Deny,
    Ask,
}

impl Permission {
    fn meant(&self) -> Permissions {
        match self.permissions {
            Said::Allow => Permissions::Allow,
            Said::Deny => Permissions::Deny,
            Said::Ask => Permissions::Ask,
        }
    }
}

impl Arguments {
    /// The command with its options, then the thread and the role.
    fn parts(&self) -> Result<(&OsString, &[OsString], Turn)> {
        let [command, options @ .., thread, role] = self.words.as_slice() else {
            return Err(CommandError::new(
                Kind::Usage,
                "the agent's command, the thread and the role have to stand behind `--`",
            )
            .hint(
                "usage: `uwf agent acp [--permissions <ANSWER>] -- <COMMAND>… <THREAD> <ROLE>`",
            ));
        };
        let turn = Turn {
            thread: thread.to_string_lossy().into_owned(),
            role: role.to_string_lossy().into_owned(),
        };
        Ok((command, options, turn))
    }

    /// The program of the agent's command, if there is a command.
    pub fn program(&self) -> Option<&OsStr> {
        self.parts().ok().map(|(command, ..)| command.as_os_str())
    }
}

/// Whether there is a command before the thread and the role.
pub fn check(arguments: &Arguments) -> Result {
    arguments.parts().map(|_| ())
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let (command, options, turn) = match arguments.parts() {
        Ok(parts) => parts,
        Err(error) => return Err(perform::refused(error, Some(&context.host))?),
    };
    make_step(
        Shipped::Acp,
        command.clone(),
        options.to_vec(),
        &arguments.permissions,
        &turn,
        context,
    )
}

/// Lets a program do a role's turn.
pub fn make_step(
    shipped: Shipped,
    program: OsString,
    options: Vec<OsString>,
    permission: &Permission,
    turn: &Turn,
    context: &Context,
) -> Result {
    let call = perform::call(turn, shipped, context)?;
    let mut agent = Acp::new(program, options, permission.meant());
    perform::make_step(&call, &mut agent, context)
}
