//! The reference of every command as markdown, made of the definition of the command line.
//!
//! It is for agents, who pay for each word, and it is `docs/cli-reference.md`.

use clap::{Arg, ArgAction, Command};

use super::GLOBAL;
use super::error::EXIT_CODES;

/// What stands before the examples in a command's help.
pub const EXAMPLES: &str = "Examples:\n";

const RESULTS: &str = "\
Results go to stdout: one line of JSON, or what `--format` names. Keys and their order are fixed. \
Everything else goes to stderr: `error:`, below it causes and `hint:` lines that say what to do \
next; with `--error-format json` one object `{error, kind, exitCode, causes, hints}`.";

const NAMES: &str = "\
Ids and hashes may be typed short: the first characters are enough, four at the least, in any case, \
as long as they fit one alone. `@` is the thread that was started, stepped or forked last.";

const AGENTS: &str = "\
`uwf thread step` runs the agent of the role whose turn it is, in the thread's working folder. Its \
`protocol` says how:

- `markdown`: `<command> <args…>` with the whole prompt on stdin. It prints its answer: YAML that \
fits the role's schema between two `---` lines, then Markdown.
- `json`: `<command> <args…> -t <thread> -p <prompt>`; a prompt over 100 kB is on stdin, with `-p \
-`. It prints `{\"meta\": {…}, \"content\": \"…\"}`; `meta` fits the role's schema.
- `cas`: `<command> <args…> <thread> <role>`, stdin empty, the instruction in `UWF_EDGE_PROMPT`. It \
reads the thread (`uwf thread steps`), stores its output, a detail node and a StepNode `{start, \
prev, role, output, detail, agent, edgePrompt}` (`uwf cas put`; `prev` is null for the first step), \
and prints the StepNode's hash on its last line.

An answer that does not fit is sent back with what is wrong, at most twice. An agent never moves a \
thread itself.";

/// The whole reference; ends with a line break.
pub fn markdown(definition: &Command) -> String {
    let mut page = String::from("# uwf\n");
    paragraph(&mut page, &sentence(definition));
    if let Some(after) = definition.get_after_help() {
        paragraph(&mut page, &after.to_string());
    }
    paragraph(&mut page, RESULTS);
    paragraph(&mut page, NAMES);

    page.push_str("\n## Options of every command\n\n");
    for option in definition
        .get_arguments()
        .filter(|option| is_global(option))
    {
        push_argument(&mut page, option);
    }

    page.push_str("\n## Exit codes\n\n");
    for (code, meaning) in EXIT_CODES {
        page.push_str(&format!("- {code}: {meaning}\n"));
    }

    page.push_str("\n## Agents\n");
    paragraph(&mut page, AGENTS);

    page.push_str("\n## Commands\n");
    push_commands(&mut page, definition);
    page
}

fn push_commands(page: &mut String, group: &Command) {
    for command in group.get_subcommands() {
        if command.has_subcommands() {
            push_commands(page, command);
        } else {
            push_command(page, command);
        }
    }
}

fn push_command(page: &mut String, command: &Command) {
    page.push_str(&format!("\n### {}\n", full_name(command)));
    paragraph(page, &format!("`{}`", usage(command)));
    paragraph(page, &sentence(command));
    let arguments: Vec<_> = in_order(command).collect();
    if !arguments.is_empty() {
        page.push('\n');
    }
    for argument in arguments {
        push_argument(page, argument);
    }
    let after = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let (notes, examples) = match after.split_once(EXAMPLES) {
        Some((notes, examples)) => (notes.trim(), examples.trim_end()),
        None => (after.trim(), ""),
    };
    if !notes.is_empty() {
        paragraph(page, notes);
    }
    if !examples.is_empty() {
        let lines: Vec<_> = examples.lines().map(str::trim_start).collect();
        paragraph(page, &format!("```sh\n{}\n```", lines.join("\n")));
    }
}

/// `uwf thread step`.
pub fn full_name(command: &Command) -> &str {
    command.get_bin_name().unwrap_or_else(|| command.get_name())
}

/// The command with everything that can follow it and is its own: `uwf thread list [--all]`.
pub fn usage(command: &Command) -> String {
    let mut usage = full_name(command).to_owned();
    if command.has_subcommands() {
        usage.push_str(" <COMMAND>");
    }
    let (last, others): (Vec<_>, Vec<_>) =
        in_order(command).partition(|argument| argument.is_last_set());
    for argument in others {
        let shown = argument.to_string();
        // clap puts the brackets around positional arguments.
        if argument.is_positional() || argument.is_required_set() {
            usage.push_str(&format!(" {shown}"));
        } else {
            usage.push_str(&format!(" [{shown}]"));
        }
    }
    for argument in last {
        usage.push_str(&format!(" -- {argument}"));
    }
    usage
}

/// Positional arguments first, without those that every command has.
pub fn in_order(command: &Command) -> impl Iterator<Item = &Arg> {
    let own = |argument: &&Arg| !is_global(argument) && !argument.is_hide_set();
    let options = command
        .get_arguments()
        .filter(|argument| !argument.is_positional());
    command.get_positionals().chain(options).filter(own)
}

fn is_global(argument: &Arg) -> bool {
    argument.get_help_heading() == Some(GLOBAL)
}

fn push_argument(page: &mut String, argument: &Arg) {
    let short = argument
        .get_short()
        .filter(|_| argument.get_long().is_some());
    let name = match short {
        Some(short) => format!("-{short}, {argument}"),
        None => argument.to_string(),
    };
    let help = argument
        .get_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    page.push_str(&format!("- `{name}`: {help}"));
    let takes_value = !matches!(
        argument.get_action(),
        ArgAction::SetTrue | ArgAction::Help | ArgAction::Version
    );
    let defaults: Vec<_> = argument
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy())
        .collect();
    if takes_value && !defaults.is_empty() && !argument.is_hide_default_value_set() {
        page.push_str(&format!(" [default: {}]", defaults.join(" ")));
    }
    page.push('\n');
}

fn sentence(command: &Command) -> String {
    let about = command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default();
    format!("{}.", about.trim_end_matches('.'))
}

fn paragraph(page: &mut String, text: &str) {
    page.push('\n');
    page.push_str(text);
    page.push('\n');
}
