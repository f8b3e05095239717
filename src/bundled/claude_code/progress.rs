//! What goes on in a run, each in one line.

use serde_json::{Map, Value};

use crate::wording::{cut, one_line};

/// Characters that are shown of what others wrote.
const LONGEST: usize = 100;
/// The arguments of a tool that tell most, the first that is there.
const TELLING: [&str; 12] = [
    "command",
    "file_path",
    "notebook_path",
    "path",
    "pattern",
    "query",
    "url",
    "skill",
    "description",
    "prompt",
    "subject",
    "name",
];

/// A text of the model begins.
pub fn said(text: &str) -> String {
    format!("claude: {}", shown(text))
}

/// A tool is called.
pub fn call(name: &str, input: Option<&Value>) -> String {
    let input = input.and_then(Value::as_object);
    let telling = input.and_then(|input| {
        let mut known = TELLING.iter().filter_map(|key| input.get(*key)?.as_str());
        known
            .next()
            .or_else(|| input.values().find_map(Value::as_str))
    });
    match telling {
        Some(argument) => format!("claude: {}: {}", shown(name), shown(argument)),
        None => format!("claude: {}", shown(name)),
    }
}

/// The service is asked once more.
pub fn retry(object: &Map<String, Value>) -> String {
    let number = |key| object.get(key).and_then(Value::as_f64);
    let attempt = number("attempt").map(|attempt| format!(" {attempt}"));
    let most = number("max_retries").map(|most| format!(" of {most}"));
    let delay =
        number("retry_delay_ms").map(|delay| format!(" in {:.0} s", (delay / 1000.0).ceil()));
    let error = object.get("error").and_then(Value::as_str);
    let status = number("error_status").map(|status| format!("status {status}"));
    let why: Vec<_> = error.map(shown).into_iter().chain(status).collect();
    let parts: String = [attempt, most, delay].into_iter().flatten().collect();
    if why.is_empty() {
        format!("claude: retry{parts}")
    } else {
        format!("claude: retry{parts}: {}", why.join(", "))
    }
}

fn shown(text: &str) -> String {
    cut(&one_line(text), LONGEST).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_said_is_short_and_on_one_line() {
        assert_eq!(
            said("---\ntitle:\u{7} x\n---\n"),
            "claude: --- title: x ---"
        );
        assert_eq!(
            said(&"é".repeat(101)),
            format!("claude: {}…", "é".repeat(100))
        );
    }

    #[test]
    fn a_call_shows_the_argument_that_tells_most() {
        let line = |name: &str, input: Value| call(name, Some(&input));
        let bash = json!({"description": "write hello", "command": "echo hi\n> hello.txt"});
        assert_eq!(line("Bash", bash), "claude: Bash: echo hi > hello.txt");
        assert_eq!(
            line("Read", json!({"limit": 3, "file_path": "/a b"})),
            "claude: Read: /a b"
        );
        assert_eq!(
            line("mcp__x__y", json!({"n": 1, "other": "o"})),
            "claude: mcp__x__y: o"
        );
        assert_eq!(line("TaskList", json!({})), "claude: TaskList");
        assert_eq!(call("TaskList", None), "claude: TaskList");
    }

    #[test]
    fn a_retry_tells_which_when_and_why() {
        let line = |object: Value| retry(object.as_object().unwrap());
        assert_eq!(
            line(
                json!({"attempt": 2, "max_retries": 10, "retry_delay_ms": 3610.67,
                "error_status": 401, "error": "authentication_failed"})
            ),
            "claude: retry 2 of 10 in 4 s: authentication_failed, status 401"
        );
        assert_eq!(line(json!({"error_status": null})), "claude: retry");
    }
}
