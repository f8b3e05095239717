//! What each room's errors mean at the edge: the exit code, and what to do next.

use std::io;

use serde_json::json;

use super::error::{CommandError, Kind};
use crate::agent::{Failure, FailureClass, Reason};
use crate::bundled::CaseError;
use crate::cas::CasError;
use crate::config::ConfigError;
use crate::engine::{StepError, StepFailure, Stranded};
use crate::fsx::FileError;
use crate::model::{Hash, RoleName, ThreadId};
use crate::moderator::RoutingError;
use crate::suggestion::did_you_mean;
use crate::thread::{
    ArchiveError, Archived, BeginError, ChainError, CurrentError, HeadsError, LookupError,
    MetadataError, RecordedAttempt, Status, StepLockError,
};
use crate::wording::{listed, quoted};
use crate::workflow::{LoadError, RegistryError, ResolveError, SearchError, StoredError};

impl CommandError {
    /// An error about a part of the store that must be there.
    pub fn damaged(error: &CasError) -> Self {
        let kind = match error {
            CasError::File(_) => Kind::Request,
            _ => Kind::Damaged,
        };
        Self::from_error(kind, error)
    }

    /// An error about a node that was asked for: its own type must be there.
    pub fn of_stored_node(error: CasError) -> Self {
        match error {
            CasError::UnknownType { .. } => Self::damaged(&error),
            other => other.into(),
        }
    }

    /// An error about the workflow of a thread.
    pub fn damaged_workflow(error: StoredError) -> Self {
        match error {
            StoredError::Store(error) => Self::damaged(&error),
            StoredError::OtherType { .. } | StoredError::Unusable { .. } => {
                Self::from_error(Kind::Damaged, &error)
            }
        }
    }

    /// An error about a file of the user's own: nothing in it is damage of the store.
    pub fn unreadable(error: &FileError) -> Self {
        Self::from_error(Kind::Request, error)
    }

    fn hint_if_any(self, hint: Option<impl Into<String>>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }
}

impl From<FileError> for CommandError {
    fn from(error: FileError) -> Self {
        Self::from_error(file_kind(&error), &error)
    }
}

/// A file of ours that is there and is no text is damaged; whatever else the system refuses is
/// between the user and the system.
fn file_kind(error: &FileError) -> Kind {
    match error.kind() {
        io::ErrorKind::InvalidData => Kind::Damaged,
        _ => Kind::Request,
    }
}

impl From<CasError> for CommandError {
    /// For a node that the caller asked for: that it is not there is no damage.
    fn from(error: CasError) -> Self {
        let kind = match error {
            CasError::Damaged { .. }
            | CasError::Collision { .. }
            | CasError::BadIndex { .. }
            | CasError::UnusableSchema { .. } => Kind::Damaged,
            _ => Kind::Request,
        };
        let hint = match error {
            CasError::BadIndex { .. } => {
                Some("`uwf cas reindex` makes the list anew from the nodes")
            }
            CasError::Damaged { .. } => Some("a copy of its file from elsewhere mends it"),
            CasError::Missing { .. } | CasError::NoStore { .. } => Some(
                "check the hash, and that UNCAGED_WORKFLOW_STORAGE_ROOT names the root that has it",
            ),
            CasError::UnknownType { .. } | CasError::NotASchema { .. } => {
                Some("`uwf cas schema list` prints the schemas there are")
            }
            CasError::Unfit { .. } => Some("`uwf cas schema get <type>` prints what it must fit"),
            _ => None,
        };
        Self::from_error(kind, &error).hint_if_any(hint)
    }
}

impl From<HeadsError> for CommandError {
    fn from(error: HeadsError) -> Self {
        Self::from_error(heads_kind(&error), &error).hint_if_any(error.hint())
    }
}

fn heads_kind(error: &HeadsError) -> Kind {
    match error {
        HeadsError::Damaged(_) => Kind::Damaged,
        HeadsError::File(error) => file_kind(error),
        HeadsError::Taken { .. } => Kind::Request,
    }
}

