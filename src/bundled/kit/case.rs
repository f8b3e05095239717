//! What an agent is asked to do, read from the thread itself.

use std::path::Path;

use crate::agent::EDGE_PROMPT_VARIABLE;
use crate::cas::{Node, Store};
use crate::engine::{PastTurn, StepError, background, past_turns};
use crate::extract::Form;
use crate::host::{AGENT_VARIABLE, Host};
use crate::model::{Hash, Role, RoleName, ThreadId};
use crate::prompt::{self, AnswerForm, Inputs, PastStep};
use crate::thread::{Chain, Located, locate};
use crate::workflow;

/// How an agent was called.
pub struct Call<'a> {
    /// The surroundings of this process.
    pub host: &'a Host,
    /// The storage root, absolute.
    pub root: &'a Path,
    /// The content-addressed store.
    pub store: &'a Store,
    /// The thread.
    pub thread: ThreadId,
    /// Whose turn it is.
    pub role: RoleName,
    /// The agent as a program is called: what the step says of who made it.
    pub label: &'static str,
}

impl Call<'_> {
    /// The name that the user gave the agent; its program's name where none is told.
    pub fn alias(&self) -> String {
        self.host.variable(AGENT_VARIABLE).map_or_else(
            || self.label.to_owned(),
            |alias| alias.to_string_lossy().into_owned(),
        )
    }
}

/// One role's turn in a thread, as it stands in the store.
pub struct Case<'a> {
    chain: Chain<'a>,
    store: &'a Store,
    thread: ThreadId,
    /// Whose turn it is.
    pub role_name: RoleName,
    role: Role,
    /// What the answer must fit.
    pub form: Form,
    /// The instruction of the edge that led here.
    pub instruction: String,
    task: String,
    history: Vec<PastStep>,
    /// Which turn of the role it is, from 1.
    pub visit: usize,
    step: usize,
}

/// Why an agent cannot tell what it is asked to do.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The thread, its workflow or its role cannot be used.
    #[error(transparent)]
    Step(#[from] Box<StepError>),
    /// The agent is called for a role that is none.
    #[error("workflow `{workflow}` has no role `{role}`")]
    NoSuchRole {
        /// The role.
        role: RoleName,
        /// The workflow's name.
        workflow: String,
        /// The roles it has.
        roles: Vec<RoleName>,
    },
    /// Nobody said what is to be done.
    #[error("{EDGE_PROMPT_VARIABLE} is not set: it holds what the role is to do in this turn")]
    NoInstruction,
}

impl<E: Into<StepError>> From<E> for CaseError {
    fn from(error: E) -> Self {
        Self::Step(Box::new(error.into()))
    }
}

impl<'a> Case<'a> {
    /// Reads the thread.
    pub fn read(call: &Call<'a>) -> Result<Self, CaseError> {
        let instruction = call
            .host
            .variable(EDGE_PROMPT_VARIABLE)
            .ok_or(CaseError::NoInstruction)?;
        let (store, thread) = (call.store, call.thread);
        let head = match locate(call.root, &thread).map_err(StepError::from)? {
            Located::Active { head } => head,
            Located::Archived { entry, .. } => return Err(StepError::Archived(entry).into()),
            Located::NotFound { skipped } => {
                return Err(StepError::UnknownThread { thread, skipped }.into());
            }
        };
        let chain = Chain::load(store, head).map_err(StepError::from)?;
        let workflow =
            workflow::stored(store, &chain.start().node.workflow).map_err(StepError::from)?;
        let Some(role) = workflow.roles.get(&call.role).cloned() else {
            return Err(CaseError::NoSuchRole {
                role: call.role.clone(),
                workflow: workflow.name,
                roles: workflow.roles.into_keys().collect(),
            });
        };
        let form = form_of(store, &call.role, &role)?;
        let background = background(&chain, store, &call.role)?;
        Ok(Self {
            chain,
            store,
            thread,
            role_name: call.role.clone(),
            role,
            form,
            instruction: instruction.to_string_lossy().into_owned(),
            task: background.task,
            history: background.history,
            visit: background.visit,
            step: background.step,
        })
    }

    /// The schema's node, the thread's start, and the step the new one follows.
    pub(super) fn links(&self) -> (Hash, Hash, Option<Hash>) {
        (
            self.role.frontmatter,
            self.chain.start().hash,
            self.previous_step(),
        )
    }

    /// The step that the new one follows; none when it is the thread's first.
    pub fn previous_step(&self) -> Option<Hash> {
        self.chain.last_step().map(|step| step.hash)
    }

    /// The agent of the role's last turn.
    pub(super) fn agent_of_last_turn(&self) -> Result<Option<String>, CaseError> {
        let steps = self.chain.steps_oldest_first().map_err(StepError::from)?;
        let mut steps = steps.into_iter().rev();
        let last = steps.find(|step| step.node.role == self.role_name);
        Ok(last.map(|step| step.node.agent))
    }

    /// The detail nodes of those earlier turns of the role that were made in this session, oldest
    /// first.
    pub fn details_in(&self, session: &str) -> Result<Vec<Node>, CaseError> {
        let steps = self.chain.steps_oldest_first().map_err(StepError::from)?;
        let own = steps.iter().filter(|step| step.node.role == self.role_name);
        let mut details = Vec::new();
        for step in own {
            let node = self
                .store
                .find(&step.node.detail)
                .map_err(StepError::from)?;
            details.extend(node.filter(|it| it.payload["sessionId"] == session));
        }
        Ok(details)
    }

    /// The whole prompt: [`Case::standing`], then [`Case::turn`].
    pub fn whole(&self) -> String {
        self.standing() + &self.turn()
    }

    /// What the role is told in every turn of this thread, the same text each time.
    pub fn standing(&self) -> String {
        prompt::standing(&self.inputs(&self.history, &self.instruction, self.visit, self.step))
    }

    /// What is new in this turn: all that an agent has to be told that remembers the earlier ones.
    pub fn turn(&self) -> String {
        prompt::turn(&self.inputs(&self.history, &self.instruction, self.visit, self.step))
    }

    /// The role's earlier turns, oldest first: what it was told, and what it answered.
    pub fn earlier_turns(&self) -> Result<Vec<(String, String)>, CaseError> {
        let turns = past_turns(&self.chain, self.store, &self.role_name)?;
        let told = |turn: PastTurn| {
            let asked =
                prompt::turn(&self.inputs(&turn.history, &turn.instruction, turn.visit, turn.step));
            (asked, turn.answer)
        };
        Ok(turns.into_iter().map(told).collect())
    }

    fn inputs<'s>(
        &'s self,
        history: &'s [PastStep],
        instruction: &'s str,
        visit: usize,
        step: usize,
    ) -> Inputs<'s> {
        Inputs {
            thread: Some(self.thread),
            role_name: &self.role_name,
            role: &self.role,
            schema: self.form.schema(),
            answer: AnswerForm::Frontmatter,
            task: &self.task,
            history,
            instruction,
            visit,
            step,
        }
    }
}

fn form_of(store: &Store, name: &RoleName, role: &Role) -> Result<Form, StepError> {
    Form::new(&store.schema(&role.frontmatter)?).map_err(|faults| StepError::Schema {
        role: name.clone(),
        schema: role.frontmatter,
        faults,
    })
}
