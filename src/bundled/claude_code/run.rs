//! One run of the program: started, heard, and judged.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use super::ClaudeCode;
use super::documents::{Document, Documents};
use super::record::Record;
use super::verdict::{End, Verdict, judge};
use crate::agent::{
    AgentError, Capture, Done, Ending, FailureClass, Finished, Invocation, Patience, Stdin,
    run_until_done,
};
use crate::bundled::kit::{Desk, Refusal};
use crate::config::Limits;
use crate::model::in_full;

/// Shorter than the engine's own: what is left when it ends us has to be kept within that.
const PATIENCE: Patience = Patience {
    ending: Duration::from_secs(3),
    output: Duration::from_millis(500),
    leftovers: Duration::from_millis(500),
};
/// A run that has told its result is over, though it may hang; unless it says more, as one with work
/// in the background does.
const SILENCE_AFTER_RESULT: Duration = Duration::from_secs(60);
/// The engine tells us and all that we started to end: this long after their end, we heard it too.
const SAME_SIGNAL: Duration = Duration::from_millis(300);

impl ClaudeCode {
    /// Runs the program once, in this session if there is one.
    pub(super) fn run(
        &mut self,
        session: Option<&str>,
        prompt: &str,
        desk: &mut Desk<'_>,
    ) -> Result<Verdict, Refusal> {
        let invocation = self.invocation(session, prompt, desk)?;
        let mut record = Record::default();
        let ended = hear(&invocation, &mut record, desk);
        let (ending, finished) = match ended {
            Ok(finished) => (None, finished),
            Err(AgentError::Ended {
                ending, finished, ..
            }) => (Some(late(ending, desk)), *finished),
            Err(error) => {
                self.conversation.add(record, session.is_some(), 0);
                return Err(self.not_run(&error));
            }
        };
        let end = End {
            ending,
            stderr: &finished.stderr_tail,
        };
        let verdict = judge(&record, end, session.is_some());
        let milliseconds = milliseconds(&finished);
        self.conversation
            .add(record, session.is_some(), milliseconds);
        if let Verdict::Answer(answer) = &verdict {
            self.conversation.conclude(answer);
        }
        Ok(verdict)
    }

    fn invocation(
        &self,
        session: Option<&str>,
        prompt: &str,
        desk: &Desk<'_>,
    ) -> Result<Invocation, Refusal> {
        let budget = self.budget_left()?;
        Ok(Invocation {
            agent: "claude".to_owned(),
            program: self.settings.program.clone(),
            arguments: self.settings.arguments(session, budget),
            cwd: desk.cwd.to_owned(),
            environment: desk.environment.clone(),
            stdin: Stdin::Text(prompt.as_bytes().to_vec()),
            // All of it is heard.
            capture: Capture::Tail(0),
            limits: Limits::default(),
            patience: PATIENCE,
        })
    }

    /// What is left for the next run: the program counts for each run alone, also in a session
    /// that it goes on with.
    fn budget_left(&self) -> Result<Option<f64>, Refusal> {
        let Some(budget) = self.settings.max_budget_usd else {
            return Ok(None);
        };
        let left = self.conversation.accounts.left_of(budget);
        if left > 0.0 {
            return Ok(Some(left));
        }
        let message =
            format!("the budget of ${budget} is spent, and the answer needs a correction");
        Err(Refusal::new(FailureClass::Budget, message))
    }

    fn not_run(&self, error: &AgentError) -> Refusal {
        let why = in_full(error);
        let AgentError::Start { .. } = error else {
            return Refusal::new(FailureClass::Crash, why);
        };
        let hint = error.hint().map(|hint| format!(" ({hint})"));
        let hint = hint.unwrap_or_default();
        let message = format!(
            "{why}{hint}: install Claude Code (`npm install -g @anthropic-ai/claude-code`), or say \
             where it is with `--program <path>`"
        );
        Refusal::new(FailureClass::Configuration, message)
    }
}

/// Runs the program, and takes in what it says while it says it.
fn hear(
    invocation: &Invocation,
    record: &mut Record,
    desk: &mut Desk<'_>,
) -> Result<Finished, AgentError> {
    let (signals, hearing) = desk.wait_and_hear();
    let hearing = RefCell::new(hearing);
    let is_done = Cell::new(false);
    let mut found = |document: Document| {
        let mut hearing = hearing.borrow_mut();
        record.hear(&document, &mut |line| hearing.observer.progress(line));
        if let Some(session) = &record.session {
            hearing.begin_session(session);
        }
        is_done.set(record.outcome().is_some());
    };
    let mut documents = Documents::default();
    let done = Done {
        is_done: &is_done,
        silence: SILENCE_AFTER_RESULT,
    };
    let ended = run_until_done(
        invocation,
        signals,
        done,
        &mut |bytes| documents.push(bytes, &mut found),
        &mut |lines| hearing.borrow_mut().observer.program_stderr(lines),
    );
    documents.finish(&mut found);
    ended
}

/// Whoever ends all at once may reach the program before us: then it was not the program that
/// broke.
fn late(ending: Ending, desk: &mut Desk<'_>) -> Ending {
    /// SIGHUP, SIGINT and SIGTERM, which ask for an end; 128 more as an exit code.
    const ASKED: [i32; 6] = [1, 2, 15, 129, 130, 143];
    match ending {
        Ending::Signal(number) | Ending::Exit(number) if ASKED[..].contains(&number) => desk
            .signals
            .pause(SAME_SIGNAL)
            .map_or(ending, Ending::Interrupted),
        other => other,
    }
}

fn milliseconds(finished: &Finished) -> u64 {
    u64::try_from(finished.duration.as_millis()).unwrap_or(u64::MAX)
}
