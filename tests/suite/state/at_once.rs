//! Many processes at once: nothing of any of them is lost, and no agent is paid twice.

use std::process::Child;

use serde_json::{Value, json};

use super::{SLOW, begin_slow_step, head_of, install_slow_agent, let_go, lines, workflow_of};
use crate::environment::{Environment, RELAY, Ran, evidence, wait_until};

/// Names of the files that a write leaves behind when it does not come to its end.
fn temporary_files(environment: &Environment) -> Vec<String> {
    let files = environment.snapshot();
    let names = files
        .iter()
        .filter_map(|(path, _)| path.file_name()?.to_str());
    names
        .filter(|name| name.starts_with('.') && *name != ".env")
        .map(str::to_owned)
        .collect()
}

#[test]
fn twelve_threads_started_at_once_are_all_listed() {
    let environment = Environment::with_relay();
    let starting: Vec<Child> = (0..12)
        .map(|number| environment.spawn(&["thread", "start", "relay", "-p", &number.to_string()]))
        .collect();
    let mut started: Vec<String> = Vec::new();
    for child in starting {
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        let result: Value = serde_json::from_str(&ran.stdout).unwrap();
        started.push(result["thread"].as_str().unwrap().to_owned());
    }
    let list = environment.json(&["thread", "list"]);
    let list = list.as_array().unwrap();
    let mut listed: Vec<_> = list
        .iter()
        .map(|entry| entry["thread"].as_str().unwrap())
        .collect();
    assert!(
        list.iter().all(|entry| entry["workflow"].is_string()),
        "{list:?}"
    );
    started.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, started);
    assert_eq!(temporary_files(&environment), [""; 0]);
}

#[test]
fn eight_processes_that_put_the_same_workflow_into_a_fresh_root_all_succeed() {
    let environment = Environment::new();
    let file = evidence("triage-report.yaml");
    let putting: Vec<Child> = (0..8)
        .map(|_| environment.spawn(&["workflow", "put", file.to_str().unwrap()]))
        .collect();
    for child in putting {
        let ran = Ran::from(child.wait_with_output().unwrap());
        let put = "{\"name\":\"triage-report\",\"hash\":\"6HA1S8JMB29J3\"}\n";
        assert_eq!(
            ran,
            Ran {
                code: Some(0),
                stdout: put.to_owned(),
                stderr: String::new()
            }
        );
    }
    assert_eq!(
        environment.read_in_root("registry.yaml"),
        "triage-report: 6HA1S8JMB29J3\n"
    );
    assert_eq!(
        environment.read_in_root("cas/_index/21AME01DDP1EB"),
        "6HA1S8JMB29J3\n"
    );
    assert_eq!(
        environment.read_in_root("cas/_index/3RZYZ9X0Y34K7"),
        "3RZYZ9X0Y34K7\n21AME01DDP1EB\nFPVH9K1XJ2DZA\nFZMFBDYPZ0M9Y\n86N29KJ2R9X6K\n\
         2173296RVFE27\nBCC0VRPJG3H5P\n50MWR891XZW63\n"
    );
    assert_eq!(temporary_files(&environment), [""; 0]);
}

#[test]
fn eight_processes_that_put_the_same_node_all_succeed_and_it_is_listed_once() {
    let environment = Environment::new();
    let putting: Vec<Child> = (0..8)
        .map(|_| environment.spawn(&["cas", "put-text", "hi"]))
        .collect();
    for child in putting {
        let ran = Ran::from(child.wait_with_output().unwrap());
        let put = "{\"hash\":\"D0C8Z3JTGNQ51\"}\n".to_owned();
        assert_eq!(
            ran,
            Ran {
                code: Some(0),
                stdout: put,
                stderr: String::new()
            }
        );
    }
    assert_eq!(
        environment.read_in_root("cas/_index/86N29KJ2R9X6K"),
        "D0C8Z3JTGNQ51\n"
    );
    assert_eq!(temporary_files(&environment), [""; 0]);
}

#[test]
fn eight_workflows_that_are_put_at_once_are_all_registered() {
    let environment = Environment::new();
    let names: Vec<String> = (0..8).map(|number| format!("relay-{number}")).collect();
    for name in &names {
        let text = RELAY.replacen("name: relay", &format!("name: {name}"), 1);
        environment.write(&format!("{name}.yaml"), &text);
    }
    let putting: Vec<Child> = names
        .iter()
        .map(|name| environment.spawn(&["workflow", "put", &format!("{name}.yaml")]))
        .collect();
    for child in putting {
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    }
    let list = environment.json(&["workflow", "list"]);
    let list = list.as_array().unwrap();
    let mut listed: Vec<_> = list
        .iter()
        .map(|entry| entry["name"].as_str().unwrap())
        .collect();
    listed.sort_unstable();
    assert_eq!(listed, names);
}

