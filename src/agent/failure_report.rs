//! How an agent on protocol `cas` says why it failed: its last line, in place of a step's hash.
//!
//! `{"failure": {"class": …, "message": …, "output": …}}`, beside an exit code other than 0. An
//! agent need not: one that only exits has failed all the same.

use serde_json::{Value, json};

use super::failure_class::FailureClass;
use crate::model::Hash;

/// Lines that are looked at: a program may say a few words after the report.
const LINES: usize = 20;

/// Why an agent failed, in its own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureReport {
    /// What kind of failure it is.
    pub class: FailureClass,
    /// What happened.
    pub message: String,
    /// A node with all that was said by then.
    pub output: Option<Hash>,
}

impl FailureReport {
    /// The line that says it, without a line break.
    pub fn to_line(&self) -> String {
        json!({"failure": {
            "class": self.class.as_str(),
            "message": self.message,
            "output": self.output,
        }})
        .to_string()
    }

    /// The report among the last lines that a program printed.
    pub fn among_last_lines(stdout: &[u8]) -> Option<Self> {
        let lines = stdout.rsplit(|byte| *byte == b'\n');
        lines.take(LINES).find_map(Self::from_line)
    }

    fn from_line(line: &[u8]) -> Option<Self> {
        let object: Value = serde_json::from_slice(line.trim_ascii()).ok()?;
        let failure = object.get("failure")?;
        Some(Self {
            class: failure.get("class")?.as_str()?.parse().ok()?,
            message: failure.get("message")?.as_str()?.to_owned(),
            output: failure
                .get("output")
                .and_then(Value::as_str)
                .and_then(|hash| hash.parse().ok()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_back_from_among_the_last_lines() {
        let report = FailureReport {
            class: FailureClass::RateLimit,
            message: "the service said \"slow down\"\nand closed".to_owned(),
            output: "3RZYZ9X0Y34K7".parse().ok(),
        };
        let line = report.to_line();
        assert!(!line.contains('\n'));
        let printed = format!("working\n{line}\nbye\n\n");
        assert_eq!(
            FailureReport::among_last_lines(printed.as_bytes()),
            Some(report)
        );
    }

    #[test]
    fn what_is_no_report_is_none() {
        for printed in [
            "",
            "{}",
            "{\"failure\": \"x\"}",
            "{\"failure\": {\"class\": \"new\", \"message\": \"x\"}}",
            "{\"failure\": {\"class\": \"api\"}}",
        ] {
            assert_eq!(FailureReport::among_last_lines(printed.as_bytes()), None);
        }
    }
}
