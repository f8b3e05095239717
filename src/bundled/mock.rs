//! `uwf-mock`: answers from a script, for tests of workflows that cost nothing.
//!
//! The script is YAML: for each role a list of scenes, one for each visit; the last counts for all
//! visits after it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::kit::{AgentDetail, Case, Closing, Desk, Refusal, Respondent, Turn};
use crate::agent::FailureClass;
use crate::cas;
use crate::config::parse_duration;
use crate::fsx::{self, FileError};
use crate::model::{Hash, RoleName};
use crate::yaml::{self, Strictness};

/// The most bytes a script may have.
const MOST_BYTES: u64 = 16 << 20;

/// What to answer, by role and visit.
#[derive(Debug)]
pub struct Script {
    path: PathBuf,
    roles: BTreeMap<String, Vec<Scene>>,
}

/// What happens in one visit of a role.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Scene {
    /// How long it takes, such as `2s`.
    delay: Option<String>,
    /// What is answered.
    answer: Option<String>,
    /// What is answered at first, and then to each correction; the last counts for all after it.
    answers: Vec<String>,
    /// The failure that is reported.
    fail: Option<Fail>,
    /// What is printed on the error stream before anything else.
    pub stderr: Option<String>,
    /// What is printed in place of the step's hash.
    pub print: Option<String>,
    /// The code the process ends with, in place of making a step.
    pub exit: Option<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fail {
    class: String,
    message: String,
}

/// Why a script cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The operating system refused.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no such file.
    #[error("there is no script {}", .0.display())]
    Missing(PathBuf),
    /// It is no script.
    #[error("{}{place}: {why}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// `:line:column` where that is known.
        place: String,
        /// What is wrong.
        why: String,
    },
    /// It has nothing for the role.
    #[error("{} has no scene for the role `{role}`", path.display())]
    NoScene {
        /// The file.
        path: PathBuf,
        /// The role.
        role: RoleName,
    },
}

impl Script {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, ScriptError> {
        let text = fsx::read_named_text(path, MOST_BYTES)?
            .ok_or_else(|| ScriptError::Missing(path.to_owned()))?;
        let malformed = |place: String, why: String| ScriptError::Malformed {
            path: path.to_owned(),
            place,
            why,
        };
        let document = yaml::parse(&text, Strictness::Strict).map_err(|fault| {
            let place = format!(":{}:{}", fault.mark.line, fault.mark.column);
            malformed(place, fault.message)
        })?;
        let value = document.map(|node| node.to_value()).unwrap_or_default();
        let roles: BTreeMap<String, Vec<Scene>> = serde_json::from_value(value)
            .map_err(|error| malformed(String::new(), error.to_string()))?;
        for (role, scenes) in &roles {
            for scene in scenes {
                scene
                    .check()
                    .map_err(|why| malformed(String::new(), format!("`{role}`: {why}")))?;
            }
        }
        Ok(Self {
            path: path.to_owned(),
            roles,
        })
    }

    /// What happens in this visit of a role, counted from 1.
    pub fn scene(&self, role: &RoleName, visit: usize) -> Result<&Scene, ScriptError> {
        let scenes = self.roles.get(role.as_str());
        scenes
            .and_then(|scenes| scenes.get(visit.saturating_sub(1)).or(scenes.last()))
            .ok_or_else(|| ScriptError::NoScene {
                path: self.path.clone(),
                role: role.clone(),
            })
    }
}

impl Scene {
    fn check(&self) -> Result<(), String> {
        if let Some(delay) = &self.delay {
            parse_duration(delay).map_err(|why| format!("`delay`: {why}"))?;
        }
        if let Some(fail) = &self.fail {
            let class = &fail.class;
            class
                .parse::<FailureClass>()
                .map_err(|_| format!("`fail.class`: `{class}` is no class of failure"))?;
        }
        let ways = [
            self.answer.is_some(),
            !self.answers.is_empty(),
            self.fail.is_some(),
            self.print.is_some() || self.exit.is_some(),
        ];
        match ways.into_iter().filter(|is_given| *is_given).count() {
            1 => Ok(()),
            0 => Err("a scene needs `answer`, `answers`, `fail`, `print` or `exit`".to_owned()),
            _ => Err(
                "a scene has one of `answer`, `answers`, `fail`, and `print` with `exit`"
                    .to_owned(),
            ),
        }
    }

    /// How long it takes.
    pub fn delay(&self) -> Option<Duration> {
        let delay = self.delay.as_deref()?;
        parse_duration(delay).ok().flatten()
    }

    fn answer(&self, position: usize) -> Option<&str> {
        let one = self.answer.as_ref();
        one.or_else(|| self.answers.get(position).or(self.answers.last()))
            .map(String::as_str)
    }
}

/// Plays one scene.
#[derive(Debug)]
pub struct Mock {
    scene: Scene,
    turns: Vec<Turn>,
    answered: usize,
    started_ms: Option<u64>,
}

impl Mock {
    /// Of this scene.
    pub fn new(scene: Scene) -> Self {
        Self {
            scene,
            turns: Vec::new(),
            answered: 0,
            started_ms: None,
        }
    }

    fn play(&mut self, desk: &mut Desk<'_>) -> Result<String, Refusal> {
        self.started_ms.get_or_insert((desk.now_ms)());
        if let Some(delay) = self.scene.delay()
            && let Some(signal) = desk.signals.pause(delay)
        {
            return Err(Refusal::interrupted(signal));
        }
        if let Some(fail) = &self.scene.fail {
            let class = fail.class.parse().unwrap_or(FailureClass::Crash);
            return Err(Refusal::new(class, fail.message.clone()));
        }
        let answer = self.scene.answer(self.answered).unwrap_or_default();
        self.answered += 1;
        self.turns.push(Turn::assistant(answer));
        Ok(answer.to_owned())
    }
}

impl Respondent for Mock {
    fn answer(&mut self, _case: &Case<'_>, desk: &mut Desk<'_>) -> Result<String, Refusal> {
        self.play(desk)
    }

    fn correct(&mut self, correction: &str, desk: &mut Desk<'_>) -> Result<String, Refusal> {
        self.turns.push(Turn::tool(correction));
        self.play(desk)
    }

    fn detail(&mut self, closing: &Closing<'_>, desk: &Desk<'_>) -> cas::Result<Option<Hash>> {
        if self.turns.is_empty() {
            return Ok(None);
        }
        let now = (desk.now_ms)();
        let detail = AgentDetail {
            session: "",
            model: "mock",
            duration_ms: now.saturating_sub(self.started_ms.unwrap_or(now)),
            turn_count: self.answered,
            turns: &self.turns,
            usage: None,
            cost_usd: None,
            notes: &[],
        };
        detail.store(closing, desk.store, now).map(Some)
    }
}