#[test]
fn twelve_threads_killed_at_once_are_all_in_the_history() {
    let environment = Environment::with_relay();
    let mut threads: Vec<String> = (0..12)
        .map(|number| environment.start("relay", &number.to_string()))
        .collect();
    let killing: Vec<Child> = threads
        .iter()
        .map(|thread| environment.spawn(&["thread", "kill", thread]))
        .collect();
    for child in killing {
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    }
    assert_eq!(environment.read_in_root("threads.yaml"), "{}\n");
    let mut ended: Vec<String> = lines(&environment, "history.jsonl")
        .iter()
        .map(|line| line["thread"].as_str().unwrap().to_owned())
        .collect();
    ended.sort_unstable();
    threads.sort_unstable();
    assert_eq!(ended, threads);
}

#[test]
fn one_of_eight_kills_at_once_ends_the_thread_and_the_others_say_that_it_has_ended() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let killing: Vec<Child> = (0..8)
        .map(|_| environment.spawn(&["thread", "kill", &thread]))
        .collect();
    let refused = Ran::refused(
        1,
        &format!(
            "error: thread {thread} is not active: it was killed\n\
             hint: it can still be read: `uwf thread read {thread}`\n"
        ),
    );
    let ran: Vec<Ran> = killing
        .into_iter()
        .map(|child| Ran::from(child.wait_with_output().unwrap()))
        .filter(|ran| *ran != refused)
        .collect();
    let killed = Ran {
        code: Some(0),
        stdout: format!("{{\"thread\":\"{thread}\",\"archived\":true}}\n"),
        stderr: String::new(),
    };
    assert_eq!(ran, [killed]);
    assert_eq!(lines(&environment, "history.jsonl").len(), 1);
}

#[test]
fn a_second_step_at_the_same_time_is_refused_at_once_and_runs_no_agent() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let first = begin_slow_step(&environment, &thread);
    let pid = first.id();

    let second = environment.step(&thread);
    let since = second
        .stderr
        .strip_prefix(&format!(
            "error: thread {thread} is busy: process {pid} runs a step of it since "
        ))
        .and_then(|rest| {
            rest.strip_suffix(
                " UTC\nhint: wait until that step is done; no agent was run for this call\n",
            )
        })
        .unwrap_or_else(|| panic!("{}", second.stderr));
    let shape: String = since
        .chars()
        .map(|letter| if letter.is_ascii_digit() { '0' } else { letter })
        .collect();
    assert_eq!(shape, "0000-00-00 00:00:00");
    assert_eq!((second.code, second.stdout.as_str()), (Some(6), ""));
    assert_eq!(
        environment.runs(),
        1,
        "an agent was run for the second step"
    );

    let first = let_go(&environment, first);
    assert_eq!((first.code, first.stderr.as_str()), (Some(0), ""));
    let head = head_of(&environment, &thread);
    let workflow = workflow_of(&environment);
    assert_eq!(
        serde_json::from_str::<Value>(&first.stdout).unwrap(),
        json!({"workflow": workflow, "thread": thread, "head": head, "done": false})
    );
    let steps = environment.json(&["thread", "steps", &thread]);
    assert_eq!(
        steps["steps"].as_array().unwrap().len(),
        2,
        "the start and one step: {steps}"
    );
    assert!(
        !environment.root().join("attempts").exists(),
        "that it was busy is no attempt"
    );
}

#[test]
fn of_two_steps_begun_at_once_exactly_one_pays_an_agent() {
    let environment = Environment::with_relay();
    install_slow_agent(&environment);
    let thread = environment.start("relay", "a poem");
    let arguments = [["thread", "step", &thread].as_slice(), &SLOW].concat();
    let mut both = [environment.spawn(&arguments), environment.spawn(&arguments)];
    wait_until("one of the two gave up", || {
        both.iter_mut()
            .any(|step| step.try_wait().unwrap().is_some())
    });
    environment.write("go", "");
    let mut codes = both.map(|step| Ran::from(step.wait_with_output().unwrap()).code);
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(6)]);
    assert_eq!(environment.runs(), 1);
}
