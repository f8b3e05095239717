//! `cache/agent-sessions.json`: which session an agent had for a role of a thread.
//!
//! Only a cache: without it an agent begins anew with the whole prompt. So a file that cannot be
//! used is set aside, with a warning, and nothing fails for it.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::fsx::{self, Access, FileError, Lock};
use crate::model::in_full;

/// Whose turn a role's last one was, as its step says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastAgent {
    /// There was none.
    Nobody,
    /// This agent's, under whatever name.
    This,
    /// Another one's.
    Another,
}

/// The sessions of one agent for one role of a thread.
pub struct Sessions<'a> {
    root: &'a Path,
    /// `<thread>:<role>`.
    key: String,
    /// The name that the user gave the agent.
    agent: String,
    known: Option<String>,
    /// What was known before this turn.
    before: Option<String>,
}

impl<'a> Sessions<'a> {
    /// Reads what is known. A session in which the role's last turn was not made lacks that turn:
    /// none counts when that was another agent's. An entry of the original says nothing of the
    /// agent: it counts only when the last turn was this one's. With a warning where the file
    /// cannot be used.
    pub fn read(
        root: &'a Path,
        key: String,
        agent: String,
        last_agent: LastAgent,
    ) -> (Self, Option<String>) {
        let (entries, warning) = match entries(root) {
            Ok(entries) => (entries, None),
            Err(why) => (Map::new(), Some(why)),
        };
        let find = |key: &str| entries.get(key).and_then(Value::as_str).map(str::to_owned);
        let known = match last_agent {
            LastAgent::Another => None,
            LastAgent::Nobody => find(&format!("{key}:{agent}")),
            // One of the original's is newer: ours take its place when a step is made.
            LastAgent::This => find(&key).or_else(|| find(&format!("{key}:{agent}"))),
        };
        let known = known.filter(|session| !session.is_empty());
        let sessions = Self {
            root,
            key,
            agent,
            before: known.clone(),
            known,
        };
        (sessions, warning)
    }

    /// The session that is known.
    pub fn known(&self) -> Option<&str> {
        self.known.as_deref()
    }

    /// This is the session now. A warning when it cannot be written down.
    pub fn remember(&mut self, session: &str) -> Option<String> {
        if self.known() == Some(session) {
            return None;
        }
        self.known = Some(session.to_owned());
        self.write(Some(session))
    }

    /// A session that was begun in this turn led to nothing: the next try begins anew.
    pub fn forget_new(&mut self) -> Option<String> {
        if self.known == self.before {
            return None;
        }
        self.known.clone_from(&self.before);
        let before = self.before.clone();
        self.write(before.as_deref())
    }

    /// The role's turn was made in this session: those that are remembered for the role under
    /// other names lack it from now on. A warning when that cannot be written down.
    pub fn forget_others(&self) -> Option<String> {
        // What cannot be read remembers nothing, and was told.
        let entries = entries(self.root).ok()?;
        if !entries.keys().any(|key| self.is_anothers(key)) {
            return None;
        }
        told(self.change(|entries| {
            entries.retain(|key, _| !self.is_anothers(key));
            if let Some(session) = self.known() {
                entries.insert(self.own_key(), session.into());
            }
        }))
    }

    fn own_key(&self) -> String {
        format!("{}:{}", self.key, self.agent)
    }

    fn is_anothers(&self, key: &str) -> bool {
        let Some(agent) = key.strip_prefix(&self.key) else {
            return false;
        };
        agent.is_empty()
            || agent
                .strip_prefix(':')
                .is_some_and(|agent| agent != self.agent)
    }

    fn write(&self, session: Option<&str>) -> Option<String> {
        told(self.change(|entries| {
            match session {
                Some(session) => entries.insert(self.own_key(), session.into()),
                None => entries.remove(&self.own_key()),
            };
        }))
    }

    /// Changes some entries, whatever others do meanwhile.
    fn change(
        &self,
        change: impl FnOnce(&mut Map<String, Value>),
    ) -> Result<Option<String>, FileError> {
        let _held = Lock::acquire(&self.root.join("locks").join("sessions.lock"))?;
        let (mut entries, set_aside) = match entries(self.root) {
            Ok(entries) => (entries, None),
            Err(why) => (Map::new(), Some(self.set_aside(&why)?)),
        };
        change(&mut entries);
        let text = format!("{:#}\n", Value::Object(entries));
        fsx::replace(&path(self.root), text.as_bytes(), Access::Owner)?;
        Ok(set_aside)
    }

    /// Moves a file that cannot be used out of the way, under a name that says so.
    fn set_aside(&self, why: &str) -> Result<String, FileError> {
        let path = path(self.root);
        let aside = path.with_extension("json.unreadable");
        if let Some(bytes) = fsx::read_optional(&path)? {
            fsx::replace(&aside, &bytes, Access::Owner)?;
        }
        Ok(format!("{why}; it is kept as {}", aside.display()))
    }
}

/// What a person should know of a change.
fn told(changed: Result<Option<String>, FileError>) -> Option<String> {
    changed.unwrap_or_else(|error| {
        let why = in_full(&error);
        Some(format!("the agent's session is not remembered: {why}"))
    })
}

fn path(root: &Path) -> PathBuf {
    root.join("cache").join("agent-sessions.json")
}

fn entries(root: &Path) -> Result<Map<String, Value>, String> {
    let path = path(root);
    let text = fsx::read_text_optional(&path).map_err(|error| in_full(&error))?;
    let Some(text) = text else {
        return Ok(Map::new());
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(entries)) => Ok(entries),
        Ok(_) => Err(format!("{} does not hold an object", path.display())),
        Err(error) => Err(format!("{} is no JSON: {error}", path.display())),
    }
}

#[cfg(test)]
mod tests;
