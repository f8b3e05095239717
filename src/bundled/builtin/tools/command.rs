//! `run_command`: a command of the shell, within limits.

use std::time::{Duration, Instant};

use super::arguments::Arguments;
use super::output::{HEAD, TAIL, output, plain};
use super::progress::Progress;
use super::{Confinement, Outcome, Stop, Toolbox};
use crate::agent::{
    AgentError, Capture, Ending, Finished, Guard, Invocation, Patience, Stdin, confined, run_heard,
};
use crate::bundled::kit::Observer;
use crate::config::Limits;
use crate::model::in_full;

/// How long a command may take that does not say it, in seconds.
pub const USUAL: u64 = 120;
/// How long it may take at most.
pub const LONGEST: u64 = 1_200;
/// The most bytes of a command. Linux takes no single text over 128 KiB.
const MOST: usize = 100_000;
const SHELL: &str = "/bin/sh";
/// Both streams as one, so that what is said stands in its order. What else comes from the error
/// stream is not from the command, but from what becomes it.
const JOINED: &str = r#"exec /bin/sh -c "$1" sh 2>&1"#;

pub fn run_command(
    toolbox: &Toolbox,
    arguments: &Arguments,
    signals: &mut Guard,
    observer: &mut dyn Observer,
) -> Outcome {
    let command = arguments.text("command");
    let seconds = arguments.count("timeout_seconds").unwrap_or(USUAL);
    check(command, seconds)?;
    let invocation = invocation(toolbox, command, Duration::from_secs(seconds));
    let started = Instant::now();
    let mut progress = Progress::without(toolbox.key.clone());
    let mut listener = |bytes: &[u8]| {
        if let Some(line) = progress.heard(bytes, started.elapsed()) {
            observer.progress(&line);
        }
    };
    let outcome = run_heard(&invocation, signals, &mut listener, &mut |_| {});
    match outcome {
        Ok(finished) => Ok(told("the command exited with code 0", &finished)),
        Err(AgentError::Ended {
            ending, finished, ..
        }) => ended(ending, &finished, seconds),
        Err(AgentError::Start { cause, .. }) => Err(Stop::Told(format!(
            "the command cannot be run: {}",
            in_full(&cause)
        ))),
        Err(error) => Err(Stop::Told(format!(
            "it is not known how the command ended: {}",
            in_full(&error)
        ))),
    }
}

fn check(command: &str, seconds: u64) -> Result<(), Stop> {
    if command.trim().is_empty() {
        return Err(Stop::Told("`command` is empty: nothing was run".to_owned()));
    }
    if command.contains('\0') {
        return Err(Stop::Told(
            "`command` holds a NUL character, which no program can be given".to_owned(),
        ));
    }
    if command.len() > MOST {
        return Err(Stop::Told(format!(
            "`command` has {} bytes, and {MOST} at most can be run: write a script with \
             write_file, and run that",
            command.len()
        )));
    }
    if seconds > LONGEST {
        return Err(Stop::Told(format!(
            "`timeout_seconds` may be {LONGEST} at most"
        )));
    }
    Ok(())
}

fn invocation(toolbox: &Toolbox, command: &str, timeout: Duration) -> Invocation {
    let invocation = Invocation {
        agent: "run_command".to_owned(),
        program: SHELL.into(),
        arguments: ["-c", JOINED, "sh", command].map(Into::into).into(),
        cwd: toolbox.places.cwd().to_owned(),
        environment: toolbox.environment.clone(),
        stdin: Stdin::Empty,
        capture: Capture::Ends {
            head: HEAD,
            tail: TAIL,
        },
        limits: Limits {
            total: Some(timeout),
            idle: None,
        },
        patience: Patience::COMMAND,
    };
    match &toolbox.confinement {
        Confinement::Landlock {
            own_program,
            writable,
            ..
        } => confined(invocation, own_program, writable),
        Confinement::None { .. } => invocation,
    }
}

fn ended(ending: Ending, finished: &Finished, seconds: u64) -> Outcome {
    match ending {
        Ending::Interrupted(signal) => Err(Stop::Interrupted(signal)),
        Ending::Timeout(_) => Err(Stop::Told(format!(
            "the command was not done within {seconds} s, and was ended: do less at once, or set \
             `timeout_seconds`, to {LONGEST} at most\n{}",
            said(finished)
        ))),
        Ending::Terminal => Err(Stop::Told(format!(
            "the command reached for the terminal, which it cannot have, and was ended: run it in \
             a way that asks nothing\n{}",
            said(finished)
        ))),
        Ending::Exit(_) | Ending::Signal(_) | Ending::Idle(_) | Ending::OutputTooLarge(_) => {
            Ok(told(&format!("the command {ending}"), finished))
        }
    }
}

fn told(how: &str, finished: &Finished) -> String {
    format!("[{how}]\n{}", said(finished))
}

fn said(finished: &Finished) -> String {
    let said = match finished.stdout_total {
        0 => "[it said nothing]".to_owned(),
        total => output(&finished.stdout, total),
    };
    // Why nothing was run; or a warning of a shell or a loader, though all is well.
    match plain(finished.stderr_tail.as_bytes()).trim_end() {
        "" => said,
        others => format!("[what starts commands said: {others}]\n{said}"),
    }
}
