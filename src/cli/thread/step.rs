//! `uwf thread step`.

use std::num::NonZeroU64;
use std::time::Duration;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};

use super::long;
use super::onlooker::Onlooker;
use crate::agent::Guard;
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::output::{Format, json as json_output};
use crate::cli::parse;
use crate::config::{
    AgentFlag, PromptBy, Protocol, check_variable_name, parse_budget, parse_duration,
};
use crate::engine::StepResult;

/// Execute one or more steps of a thread
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Result: {workflow, thread, head, done}; with --count a list of them, each printed when it is \
known; with --long each also has what `uwf thread show --long` prints

Examples:
  uwf thread step 06H2S7T0SYTNXJYWQYS40BBMNR
  uwf thread step 06H2S7T0SYTNXJYWQYS40BBMNR --agent 'claude -p' --protocol markdown --count 20")]
pub struct Arguments {
    /// The thread: its id, the beginning of its id, or @ for the last one
    thread: String,
    /// Use this agent: a name in config.yaml, or a command line
    #[arg(long, value_name = "COMMAND", value_parser = NonEmptyStringValueParser::new())]
    agent: Option<String>,
    /// Speak to it by cas, json or markdown [default: as configured]
    #[arg(long, value_name = "PROTOCOL", value_parser = protocol(), hide_possible_values = true)]
    protocol: Option<Protocol>,
    /// End the agent after so long, such as 30m, or off [default: as configured, else 24h]
    #[arg(long, value_name = "TIME", value_parser = limit)]
    timeout: Option<Limit>,
    /// End the agent when it was silent so long, or off [default: as configured, else 2h]
    #[arg(long, value_name = "TIME", value_parser = limit)]
    idle_timeout: Option<Limit>,
    /// Let the step cost so much at most, where the agent can tell [default: as configured]
    #[arg(long, value_name = "AMOUNT", value_parser = parse_budget, allow_negative_numbers = true)]
    max_budget_usd: Option<f64>,
    /// Let the agent have this variable of .env as well; may be given more than once
    #[arg(long, value_name = "NAME")]
    env: Vec<String>,
    /// Hand the prompt over by argument or stdin [default: as configured, else by protocol]
    #[arg(long, value_name = "WAY", value_parser = prompt_by(), hide_possible_values = true)]
    prompt_by: Option<PromptBy>,
    /// Execute up to so many steps, until the thread is done
    #[arg(
        short,
        long,
        value_name = "N",
        default_value = "1",
        value_parser = parse::count,
        allow_negative_numbers = true
    )]
    count: NonZeroU64,
    /// Print how the thread stands after each step as well: status, next role, times
    #[arg(long)]
    long: bool,
}

fn protocol() -> impl TypedValueParser<Value = Protocol> {
    PossibleValuesParser::new(Protocol::NAMES).try_map(|name| name.parse::<Protocol>())
}

fn prompt_by() -> impl TypedValueParser<Value = PromptBy> {
    PossibleValuesParser::new(PromptBy::NAMES).try_map(|way| way.parse::<PromptBy>())
}

/// A limit of time; none when it is off.
#[derive(Debug, Clone, Copy)]
struct Limit(Option<Duration>);

fn limit(text: &str) -> std::result::Result<Limit, String> {
    parse_duration(text).map(Limit)
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    for name in &arguments.env {
        check_variable_name(name).map_err(|why| {
            let message = format!("`--env` takes the name of a variable: {why}");
            CommandError::new(Kind::Usage, message)
        })?;
    }
    let thread = parse::thread(&arguments.thread, context)?;
    let workshop = context.workshop();
    let flag = AgentFlag {
        agent: arguments.agent.as_deref(),
        protocol: arguments.protocol,
        timeout: arguments.timeout.map(|limit| limit.0),
        idle_timeout: arguments.idle_timeout.map(|limit| limit.0),
        max_budget_usd: arguments.max_budget_usd,
        prompt: arguments.prompt_by,
        env: &arguments.env,
    };
    let mut observer = Onlooker::of(thread, context);
    let mut results = Results {
        context,
        long: arguments.long,
        several: arguments.count.get() > 1,
        printed: 0,
    };
    // For all steps together, so that a signal between two of them loses no result.
    let mut signals = Guard::install().map_err(|error| {
        CommandError::new(Kind::Request, "cannot watch for signals").cause(error.to_string())
    })?;
    for _ in 0..arguments.count.get() {
        let stepped = workshop.step(thread, flag, &mut signals, &mut observer);
        observer.end_line();
        match stepped {
            Ok(result) => {
                context.remember(thread);
                results.add(&result)?;
                if result.done {
                    break;
                }
            }
            Err(failure) => {
                observer.failed(&failure.error);
                let printed = match &failure.happened {
                    Some(result) => results.add(result),
                    None => Ok(()),
                };
                let error = CommandError::from(failure);
                return Err(match printed.and_then(|()| results.close()) {
                    Ok(()) => error,
                    Err(unprinted) => error.cause(unprinted.message()),
                });
            }
        }
        if let Some(signal) = signals.interruption() {
            results.close()?;
            return Err(CommandError::new(
                Kind::Interrupted(signal),
                "interrupted between two steps",
            ));
        }
    }
    results.close()
}

/// Results, each printed as soon as it is known.
///
/// One result is an object; several are a list. Whether there will be several is not known when
/// the first is printed, so a first result that is not the last opens the list.
struct Results<'c> {
    context: &'c Context,
    long: bool,
    several: bool,
    printed: usize,
}

impl Results<'_> {
    fn add(&mut self, result: &StepResult) -> Result {
        let mut value = json!({
            "workflow": result.workflow,
            "thread": result.thread,
            "head": result.head,
            "done": result.done,
        });
        if self.long {
            let overview = long::overview_at(result.thread, result.head, self.context);
            long::add(&mut value, &overview);
        }
        if self.printed == 0 && result.done {
            self.several = false;
        }
        self.printed += 1;
        match self.context.format() {
            Format::Text => self.context.print_line(&value),
            _ if !self.several => self.context.print(&value),
            // A list of one is one item of the list.
            Format::Yaml => self.context.print(&Value::Array(vec![value])),
            Format::Json => {
                let before = if self.printed == 1 { "[" } else { "," };
                self.context
                    .print_text(&format!("{before}{}", json_output::to_string(&value)))
            }
        }
    }

    fn close(&self) -> Result {
        let is_open = self.several && self.printed > 0 && self.context.format() == Format::Json;
        if is_open {
            self.context.print_text("]\n")
        } else {
            Ok(())
        }
    }
}
