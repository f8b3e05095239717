//! A workflow that a model carries out.

use std::fs;

use serde_json::{Value, json};

use super::{ACCEPTED, Desk, KEY, ODE, write_file};
use crate::environment::Ran;
use crate::model_server::{Reply, delta, finish, usage};

#[test]
fn a_workflow_is_worked_through_with_tools_to_its_end() {
    let desk = Desk::new([
        write_file("ode.txt", "Rust never sleeps."),
        Reply::calls(&[
            ("read_file", json!({"path": "ode.txt"})),
            ("read_file", json!({"path": "none.txt"})),
        ]),
        Reply::says(ODE),
        Reply::says(ACCEPTED),
    ]);
    let ran = desk.run(&["thread", "step", &desk.thread, "--count", "5"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.value()[1]["done"], true);
    let folder = desk.environment.work();
    assert_eq!(
        fs::read_to_string(folder.join("ode.txt")).unwrap(),
        "Rust never sleeps."
    );
    let calls: Vec<_> = desk.messages(3)[2..]
        .iter()
        .map(|message| (message["role"].clone(), message["tool_call_id"].clone()))
        .collect();
    assert_eq!(
        calls,
        [
            (json!("assistant"), Value::Null),
            (json!("tool"), json!("id-write_file-0")),
            (json!("assistant"), Value::Null),
            (json!("tool"), json!("id-read_file-0")),
            (json!("tool"), json!("id-read_file-1")),
        ]
    );
    assert_eq!(desk.messages(3)[5]["content"], "Rust never sleeps.\n");
    let request = &desk.server.requests()[0];
    let bearer = format!("Bearer {KEY}");
    assert_eq!(request.header("authorization"), Some(bearer.as_str()));
    assert_eq!(request.json()["model"], "m-1");
    assert_eq!(desk.sessions(), Vec::<String>::new());
}

#[test]
fn what_happens_is_shown_while_it_happens() {
    let desk = Desk::new([write_file("a", "b"), Reply::says(ODE)]);
    let ran = desk.step();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for line in [
        "turn 1 of 30: asking m-1\n",
        "write_file",
        "turn 2 of 30: asking m-1\n",
    ] {
        ran.assert_tells(line);
    }
}

#[test]
fn the_step_keeps_all_that_was_said_and_what_it_cost() {
    let thinking = Reply::events(&[
        delta(json!({"reasoning_content": "A file "})),
        delta(json!({"reasoning_content": "first."})),
        delta(json!({"tool_calls": [{
            "index": 0, "id": "c1",
            "function": {"name": "write_file", "arguments": "{\"path\":\"a\",\"content\":\"b\"}"},
        }]})),
        finish("tool_calls"),
        usage(),
    ]);
    let desk = Desk::new([
        thinking,
        Reply::says("---\nwords: 3\n---\nNo title."),
        Reply::says(ODE),
    ]);
    assert_eq!(desk.step().code, Some(0));
    let step = desk.last_step();
    assert_eq!(step["agent"], "uwf-builtin");
    assert_eq!(
        desk.environment.payload(step["output"].as_str().unwrap()),
        json!({"title": "Ode", "words": 3})
    );
    let detail = desk.detail();
    assert_eq!(detail["model"], "m-1");
    assert_eq!(detail["turnCount"], 3);
    assert_eq!(detail["corrections"], 1);
    assert_eq!(
        detail["usage"],
        json!({
            "inputTokens": 18,
            "outputTokens": 9,
            "cacheReadInputTokens": 12,
            "cacheCreationInputTokens": 0,
        })
    );
    assert_eq!(detail["sessionId"].as_str().unwrap().len(), 26);
    assert_eq!(detail["notes"].as_array().unwrap().len(), 1);
    let turns = desk.turns(&detail);
    let roles: Vec<_> = turns.iter().map(|turn| turn["role"].clone()).collect();
    assert_eq!(
        roles,
        ["assistant", "tool", "assistant", "tool", "assistant"]
    );
    assert_eq!(turns[0]["reasoning"], "A file first.");
    assert_eq!(
        turns[0]["toolCalls"],
        json!([{"name": "write_file", "args": "{\"path\":\"a\",\"content\":\"b\"}"}])
    );
    assert_eq!(turns[4]["content"], ODE);
    // Some services want it back beside the calls it led to.
    assert_eq!(desk.messages(2)[2]["reasoning_content"], "A file first.");
}

#[test]
fn a_role_that_comes_back_is_told_what_it_was_told_before_and_then_what_is_new() {
    let desk = Desk::new([
        Reply::says(ODE),
        Reply::says("---\naccepted: false\n---\nToo short."),
        Reply::says("---\ntitle: Longer ode\n---\nRust never sleeps, it waits."),
    ]);
    let ran = desk.run(&["thread", "step", &desk.thread, "--count", "3"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let (first, again) = (desk.messages(1), desk.messages(3));
    assert_eq!(first.len(), 2);
    assert_eq!(again[..2], first);
    assert_eq!(again[2], json!({"role": "assistant", "content": ODE}));
    assert_eq!(again.len(), 4);
    let new = again[3]["content"].as_str().unwrap();
    assert!(
        new.contains("Rework the text.") && new.contains("Too short."),
        "{new}"
    );
    assert!(!new.contains("Write the text."), "{new}");
    assert_eq!(
        desk.server.requests()[0].json()["tools"],
        desk.server.requests()[2].json()["tools"]
    );
}

#[test]
fn the_model_is_told_where_it_works() {
    let desk = Desk::new([Reply::says(ODE)]);
    desk.step();
    let folder = desk.environment.work();
    let system = desk.messages(1)[0]["content"].as_str().unwrap().to_owned();
    assert!(
        system.ends_with(&format!(
            "## Tools\n\nYou work in the folder `{}`; a path that is not absolute begins there. \
             Use the tools to look and to act, and call several at once where none needs the \
             result of another. Nobody reads what you say between calls, and nobody can answer a \
             question. When the work is done, answer without a call.\n",
            folder.canonicalize().unwrap().display()
        )),
        "{system}"
    );
}

#[test]
fn another_model_is_asked_where_one_is_named() {
    let desk = Desk::new([Reply::says(ODE)]);
    let ran = desk.run(&[
        "thread",
        "step",
        &desk.thread,
        "--agent",
        "uwf-builtin --model reader",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(desk.server.requests()[0].json()["model"], "r-1");
}

#[test]
fn a_command_of_the_model_sees_no_key_and_nothing_that_is_this_steps_alone() {
    let command = json!({"command": "env; echo seen"});
    let desk = Desk::new([Reply::calls(&[("run_command", command)]), Reply::says(ODE)]);
    // The name that the entry has for it, the budget, and the key where it is in the environment.
    let mut step = desk.command(&["thread", "step", &desk.thread, "--max-budget-usd", "1"]);
    let ran = Ran::from(step.env("LOCAL_KEY", KEY).output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    desk.assert_no_key(&ran);
    let said = desk.last_message(2)["content"].as_str().unwrap().to_owned();
    assert!(said.ends_with("seen\n"), "{said}");
    for name in [
        "LOCAL_KEY",
        "UWF_AGENT",
        "UWF_MAX_BUDGET_USD",
        "UWF_EDGE_PROMPT",
    ] {
        assert!(!said.contains(&format!("{name}=")), "{said}");
    }
}

#[test]
fn a_key_that_a_command_reads_goes_nowhere() {
    let desk = Desk::new([]);
    let file = desk.environment.root().join(".env");
    let command = format!("cat '{}' # {KEY}", file.display());
    let call = ("run_command", json!({"command": command}));
    desk.server.now_answers([
        Reply::calls(&[call]),
        Reply::says(&format!("{ODE}\nThe key is {KEY}.")),
    ]);
    let ran = desk.step();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.assert_tells("run_command: LOCAL_KEY=…\n");
    let messages = desk.messages(2);
    let said = messages.last().unwrap();
    assert_eq!(
        said["content"],
        "[the command exited with code 0]\nLOCAL_KEY=…\n"
    );
    let detail = desk.detail();
    let answer = desk.turns(&detail).pop().unwrap();
    assert_eq!(answer["content"], format!("{ODE}\nThe key is …."));
}

#[test]
fn a_tilde_in_an_entry_is_the_home_folder() {
    let desk = Desk::new([]);
    let notes = desk.environment.home().join("notes");
    fs::create_dir(&notes).unwrap();
    let file = notes.join("a").display().to_string();
    desk.server
        .now_answers([write_file(&file, "b"), Reply::says(ODE)]);
    let agent = ["--agent", "uwf-builtin --allow ~/notes"];
    let ran = desk.run(&[&["thread", "step", &desk.thread], &agent[..]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(fs::read_to_string(file).unwrap(), "b");
}
