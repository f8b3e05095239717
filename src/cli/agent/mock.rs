//! `uwf agent mock`, also called `uwf-mock`.

use std::path::{Path, PathBuf};

use super::{Turn, perform};
use crate::agent::{FailureClass, Shipped};
use crate::bundled::{Case, Mock, Scene, Script, ScriptError};
use crate::cli::context::{self, Context};
use crate::cli::error::{CommandError, Kind, Result};
use crate::model::{RoleName, in_full};

/// Answer from a script: for tests of workflows
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The script is YAML: for each role a list of scenes, one for each visit; the last counts for all \
visits after it. A scene has one of `answer`, `answers` (the first, then one for each correction), \
`fail` ({class, message}), or `print` and `exit`; and `delay` and `stderr` as you like.

Example, in config.yaml:
  agents:
    mock: {command: uwf-mock, args: [/path/to/script.yaml]}")]
pub struct Arguments {
    /// The script
    script: PathBuf,
    #[command(flatten)]
    turn: Turn,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let call = perform::call(&arguments.turn, Shipped::Mock, context)?;
    let visit = Case::read(&call)?.visit;
    let path = context.host.absolute(&arguments.script);
    let scene = match scene(&path, &call.role, visit) {
        Ok(scene) => scene,
        Err(error) => {
            let class = FailureClass::Configuration;
            return Err(perform::not_begun(class, &in_full(&error), context)?);
        }
    };
    if let Some(text) = &scene.stderr {
        context.say(&format!("{}\n", text.trim_end()));
    }
    if scene.print.is_none() && scene.exit.is_none() {
        return perform::make_step(&call, &mut Mock::new(scene), context);
    }
    let mut signals = perform::guard(context)?;
    if let Some(delay) = scene.delay()
        && let Some(signal) = signals.pause(delay)
    {
        return Err(CommandError::silent(Kind::Interrupted(signal)));
    }
    context::print_document(scene.print.as_deref().unwrap_or_default())?;
    match scene.exit {
        None | Some(0) => Ok(()),
        Some(code) => Err(CommandError::silent(Kind::Scripted(code))),
    }
}

/// Whether the script can be played. One that is in each thread's folder cannot be read now.
pub fn check(arguments: &Arguments) -> std::result::Result<(), String> {
    if arguments.script.is_relative() {
        return Ok(());
    }
    Script::read(&arguments.script)
        .map(|_| ())
        .map_err(|error| in_full(&error))
}

fn scene(path: &Path, role: &RoleName, visit: usize) -> std::result::Result<Scene, ScriptError> {
    Script::read(path)?.scene(role, visit).cloned()
}
