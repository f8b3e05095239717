//! What was looked at, and how it stands.

use std::path::Path;

use serde_json::{Value, json};

use crate::wording::{counted, one_line};

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What it is.
    what: String,
    /// Whether it is well; none where there is nothing to judge, or nobody can tell.
    ok: Option<bool>,
    /// How it stands.
    message: String,
    /// What to do about it.
    hint: Option<String>,
}

impl Check {
    /// It is well.
    pub fn well(what: impl Into<String>, message: impl Into<String>) -> Self {
        Self::of(what, Some(true), message)
    }

    /// Something is wrong with it.
    pub fn wrong(what: impl Into<String>, message: impl Into<String>) -> Self {
        Self::of(what, Some(false), message)
    }

    /// It is not judged.
    pub fn open(what: impl Into<String>, message: impl Into<String>) -> Self {
        Self::of(what, None, message)
    }

    fn of(what: impl Into<String>, ok: Option<bool>, message: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            ok,
            message: message.into(),
            hint: None,
        }
    }

    /// The same with what to do.
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }
}

/// All that was looked at, in the order in which one thing needs the other.
#[derive(Debug, Default)]
pub struct Report {
    checks: Vec<Check>,
}

impl Report {
    /// Adds what was looked at.
    pub fn add(&mut self, checks: impl IntoIterator<Item = Check>) {
        self.checks.extend(checks);
    }

    /// Whether nothing is wrong.
    pub fn is_well(&self) -> bool {
        self.wrong() == 0
    }

    fn wrong(&self) -> usize {
        let checks = self.checks.iter();
        checks.filter(|check| check.ok == Some(false)).count()
    }

    /// For programs.
    pub fn to_value(&self, root: &Path) -> Value {
        let check = |check: &Check| {
            json!({
                "check": check.what,
                "ok": check.ok,
                "message": check.message,
                "hint": check.hint,
            })
        };
        json!({
            "root": root.display().to_string(),
            "ok": self.is_well(),
            "checks": self.checks.iter().map(check).collect::<Vec<_>>(),
        })
    }

    /// For people: a line for each thing, what to do below it.
    pub fn to_text(&self) -> String {
        let width = self.checks.iter().map(|check| check.what.chars().count());
        let width = width.max().unwrap_or(0);
        let mut text = String::new();
        for check in &self.checks {
            let state = match check.ok {
                Some(true) => "ok",
                Some(false) => "wrong",
                None => "-",
            };
            let (what, message) = (one_line(&check.what), one_line(&check.message));
            text.push_str(&format!("{state:5}  {what:width$}  {message}\n"));
            if let Some(hint) = &check.hint {
                let blank = " ".repeat(width + 9);
                text.push_str(&format!("{blank}to do: {}\n", one_line(hint)));
            }
        }
        text.push('\n');
        text.push_str(&match self.wrong() {
            0 => "All is well.".to_owned(),
            1 => "1 thing is wrong.".to_owned(),
            many => format!("{} are wrong.", counted(many, "thing")),
        });
        text
    }
}
