//! The environment a child gets.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::question::QUESTIONS_VARIABLE;

/// The variable with the instruction of the edge that led to the role.
pub const EDGE_PROMPT_VARIABLE: &str = "UWF_EDGE_PROMPT";
/// The most an edge's prompt may have, in bytes. Linux takes no single text over 128 KiB; a
/// workflow with longer ones is refused when it is put, but older stores may hold some.
const EDGE_PROMPT_LIMIT: usize = 100 * 1024;

/// By these a known agent tells its children that they run inside it: who its session is, where
/// its editor listens. To an agent of ours they would say so of a session that is not its own.
///
/// Not here: settings and keys that a person may have given for all agents (`CLAUDE_CONFIG_DIR`,
/// `CODEX_HOME`, `OPENCODE_CONFIG`), and what is true of the child as well, as that it runs in a
/// sandbox (`CODEX_SANDBOX`, `SANDBOX`).
const MARKERS: [&str; 33] = [
    // This program, to its agents
    QUESTIONS_VARIABLE,
    // Claude Code
    "CLAUDECODE",
    "CLAUDE_AGENT_SDK_CLIENT_APP",
    "CLAUDE_AGENT_SDK_VERSION",
    "CLAUDE_CODE_ACTION",
    "CLAUDE_CODE_AGENT_NAME",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_SSE_PORT",
    "CLAUDE_CODE_TASK_LIST_ID",
    "CLAUDE_CODE_TEAM_NAME",
    "CLAUDE_ENV_FILE",
    "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_SESSION_ID",
    // Codex
    "CODEX_CI",
    "CODEX_INTERNAL_ORIGINATOR_OVERRIDE",
    "CODEX_MANAGED_BY_BUN",
    "CODEX_MANAGED_BY_NPM",
    "CODEX_THREAD_ID",
    // Cursor
    "CURSOR_AGENT",
    "CURSOR_TRACE_ID",
    // Gemini
    "GEMINI_CLI",
    "GEMINI_CLI_NO_RELAUNCH",
    "GEMINI_CLI_SESSION_ID",
    // Hermes
    "HERMES_CRON_SESSION",
    "HERMES_EXEC_ASK",
    "HERMES_GATEWAY_SESSION",
    "HERMES_INTERACTIVE",
    "HERMES_UI_SESSION_ID",
    // opencode
    "OPENCODE",
    "OPENCODE_EDITOR_SSE_PORT",
    "OPENCODE_PID",
];
const MARKER_PREFIXES: [&str; 3] = ["GEMINI_CLI_IDE_", "HERMES_RPC_", "HERMES_SESSION_"];

/// What decides over a child's environment.
#[derive(Debug)]
pub struct Surroundings<'a> {
    /// The environment of this program.
    pub caller: &'a BTreeMap<OsString, OsString>,
    /// The variable that names the storage root to a child.
    pub root_variable: &'a str,
    /// The storage root, absolute.
    pub root: &'a Path,
    /// The folder the child works in, absolute.
    pub cwd: &'a Path,
    /// The prompt of the edge that led to the role, for a child that is told so.
    pub edge_prompt: Option<&'a str>,
    /// The variables of `.env` that the agent's entry lists. One that the caller has set, and not
    /// to nothing, keeps the caller's value.
    pub granted: &'a BTreeMap<String, String>,
}

/// Why a child cannot be given its environment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnvironmentError {
    /// Longer than the system passes on.
    #[error(
        "the prompt of the edge has {bytes} bytes, and an agent can be given {EDGE_PROMPT_LIMIT} at most"
    )]
    EdgePromptTooLong {
        /// Of the prompt.
        bytes: usize,
    },
    /// The system ends a variable with a NUL.
    #[error("the prompt of the edge holds a NUL character, which no agent can be given")]
    EdgePromptNul,
}

/// The whole environment of a child: the caller's, without what known agents leave in it, with
/// what the child needs to find its thread.
pub fn child_environment(
    surroundings: &Surroundings<'_>,
) -> Result<BTreeMap<OsString, OsString>, EnvironmentError> {
    let mut environment: BTreeMap<OsString, OsString> = surroundings
        .caller
        .iter()
        .filter(|(name, _)| !is_marker(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    // A prompt that an outer engine gave to us is not meant for this child.
    environment.remove(OsStr::new(EDGE_PROMPT_VARIABLE));
    for (name, value) in surroundings.granted {
        let set = environment.entry(name.into()).or_default();
        if set.is_empty() {
            *set = value.into();
        }
    }
    environment.insert(surroundings.root_variable.into(), surroundings.root.into());
    // Programs that trust it would work in the caller's folder.
    environment.insert("PWD".into(), surroundings.cwd.into());
    if let Some(prompt) = surroundings.edge_prompt {
        check_edge_prompt(prompt)?;
        environment.insert(EDGE_PROMPT_VARIABLE.into(), prompt.into());
    }
    Ok(environment)
}

fn is_marker(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    MARKERS.contains(&name)
        || MARKER_PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix))
}