impl From<LookupError> for CommandError {
    fn from(error: LookupError) -> Self {
        match error {
            LookupError::Heads(error) => error.into(),
            LookupError::History(error) => error.into(),
        }
    }
}

impl From<ChainError> for CommandError {
    fn from(error: ChainError) -> Self {
        if let ChainError::Unreadable {
            source: CasError::File(_),
            ..
        } = &error
        {
            return Self::from_error(Kind::Request, &error);
        }
        Self::from_error(Kind::Damaged, &error)
            .hint("the node files are in cas/ of the storage root; a copy of the missing or damaged one mends the thread")
    }
}

impl From<BeginError> for CommandError {
    fn from(error: BeginError) -> Self {
        match error {
            BeginError::Heads(error) => error.into(),
            BeginError::Metadata(error) => error.into(),
            BeginError::Store(_) => Self::from_error(Kind::Request, &error),
        }
    }
}

impl From<MetadataError> for CommandError {
    fn from(error: MetadataError) -> Self {
        Self::from_error(Kind::Request, &error).hint_if_any(error.hint())
    }
}

impl From<CurrentError> for CommandError {
    fn from(error: CurrentError) -> Self {
        match error {
            CurrentError::Malformed { .. } => Self::from_error(Kind::Damaged, &error)
                .hint("remove the file: the next thread that is started, stepped or forked writes it anew"),
            CurrentError::File(_) | CurrentError::Version { .. } => {
                Self::from_error(Kind::Request, &error).hint("give the thread's id instead of `@`")
            }
        }
    }
}

impl From<ArchiveError> for CommandError {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::Heads(error) => error.into(),
            ArchiveError::History(error) => error.into(),
            ArchiveError::Ended(entry) => archived(&entry),
            ArchiveError::NotActive { .. } => Self::from_error(Kind::Request, &error),
        }
    }
}

impl From<RegistryError> for CommandError {
    fn from(error: RegistryError) -> Self {
        let kind = match &error {
            RegistryError::Damaged(_) => Kind::Damaged,
            RegistryError::File(error) => file_kind(error),
        };
        Self::from_error(kind, &error).hint_if_any(error.hint())
    }
}

impl From<SearchError> for CommandError {
    fn from(error: SearchError) -> Self {
        Self::from_error(Kind::Request, &error)
    }
}

impl From<ResolveError> for CommandError {
    fn from(error: ResolveError) -> Self {
        match error {
            ResolveError::Registry(error) => error.into(),
            ResolveError::Search(error) => error.into(),
            ResolveError::NotFound(not_found) => {
                Self::from_error(Kind::Request, &not_found).hint(not_found.hint())
            }
            ResolveError::Blank => Self::from_error(Kind::Request, &error)
                .hint("give a workflow's name, hash or file; `uwf workflow list` shows the names"),
        }
    }
}

impl From<StoredError> for CommandError {
    /// For a workflow that the caller asked for by its hash or its name.
    fn from(error: StoredError) -> Self {
        match error {
            StoredError::Store(error) => error.into(),
            StoredError::OtherType { .. } => Self::from_error(Kind::Request, &error)
                .hint("`uwf workflow list` shows the workflows there are"),
            StoredError::Unusable { .. } => Self::from_error(Kind::Damaged, &error),
        }
    }
}

impl From<LoadError> for CommandError {
    fn from(error: LoadError) -> Self {
        let made = Self::from_error(Kind::Request, &error);
        match error {
            LoadError::Missing(_) => made.hint("give the path of the workflow's YAML file"),
            LoadError::File(_) => made,
        }
    }
}

impl From<StepFailure> for CommandError {
    fn from(failure: StepFailure) -> Self {
        let is_routing = matches!(&*failure.error, StepError::Routing(routing)
            if !matches!(**routing, RoutingError::Context(_)));
        let error = Self::from(*failure.error);
        match failure.happened {
            Some(_) if is_routing => error
                .hint("the step is part of the thread; only what follows it is not decided")
                .hint("correct the workflow, and start a thread of it"),
            None if is_routing => error
                .hint("the thread is where it was; correct the workflow, and start a thread of it"),
            _ => error,
        }
    }
}

