//! A thread that ends or moves under a step, and processes that are killed between two writes.

use serde_json::{Value, json};

use super::{begin_slow_step, head_of, let_go, lines, workflow_of};
use crate::environment::{Environment, wait_until};

#[test]
fn a_thread_that_is_killed_and_its_step_left_at_work_stays_killed_and_the_step_is_kept() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let (start, workflow) = (head_of(&environment, &thread), workflow_of(&environment));
    let working = begin_slow_step(&environment, &thread);
    let killed = environment.ok(&["thread", "kill", &thread, "--leave-running"]);
    assert_eq!(
        killed,
        format!("{{\"thread\":\"{thread}\",\"archived\":true}}\n")
    );
    let ran = let_go(&environment, working);

    let attempts = lines(&environment, &format!("attempts/{thread}.jsonl"));
    let step = attempts[0]["step"].as_str().unwrap();
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(6), ""));
    let file = environment.root().join(format!("attempts/{thread}.jsonl"));
    assert_eq!(
        ran.stderr,
        format!(
            "error: thread {thread} was killed while its agent was at work: the step {step} is stored, and not part of it
hint: look at the step: `uwf cas get {step}`
hint: see where the thread is: `uwf thread show {thread}`
hint: the attempt is on record: {}, line 1
",
            file.display()
        )
    );
    let expected = json!({
        "version": 1,
        "time": attempts[0]["time"].as_u64().unwrap(),
        "role": "writer",
        "agent": "slow",
        "class": "killed",
        "message": "the thread was killed while its agent was at work",
        "output": null,
        "step": step,
        "exitCode": null,
        "durationMs": null,
        "stderr": null,
    });
    assert_eq!(attempts, [expected]);
    let node = environment.json(&["cas", "get", step]);
    assert_eq!(node["payload"]["start"], json!(start));
    assert_eq!(node["payload"]["role"], "writer");

    assert_eq!(environment.read_in_root("threads.yaml"), "{}\n");
    let history = lines(&environment, "history.jsonl");
    let ended = json!({
        "thread": thread,
        "workflow": workflow,
        "head": start,
        "completedAt": history[0]["completedAt"].as_u64().unwrap(),
        "status": "killed",
    });
    assert_eq!(history, [ended]);
    let again = environment.step(&thread);
    assert_eq!(
        again.stderr,
        format!(
            "error: thread {thread} is not active: it was killed
hint: read what it did: `uwf thread read {thread}`
"
        )
    );
    assert_eq!((again.code, environment.runs()), (Some(1), 1));
    assert_eq!(lines(&environment, "history.jsonl"), history);
}

#[test]
fn a_head_that_was_moved_while_the_agent_worked_stays_where_it_was_moved() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let other = environment.start("relay", "another poem");
    let elsewhere = head_of(&environment, &other);
    let working = begin_slow_step(&environment, &thread);
    let moved = format!("{thread}: {elsewhere}\n{other}: {elsewhere}\n");
    environment.write_in_root("threads.yaml", &moved);
    let ran = let_go(&environment, working);

    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(6), ""),
        "{}",
        ran.stderr
    );
    let attempts = lines(&environment, &format!("attempts/{thread}.jsonl"));
    let step = attempts[0]["step"].as_str().unwrap();
    let message = format!(
        "error: thread {thread} was moved to {elsewhere} while its agent was at work: \
         the step {step} is stored, and not part of it\n"
    );
    assert!(ran.stderr.starts_with(&message), "{}", ran.stderr);
    assert_eq!(attempts[0]["class"], "moved");
    assert_eq!(environment.read_in_root("threads.yaml"), moved);
}

#[test]
fn after_a_kill_9_of_a_step_the_next_one_runs_at_once_over_the_old_lock() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let mut working = begin_slow_step(&environment, &thread);
    let pid = working.id();
    working.kill().unwrap();
    working.wait().unwrap();
    let lock = environment.read_in_root(&format!("locks/{thread}.lock"));
    let lock: Value = serde_json::from_str(&lock).unwrap();
    assert_eq!(
        lock["pid"],
        json!(pid),
        "the lock's file is left behind: {lock}"
    );

    let next = environment.step(&thread);
    assert_eq!(
        (next.code, next.stderr.as_str()),
        (Some(0), ""),
        "{}",
        next.stdout
    );
    let steps = environment.json(&["thread", "steps", &thread]);
    assert_eq!(
        steps["steps"].as_array().unwrap().len(),
        2,
        "the start and one step: {steps}"
    );
    environment.write("go", "");
    // The agent of the killed step is still there: it must not outlive the test.
    wait_until("the agent has seen it", || {
        environment.work().join("let-go").exists()
    });
}

