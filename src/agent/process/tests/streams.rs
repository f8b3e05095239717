//! What a program reads and says.

use super::*;
use crate::agent::last_hash::last_hash;
use crate::agent::text::decode_text;

#[test]
fn a_failure_keeps_what_was_said() {
    let folder = folder();
    let agent = script(
        &folder,
        "echo half; echo one >&2; printf 'two\\377' >&2; exit 3",
    );
    let error = run_quietly(&agent).unwrap_err();
    assert_eq!(error.to_string(), "agent `x` exited with code 3");
    assert_eq!(error.class(), "exit");
    let (ending, finished) = ended(Err(error));
    assert_eq!(ending, Ending::Exit(3));
    assert_eq!(text(&finished), "half\n");
    assert_eq!(finished.stderr_tail, "one\ntwo\u{fffd}");
    assert_eq!(finished.exit_code, Some(3));
}

#[test]
fn a_hash_is_found_behind_any_output() {
    let folder = folder();
    let agent = script(
        &folder,
        "head -c 60000000 /dev/zero | tr '\\0' x; echo; echo 3RZYZ9X0Y34K7; echo bye",
    );
    let finished = run_quietly(&agent).unwrap();
    assert_eq!(finished.stdout_total, 60_000_019);
    assert_eq!(finished.stdout.len(), 64 * 1024);
    assert_eq!(last_hash(&finished).unwrap().as_str(), "3RZYZ9X0Y34K7");
}

#[test]
fn an_answer_over_the_limit_ends_the_program() {
    let folder = folder();
    let mut agent = script(&folder, "printf 123456; exec sleep 1000");
    agent.capture = Capture::Whole { limit: 5 };
    let (ending, finished) = ended(run_quietly(&agent));
    assert_eq!(ending, Ending::OutputTooLarge(5));
    assert_eq!(text(&finished), "12345");
    assert_eq!(finished.stdout_total, 6);

    let mut quick = script(&folder, "printf 123456");
    quick.capture = Capture::Whole { limit: 5 };
    assert_eq!(ended(run_quietly(&quick)).0, Ending::OutputTooLarge(5));
    quick.capture = Capture::Whole { limit: 6 };
    assert_eq!(text(&run_quietly(&quick).unwrap()), "123456");
}

#[test]
fn a_prompt_of_any_size_is_read_or_not() {
    let folder = folder();
    let prompt = Stdin::Text("日本\0\n".repeat(500_000).into_bytes());
    let mut reads_it = script(&folder, "cat");
    reads_it.stdin = prompt.clone();
    reads_it.capture = Capture::Whole { limit: 4_000_000 };
    let finished = run_quietly(&reads_it).unwrap();
    assert_eq!(finished.stdout_total, 4_000_000);
    assert_eq!(decode_text(&finished.stdout).0, "日本\0\n".repeat(500_000));

    for never in [
        "echo done",
        "exec 0<&-; echo done",
        "head -c 10 >/dev/null; echo done",
    ] {
        let mut agent = script(&folder, never);
        agent.stdin = prompt.clone();
        assert_eq!(text(&run_quietly(&agent).unwrap()), "done\n", "{never}");
    }

    let mut empty = script(&folder, "wc -c | tr -d ' '");
    empty.stdin = Stdin::Text(Vec::new());
    assert_eq!(text(&run_quietly(&empty).unwrap()), "0\n");
}

#[test]
fn characters_cut_between_writes_are_put_together() {
    let folder = folder();
    let agent = script(
        &folder,
        "printf 'a\\303'; printf 'b\\360\\237' >&2; sleep 0.1; printf '\\251\\n'; printf '\\232\\200\\n' >&2",
    );
    let mut seen = Vec::new();
    let finished = run(&agent, &mut quiet_guard(), &mut |bytes: &[u8]| {
        seen.push(String::from_utf8(bytes.to_vec()).unwrap());
    })
    .unwrap();
    assert_eq!(decode_text(&finished.stdout), ("aé\n".to_owned(), None));
    assert_eq!(seen, ["b🚀\n"]);
    assert_eq!(finished.stderr_tail, "b🚀");
}

#[test]
fn stderr_is_passed_on_while_the_program_runs() {
    let folder = folder();
    // It goes on only when its line was seen.
    let agent = script(
        &folder,
        "echo ready >&2; until [ -e go ]; do sleep 0.01; done; echo done",
    );
    let go = folder.path().join("go");
    let finished = run(&agent, &mut quiet_guard(), &mut |bytes: &[u8]| {
        assert_eq!(bytes, b"ready\n");
        std::fs::DirBuilder::new().create(&go).unwrap();
    })
    .unwrap();
    assert_eq!(text(&finished), "done\n");
}

#[test]
fn the_tail_of_a_long_stderr_is_kept_in_whole_lines() {
    let folder = folder();
    let agent = script(
        &folder,
        "i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done >&2",
    );
    let tail = run_quietly(&agent).unwrap().stderr_tail;
    assert!(tail.len() <= 8 * 1024 && tail.len() > 8 * 1024 - 12);
    assert!(tail.starts_with("line ") && tail.ends_with("\nline 2999"));
}

#[test]
fn who_listens_is_told_that_nothing_comes() {
    let folder = folder();
    let waits = script(
        &folder,
        "echo first; until [ -L go ]; do sleep 0.1; done; echo last",
    );
    let mut heard = Vec::new();
    let mut listener = |bytes: &[u8]| {
        if bytes.is_empty() && !heard.is_empty() {
            // The script would wait for ever for a listener that is only told of output.
            let _ = std::os::unix::fs::symlink("x", folder.path().join("go"));
        }
        heard.extend_from_slice(bytes);
    };
    run_heard(&waits, &mut quiet_guard(), &mut listener, &mut |_| {}).unwrap();
    assert_eq!(heard, b"first\nlast\n");
}
