//! The agents that are set up: whether their programs are here, and whether the names of agents,
//! workflows and roles are names of something.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use super::report::Check;
use crate::agent::{self, Guard, Shipped, Surroundings};
use crate::cli;
use crate::cli::context::Context;
use crate::cli::installed::{Installed, Program, place_of, usual_command};
use crate::config::{Config, DotEnv, Protocol, Reference};
use crate::host::STORAGE_ROOT_VARIABLE;
use crate::model::{RoleName, Workflow, in_full};
use crate::moderator;
use crate::suggestion::{did_you_mean, question};
use crate::wording::quoted;
use crate::workflow::{self, Expressions, Found, Registry, ResolveError};

/// What is looked at.
pub struct Ward<'w> {
    pub config: &'w Config,
    /// The keys; none when they cannot be read.
    pub env: Option<&'w DotEnv>,
    pub context: &'w Context,
}

impl Ward<'_> {
    /// Each agent, and the names of agents. What a program tells of itself is asked for.
    pub fn checks(&self, signals: &mut Guard) -> Vec<Check> {
        let mut checks = Vec::new();
        for (name, entry) in &self.config.agents {
            let what = format!("agent {name}");
            let command = entry.command.as_deref().filter(|it| !it.trim().is_empty());
            checks.push(match command {
                None => Check::wrong(&what, "it has no `command`")
                    .hint("say which program it is, as `command: …` in its entry"),
                Some(command) => {
                    self.program(&what, command, (entry.protocol, &entry.args), signals)
                }
            });
            if let Some(env) = self.env {
                let missing = entry.env.iter();
                let missing =
                    missing.filter(|name| place_of(name, env, &self.context.host).is_none());
                checks.extend(missing.map(|name| {
                    let message = format!(
                        "it is to get {}, which is set neither in .env nor in the environment",
                        quoted(name)
                    );
                    Check::open(&what, message)
                }));
            }
        }
        checks.extend(self.found(signals));
        checks.push(self.default_agent());
        for (workflow, roles) in &self.config.agent_overrides {
            checks.extend(self.overrides(workflow, roles));
        }
        checks
    }

    fn program(
        &self,
        what: &str,
        command: &str,
        (protocol, args): (Protocol, &[String]),
        signals: &mut Guard,
    ) -> Check {
        match Installed::of(self.context).program(command) {
            Program::File(file) => Check::well(what, file.display().to_string()),
            Program::OfThread => Check::open(
                what,
                format!("{command} is looked for in each thread's folder"),
            ),
            Program::Missing => {
                let meant = Shipped::meant_by(command).map(|it| question(it.command()));
                let install = || "install it, or write its whole path as `command`".to_owned();
                Check::wrong(what, format!("there is no program {}", quoted(command)))
                    .hint(meant.unwrap_or_else(install))
            }
            Program::Shipped(_) if protocol != Protocol::Cas => {
                let message = format!(
                    "in this program, and speaks no protocol but `cas`, not `{}`",
                    protocol.as_str()
                );
                Check::wrong(what, message).hint("leave `protocol` out of its entry")
            }
            Program::Shipped(shipped) => self.shipped(what, shipped, args, signals),
        }
    }

    /// Agents whose programs are here, and that no entry runs.
    fn found(&self, signals: &mut Guard) -> Vec<Check> {
        let installed = Installed::of(self.context);
        let entries = self.config.agents.values();
        let commands = entries.filter_map(|entry| entry.command.as_deref());
        let set_up: Vec<_> = commands.map(|it| installed.program(it)).collect();
        let mut checks = Vec::new();
        for shipped in Shipped::ALL {
            let file = shipped.runs().and_then(|program| installed.file(program));
            let found = Program::Shipped(shipped);
            if let Some(file) = file
                && !set_up.contains(&found)
                && installed.program(shipped.command()) == found
            {
                let runs = self.runs(&file, signals).unwrap_or_else(|why| why);
                checks.push(not_set_up(shipped.name(), &runs));
            }
        }
        for name in installed.agents() {
            let found = installed.program(&usual_command(&name));
            if let Program::File(file) = &found
                && !set_up.contains(&found)
            {
                checks.push(not_set_up(&name, &file.display().to_string()));
            }
        }
        checks
    }

    /// An agent in this program, with the arguments of its entry.
    fn shipped(&self, what: &str, shipped: Shipped, args: &[String], signals: &mut Guard) -> Check {
        let own: Vec<_> = args.iter().map(OsString::from).collect();
        let agent = cli::agent::entry::read(shipped, &own);
        let checked = agent.and_then(|agent| agent.check(self.context).map(|()| agent));
        let agent = match checked {
            Ok(agent) => agent,
            Err(error) => {
                let check = Check::wrong(what, error.message());
                return error
                    .hints_in_one_line()
                    .into_iter()
                    .fold(check, Check::hint);
            }
        };
        let Some(program) = agent.program() else {
            return Check::well(what, "in this program");
        };
        let program = program.to_string_lossy();
        let installed = Installed::of(self.context);
        if matches!(installed.program(&program), Program::OfThread) {
            let message =
                format!("in this program; {program} is looked for in each thread's folder");
            return Check::open(what, message);
        }
        let Some(file) = installed.file(&program) else {
            return if program.contains('/') {
                let message = format!("in this program; {program}, which it runs, is not there");
                Check::wrong(what, message).hint("correct the path in its `args`")
            } else {
                let message = format!("in this program; {program}, which it runs, is not in PATH");
                Check::wrong(what, message).hint(format!("install {program}"))
            };
        };
        // Nobody knows what a program of one's own does when it is asked for its version.
        if shipped.runs() != Some(&*program) {
            return Check::well(what, format!("in this program, runs {}", file.display()));
        }
        match self.runs(&file, signals) {
            Ok(runs) => Check::well(what, runs),
            Err(runs) => Check::open(what, runs),
        }
    }

    /// What an agent in this program runs, with its version or why it does not tell one.
    fn runs(&self, file: &Path, signals: &mut Guard) -> Result<String, String> {
        let runs = format!("in this program, runs {}", file.display());
        match self.version(file, signals) {
            Ok(version) => Ok(format!("{runs}: {version}")),
            Err(why) => Err(format!("{runs}, which does not tell its version: {why}")),
        }
    }

    fn version(&self, program: &Path, signals: &mut Guard) -> Result<String, String> {
        let host = &self.context.host;
        let environment = agent::child_environment(&Surroundings {
            caller: &host.environment,
            root_variable: STORAGE_ROOT_VARIABLE,
            root: &self.context.root,
            cwd: &host.cwd,
            edge_prompt: None,
            granted: &BTreeMap::new(),
        })
        .map_err(|error| in_full(&error))?;
        agent::version(program, &host.cwd, &environment, signals)
    }

    fn default_agent(&self) -> Check {
        let what = "default agent";
        match &self.config.default_agent {
            None => Check::wrong(what, "none is set: every step needs `--agent`")
                .hint("`uwf setup --agent builtin`, or another one"),
            Some(reference) => self.reference(what, &reference.name),
        }
    }

    /// The name of an agent.
    fn reference(&self, what: &str, name: &str) -> Check {
        let agents = &self.config.agents;
        if agents.contains_key(name) {
            return Check::well(what, name);
        }
        let message = format!("{} is not in `agents`", quoted(name));
        let meant = did_you_mean(name, agents.keys().map(String::as_str));
        let describe = || {
            format!(
                "describe it in {} under `agents:`, as `{name}: {{command: …}}`",
                self.config.path.display()
            )
        };
        Check::wrong(what, message).hint(meant.unwrap_or_else(describe))
    }

    /// What the overrides of a workflow name: its roles, and agents for them.
    fn overrides(&self, workflow: &str, roles: &BTreeMap<RoleName, Reference>) -> Vec<Check> {
        let known = self.workflow(workflow);
        let mut checks = Vec::new();
        for (role, reference) in roles {
            let what = format!("override {workflow}.{role}");
            let stranger = known.as_ref().ok().and_then(|it| no_role(&what, role, it));
            checks.push(stranger.unwrap_or_else(|| self.reference(&what, &reference.name)));
        }
        checks.extend(known.err());
        checks
    }

    /// The workflow of this name, as a step would find it.
    fn workflow(&self, name: &str) -> Result<Workflow, Check> {
        let what = format!("override {name}");
        let unreadable = |error: &dyn std::error::Error| Check::open(&what, in_full(error));
        let registry = Registry::at(&self.context.root);
        match workflow::resolve(name, &self.context.host.cwd, &registry) {
            Ok(Found::Stored(hash) | Found::Registered { hash, .. }) => {
                workflow::stored(&self.context.store, &hash).map_err(|error| unreadable(&error))
            }
            Ok(Found::File(path)) => {
                let expressions = Expressions {
                    compile: &moderator::compile,
                    doubts: &moderator::doubts,
                };
                let inspected =
                    workflow::load(&path, expressions).map_err(|error| unreadable(&error))?;
                let definition = inspected.definition;
                definition.map(|it| it.workflow().clone()).ok_or_else(|| {
                    Check::wrong(&what, format!("{} has errors", path.display()))
                        .hint(format!("`uwf workflow put {}` tells them", path.display()))
                })
            }
            Err(ResolveError::NotFound(not_found)) => {
                Err(Check::wrong(&what, not_found.to_string()).hint(not_found.hint()))
            }
            Err(error) => Err(unreadable(&error)),
        }
    }
}

/// That there is an agent that could be set up.
fn not_set_up(name: &str, runs: &str) -> Check {
    Check::open(format!("agent {name}"), format!("not set up; {runs}"))
        .hint(format!("`uwf setup --agent {}`", shell_words::quote(name)))
}

/// That the workflow has no such role.
fn no_role(what: &str, role: &RoleName, workflow: &Workflow) -> Option<Check> {
    if workflow.roles.contains_key(role) {
        return None;
    }
    let message = format!("the workflow has no role {}", quoted(role.as_str()));
    let check = Check::wrong(what, message);
    let meant = did_you_mean(role.as_str(), workflow.roles.keys().map(RoleName::as_str));
    Some(match meant {
        Some(meant) => check.hint(meant),
        None => check,
    })
}
