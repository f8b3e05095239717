//! Which version of a program there is, as the program tells it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::invocation::{Capture, Invocation, Patience, Stdin};
use super::process;
use super::signals::Guard;
use crate::config::Limits;
use crate::model::in_full;
use crate::wording::excerpt;

/// How long a program may take to tell its version.
const LIMIT: Duration = Duration::from_secs(10);

/// How long it is waited for once it should be gone.
const PATIENCE: Patience = Patience {
    ending: Duration::from_secs(1),
    output: Duration::from_secs(1),
    leftovers: Duration::from_millis(500),
};

/// The first line that `<program> --version` prints, made short and harmless; else why there is
/// none.
pub fn version(
    program: &Path,
    cwd: &Path,
    environment: &BTreeMap<OsString, OsString>,
    signals: &mut Guard,
) -> Result<String, String> {
    let invocation = Invocation {
        agent: program.display().to_string(),
        program: program.into(),
        arguments: vec!["--version".into()],
        cwd: cwd.to_owned(),
        environment: environment.clone(),
        stdin: Stdin::Empty,
        capture: Capture::Tail(4096),
        limits: Limits {
            total: Some(LIMIT),
            idle: None,
        },
        patience: PATIENCE,
    };
    let finished =
        process::run(&invocation, signals, &mut |_| {}).map_err(|error| in_full(&error))?;
    let said = String::from_utf8_lossy(&finished.stdout);
    let line = said.lines().map(str::trim).find(|line| !line.is_empty());
    line.map(excerpt)
        .ok_or_else(|| "it printed nothing".to_owned())
}
