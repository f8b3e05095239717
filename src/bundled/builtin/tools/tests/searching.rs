//! `grep`.

use std::os::unix::fs::symlink;

use super::*;

fn grep(workplace: &Workplace, arguments: Value) -> String {
    workplace.call("grep", arguments)
}

fn laid_out() -> Workplace {
    let workplace = Workplace::new();
    for (name, text) in [
        ("b.rs", "fn b() {}\r\n// Needle\r\n"),
        ("a/c.rs", "needle\n\nneedle again\n"),
        ("a/c.txt", "needle\n"),
        ("a/.hidden", "needle\n"),
        (".git/config", "needle\n"),
        ("target/out.txt", "needle\n"),
        ("a/deep/x.log", "needle\n"),
        ("a/deep/keep.log", "needle\n"),
        (".gitignore", "/target\n*.log\n[\n"),
        ("a/deep/.gitignore", "!keep.log\n"),
        ("binary", "needle\0\n"),
    ] {
        workplace.write(name, text);
    }
    symlink(workplace.outside(), workplace.path("z-link")).unwrap();
    symlink(workplace.path("b.rs"), workplace.path("z-file")).unwrap();
    workplace.pipe("pipe");
    workplace
}

#[test]
fn lines_of_text_files_are_found_in_order() {
    let workplace = laid_out();
    assert_eq!(
        grep(&workplace, json!({"pattern": "needle"})),
        "a/.hidden:1: needle\na/c.rs:1: needle\na/c.rs:3: needle again\na/c.txt:1: needle\n\
         a/deep/keep.log:1: needle\n"
    );
    assert_eq!(
        grep(
            &workplace,
            json!({"pattern": "needle$", "ignore_case": true, "glob": "*.rs"})
        ),
        "a/c.rs:1: needle\nb.rs:2: // Needle\n"
    );
    assert_eq!(
        grep(&workplace, json!({"pattern": "secret"})),
        "[no line of 8 files fits]\n"
    );
}

#[test]
fn a_path_and_a_glob_narrow_it() {
    let workplace = laid_out();
    let grep = |arguments| grep(&workplace, arguments);
    assert_eq!(
        grep(json!({"pattern": "needle", "path": "a/deep"})),
        "a/deep/keep.log:1: needle\n"
    );
    assert_eq!(
        grep(json!({"pattern": "needle", "glob": "a/*.{rs,txt}"})),
        "a/c.rs:1: needle\na/c.rs:3: needle again\na/c.txt:1: needle\n"
    );
    assert_eq!(
        grep(json!({"pattern": "needle", "glob": "!a/c.*"})),
        "a/.hidden:1: needle\na/deep/keep.log:1: needle\n"
    );
    // What is named is searched, ignored or not.
    assert_eq!(
        grep(json!({"pattern": "needle", "path": "a/deep/x.log"})),
        "a/deep/x.log:1: needle\n"
    );
    assert_eq!(
        grep(json!({"pattern": "needle", "path": "target"})),
        "target/out.txt:1: needle\n"
    );
    assert_eq!(
        grep(json!({"pattern": "x", "path": "none"})),
        "error: there is no folder none: list_dir tells what there is"
    );
}

#[test]
fn what_is_no_pattern_is_told() {
    let workplace = Workplace::new();
    let told = grep(&workplace, json!({"pattern": "fn main("}));
    assert!(
        told.starts_with(
            "error: `fn main(` is no regular expression that can be searched for: regex parse \
             error:"
        ),
        "{told}"
    );
    assert!(
        told.ends_with("\nPut a \\ before characters that mean themselves"),
        "{told}"
    );
    let told = grep(&workplace, json!({"pattern": "((a{1000}){1000}){1000}"}));
    assert!(told.starts_with("error: "), "{told}");
    let told = grep(&workplace, json!({"pattern": "x", "glob": "{a"}));
    assert!(told.starts_with("error: `glob` is no glob: "), "{told}");
}

#[test]
fn a_pattern_cannot_take_for_ever() {
    let workplace = Workplace::new();
    workplace.write("a.txt", "a".repeat(60_000));
    assert_eq!(
        grep(&workplace, json!({"pattern": "^(a+)+$b"})),
        "[no line of 1 file fits]\n"
    );
}

#[test]
fn there_are_no_more_lines_than_a_model_can_take() {
    let workplace = Workplace::new();
    workplace.write("a.txt", "needle\n".repeat(1_000));
    let text = grep(&workplace, json!({"pattern": "needle"}));
    assert_eq!(text.lines().count(), 201);
    assert!(text.ends_with(
        "a.txt:200: needle\n[200 lines; there may be more: narrow it with `pattern`, `path` or \
         `glob`]\n"
    ));
}

#[test]
fn of_a_long_line_the_part_that_fits_is_given() {
    let workplace = Workplace::new();
    let line = format!("{}needle{}", "é".repeat(1_000), "x".repeat(100_000));
    let text = [line.as_bytes(), b"\nneedle\x1b[31m\xff\n"].concat();
    workplace.write("a.txt", text);
    let text = grep(&workplace, json!({"pattern": "needle"}));
    assert_eq!(
        text,
        format!(
            "a.txt:1: …{}needle{}…\na.txt:2: needle\u{fffd}[31m\u{fffd}\n",
            "é".repeat(50),
            "x".repeat(194)
        )
    );
}

#[test]
fn a_pipe_for_a_gitignore_is_not_waited_for() {
    let workplace = Workplace::new();
    workplace.pipe(".gitignore");
    workplace.write("a.txt", "needle\n");
    assert_eq!(
        grep(&workplace, json!({"pattern": "needle"})),
        "a.txt:1: needle\n"
    );
}

#[test]
fn what_the_repository_around_the_folder_ignores_is_left_out() {
    let mut workplace = laid_out();
    workplace.settings.cwd = workplace.path("a");
    assert_eq!(
        grep(&workplace, json!({"pattern": "needle", "glob": "*.log"})),
        "deep/keep.log:1: needle\n"
    );
}

#[test]
fn a_search_ends_in_time_or_by_a_signal() {
    let workplace = laid_out();
    let places = workplace.toolbox().places;
    let arguments = Arguments::read(Tool::Grep, r#"{"pattern": "needle"}"#).unwrap();
    let mut guard = quiet_guard();
    let mut watch = Watch::until(&mut guard, std::time::Instant::now());
    assert_eq!(
        grep::grep(&places, &arguments, &mut watch).unwrap(),
        "[no line of 0 files fits]\n[0 lines; stopped after 20 s: there may be more. Narrow it \
         with `path` or `glob`]\n"
    );
    // Also where nothing is found that could be searched.
    let nothing = Arguments::read(Tool::Grep, r#"{"pattern": "needle", "glob": "*.none"}"#);
    let mut watch = Watch::until(&mut guard, std::time::Instant::now());
    let told = grep::grep(&places, &nothing.unwrap(), &mut watch).unwrap();
    assert!(told.contains("stopped after 20 s"), "{told}");
    let signal = signal_hook::consts::SIGXCPU;
    let mut guard = guard_for(signal);
    signal_hook::low_level::raise(signal).unwrap();
    let outcome = grep::grep(&places, &arguments, &mut Watch::begin(&mut guard));
    assert_eq!(outcome, Err(Stop::Interrupted(signal)));
}
