//! What the next step would do, worked out without doing anything.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::error::StepError;
use super::extractor::Extractor;
use super::step::Workshop;
use crate::agent::{self, Shipped, Surroundings};
use crate::config::{Agent, AgentFlag, Config, DotEnv, Protocol, resolve_agent};
use crate::extract::Form;
use crate::host::{AGENT_VARIABLE, MAX_BUDGET_VARIABLE, STORAGE_ROOT_VARIABLE};
use crate::model::{Role, RoleName, ThreadId, Workflow};
use crate::suggestion::did_you_mean;
use crate::thread::working_folder;
use crate::yaml::Mark;

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
    /// This program, which has agents in it; none when it does not know where it is.
    pub own_program: Option<PathBuf>,
    /// Who reads the fields out of answers that do not fit; none when nobody is set up, or the
    /// agent reads and writes the store itself.
    pub extractor: Option<Extractor>,
}

impl Workshop<'_> {
    /// Works out who does a role's turn, where and with what. What a person should know is added to
    /// `warnings`, also when there is no plan in the end.
    pub(super) fn plan(
        &self,
        workflow: &Workflow,
        thread: ThreadId,
        (role_name, instruction): (RoleName, String),
        flag: AgentFlag<'_>,
        warnings: &mut Vec<String>,
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
        warnings.extend(config.warnings.iter().map(ToString::to_string));
        warnings.extend(mistaken_for_a_command(&config, flag));
        warnings.extend(overrides_of_nobody(&config, workflow));
        let agent = resolve_agent(&config, flag, &workflow.name, &role_name)?;
        let cwd = working_folder(self.root, &thread, &self.host.cwd)?;
        let granted = if agent.env.is_empty() {
            BTreeMap::new()
        } else {
            let selected = DotEnv::load(self.root)?.select(&agent.env, &self.host.environment);
            warnings.extend(selected.missing.iter().map(|name| {
                format!("agent `{}` is to get `{name}`, which is set neither in .env nor in the environment", agent.name)
            }));
            selected.variables
        };
        let mut environment = agent::child_environment(&Surroundings {
            caller: &self.host.environment,
            root_variable: STORAGE_ROOT_VARIABLE,
            root: self.root,
            cwd: &cwd,
            edge_prompt: Some(&instruction),
            granted: &granted,
        })?;
        warnings.extend(what_means_nothing(&agent));
        if let Some(budget) = agent.max_budget_usd {
            environment.insert(MAX_BUDGET_VARIABLE.into(), budget.to_string().into());
        }
        // Other agents get what agents of the original get, and nothing more.
        if Shipped::from_program(Path::new(&agent.command)).is_some() {
            environment.insert(AGENT_VARIABLE.into(), agent.name.clone().into());
        }
        let extractor = match agent.protocol {
            Protocol::Cas => None,
            Protocol::Json | Protocol::Markdown => {
                Extractor::set_up(&config, self.root, self.host, warnings)
            }
        };
        Ok(Plan {
            role_name,
            role,
            form,
            instruction,
            agent,
            cwd,
            environment,
            own_program: self.host.program(),
            extractor,
        })
    }
}

/// What an entry asks of an agent that can do nothing with it.
fn what_means_nothing(agent: &Agent) -> Option<String> {
    let name = &agent.name;
    if agent.prompt.is_some() && agent.protocol == Protocol::Cas {
        return Some(format!(
            "agent `{name}` is on protocol `cas` and is given no prompt: `prompt` means nothing"
        ));
    }
    let shipped = Shipped::from_program(Path::new(&agent.command))?;
    let knows_costs = shipped == Shipped::ClaudeCode;
    (agent.max_budget_usd.is_some() && !knows_costs).then(|| {
        format!("agent `{name}` is not told what its model costs: `maxBudgetUsd` means nothing")
    })
}

/// A word that is nearly the name of an agent was probably meant to be one.
fn mistaken_for_a_command(config: &Config, flag: AgentFlag<'_>) -> Option<String> {
    let word = flag.agent?.trim();
    if config.agents.contains_key(word) || word.contains(['/', ' ']) {
        return None;
    }
    let meant = did_you_mean(word, config.agents.keys().map(String::as_str))?;
    let path = config.path.display();
    Some(format!(
        "{path} has no agent `{word}`, so it is run as a command; {meant}"
    ))
}

/// Overrides for roles that the workflow does not have: a slip in the role's name.
fn overrides_of_nobody(config: &Config, workflow: &Workflow) -> Vec<String> {
    let overrides = config
        .agent_overrides
        .get(&workflow.name)
        .into_iter()
        .flatten();
    let of_nobody = overrides.filter(|(role, _)| !workflow.roles.contains_key(role));
    of_nobody
        .map(|(role, reference)| {
            let known = workflow.roles.keys().map(RoleName::as_str);
            let meant =
                did_you_mean(role.as_str(), known).map_or_else(String::new, |q| format!("; {q}"));
            let (path, Mark { line, column, .. }) = (config.path.display(), reference.mark);
            format!(
                "{path}:{line}:{column}: workflow `{}` has no role `{role}`{meant}",
                workflow.name
            )
        })
        .collect()
}
