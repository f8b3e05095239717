//! What every agent in the binary does around its work: who is told what, and how it ends.

use std::io::{self, Write};
use std::os::fd::AsFd;

use super::Turn;
use crate::agent::{
    FailureClass, FailureReport, Guard, LastResort, QUESTIONS_ON_STDIN, QUESTIONS_VARIABLE,
    Question, Shipped, end_with_parent,
};
use crate::bundled::{self, Call, Failed, Observer, Reply, Respondent};
use crate::cli::context::{self, Context};
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::failure::kind_of_class;
use crate::cli::parse;
use crate::cli::questions;
use crate::config::Config;
use crate::engine::Extractor;
use crate::host::{AGENT_VARIABLE, Host};
use crate::model::{RoleName, in_full};

/// What the command line says the agent is called for.
pub fn call<'c>(turn: &Turn, shipped: Shipped, context: &'c Context) -> Result<Call<'c>> {
    Ok(Call {
        host: &context.host,
        root: &context.root,
        store: &context.store,
        thread: parse::thread(&turn.thread, context)?,
        role: role(&turn.role)?,
        label: shipped.command(),
    })
}

/// Notes signals from here on, and the end of an engine that was killed.
pub fn guard(context: &Context) -> Result<Guard> {
    let install = || -> io::Result<Guard> {
        if context.host.variable(AGENT_VARIABLE).is_some() {
            end_with_parent()?;
        }
        Guard::install()
    };
    install().map_err(|error| {
        CommandError::new(Kind::Request, "cannot watch for signals").cause(error.to_string())
    })
}

/// Lets an agent do a role's turn, and prints the hash of the step.
pub fn make_step(call: &Call<'_>, respondent: &mut dyn Respondent, context: &Context) -> Result {
    let mut signals = guard(context)?;
    let mut observer = Narrator {
        context,
        signals: guard(context)?,
    };
    let mut extractor = extractor(context);
    let last_resort = extractor
        .as_mut()
        .map(|extractor| extractor as &mut dyn LastResort);
    match bundled::perform(call, respondent, last_resort, &mut signals, &mut observer) {
        Ok(step) => context::print_document(&format!("{step}\n")),
        Err(failed) => Err(told(failed, context)?),
    }
}

/// Who reads the fields out of answers that do not fit; none when nobody is set up.
fn extractor(context: &Context) -> Option<Extractor> {
    let mut warnings = Vec::new();
    let extractor = match Config::load(&context.root) {
        Ok(config) => Extractor::set_up(&config, &context.root, &context.host, &mut warnings),
        Err(error) => {
            let why = in_full(&error);
            warnings.push(format!(
                "no model extracts fields from answers that do not fit: {why}"
            ));
            None
        }
    };
    for warning in &warnings {
        context.warn(warning);
    }
    extractor
}

fn role(text: &str) -> Result<RoleName> {
    text.parse()
        .map_err(|error| CommandError::from_error(Kind::Request, &error))
}

/// Ends with a failure that never got to the agent's work.
pub fn not_begun(class: FailureClass, message: &str, context: &Context) -> Result<CommandError> {
    let report = FailureReport {
        class,
        message: message.to_owned(),
        output: None,
    };
    report_of(&report, Kind::Request, context)
}

/// Ends with an error about the arguments: the engine is told in a report, since it wrote none of
/// them, whoever typed them as every command tells it.
pub fn refused(error: CommandError, host: Option<&Host>) -> Result<CommandError> {
    if !host.is_some_and(is_called_by_engine) {
        return Ok(error);
    }
    let report = FailureReport {
        class: FailureClass::Configuration,
        message: error.in_one_line(),
        output: None,
    };
    context::print_document(&format!("{}\n", report.to_line()))?;
    Ok(CommandError::silent(Kind::Request))
}

/// Whether the engine called this process, or somebody at a keyboard did.
pub fn is_called_by_engine(host: &Host) -> bool {
    host.variable(AGENT_VARIABLE).is_some()
}

/// The failure as this process ends with it. The engine is told on stdout, and tells it once more
/// itself: so nothing is said on stderr when it is the engine that called.
fn told(failed: Failed, context: &Context) -> Result<CommandError> {
    match failed {
        Failed::Case(error) => Ok(error.into()),
        Failed::AtWork { report, signal, .. } => {
            let kind = signal.map_or(kind_of_class(report.class), Kind::Interrupted);
            report_of(&report, kind, context)
        }
    }
}

fn report_of(report: &FailureReport, kind: Kind, context: &Context) -> Result<CommandError> {
    context::print_document(&format!("{}\n", report.to_line()))?;
    if is_called_by_engine(&context.host) {
        return Ok(CommandError::silent(kind));
    }
    let error = CommandError::new(kind, report.message.clone());
    let error = report.output.iter().fold(error, |error, output| {
        error.hint(format!(
            "what was said is kept: `uwf thread step-details {output}`"
        ))
    });
    Ok(match report.class.hint() {
        Some(hint) => error.hint(hint),
        None => error,
    })
}

/// Tells on stderr what goes on.
struct Narrator<'c> {
    context: &'c Context,
    /// Ends the wait for an answer.
    signals: Guard,
}

impl Observer for Narrator<'_> {
    fn warning(&mut self, message: &str) {
        self.context.warn(message);
    }

    fn progress(&mut self, line: &str) {
        self.context.say(&format!("{line}\n"));
    }

    fn program_stderr(&mut self, bytes: &[u8]) {
        if self.context.host.stderr_is_terminal {
            self.context.say(&String::from_utf8_lossy(bytes));
        } else {
            // When the error stream is gone there is nobody left to tell.
            let _ = io::stderr().write_all(bytes);
        }
    }

    fn ask(&mut self, question: &Question) -> Reply {
        let is_served = self
            .context
            .host
            .variable(QUESTIONS_VARIABLE)
            .is_some_and(|place| place == QUESTIONS_ON_STDIN);
        let answer = if is_served {
            let stdin = io::stdin().as_fd().try_clone_to_owned();
            let answer = stdin.and_then(|stdin| question.put(stdin, &mut self.signals));
            answer.unwrap_or_else(|error| {
                self.context
                    .warn(&format!("the question cannot be put: {error}"));
                None
            })
        } else if self.context.host.can_ask() {
            questions::ask(question, &mut self.signals, None, self.context)
        } else {
            return Reply::NobodyThere;
        };
        answer.map_or(Reply::NoneChosen, Reply::Chosen)
    }
}
