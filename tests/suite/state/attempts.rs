//! A step that fails: the thread stays where it was, and what was said and why is kept.

use std::fs;

use serde_json::Value;

use super::{begin_slow_step, let_go, lines};
use crate::environment::{Environment, Ran};

#[test]
fn a_failed_step_leaves_the_head_and_a_record_with_all_the_agent_said() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let before = environment.read_in_root("threads.yaml");
    let head = environment.head(&thread);
    environment.program(
        "broken",
        "echo 'half an answer'\necho 'out of paper' >&2\nexit 9",
    );
    let step = [
        "thread",
        "step",
        &thread,
        "--agent",
        "broken",
        "--protocol",
        "markdown",
    ];
    let ran = environment.run(&step);

    let file = environment.root().join(format!("attempts/{thread}.jsonl"));
    let text = fs::read_to_string(&file).unwrap();
    let attempt: Value = serde_json::from_str(&text).unwrap();
    let (time, output) = (&attempt["time"], attempt["output"].as_str().unwrap());
    let took = &attempt["durationMs"];
    assert_eq!(
        text,
        format!(
            "{{\"version\":1,\"time\":{time},\"head\":\"{head}\",\"role\":\"writer\",\"agent\":\"broken\",\
             \"class\":\"exit\",\"message\":\"agent `broken` exited with code 9\",\
             \"output\":\"{output}\",\"step\":null,\"exitCode\":9,\"durationMs\":{took},\
             \"stderr\":\"out of paper\"}}\n"
        )
    );
    assert!(time.is_u64(), "milliseconds: {time}");
    let stderr = format!(
        "out of paper
error: agent `broken` exited with code 9
  because: the last it said on stderr:
    out of paper
hint: what it answered is kept: `uwf thread step-details {output}`
hint: the attempt is on record: {}, line 1
",
        file.display()
    );
    assert_eq!(
        ran,
        Ran {
            code: Some(3),
            stdout: String::new(),
            stderr
        }
    );
    let detail = environment.json(&["cas", "get", output]);
    let turn = detail["payload"]["turns"][0].as_str().unwrap();
    let turn = environment.json(&["cas", "get", turn]);
    assert_eq!(turn["payload"]["content"], "half an answer\n");
    assert_eq!(environment.read_in_root("threads.yaml"), before);

    let second = environment.run(&step);
    assert!(
        second
            .stderr
            .ends_with(&format!("{}, line 2\n", file.display())),
        "{}",
        second.stderr
    );
    let third = environment.step(&thread);
    assert_eq!(
        (third.code, third.stderr.as_str()),
        (Some(0), ""),
        "the thread can go on"
    );
}

#[test]
fn an_answer_that_never_fits_leaves_the_head_and_a_record_of_every_try() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let before = environment.read_in_root("threads.yaml");
    environment.program(
        "stubborn",
        "cat >/dev/null\nprintf -- '---\\nname: x\\n---\\nMine.\\n'",
    );
    let ran = environment.run(&[
        "thread",
        "step",
        &thread,
        "--agent",
        "stubborn",
        "--protocol",
        "markdown",
    ]);
    let attempts = lines(&environment, &format!("attempts/{thread}.jsonl"));
    let output = attempts[0]["output"].as_str().unwrap();
    let file = environment.root().join(format!("attempts/{thread}.jsonl"));
    let stderr = format!(
        "error: the answer of agent `stubborn` does not fit the role, even after 2 corrections
  because: line 2: `/title` is missing; it must be a string
  because: line 2: `name` is no field of this role
hint: what it answered is kept: `uwf thread step-details {output}`
hint: the attempt is on record: {}, line 1
",
        file.display()
    );
    assert_eq!(
        ran,
        Ran {
            code: Some(4),
            stdout: String::new(),
            stderr
        }
    );
    assert_eq!(attempts[0]["class"], "output");
    let detail = environment.json(&["cas", "get", output]);
    let turns = detail["payload"]["turns"].as_array().unwrap();
    assert_eq!(turns.len(), 5, "three answers and two corrections");
    assert_eq!(environment.read_in_root("threads.yaml"), before);
}

#[test]
fn a_step_that_cannot_be_added_because_the_list_was_damaged_meanwhile_is_on_record() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let working = begin_slow_step(&environment, &thread);
    environment.write_in_root("threads.yaml", "");
    let ran = let_go(&environment, working);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(7), ""));
    assert!(ran.stderr.contains("threads.yaml"), "{}", ran.stderr);
    assert_eq!(environment.read_in_root("threads.yaml"), "");
    let attempts = environment.root().join(format!("attempts/{thread}.jsonl"));
    assert!(
        attempts.exists(),
        "an agent was paid, and its step is lost: {}",
        ran.stderr
    );
    let step = lines(&environment, &format!("attempts/{thread}.jsonl"))[0]["step"].clone();
    let node = environment.json(&["cas", "get", step.as_str().unwrap()]);
    assert_eq!(node["payload"]["role"], "writer");
}

#[test]
fn a_failure_that_cannot_be_put_on_record_is_said_all_the_same() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    environment.write_in_root("attempts", "in the way");
    environment.program("broken", "echo 'half an answer'\nexit 9");
    let step = [
        "thread",
        "step",
        &thread,
        "--agent",
        "broken",
        "--protocol",
        "markdown",
    ];
    let ran = environment.run(&step);
    assert_eq!(ran.stdout, "");
    assert!(
        ran.stderr.contains("agent `broken` exited with code 9"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("attempts"), "{}", ran.stderr);
    assert_eq!(ran.code, Some(3));
}
