//! Help, reference, completions and manual pages: all of one definition, and all of it there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::environment::{Environment, Ran, evidence_json};
use crate::snapshot;

/// The names of every command, as the reference has them.
fn commands(reference: &str) -> Vec<Vec<&str>> {
    let headings = reference
        .lines()
        .filter_map(|line| line.strip_prefix("### uwf "));
    headings.map(|names| names.split(' ').collect()).collect()
}

#[test]
fn the_reference_is_what_the_program_prints() {
    let environment = Environment::new();
    snapshot::assert_is("docs/cli-reference.md", &environment.ok(&["skill", "cli"]));
}

#[test]
fn every_help_is_short_and_reached_in_both_ways() {
    let environment = Environment::new();
    let reference = environment.ok(&["skill", "cli"]);
    let mut commands = commands(&reference);
    assert!(commands.len() > 20, "{commands:?}");
    let groups: BTreeSet<_> = commands
        .iter()
        .map(|names| names[..names.len() - 1].to_vec())
        .collect();
    commands.extend(groups);
    for names in commands {
        let help = environment.ok(&[&names[..], &["--help"]].concat());
        let first = help.lines().next().unwrap();
        assert!(first.chars().count() <= 70, "{names:?}: {first}");
        for line in help.lines() {
            assert!(line.chars().count() <= 100, "{names:?}: {line}");
        }
        assert_eq!(
            help,
            environment.ok(&[&["help"], &names[..]].concat()),
            "{names:?}"
        );
    }
}

#[test]
fn completions_know_every_command_and_are_scripts() {
    let environment = Environment::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = environment.ok(&["completions", shell]);
        for word in ["step-details", "put-text", "error-format", "markdown"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        let file = environment.write(&format!("{shell}.script"), &script);
        // Where the shell is there, it reads the script.
        if let Ok(status) = Command::new(shell).arg("-n").arg(file).status() {
            assert!(status.success(), "{shell}");
        }
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let environment = Environment::new();
    assert_eq!(environment.ok(&["man", "--out", "pages/man1"]), "");
    let page = |name: &str| {
        let path = environment.work().join("pages/man1").join(name);
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    assert_eq!(page("uwf.1"), environment.ok(&["man"]));
    assert!(page("uwf.1").contains(".SH \"EXIT STATUS\"\n"));
    let reference = environment.ok(&["skill", "cli"]);
    for names in commands(&reference) {
        let title = format!(".TH uwf-{} 1 ", names.join("-"));
        let page = page(&format!("uwf-{}.1", names.join("-")));
        assert!(page.contains(&title), "{page}");
    }
    let examples = page("uwf-completions.1");
    assert!(
        examples.contains(".SH EXAMPLES\n.nf\nuwf completions bash > "),
        "{examples}"
    );
}

#[test]
fn what_is_made_of_the_definition_needs_no_storage_root() {
    let environment = Environment::new();
    for arguments in [
        &["skill", "cli"][..],
        &["completions", "bash"],
        &["man"],
        &["help", "thread"],
    ] {
        let mut command = environment.command(arguments);
        command.env_clear();
        let ran = Ran::from(command.output().unwrap());
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

#[test]
fn the_readme_has_the_exit_codes_of_the_reference() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let reference = Environment::new().ok(&["skill", "cli"]);
    let (_, codes) = reference.split_once("## Exit codes\n\n").unwrap();
    let (codes, _) = codes.split_once("\n\n").unwrap();
    for line in codes.lines() {
        let (code, meaning) = line.trim_start_matches("- ").split_once(": ").unwrap();
        let row = format!("| {code} | {meaning} |\n");
        assert!(readme.contains(&row), "{row}");
    }
}

/// The keys of `{a, b: {…}, c}`, the first object of a text.
fn keys(text: &str) -> Vec<&str> {
    let mut keys = Vec::new();
    let mut depth = 0;
    let mut begin = 0;
    for (at, character) in text.char_indices() {
        match character {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ => {}
        }
        match character {
            '{' if depth == 1 => begin = at + 1,
            ',' | '}' if depth == usize::from(character == ',') => {
                let key = text[begin..at].split(':').next().unwrap_or_default();
                keys.push(key.trim());
                begin = at + 1;
                if depth == 0 {
                    return keys;
                }
            }
            _ => {}
        }
    }
    keys
}

#[test]
fn the_help_names_the_keys_that_are_printed() {
    let environment = Environment::with_golden_store();
    let reference = environment.ok(&["skill", "cli"]);
    let commands = commands(&reference);
    let mut compared = BTreeSet::new();
    let entries = evidence_json("store-original.expected.json");
    for entry in entries.as_array().unwrap() {
        let argv: Vec<&str> = entry["argv"]
            .as_array()
            .unwrap()
            .iter()
            .skip(1)
            .map(|word| word.as_str().unwrap())
            .collect();
        let Some(names) = commands.iter().find(|names| argv.starts_with(names)) else {
            continue;
        };
        let Ok(printed) = serde_json::from_str::<Value>(entry["stdout"].as_str().unwrap()) else {
            continue;
        };
        let help = environment.ok(&[&names[..], &["--help"]].concat());
        let (_, result) = help
            .split_once("\nResult: ")
            .unwrap_or_else(|| panic!("{help}"));
        let printed = printed
            .as_array()
            .map_or(Some(&printed), |items| items.first());
        let Some(Value::Object(printed)) = printed else {
            continue;
        };
        if !result.starts_with(['{', '[']) || argv.contains(&"--timestamp") {
            continue;
        }
        let result = result.trim_start_matches('[');
        let printed: Vec<&str> = printed.keys().map(String::as_str).collect();
        assert_eq!(keys(result), printed, "{names:?}");
        compared.insert(names.clone());
    }
    assert!(compared.len() >= 9, "{compared:?}");
}
