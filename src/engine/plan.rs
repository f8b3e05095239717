//! What the next step would do, worked out without doing anything.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use super::error::StepError;
use super::step::Workshop;
use crate::agent::{self, Surroundings};
use crate::config::{Agent, AgentFlag, Config, DotEnv, resolve_agent};
use crate::extract::Form;
use crate::host::STORAGE_ROOT_VARIABLE;
use crate::model::{Role, RoleName, ThreadId, Workflow};
use crate::thread::working_folder;

/// A step that is about to be run.
#[derive(Debug)]
pub struct Plan {
    /// The role whose turn it is.
    pub role_name: RoleName,
    /// What the role is told.
    pub role: Role,
    /// What its answer must fit.
    pub form: Form,
    /// The instruction of the edge that leads there.
    pub instruction: String,
    /// Who does the work.
    pub agent: Agent,
    /// Where it works.
    pub cwd: PathBuf,
    /// Its whole environment.
    pub environment: BTreeMap<OsString, OsString>,
    /// What a person should know before.
    pub warnings: Vec<String>,
}

impl Workshop<'_> {
    /// Works out who does a role's turn, where and with what.
    pub(super) fn plan(
        &self,
        workflow: &Workflow,
        thread: ThreadId,
        (role_name, instruction): (RoleName, String),
        flag: AgentFlag<'_>,
    ) -> Result<Plan, StepError> {
        let Some(role) = workflow.roles.get(&role_name).cloned() else {
            return Err(StepError::NoSuchRole {
                role: role_name,
                workflow: workflow.name.clone(),
            });
        };
        let form = Form::new(&self.store.schema(&role.frontmatter)?).map_err(|faults| {
            StepError::Schema {
                role: role_name.clone(),
                schema: role.frontmatter,
                faults,
            }
        })?;
        let config = Config::load(self.root)?;
        let agent = resolve_agent(&config, flag, &workflow.name, &role_name)?;
        let cwd = working_folder(self.root, &thread, &self.host.cwd)?;
        let mut warnings: Vec<String> = config.warnings.iter().map(ToString::to_string).collect();
        let granted = if agent.env.is_empty() {
            BTreeMap::new()
        } else {
            let selected = DotEnv::load(self.root)?.select(&agent.env, &self.host.environment);
            warnings.extend(selected.missing.iter().map(|name| {
                format!("agent `{}` is to get `{name}`, which is set neither in .env nor in the environment", agent.name)
            }));
            selected.variables
        };
        let environment = agent::child_environment(&Surroundings {
            caller: &self.host.environment,
            root_variable: STORAGE_ROOT_VARIABLE,
            root: self.root,
            cwd: &cwd,
            edge_prompt: Some(&instruction),
            granted: &granted,
        })?;
        Ok(Plan {
            role_name,
            role,
            form,
            instruction,
            agent,
            cwd,
            environment,
            warnings,
        })
    }
}
