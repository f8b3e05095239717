//! What signals to us do to a program, before and while it works.

use signal_hook::consts::{SIGALRM, SIGTRAP, SIGUSR1, SIGVTALRM};
use signal_hook::low_level::raise;

use super::*;
use crate::agent::signals::tests::guard_for;

#[test]
fn a_signal_to_us_ends_the_program_politely() {
    let folder = folder();
    let agent = script(
        &folder,
        "trap 'exit 7' TERM; sleep 1000 & echo $!; kill -USR1 $PPID; wait",
    );
    let outcome = run(&agent, &mut guard_for(SIGUSR1), &mut |_| {});
    assert_eq!(
        outcome.as_ref().err().and_then(AgentError::interruption),
        Some(SIGUSR1)
    );
    let (ending, finished) = ended(outcome);
    assert_eq!(ending, Ending::Interrupted(SIGUSR1));
    assert_eq!(finished.exit_code, Some(7));
    assert_gone(&finished);
}

#[test]
fn a_second_signal_to_us_kills_at_once() {
    let folder = folder();
    let mut agent = script(
        &folder,
        "trap 'kill -ALRM $PPID' TERM; echo $$; kill -ALRM $PPID; while :; do sleep 0.01; done",
    );
    agent.patience = POLITE;
    let (ending, finished) = ended(run(&agent, &mut guard_for(SIGALRM), &mut |_| {}));
    assert_eq!(ending, Ending::Interrupted(SIGALRM));
    assert_eq!(finished.exit_code, None);
    assert_gone(&finished);
}

#[test]
fn a_signal_while_a_program_is_ended_does_not_become_the_reason() {
    let folder = folder();
    let mut agent = script(
        &folder,
        "trap 'kill -TRAP $PPID; exit' TERM; while :; do sleep 0.01; done",
    );
    agent.limits.total = Some(A_WHILE);
    let mut guard = guard_for(SIGTRAP);
    let (ending, _) = ended(run(&agent, &mut guard, &mut |_| {}));
    assert_eq!(ending, Ending::Timeout(A_WHILE));
    assert_eq!(guard.interruption(), Some(SIGTRAP));
}

#[test]
fn a_program_that_was_asked_to_end_together_with_us_was_interrupted() {
    let folder = folder();
    for end in ["exit 1", "kill -KILL $$"] {
        let agent = script(&folder, &format!("kill -USR1 $PPID; {end}"));
        let (ending, _) = ended(run(&agent, &mut guard_for(SIGUSR1), &mut |_| {}));
        assert_eq!(ending, Ending::Interrupted(SIGUSR1));
    }
}

#[test]
fn a_signal_between_two_programs_prevents_the_second_and_all_others() {
    let folder = folder();
    let mut guard = guard_for(SIGVTALRM);
    let first = run(&script(&folder, "echo done"), &mut guard, &mut |_| {});
    assert_eq!(text(&first.unwrap()), "done\n");
    raise(SIGVTALRM).unwrap();
    for _ in 0..2 {
        let (ending, finished) = ended(run(
            &script(&folder, "mkdir started"),
            &mut guard,
            &mut |_| {},
        ));
        assert_eq!(ending, Ending::Interrupted(SIGVTALRM));
        assert_eq!(finished, Finished::default());
    }
    assert!(!folder.path().join("started").exists());
    assert_eq!(guard.interruption(), Some(SIGVTALRM));
}
