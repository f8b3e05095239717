//! `uwf thread step`.

use std::io::{self, Write};
use std::num::NonZeroU32;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};

use crate::agent;
use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::output::{Format, json as json_output};
use crate::cli::parse;
use crate::config::{AgentFlag, Protocol};
use crate::engine::{Observer, Plan, StepResult, Workshop};

/// Execute one or more steps of a thread
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Result: {workflow, thread, head, done}; with --count a list of them, each printed when it is known

Examples:
  uwf thread step 06H2S7T0SYTNXJYWQYS40BBMNR
  uwf thread step 06H2S7T0SYTNXJYWQYS40BBMNR --agent 'claude -p' --protocol markdown --count 20")]
pub struct Arguments {
    /// The thread's id
    thread: String,
    /// Use this agent: a name in config.yaml, or a command line
    #[arg(long, value_name = "COMMAND", value_parser = NonEmptyStringValueParser::new())]
    agent: Option<String>,
    /// Speak to it by cas, json or markdown [default: as configured]
    #[arg(long, value_name = "PROTOCOL", value_parser = protocol(), hide_possible_values = true)]
    protocol: Option<Protocol>,
    /// Execute up to so many steps, until the thread is done
    #[arg(
        short,
        long,
        value_name = "N",
        default_value = "1",
        value_parser = count,
        allow_negative_numbers = true
    )]
    count: NonZeroU32,
}

fn protocol() -> impl TypedValueParser<Value = Protocol> {
    PossibleValuesParser::new(Protocol::NAMES).try_map(|name| name.parse::<Protocol>())
}

fn count(text: &str) -> std::result::Result<NonZeroU32, &'static str> {
    text.parse().map_err(|_| "must be a positive integer")
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let thread = parse::thread(&arguments.thread)?;
    let workshop = Workshop {
        host: &context.host,
        root: &context.root,
        store: &context.store,
    };
    let flag = AgentFlag {
        agent: arguments.agent.as_deref(),
        protocol: arguments.protocol,
    };
    let mut observer = Onlooker { context };
    let mut results = Results::new(context, arguments.count.get() > 1);
    for _ in 0..arguments.count.get() {
        match workshop.step(thread, flag, &mut observer) {
            Ok(result) => {
                results.add(&result)?;
                if result.done {
                    break;
                }
            }
            Err(failure) => {
                if let Some(result) = &failure.happened {
                    results.add(result)?;
                }
                results.close()?;
                return Err(failure.into());
            }
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
    several: bool,
    printed: usize,
}

impl<'c> Results<'c> {
    fn new(context: &'c Context, several: bool) -> Self {
        Self {
            context,
            several,
            printed: 0,
        }
    }

    fn add(&mut self, result: &StepResult) -> Result {
        let value = json!({
            "workflow": result.workflow,
            "thread": result.thread,
            "head": result.head,
            "done": result.done,
        });
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

/// Tells a person at the terminal what goes on.
struct Onlooker<'c> {
    context: &'c Context,
}

impl agent::Observer for Onlooker<'_> {
    fn warning(&mut self, message: &str) {
        self.context.warn(message);
    }

    fn agent_stderr(&mut self, bytes: &[u8]) {
        if self.context.host.stderr_is_terminal {
            self.context.say(&String::from_utf8_lossy(bytes));
        } else {
            // When the error stream is gone there is nobody left to tell.
            let _ = io::stderr().write_all(bytes);
        }
    }
}

impl Observer for Onlooker<'_> {
    fn agent_starts(&mut self, plan: &Plan) {
        if self.context.host.stderr_is_terminal {
            self.context.say(&format!(
                "uwf: {} is at work ({})\n",
                plan.role_name, plan.agent.name
            ));
        }
    }
}
