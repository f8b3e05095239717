//! How a program ends or is ended, and what is left of it.

use std::cell::Cell;

use signal_hook::consts::{SIGKILL, SIGTERM};

use super::*;
use crate::agent::text::decode_text;

#[test]
fn a_death_by_signal_is_told_from_an_exit() {
    let folder = folder();
    let (ending, finished) = ended(run_quietly(&script(&folder, "echo half; kill -KILL $$")));
    assert_eq!(ending, Ending::Signal(SIGKILL));
    assert_eq!(text(&finished), "half\n");
    assert_eq!(finished.exit_code, None);
}

fn assert_ends_politely(limits: Limits, expected: Ending) {
    let folder = folder();
    let mut agent = script(
        &folder,
        "trap 'echo bye >&2; exit 0' TERM; echo half >&2; sleep 1000 & echo $!; echo $$; wait",
    );
    agent.limits = limits;
    let (ending, finished) = ended(run_quietly(&agent));
    assert_eq!(ending, expected);
    assert_eq!(finished.exit_code, Some(0));
    assert_eq!(finished.stderr_tail, "half\nbye");
    assert_gone(&finished);
}

#[test]
fn the_total_limit_ends_the_program_and_its_children_politely() {
    let limits = Limits {
        total: Some(A_WHILE),
        idle: Some(FOREVER),
    };
    assert_ends_politely(limits, Ending::Timeout(A_WHILE));
}

#[test]
fn the_idle_limit_ends_the_program_and_its_children_politely() {
    let limits = Limits {
        total: None,
        idle: Some(A_WHILE),
    };
    assert_ends_politely(limits, Ending::Idle(A_WHILE));
}

#[test]
fn a_program_that_hangs_when_its_work_is_done_is_ended_and_has_succeeded() {
    let folder = folder();
    let agent = script(
        &folder,
        "echo $$; echo result; sleep 0.1; echo more; exec sleep 1000",
    );
    let is_done = Cell::new(false);
    let done = Done {
        is_done: &is_done,
        silence: A_WHILE,
    };
    let mut heard = Vec::new();
    let mut listener = |bytes: &[u8]| {
        heard.extend_from_slice(bytes);
        is_done.set(heard.windows(6).any(|word| word == b"result"));
    };
    let mut guard = quiet_guard();
    let finished = run_until_done(&agent, &mut guard, done, &mut listener, &mut |_| {}).unwrap();
    // What it said after its result was waited for.
    let (pid, rest) = text(&finished).split_once('\n').unwrap();
    assert_eq!(rest, "result\nmore\n");
    assert!(!is_alive(pid.parse().unwrap()));
}

#[test]
fn output_is_a_sign_of_life_on_either_stream() {
    let folder = folder();
    let mut agent = script(
        &folder,
        "for i in 1 2 3; do sleep 0.2; echo $i; sleep 0.2; echo $i >&2; done",
    );
    agent.limits.idle = Some(A_WHILE);
    assert_eq!(text(&run_quietly(&agent).unwrap()), "1\n2\n3\n");
}

#[test]
fn a_program_that_ignores_the_request_is_killed_with_its_children() {
    let folder = folder();
    let mut agent = script(
        &folder,
        "trap '' TERM; sh -c 'sleep 1000' & echo $!; echo $$; while :; do sleep 1000; done",
    );
    agent.limits.total = Some(A_WHILE);
    agent.patience = HASTY;
    let (ending, finished) = ended(run_quietly(&agent));
    assert_eq!(ending, Ending::Timeout(A_WHILE));
    assert_eq!(finished.exit_code, None);
    assert_gone(&finished);
}

#[test]
fn children_left_behind_are_ended_and_do_not_hold_a_result_up() {
    let folder = folder();
    let mut agent = script(
        &folder,
        "sleep 1000 & echo $!; sh -c 'trap \"\" TERM; sleep 1000; :' & echo $!",
    );
    agent.patience = HASTY;
    assert_gone(&run_quietly(&agent).unwrap());

    let silent = script(&folder, "sleep 1000 >/dev/null 2>&1 & echo $!");
    assert_gone(&run_quietly(&silent).unwrap());
}

#[test]
fn a_program_that_reaches_for_the_terminal_is_ended() {
    let folder = folder();
    for stop in ["TTIN", "TTOU"] {
        let agent = script(&folder, &format!("echo $$; kill -{stop} $$; echo never"));
        let (ending, finished) = ended(run_quietly(&agent));
        assert_eq!(ending, Ending::Terminal);
        assert_gone(&finished);
    }
}

#[test]
fn a_program_that_was_paused_goes_on() {
    let folder = folder();
    let agent = script(
        &folder,
        "(sleep 0.2; kill -CONT $$) & kill -STOP $$; wait; echo done",
    );
    assert_eq!(text(&run_quietly(&agent).unwrap()), "done\n");
}

#[test]
fn a_paused_program_hears_that_it_must_end() {
    let folder = folder();
    let mut agent = script(
        &folder,
        "trap 'exit 5' TERM; echo $$; kill -STOP $$; sleep 1000",
    );
    agent.limits.total = Some(A_WHILE);
    let (ending, finished) = ended(run_quietly(&agent));
    assert_eq!(ending, Ending::Timeout(A_WHILE));
    assert_eq!(finished.exit_code, Some(5));
    assert_gone(&finished);
}

#[test]
fn a_program_is_not_left_behind_by_a_panic_of_ours() {
    let folder = folder();
    let agent = script(&folder, "echo $$ >&2; exec sleep 1000");
    let mut pid = 0;
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        run(&agent, &mut quiet_guard(), &mut |bytes: &[u8]| {
            pid = decode_text(bytes).0.trim().parse().unwrap();
            std::panic::resume_unwind(Box::new("boom"));
        })
    }));
    assert!(outcome.is_err());
    let deadline = Instant::now() + Duration::from_secs(60);
    while is_alive(pid) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!is_alive(pid));
}

#[test]
fn death_by_term_is_a_death_by_signal() {
    let folder = folder();
    let (ending, _) = ended(run_quietly(&script(&folder, "kill $$")));
    assert_eq!(ending, Ending::Signal(SIGTERM));
}