impl From<StepError> for CommandError {
    fn from(error: StepError) -> Self {
        match error {
            StepError::UnknownThread { thread, skipped } => {
                super::thread::unknown(thread, &skipped)
            }
            StepError::Archived(entry) => archived(&entry),
            StepError::Lock(error) => busy(&error),
            StepError::Lookup(error) => error.into(),
            StepError::Heads(error) => error.into(),
            StepError::Archive(error) => error.into(),
            StepError::Chain(error) => error.into(),
            StepError::Store(error) => Self::damaged(&error),
            StepError::Workflow(error) => Self::damaged_workflow(error),
            StepError::Schema { .. } | StepError::NoSuchRole { .. } => {
                Self::from_error(Kind::Damaged, &error)
            }
            StepError::Routing(error) => routing(*error),
            StepError::Config(error) => config(&error),
            StepError::AgentChoice(error) => {
                Self::from_error(Kind::Request, &error).hint(error.hint())
            }
            StepError::DotEnv(error) => {
                Self::from_error(Kind::Request, &error).hint_if_any(error.hint())
            }
            StepError::WorkingFolder(error) => error.into(),
            StepError::Environment(_) => Self::from_error(Kind::Request, &error),
            StepError::Agent {
                failure, attempt, ..
            } => agent(&failure, attempt.as_ref()),
            StepError::Stranded {
                thread,
                ref why,
                step,
                ref attempt,
            } => stranded(&error, why, thread, step).hint_if_any(attempt.as_ref().map(on_record)),
            StepError::NotArchived { thread, .. } => Self::from_error(Kind::Busy, &error).hint(
                format!("see where the thread is: `uwf thread show {thread}`"),
            ),
        }
    }
}

fn stranded(error: &StepError, why: &Stranded, thread: ThreadId, step: Hash) -> CommandError {
    let look = format!("look at the step: `uwf cas get {step}`");
    let see = format!("see where the thread is: `uwf thread show {thread}`");
    match why {
        Stranded::NotWritten(heads) => {
            let made = CommandError::from_error(heads_kind(heads), error).cause(heads.to_string());
            made.hint_if_any(heads.hint()).hint(look)
        }
        Stranded::Killed | Stranded::Moved { .. } => CommandError::from_error(Kind::Busy, error)
            .hint(look)
            .hint(see),
    }
}

fn archived(entry: &Archived) -> CommandError {
    let Archived { thread, .. } = entry;
    let message = format!("thread {thread} is not active: it {}", ending(entry));
    CommandError::new(Kind::Request, message)
        .hint(format!("read what it did: `uwf thread read {thread}`"))
}

/// How a thread ended, in words.
pub fn ending(entry: &Archived) -> &'static str {
    match entry.status {
        Some(Status::Completed) => "is completed",
        Some(Status::Killed) => "was killed",
        None => "is completed or was killed",
    }
}

fn busy(error: &StepLockError) -> CommandError {
    match error {
        StepLockError::Busy { .. } => CommandError::from_error(Kind::Busy, error)
            .hint("wait until that step is done; no agent was run for this call"),
        StepLockError::File(error) => CommandError::from_error(Kind::Request, error),
    }
}

impl From<CaseError> for CommandError {
    fn from(error: CaseError) -> Self {
        match error {
            CaseError::Step(error) => (*error).into(),
            CaseError::NoSuchRole {
                ref role,
                ref roles,
                ..
            } => {
                let meant = did_you_mean(role.as_str(), roles.iter().map(RoleName::as_str));
                let names = || listed(roles.iter().map(|role| quoted(role.as_str())), "and");
                let hint = meant.unwrap_or_else(|| format!("its roles are {}", names()));
                Self::from_error(Kind::Request, &error).hint(hint)
            }
            CaseError::NoInstruction => Self::from_error(Kind::Request, &error).hint(
                "`uwf thread step` sets it and runs the agent; to run one by hand, set it to what \
                 is to be done",
            ),
        }
    }
}

fn config(error: &ConfigError) -> CommandError {
    CommandError::from_error(Kind::Request, error)
}

