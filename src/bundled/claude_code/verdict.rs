//! What the end of a run means: an answer, a session that is gone, or a failure of some class.
//!
//! Success is an outcome that is no error and has an answer that is not blank; neither the exit
//! code nor the outcome's subtype decides it.

use super::outcome::Outcome;
use super::record::Record;
use crate::agent::{Ending, FailureClass};
use crate::bundled::kit::{Refusal, class_of_status, class_of_words};
use crate::wording::{counted, cut, one_line};

/// Characters of the program's own words that a message shows.
const LONGEST: usize = 600;

/// What a run came to.
#[derive(Debug, PartialEq)]
pub enum Verdict {
    /// The answer.
    Answer(String),
    /// The session could not be taken up, for this reason.
    Gone(String),
    /// There is no answer.
    Refused(Refusal),
}

/// How the process of a run ended.
#[derive(Debug, Clone, Copy)]
pub struct End<'a> {
    /// In which way, when it did not end well.
    pub ending: Option<Ending>,
    /// The last it said on its error stream.
    pub stderr: &'a str,
}

/// Judges a run; `is_resumed`: it was to go on with a session.
pub fn judge(run: &Record, end: End<'_>, is_resumed: bool) -> Verdict {
    let outcome = run.outcome();
    if let Some(answer) = outcome.and_then(answer) {
        return Verdict::Answer(answer.to_owned());
    }
    if let Some(Ending::Interrupted(signal)) = end.ending {
        return Verdict::Refused(interrupted(run, signal));
    }
    match outcome {
        Some(outcome) if is_resumed && outcome.is_error && is_gone(outcome, end) => {
            Verdict::Gone(shown(&outcome.words()))
        }
        Some(outcome) if outcome.is_error => Verdict::Refused(failed(outcome, run)),
        Some(outcome) => Verdict::Refused(empty(outcome)),
        None if is_resumed && is_unknown(end.stderr) => Verdict::Gone(shown(end.stderr)),
        None => {
            let refusal = without_outcome(run, end);
            // It may be the session that it breaks on.
            if is_resumed && refusal.class == FailureClass::Crash && run.turns.is_empty() {
                return Verdict::Gone(refusal.message);
            }
            Verdict::Refused(refusal)
        }
    }
}

fn answer(outcome: &Outcome) -> Option<&str> {
    let result = outcome.result.as_deref().filter(|_| !outcome.is_error);
    result.filter(|text| !text.trim().is_empty())
}

fn interrupted(run: &Record, signal: i32) -> Refusal {
    let mut refusal = Refusal::interrupted(signal);
    if let Some(retry) = run.retry.as_deref().filter(|_| run.turns.is_empty()) {
        let retry = retry.trim_start_matches("claude: ");
        refusal.message = format!("{}; claude was at {retry}", refusal.message);
    }
    refusal
}

/// Whether a session cannot be gone on with: it is not known, nothing was done at all, or it is
/// too long for any more.
fn is_gone(outcome: &Outcome, end: End<'_>) -> bool {
    let words = outcome.words();
    is_unknown(&words)
        || is_unknown(end.stderr)
        || words.to_lowercase().contains("prompt is too long")
        || (outcome.subtype == "error_during_execution" && outcome.turn_count == 0)
}

fn is_unknown(words: &str) -> bool {
    words.contains("No conversation found")
        || words.contains("--resume requires a valid session ID")
}

fn failed(outcome: &Outcome, run: &Record) -> Refusal {
    let words = shown(&outcome.words());
    let stopped = |class| Refusal::new(class, format!("claude was stopped: {words}"));
    if outcome.stop_reason == "refusal" {
        return Refusal::new(FailureClass::Refused, format!("the model refused: {words}"));
    }
    match outcome.subtype.as_str() {
        "error_max_turns" => stopped(FailureClass::Turns),
        "error_max_budget_usd" => stopped(FailureClass::Budget),
        "error_during_execution" => Refusal::new(
            FailureClass::Crash,
            format!("claude broke while it was at work: {words}"),
        ),
        _ => {
            let class = class(outcome.status, run.error.as_deref(), &words);
            let status = outcome
                .status
                .map(|status| format!(" with status {status}"));
            let status = status.unwrap_or_default();
            Refusal::new(
                class.unwrap_or(FailureClass::Api),
                format!("claude failed{status}: {words}"),
            )
        }
    }
}

fn empty(outcome: &Outcome) -> Refusal {
    let turns = counted(outcome.turn_count, "turn");
    let reason = match outcome.stop_reason.as_str() {
        "" => String::new(),
        reason => format!(" (stop reason `{}`)", shown(reason)),
    };
    let class = match outcome.stop_reason.as_str() {
        "refusal" => FailureClass::Refused,
        _ => FailureClass::Empty,
    };
    Refusal::new(
        class,
        format!("claude ended without an answer, after {turns}{reason}"),
    )
}

/// A run that says nothing of its end: it was killed, or crashed, or never began.
fn without_outcome(run: &Record, end: End<'_>) -> Refusal {
    let said = match end.stderr.trim() {
        "" => &run.text,
        stderr => stderr,
    };
    let words = shown(said);
    if words.contains("cannot be used with root") {
        return Refusal::new(FailureClass::Configuration, for_root(&words));
    }
    if words.contains("error: unknown option") || words.contains("error: option '") {
        let message = format!("claude does not take its arguments: {words}");
        return Refusal::new(FailureClass::Configuration, message);
    }
    let how = match end.ending {
        Some(ending) => format!("claude {ending}"),
        None => "claude ended".to_owned(),
    };
    let words = match words.as_str() {
        "" => String::new(),
        words => format!(": {words}"),
    };
    let class = class(None, run.error.as_deref(), said).unwrap_or(FailureClass::Crash);
    Refusal::new(class, format!("{how} without a result{words}"))
}

fn for_root(words: &str) -> String {
    format!(
        "claude lets nobody skip its questions as root ({words}): run as another user; or, in a \
         sandbox, set IS_SANDBOX=1 in the environment of uwf; or say with \
         --permission-mode and --allowed-tools what it may do unasked"
    )
}

/// The class of an API error: by its status, the word that the program has for it, and its text. Of
/// a service that it did not reach the program says `server_error`.
fn class(status: Option<u64>, error: Option<&str>, words: &str) -> Option<FailureClass> {
    let status = status.or_else(|| status_in(words));
    status
        .and_then(class_of_status)
        .or_else(|| class_of_words(words).filter(|class| *class == FailureClass::Network))
        .or_else(|| class_of_word(error?))
        .or_else(|| class_of_words(words))
}

fn class_of_word(error: &str) -> Option<FailureClass> {
    match error {
        "authentication_failed" | "oauth_org_not_allowed" => Some(FailureClass::Authentication),
        "rate_limit" => Some(FailureClass::RateLimit),
        "server_error" | "overloaded" => Some(FailureClass::Overloaded),
        _ => None,
    }
}

/// The status in a text such as `API Error: 529 {"type":"error",…}`.
fn status_in(words: &str) -> Option<u64> {
    let (_, behind) = words.split_once("API Error: ")?;
    let digits = behind.split(|character: char| !character.is_ascii_digit());
    let status = digits.into_iter().next()?.parse().ok()?;
    (400..600).contains(&status).then_some(status)
}

fn shown(words: &str) -> String {
    cut(&one_line(words), LONGEST).into_owned()
}

#[cfg(test)]
mod tests;
