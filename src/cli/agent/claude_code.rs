//! `uwf agent claude-code`, also called `uwf-claude-code`.

use std::ffi::OsString;
use std::num::NonZeroU64;

use super::{Turn, perform};
use crate::agent::{FailureClass, Shipped};
use crate::bundled::{ClaudeCode, ClaudeCodeSettings};
use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::parse;
use crate::config::parse_budget;
use crate::host::MAX_BUDGET_VARIABLE;

/// The variable by which the original's agent is told the model.
const MODEL_VARIABLE: &str = "CLAUDE_MODEL";

/// Let Claude Code do a role's turn
#[derive(Debug, clap::Args)]
#[command(after_help = "\
`claude` is run in the thread's folder with the prompt on its standard input. Its session is \
remembered for each thread, role and agent: the role's next turn, and corrections of an answer, go \
on with it. Nobody is there to be asked, so its permission prompts are skipped \
(`--dangerously-skip-permissions`), unless --permission-mode says otherwise. What it needs to reach \
its service, such as ANTHROPIC_API_KEY, it finds in its environment, or in its own settings.

Example, in config.yaml:
  agents:
    claude: {command: uwf-claude-code, args: [--model, opus], env: [ANTHROPIC_API_KEY]}")]
pub struct Arguments {
    /// The program, when it is not the `claude` of PATH
    #[arg(long, value_name = "PATH", default_value = "claude")]
    pub program: OsString,
    /// The model, else CLAUDE_MODEL, else what claude is set up for
    #[arg(long)]
    model: Option<String>,
    /// How often the model may be asked in one run of claude
    #[arg(long, value_name = "N", value_parser = parse::count, allow_negative_numbers = true)]
    max_turns: Option<NonZeroU64>,
    /// What the turn may cost in US dollars, corrections included; a lower
    /// UWF_MAX_BUDGET_USD counts before it
    #[arg(long, value_name = "X", value_parser = parse_budget, allow_negative_numbers = true)]
    max_budget_usd: Option<f64>,
    /// What claude may do unasked, instead of everything
    #[arg(long, value_name = "MODE")]
    permission_mode: Option<String>,
    /// The tools that claude may use unasked, as its own --allowed-tools wants them
    #[arg(long, value_name = "LIST")]
    allowed_tools: Option<String>,
    /// One more argument for claude; may be given more than once
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    claude_arg: Vec<OsString>,
    #[command(flatten)]
    turn: Turn,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let max_budget_usd = match budget(arguments, context) {
        Ok(budget) => budget,
        Err(why) => {
            return Err(perform::not_begun(
                FailureClass::Configuration,
                &why,
                context,
            )?);
        }
    };
    let call = perform::call(&arguments.turn, Shipped::ClaudeCode, context)?;
    let variable = || context.host.variable(MODEL_VARIABLE);
    let model = arguments.model.clone();
    let mut agent = ClaudeCode::new(ClaudeCodeSettings {
        program: arguments.program.clone(),
        model: model.or_else(|| Some(variable()?.to_string_lossy().into_owned())),
        max_turns: arguments.max_turns.map(NonZeroU64::get),
        max_budget_usd,
        permission_mode: arguments.permission_mode.clone(),
        allowed_tools: arguments.allowed_tools.clone(),
        further: arguments.claude_arg.clone(),
    });
    perform::make_step(&call, &mut agent, context)
}

/// The lower of what the arguments and the call allow: each is a promise to somebody.
fn budget(arguments: &Arguments, context: &Context) -> std::result::Result<Option<f64>, String> {
    let own = arguments.max_budget_usd;
    let Some(text) = context.host.variable(MAX_BUDGET_VARIABLE) else {
        return Ok(own);
    };
    let of_call = parse_budget(&text.to_string_lossy())
        .map_err(|why| format!("{MAX_BUDGET_VARIABLE}: {why}"))?;
    Ok(Some(own.map_or(of_call, |own| own.min(of_call))))
}