#[test]
fn a_lock_that_names_a_process_that_lives_holds_nobody_up() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let alive = format!(
        "{{\"pid\":{},\"startedAt\":1796053228320}}",
        std::process::id()
    );
    environment.write_in_root(&format!("locks/{thread}.lock"), &alive);
    let ran = environment.step(&thread);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

/// A thread that is active, and in the history all the same, as a kill between the two leaves it.
/// Its id and its line.
fn thread_half_killed(environment: &Environment) -> (String, String) {
    let thread = environment.start("relay", "a poem");
    let (head, workflow) = (head_of(environment, &thread), workflow_of(environment));
    let line = format!(
        "{{\"thread\":\"{thread}\",\"workflow\":\"{workflow}\",\"head\":\"{head}\",\
         \"completedAt\":1796053228238,\"status\":\"killed\"}}\n"
    );
    environment.write_in_root("history.jsonl", &line);
    (thread, line)
}

#[test]
fn a_thread_that_is_in_both_files_is_listed_once() {
    let environment = Environment::with_relay();
    let (thread, _) = thread_half_killed(&environment);
    let list = environment.json(&["thread", "list", "--all"]);
    assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
    assert_eq!(list[0]["thread"], json!(thread));
}

#[test]
fn a_kill_that_was_cut_short_is_finished_by_the_next_without_a_second_line() {
    let environment = Environment::with_relay();
    let (thread, line) = thread_half_killed(&environment);
    environment.ok(&["thread", "kill", &thread]);
    assert_eq!(environment.read_in_root("history.jsonl"), line);
    assert_eq!(environment.read_in_root("threads.yaml"), "{}\n");
    let again = environment.run(&["thread", "kill", &thread]);
    assert_eq!(
        again.stderr,
        format!(
            "error: thread {thread} is not active: it was killed
hint: it can still be read: `uwf thread read {thread}`
"
        )
    );
    assert_eq!(again.code, Some(1));
    assert_eq!(environment.read_in_root("history.jsonl"), line);
}

#[test]
fn an_end_that_was_cut_short_is_finished_by_the_next_step_without_a_second_line() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    environment.step(&thread);
    let last = environment.step(&thread);
    let history = environment.read_in_root("history.jsonl");
    assert_eq!(environment.read_in_root("threads.yaml"), "{}\n");
    let head = head_of(&environment, &thread);
    environment.write_in_root("threads.yaml", &format!("{thread}: {head}\n"));
    let list = environment.json(&["thread", "list", "--all"]);
    assert_eq!(list.as_array().unwrap().len(), 1, "{list}");

    let finished = environment.step(&thread);
    assert_eq!(finished, last, "the same thread, head and done");
    assert_eq!(
        environment.runs(),
        2,
        "no agent is run for a thread that is done"
    );
    assert_eq!(environment.read_in_root("history.jsonl"), history);
    assert_eq!(environment.read_in_root("threads.yaml"), "{}\n");
}

#[test]
fn killing_a_thread_whose_end_is_written_down_adds_no_second_line() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    environment.step(&thread);
    environment.step(&thread);
    let history = environment.read_in_root("history.jsonl");
    let head = head_of(&environment, &thread);
    environment.write_in_root("threads.yaml", &format!("{thread}: {head}\n"));
    environment.run(&["thread", "kill", &thread]);
    assert_eq!(environment.read_in_root("threads.yaml"), "{}\n");
    assert_eq!(environment.read_in_root("history.jsonl"), history);
}

#[test]
fn a_step_pays_no_agent_for_a_thread_whose_kill_is_written_down() {
    let environment = Environment::with_relay();
    let (thread, line) = thread_half_killed(&environment);
    let ran = environment.step(&thread);
    assert_eq!(environment.runs(), 0, "{ran:?}");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let message = format!("error: thread {thread} is not active: it was killed\n");
    assert!(ran.stderr.starts_with(&message), "{}", ran.stderr);
    assert_eq!(environment.read_in_root("history.jsonl"), line);
}
