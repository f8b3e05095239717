//! Colours: when there are any, and which.
//!
//! Only what goes to a person is coloured: `--format text`, errors and help. JSON and YAML never
//! are.

use anstyle::{AnsiColor, Style};

use crate::host::Host;

/// Titles of columns, keys, headings of the help.
pub const HEADING: Style = Style::new().bold();
/// The word `error`.
pub const ERROR: Style = AnsiColor::BrightRed.on_default().bold();
/// The word `warning`.
pub const WARNING: Style = AnsiColor::BrightYellow.on_default().bold();
/// The word `hint`.
pub const HINT: Style = AnsiColor::BrightCyan.on_default().bold();
/// What went well.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// What goes on.
pub const LIVE: Style = AnsiColor::Cyan.on_default();
/// What was ended on purpose.
pub const ENDED: Style = AnsiColor::Yellow.on_default();
/// What went wrong.
pub const BAD: Style = AnsiColor::Red.on_default();

/// Whether what is printed may hold colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Colours {
    /// None.
    #[default]
    Off,
    /// As the escape sequences that terminals know.
    On,
}

impl Colours {
    /// For a stream, by the rules that many programs share: `NO_COLOR` forbids them,
    /// `CLICOLOR_FORCE` wants them everywhere, `CLICOLOR=0` and `TERM=dumb` nowhere; else a
    /// terminal gets them.
    pub fn wanted(host: &Host, is_terminal: bool) -> Self {
        let is_zero = |name| host.variable(name).is_some_and(|value| value == "0");
        let is_set = |name| host.variable(name).is_some() && !is_zero(name);
        let is_dumb = host
            .variable("TERM")
            .is_none_or(|terminal| terminal == "dumb");
        if host.variable("NO_COLOR").is_some() {
            Self::Off
        } else if is_set("CLICOLOR_FORCE")
            || (is_terminal && !is_zero("CLICOLOR") && (!is_dumb || is_set("CLICOLOR")))
        {
            Self::On
        } else {
            Self::Off
        }
    }

    /// The text in a style.
    pub fn paint(self, style: Style, text: &str) -> String {
        match self {
            Self::On if !style.is_plain() => format!("{style}{text}{style:#}"),
            _ => text.to_owned(),
        }
    }

    /// A help text with its headings painted: `Usage:` at the start of a line, and lines that
    /// are a heading alone.
    pub fn paint_help(self, help: &str) -> String {
        let paint = |line: &str| {
            let is_heading = line.ends_with(':') && !line.starts_with(' ');
            match line.strip_prefix("Usage:") {
                Some(rest) => self.paint(HEADING, "Usage:") + rest,
                None if is_heading => self.paint(HEADING, line),
                None => line.to_owned(),
            }
        };
        help.split('\n').map(paint).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(variables: &[(&str, &str)], is_terminal: bool) -> bool {
        let host = Host {
            cwd: "/work".into(),
            environment: variables
                .iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            stdin_is_terminal: is_terminal,
            stdout_is_terminal: is_terminal,
            stderr_is_terminal: is_terminal,
        };
        Colours::wanted(&host, is_terminal) == Colours::On
    }

    #[test]
    fn a_terminal_gets_colours_unless_somebody_says_no() {
        let term = ("TERM", "xterm");
        for (variables, on_terminal, on_pipe) in [
            (vec![term], true, false),
            (vec![term, ("NO_COLOR", "1")], false, false),
            (vec![term, ("NO_COLOR", "")], true, false),
            (vec![term, ("CLICOLOR", "0")], false, false),
            (vec![term, ("CLICOLOR", "1")], true, false),
            (vec![term, ("CLICOLOR_FORCE", "1")], true, true),
            (vec![term, ("CLICOLOR_FORCE", "0")], true, false),
            (
                vec![term, ("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")],
                false,
                false,
            ),
            (
                vec![term, ("CLICOLOR_FORCE", "1"), ("CLICOLOR", "0")],
                true,
                true,
            ),
            (vec![("TERM", "dumb")], false, false),
            (vec![("TERM", "dumb"), ("CLICOLOR", "1")], true, false),
            (vec![], false, false),
        ] {
            assert_eq!(wanted(&variables, true), on_terminal, "{variables:?}");
            assert_eq!(wanted(&variables, false), on_pipe, "{variables:?}");
        }
    }

    #[test]
    fn painted_text_ends_plain() {
        assert_eq!(
            Colours::On.paint(ERROR, "error:"),
            "\u{1b}[1m\u{1b}[91merror:\u{1b}[0m"
        );
        assert_eq!(Colours::Off.paint(ERROR, "error:"), "error:");
        assert_eq!(Colours::On.paint(Style::new(), "plain"), "plain");
    }

    #[test]
    fn the_headings_of_a_help_are_painted() {
        let help = "Do it: now\n\nUsage: uwf x\n\nOptions:\n  -a  This:\n";
        assert_eq!(Colours::Off.paint_help(help), help);
        assert_eq!(
            Colours::On.paint_help(help),
            "Do it: now\n\n\u{1b}[1mUsage:\u{1b}[0m uwf x\n\n\u{1b}[1mOptions:\u{1b}[0m\n  -a  This:\n"
        );
    }
}
