//! What signals to us do when the program has ended, and what it left behind has not. When that
//! is can be seen on Linux only.

use signal_hook::consts::{SIGPROF, SIGSYS};

use super::*;
use crate::agent::signals::tests::guard_for;

/// For what must not be waited for to its end.
const ENDLESS: Patience = Patience {
    ending: FOREVER,
    output: FOREVER,
    leftovers: FOREVER,
};
/// For a child of the script: waits until the script has ended.
const UNTIL_IT_HAS_ENDED: &str = "until grep -q '^State:.Z' /proc/$$/status; do sleep 0.01; done";

#[test]
fn a_signal_after_the_end_of_a_program_takes_nothing_from_what_it_did() {
    let folder = folder();
    let mut agent = script(
        &folder,
        &format!("({UNTIL_IT_HAS_ENDED}; kill -PROF $PPID) & echo answer"),
    );
    agent.patience = ENDLESS;
    let mut guard = guard_for(SIGPROF);
    let finished = run(&agent, &mut guard, &mut |_| {}).unwrap();
    assert_eq!(text(&finished), "answer\n");
    assert_eq!(guard.interruption(), Some(SIGPROF));
}

#[test]
fn a_second_signal_after_the_end_of_a_program_kills_what_it_left_behind() {
    let folder = folder();
    let mut agent = script(
        &folder,
        &format!(
            "(trap '' TERM; {UNTIL_IT_HAS_ENDED}; while :; do kill -SYS $PPID; sleep 0.02; done) &
            echo $!"
        ),
    );
    agent.patience = ENDLESS;
    let mut guard = guard_for(SIGSYS);
    assert_gone(&run(&agent, &mut guard, &mut |_| {}).unwrap());
    assert_eq!(guard.interruption(), Some(SIGSYS));
}
