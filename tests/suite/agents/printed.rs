//! What agents print around the hash of their step, or instead of it.

use serde_json::json;

use super::put_next_step;
use crate::environment::Environment;

#[test]
fn lines_after_the_hash_do_not_cost_the_step() {
    let (environment, thread) = Environment::with_draft();
    let step = put_next_step(&environment, &thread);
    let script = format!(
        "echo 0123456789ABC\nprintf '  {step}\\t\\r\\n'\necho\n\
         i=0; while [ $i -lt 19 ]; do i=$((i + 1)); echo \"closing session $i\"; echo; done"
    );
    environment.program("chatty", &script);
    let ran = environment.step_by(&thread, "chatty");
    ran.assert_clean();
    assert_eq!(ran.value()["head"], json!(step));
}

#[test]
fn a_last_line_that_is_no_hash_is_shown() {
    let (environment, thread) = Environment::with_draft();
    environment.program(
        "chatty",
        "echo 'All done.'\nprintf 'Step: 0123456789ABC \\033[0m\\n'",
    );
    let ran = environment.step_by(&thread, "chatty");
    ran.assert_no_result(3);
    let attempts = environment.attempts(&thread);
    let output = attempts[0]["output"].as_str().unwrap();
    assert_eq!(
        environment.payload(output),
        "All done.\nStep: 0123456789ABC \u{1b}[0m\n"
    );
    assert_eq!(
        ran.stderr,
        format!(
            "error: agent `chatty` did not answer as its protocol asks\n  \
               because: none of its last lines is the hash of a step; the very last is \
               `Step: 0123456789ABC \\u{{1b}}[0m`\n\
             hint: on protocol `cas` an agent stores its step itself; for a program that reads a prompt \
             and prints an answer, say `--protocol markdown`, or `protocol: markdown` in its entry of \
             config.yaml\n\
             {}{}",
            environment.kept_hint(&thread),
            environment.on_record(&thread, 1)
        )
    );
}

#[test]
fn an_agent_that_prints_nothing_is_told_what_was_expected() {
    let (environment, thread) = Environment::with_draft();
    environment.program("silent", "printf '\\n  \\n'");
    let ran = environment.step_by(&thread, "silent");
    ran.assert_no_result(3);
    let why = "it printed nothing; its last line must be the hash of the step it has stored\n";
    ran.assert_begins(&format!(
        "error: agent `silent` did not answer as its protocol asks\n  because: {why}"
    ));
}

#[test]
fn sixty_megabytes_before_the_hash_are_no_matter() {
    let (environment, thread) = Environment::with_draft();
    let step = put_next_step(&environment, &thread);
    let script = format!("yes 'thinking about it' | head -c 60000000\necho\necho {step}");
    environment.program("verbose", &script);
    let ran = environment.step_by(&thread, "verbose");
    ran.assert_clean();
    assert_eq!(ran.value()["head"], json!(step));
}

#[test]
fn what_the_agent_printed_is_kept_also_when_its_step_is_refused() {
    let (environment, thread) = Environment::with_draft();
    environment.program("talker", "echo 'I fixed it, see:'\necho 0123456789ABC");
    let ran = environment.step_by(&thread, "talker");
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let output = environment.attempts(&thread)[0]["output"].clone();
    assert!(output.is_string(), "nothing is kept: {output}");
    assert_eq!(
        environment.payload(output.as_str().unwrap()),
        "I fixed it, see:\n0123456789ABC\n"
    );
}

#[test]
fn of_an_output_that_was_cut_it_is_not_said_that_all_is_kept() {
    let (environment, thread) = Environment::with_draft();
    environment.program("verbose", "yes 'thinking about it' | head -c 1000000");
    let ran = environment.step_by(&thread, "verbose");
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let output = environment.attempts(&thread)[0]["output"].clone();
    let kept = environment.payload(output.as_str().unwrap());
    assert!(kept.as_str().unwrap().len() < 1_000_000);
    assert!(
        !ran.stderr.contains("all it answered is kept"),
        "{}",
        ran.stderr
    );
}
