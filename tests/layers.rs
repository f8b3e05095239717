//! The rules of the house that no compiler holds: which room may use which, what may be named in
//! one place only, what every file begins with.
//!
//! A test runs each rule over the tree, another over planted violations, so that a rule cannot
//! fall asleep. Comments and the insides of strings never count; test code does.

// In a folder of their own, where Cargo does not take them for tests.
#[path = "layers/rules.rs"]
mod rules;
#[path = "layers/source.rs"]
mod source;

use std::path::Path;
use std::{fs, io};

use rules::{
    MAY_USE, files_without_purpose, rooms_used_wrongly, second_files_that_know_jsonata,
    unexplained_dependencies, words_out_of_place,
};
use source::Source;

fn tree() -> Vec<Source> {
    let mut sources = Vec::new();
    for folder in ["src", "tests"] {
        let collected = collect(folder, &mut sources);
        collected.unwrap_or_else(|error| panic!("cannot read {folder}: {error}"));
    }
    sources
}

fn collect(folder: &str, sources: &mut Vec<Source>) -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&path, sources)?;
        } else if path.ends_with(".rs") {
            let text = fs::read_to_string(entry.path())?;
            sources.push(Source { path, text });
        }
    }
    Ok(())
}

fn planted(files: &[(&str, &str)]) -> Vec<Source> {
    let source = |(path, text): &(&str, &str)| Source {
        path: (*path).to_owned(),
        text: (*text).to_owned(),
    };
    files.iter().map(source).collect()
}

fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn the_tree_is_where_it_is_looked_for() {
    let sources = tree();
    for (room, _) in MAY_USE {
        let has_files = sources
            .iter()
            .any(|source| source.modules().first() == Some(&room));
        assert!(has_files, "no file in the room {room}");
    }
}

#[test]
fn rooms_use_only_the_rooms_below_them() {
    assert_none(&rooms_used_wrongly(&tree()));
}

#[test]
fn every_file_opens_with_its_purpose() {
    assert_none(&files_without_purpose(&tree()));
}

#[test]
fn words_stay_in_their_rooms() {
    assert_none(&words_out_of_place(&tree()));
}

#[test]
fn one_file_knows_the_jsonata_crate() {
    assert_none(&second_files_that_know_jsonata(&tree()));
}

#[test]
fn every_dependency_is_explained() {
    assert_none(&unexplained_dependencies(
        include_str!("../Cargo.toml"),
        include_str!("../docs/dependencies.md"),
    ));
}

#[test]
fn a_wrong_use_is_found_however_it_is_written() {
    let wrong = rooms_used_wrongly(&planted(&[
        ("src/cas/mod.rs", "//! x\nuse crate::thread::Heads;\n"),
        (
            "src/cas/store.rs",
            "use crate::{\n    model::{Hash, thread},\n    yaml,\n};",
        ),
        ("src/cas/walk.rs", "fn f() { super::super::cli::run(); }"),
        (
            "src/moderator/mod.rs",
            "#[cfg(test)]\nmod tests {\n    use super::super::cas::Store;\n}",
        ),
        ("src/model/mod.rs", "use crate::*;"),
        ("src/wording.rs", "use crate::suggestion::nearest;"),
        ("src/attic/mod.rs", "//! x"),
    ]));
    assert_eq!(
        wrong,
        [
            "src/cas/mod.rs:2: cas may not use crate::thread",
            "src/cas/store.rs:3: cas may not use crate::yaml",
            "src/cas/walk.rs:1: cas may not use crate::cli",
            "src/moderator/mod.rs:3: moderator may not use crate::cas",
            "src/model/mod.rs:1: model may not use crate::*",
            "src/wording.rs:1: wording may not use crate::suggestion",
            "src/attic/mod.rs:1: the room attic is not in the table of rooms",
        ]
    );
}

