//! `cache/agent-sessions.json`: which session an agent had for a role of a thread.
//!
//! Only a cache: without it an agent begins anew with the whole prompt. So a file that cannot be
//! used is set aside, with a warning, and nothing fails for it.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::fsx::{self, Access, FileError, Lock};
use crate::model::in_full;

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
    /// Reads what is known. An entry of the original says nothing of the agent: it counts only
    /// when the role's last step names this agent (`is_of_agent`). With a warning where the file
    /// cannot be used.
    pub fn read(
        root: &'a Path,
        key: String,
        agent: String,
        is_of_agent: bool,
    ) -> (Self, Option<String>) {
        let (entries, warning) = match entries(root) {
            Ok(entries) => (entries, None),
            Err(why) => (Map::new(), Some(why)),
        };
        let find = |key: &str| entries.get(key).and_then(Value::as_str).map(str::to_owned);
        let known = find(&format!("{key}:{agent}"))
            .or_else(|| find(&key).filter(|_| is_of_agent))
            .filter(|session| !session.is_empty());
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

    fn write(&self, session: Option<&str>) -> Option<String> {
        let warn = |why: String| Some(format!("the agent's session is not remembered: {why}"));
        match self.update(session) {
            Ok(set_aside) => set_aside,
            Err(error) => warn(in_full(&error)),
        }
    }

    /// Changes the one entry, whatever others do meanwhile.
    fn update(&self, session: Option<&str>) -> Result<Option<String>, FileError> {
        let _held = Lock::acquire(&self.root.join("locks").join("sessions.lock"))?;
        let (mut entries, set_aside) = match entries(self.root) {
            Ok(entries) => (entries, None),
            Err(why) => (Map::new(), Some(self.set_aside(&why)?)),
        };
        let key = format!("{}:{}", self.key, self.agent);
        match session {
            Some(session) => entries.insert(key, session.into()),
            None => entries.remove(&key),
        };
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
mod tests {
    use std::fs;

    use super::*;

    const KEY: &str = "06H2S7T0SYTNXJYWQYS40BBMNR:writer";

    fn root(text: &str) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("cache")).unwrap();
        fs::write(path(root.path()), text).unwrap();
        root
    }

    fn sessions<'a>(
        root: &'a Path,
        agent: &str,
        is_of_agent: bool,
    ) -> (Sessions<'a>, Option<String>) {
        Sessions::read(root, KEY.to_owned(), agent.to_owned(), is_of_agent)
    }

    fn kept(root: &Path) -> Value {
        serde_json::from_str(&fs::read_to_string(path(root)).unwrap()).unwrap()
    }

    #[test]
    fn an_agent_finds_its_own_session_and_no_other_agents() {
        let text =
            format!("{{\"{KEY}:fast\": \"f\", \"{KEY}:slow\": \"s\", \"{KEY}:none\": \"\"}}");
        let root = root(&text);
        for (agent, session) in [
            ("fast", Some("f")),
            ("slow", Some("s")),
            ("none", None),
            ("other", None),
        ] {
            let (sessions, warning) = sessions(root.path(), agent, true);
            assert_eq!((sessions.known(), warning), (session, None), "{agent}");
        }
    }

    #[test]
    fn an_entry_of_the_original_counts_for_the_agent_that_had_the_last_turn() {
        let root = root(&format!("{{\"{KEY}\": \"original\"}}"));
        let known = |is_of_agent| {
            let (sessions, _) = sessions(root.path(), "claude", is_of_agent);
            sessions.known().map(str::to_owned)
        };
        assert_eq!(known(true), Some("original".to_owned()));
        assert_eq!(known(false), None);
    }

    #[test]
    fn a_session_is_written_down_beside_the_others_as_the_original_writes_them() {
        let root = root("{\n  \"a:b\": \"other\"\n}\n");
        let (mut sessions, _) = sessions(root.path(), "claude", false);
        assert_eq!(sessions.remember("new"), None);
        assert_eq!(sessions.known(), Some("new"));
        assert_eq!(
            fs::read_to_string(path(root.path())).unwrap(),
            format!("{{\n  \"a:b\": \"other\",\n  \"{KEY}:claude\": \"new\"\n}}\n")
        );
        assert_eq!(sessions.forget_new(), None);
        assert_eq!(kept(root.path()), serde_json::json!({"a:b": "other"}));
    }

    #[test]
    fn what_was_known_before_the_turn_is_not_forgotten_with_it() {
        let root = root(&format!("{{\"{KEY}:claude\": \"before\"}}"));
        let (mut sessions, _) = sessions(root.path(), "claude", false);
        sessions.remember("new");
        sessions.forget_new();
        assert_eq!(sessions.known(), Some("before"));
        assert_eq!(kept(root.path())[format!("{KEY}:claude")], "before");
    }

    #[test]
    fn a_file_that_cannot_be_used_is_set_aside_and_stops_nobody() {
        for text in ["{\"cut", "[1]", ""] {
            let root = root(text);
            let (mut sessions, warning) = sessions(root.path(), "claude", true);
            let file = path(root.path());
            let shown = file.display().to_string();
            assert!(warning.unwrap().starts_with(&shown), "{text}");
            assert_eq!(sessions.known(), None);
            let aside = file.with_extension("json.unreadable");
            let warning = sessions.remember("new").unwrap();
            assert!(
                warning.ends_with(&format!("it is kept as {}", aside.display())),
                "{warning}"
            );
            assert_eq!(fs::read_to_string(aside).unwrap(), text);
            assert_eq!(kept(root.path())[format!("{KEY}:claude")], "new");
        }
    }

    #[test]
    fn twenty_agents_at_once_lose_no_entry() {
        let root = tempfile::tempdir().unwrap();
        let names: Vec<String> = (0..20).map(|number| format!("agent{number}")).collect();
        std::thread::scope(|scope| {
            for name in &names {
                scope.spawn(|| {
                    let (mut sessions, _) = sessions(root.path(), name, false);
                    assert_eq!(sessions.remember(name), None);
                });
            }
        });
        let kept = kept(root.path());
        assert_eq!(kept.as_object().unwrap().len(), 20);
        for name in names {
            assert_eq!(kept[format!("{KEY}:{name}")], name);
        }
    }
}
