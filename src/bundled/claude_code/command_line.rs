//! What Claude Code is called with. The prompt is not among it: that goes by standard input.

use std::ffi::OsString;

/// How Claude Code is run.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The program: a path, or a name that is looked for in `PATH`.
    pub program: OsString,
    /// The model; the program's own choice when none is named.
    pub model: Option<String>,
    /// How often the model may be asked in one run.
    pub max_turns: Option<u64>,
    /// What one step may cost, in US dollars.
    pub max_budget_usd: Option<f64>,
    /// What may be done unasked; everything when none is named, since nobody is there to ask.
    pub permission_mode: Option<String>,
    /// The tools that may be used unasked, as the program wants them.
    pub allowed_tools: Option<String>,
    /// What else the program is given, behind everything else.
    pub further: Vec<OsString>,
}

impl Settings {
    /// The arguments of one run, in this session if there is one, which may cost so much.
    pub fn arguments(&self, session: Option<&str>, budget_usd: Option<f64>) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = ["-p", "--output-format", "stream-json", "--verbose"]
            .map(Into::into)
            .into();
        let mut option = |name: &str, value: Option<&str>| {
            if let Some(value) = value {
                arguments.extend([name.into(), value.into()]);
            }
        };
        option("--permission-mode", self.permission_mode.as_deref());
        option("--model", self.model.as_deref());
        option(
            "--max-turns",
            self.max_turns.map(|n| n.to_string()).as_deref(),
        );
        option(
            "--max-budget-usd",
            budget_usd.map(|usd| usd.to_string()).as_deref(),
        );
        option("--allowedTools", self.allowed_tools.as_deref());
        option("--resume", session);
        if self.permission_mode.is_none() {
            arguments.push("--dangerously-skip-permissions".into());
        }
        arguments.extend(self.further.iter().cloned());
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings {
            program: "claude".into(),
            model: None,
            max_turns: None,
            max_budget_usd: None,
            permission_mode: None,
            allowed_tools: None,
            further: Vec::new(),
        }
    }

    #[test]
    fn a_run_is_asked_for_a_stream_and_skips_questions() {
        assert_eq!(
            settings().arguments(None, None).join(" ".as_ref()),
            "-p --output-format stream-json --verbose --dangerously-skip-permissions"
        );
    }

    #[test]
    fn all_that_is_set_is_passed_on() {
        let settings = Settings {
            model: Some("opus".to_owned()),
            max_turns: Some(7),
            max_budget_usd: Some(1.5),
            permission_mode: Some("acceptEdits".to_owned()),
            allowed_tools: Some("Bash(git *) Edit".to_owned()),
            further: vec!["--add-dir".into(), "../lib".into()],
            ..settings()
        };
        assert_eq!(
            settings.arguments(Some("abc-1"), Some(0.00589)),
            [
                "-p",
                "--output-format",
                "stream-json",
                "--verbose",
                "--permission-mode",
                "acceptEdits",
                "--model",
                "opus",
                "--max-turns",
                "7",
                "--max-budget-usd",
                "0.00589",
                "--allowedTools",
                "Bash(git *) Edit",
                "--resume",
                "abc-1",
                "--add-dir",
                "../lib"
            ]
        );
    }
}