fn check_edge_prompt(prompt: &str) -> Result<(), EnvironmentError> {
    if prompt.len() > EDGE_PROMPT_LIMIT {
        return Err(EnvironmentError::EdgePromptTooLong {
            bytes: prompt.len(),
        });
    }
    if prompt.contains('\0') {
        return Err(EnvironmentError::EdgePromptNul);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(pairs: &[(&str, &str)]) -> BTreeMap<OsString, OsString> {
        pairs
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect()
    }

    fn environment(
        caller: &[(&str, &str)],
        granted: &[(&str, &str)],
        edge_prompt: Option<&str>,
    ) -> Result<BTreeMap<OsString, OsString>, EnvironmentError> {
        child_environment(&Surroundings {
            caller: &variables(caller),
            root_variable: "UNCAGED_WORKFLOW_STORAGE_ROOT",
            root: Path::new("/root of all"),
            cwd: Path::new("/work"),
            edge_prompt,
            granted: &granted
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        })
    }

    #[test]
    fn a_child_gets_the_callers_variables_the_root_and_its_prompt() {
        let caller = [
            ("HOME", "/home/me"),
            ("PWD", "/elsewhere"),
            ("WORKFLOW_STORAGE_ROOT", "/old"),
            ("UNCAGED_WORKFLOW_STORAGE_ROOT", "relative"),
            ("UWF_EDGE_PROMPT", "of the outer run"),
        ];
        let expected = |prompt: &[(&'static str, &'static str)]| {
            let common = [
                ("HOME", "/home/me"),
                ("PWD", "/work"),
                ("WORKFLOW_STORAGE_ROOT", "/old"),
                ("UNCAGED_WORKFLOW_STORAGE_ROOT", "/root of all"),
            ];
            variables(&[&common, prompt].concat())
        };
        assert_eq!(
            environment(&caller, &[], Some("Plan it.\n")),
            Ok(expected(&[("UWF_EDGE_PROMPT", "Plan it.\n")]))
        );
        assert_eq!(environment(&caller, &[], None), Ok(expected(&[])));
    }

    #[test]
    fn markers_of_known_agents_stay_out_and_settings_stay_in() {
        let caller = [
            ("CLAUDECODE", "1"),
            ("CLAUDE_CODE_ENTRYPOINT", "cli"),
            ("CLAUDE_CODE_SSE_PORT", "4711"),
            ("CLAUDE_CONFIG_DIR", "/c"),
            ("CODEX_HOME", "/x"),
            ("CODEX_SANDBOX", "seatbelt"),
            ("CODEX_THREAD_ID", "t"),
            ("GEMINI_CLI", "1"),
            ("GEMINI_CLI_HOME", "/g"),
            ("GEMINI_CLI_IDE_SERVER_PORT", "1"),
            ("HERMES_HOME", "/h"),
            ("HERMES_SESSION_ID", "s"),
            ("OPENCODE", "1"),
            ("OPENCODE_CONFIG", "/o"),
            ("OPENCODE_PID", "1"),
        ];
        let names: Vec<String> = environment(&caller, &[], None)
            .unwrap()
            .into_keys()
            .map(|name| name.into_string().unwrap())
            .collect();
        assert_eq!(
            names,
            [
                "CLAUDE_CONFIG_DIR",
                "CODEX_HOME",
                "CODEX_SANDBOX",
                "GEMINI_CLI_HOME",
                "HERMES_HOME",
                "OPENCODE_CONFIG",
                "PWD",
                "UNCAGED_WORKFLOW_STORAGE_ROOT",
            ]
        );
    }

    #[test]
    fn a_granted_variable_fills_a_gap_and_replaces_nothing() {
        let caller = [("KEY_A", "mine"), ("KEY_B", "")];
        let granted = [
            ("KEY_A", "a"),
            ("KEY_B", "b"),
            ("KEY_C", "c"),
            ("CLAUDECODE", "1"),
        ];
        let environment = environment(&caller, &granted, None).unwrap();
        let value = |name: &str| environment[OsStr::new(name)].to_str();
        assert_eq!(value("KEY_A"), Some("mine"));
        assert_eq!(value("KEY_B"), Some("b"));
        assert_eq!(value("KEY_C"), Some("c"));
        assert_eq!(value("CLAUDECODE"), Some("1"));
    }

    #[test]
    fn a_prompt_that_cannot_be_passed_is_refused() {
        let longest = "é".repeat(EDGE_PROMPT_LIMIT / 2);
        assert!(environment(&[], &[], Some(&longest)).is_ok());
        let error = environment(&[], &[], Some(&(longest + "!"))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the prompt of the edge has 102401 bytes, and an agent can be given 102400 at most"
        );
        let error = environment(&[], &[], Some("a\0b")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the prompt of the edge holds a NUL character, which no agent can be given"
        );
    }
}