#[test]
fn a_right_use_is_not_reported() {
    assert_none(&rooms_used_wrongly(&planted(&[
        ("src/lib.rs", "mod cli;\npub use cli::run;"),
        ("src/main.rs", "fn main() { uwf::run() }"),
        (
            "src/cas/mod.rs",
            "use crate::{fsx, model::Hash};\npub(crate) mod refs;",
        ),
        (
            "src/cas/refs.rs",
            "use super::thread;\npub(super) fn f() { crate::cas::g() }",
        ),
        ("src/model/names.rs", "use crate::wording::quoted;"),
        (
            "src/model/hash.rs",
            "mod tests {\n    use super::super::cas;\n}",
        ),
        (
            "src/yaml/mod.rs",
            "//! [`crate::cli`]\n/* crate::cli /* */ crate::cas */",
        ),
        (
            "src/fsx.rs",
            r##"const A: &str = "crate::cli \" "; const B: &str = r#"crate::"cas"#;"##,
        ),
        (
            "src/host.rs",
            "fn f<'a>(c: &'a char) -> bool { *c == '\"' || *c == '\\'' } // crate::cli",
        ),
    ])));
}

#[test]
fn a_file_without_purpose_is_found() {
    let sources = planted(&[
        ("src/cas/mod.rs", "// not this\n"),
        ("tests/cli.rs", "//! this\n"),
    ]);
    assert_eq!(
        files_without_purpose(&sources),
        ["src/cas/mod.rs:1: does not open with //!"]
    );
}

#[test]
fn a_word_out_of_place_is_found() {
    let sources = planted(&[
        (
            "src/engine/mod.rs",
            "fn f() {\n    println!(\"unsafe\");\n    eprint! (\"\");\n}",
        ),
        (
            "src/thread/mod.rs",
            "use jsonschema::Validator;\nunsafe fn f() {}",
        ),
        (
            "src/agent/exec.rs",
            "let child = std::process::Command::new(\"sh\");",
        ),
        (
            "src/agent/process.rs",
            "let child = std::process::Command::new(\"sh\");",
        ),
        ("src/workflow/mod.rs", "\nuse jsonata_core as engine;"),
        ("src/cli/mod.rs", "println!();"),
        (
            "src/bundled/mod.rs",
            "use ureq::Agent;\nuse agent_client_protocol::Error;\nuse landlock::ABI;",
        ),
        (
            "src/engine/kill.rs",
            "use rustix::process::{Pid, kill_process};",
        ),
        ("tests/cli.rs", "println!(); Command::new(\"uwf\");"),
    ]);
    assert_eq!(
        words_out_of_place(&sources),
        [
            "src/engine/mod.rs:2: says println!: only src/cli prints",
            "src/engine/mod.rs:3: says eprint!: only src/cli prints",
            "src/thread/mod.rs:1: says jsonschema::: only src/schema knows the JSON Schema crate",
            "src/thread/mod.rs:2: says unsafe: nothing here is unsafe",
            "src/agent/exec.rs:1: says Command::new: only src/agent/process.rs starts processes",
            "src/workflow/mod.rs:2: says jsonata_core: only one file of src/moderator knows the \
             JSONata crate",
            "src/bundled/mod.rs:1: says ureq: only src/llm opens connections",
            "src/bundled/mod.rs:2: says agent_client_protocol: only src/bundled/acp knows the crate \
             of the Agent Client Protocol",
            "src/bundled/mod.rs:3: says landlock::: only src/agent/confinement knows the Landlock \
             crate",
            "src/engine/kill.rs:1: says kill_process: only src/agent sends signals",
        ]
    );
}

#[test]
fn a_second_file_that_knows_the_jsonata_crate_is_found() {
    let sources = planted(&[
        (
            "src/moderator/expression.rs",
            "use jsonata_core::parser;\nuse jsonata_core::ast;",
        ),
        ("src/moderator/mod.rs", "// jsonata_core\n"),
        ("src/moderator/other.rs", "\nuse jsonata_core::ast;"),
    ]);
    assert_eq!(
        second_files_that_know_jsonata(&sources),
        ["src/moderator/other.rs:2: is a second file that says jsonata_core"]
    );
}

#[test]
fn a_dependency_without_a_reason_is_found() {
    let manifest = "[package]\nname = \"uwf\"\n[dependencies]\na = \"1\"\n# for b\n\
        b = { version = \"1\" }\n[dev-dependencies]\nc = \"1\"\n";
    assert_eq!(
        unexplained_dependencies(manifest, "| crate | job |\n| `a` | this | that |\n"),
        [
            "Cargo.toml:6: b is not in docs/dependencies.md",
            "Cargo.toml:8: c is not in docs/dependencies.md",
        ]
    );
}