fn routing(error: RoutingError<ChainError>) -> CommandError {
    let error = match error {
        RoutingError::Context(error) => return error.into(),
        other => other,
    };
    let made = CommandError::from_error(Kind::Routing, &error);
    match error.expression() {
        Some((expression, offset)) => {
            let excerpt = expression_excerpt(expression, offset);
            made.excerpt(
                &excerpt,
                json!({"expression": expression, "offset": offset}),
            )
        }
        None => made,
    }
}

/// The expression, with a caret under the place in it.
fn expression_excerpt(expression: &str, offset: Option<usize>) -> String {
    let offset = offset.filter(|offset| expression.is_char_boundary(*offset));
    let mut shown = String::new();
    let mut begin = 0;
    for line in expression.split_inclusive('\n') {
        let end = begin + line.len();
        shown.push_str("  | ");
        shown.push_str(line.trim_end_matches('\n'));
        shown.push('\n');
        let is_last = end == expression.len();
        let is_here = |at: &usize| (begin..end).contains(at) || (is_last && *at == end);
        if let Some(offset) = offset.filter(is_here) {
            let before = unicode_width::UnicodeWidthStr::width(&expression[begin..offset]);
            shown.push_str(&format!("  | {}^\n", " ".repeat(before)));
        }
        begin = end;
    }
    shown
}

fn agent(failure: &Failure, attempt: Option<&RecordedAttempt>) -> CommandError {
    let reason = &failure.reason;
    let mut error = CommandError::from_error(kind_of(reason), reason);
    match reason {
        Reason::Program(program) => {
            if let Some(said) = program.finished().map(|f| f.stderr_tail.as_str())
                && !said.is_empty()
            {
                error = error.cause(format!("the last it said on stderr:\n{said}"));
            }
            error = error.hint_if_any(program.hint());
            if program.is_without_hash() {
                error = error.hint(
                    "on protocol `cas` an agent stores its step itself; for a program that reads a \
                     prompt and prints an answer, say `--protocol markdown`, or \
                     `protocol: markdown` in its entry of config.yaml",
                );
            }
        }
        Reason::DoesNotFit { faults, .. } => {
            error = faults.iter().fold(error, |error, fault| error.cause(fault));
        }
        Reason::Reported { class, .. } => error = error.hint_if_any(class.hint()),
        Reason::WrongStep { .. } | Reason::Store(_) => {}
    }
    if let Some(output) = failure.output {
        error = error.hint(kept(reason, output));
    }
    error.hint_if_any(attempt.map(on_record))
}

/// How to look at what the agent had said.
fn kept(reason: &Reason, output: Hash) -> String {
    let finished = match reason {
        Reason::Program(program) => program.finished(),
        _ => None,
    };
    match finished.filter(|finished| finished.stdout_total > finished.stdout.len() as u64) {
        Some(finished) => format!(
            "the last {} of the {} bytes it printed are kept: `uwf thread step-details {output}`",
            finished.stdout.len(),
            finished.stdout_total
        ),
        None => format!("what it answered is kept: `uwf thread step-details {output}`"),
    }
}

fn kind_of(reason: &Reason) -> Kind {
    match reason {
        Reason::Program(error) => match error.interruption() {
            Some(signal) => Kind::Interrupted(signal),
            None => Kind::Agent,
        },
        Reason::Reported { class, .. } => kind_of_class(*class),
        Reason::WrongStep { .. } => Kind::Agent,
        Reason::DoesNotFit { .. } => Kind::Output,
        Reason::Store(CasError::File(_)) => Kind::Request,
        Reason::Store(_) => Kind::Damaged,
    }
}

/// What the process ends with after a failure of this class.
pub fn kind_of_class(class: FailureClass) -> Kind {
    match class {
        FailureClass::Configuration => Kind::Request,
        FailureClass::Output => Kind::Output,
        FailureClass::Store => Kind::Damaged,
        _ => Kind::Agent,
    }
}

fn on_record(attempt: &RecordedAttempt) -> String {
    format!(
        "the attempt is on record: {}, line {}",
        attempt.path.display(),
        attempt.line
    )
}
