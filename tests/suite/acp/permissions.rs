//! Permissions that an agent asks for.

use serde_json::json;

use super::{STAND_IN, failure, said, told};
use crate::environment::Environment;
use crate::terminal;

/// A stand-in that asks before it works, with the options in this order.
fn asking(options: &str) -> String {
    format!(
        r#"
prompt() {{
  was=$id
  text 'May I?'
  ask session/request_permission '{{"sessionId":"s-1","options":[{options}],"toolCall":{{"toolCallId":"p","title":"rm -r /","kind":"delete","rawInput":{{"path":"/"}}}}}}'
  id=$was
  case $line in
    *optionId*) text '---\ntitle: Asked\n---\nOf course.'; stop end_turn ;;
    *) text '---\ntitle: Not asked\n---\nOf course.'; stop end_turn ;;
  esac
}}
"#
    )
}

const OPTIONS: [&str; 4] = [
    r#"{"optionId":"never","name":"Never","kind":"reject_always"}"#,
    r#"{"optionId":"yes","name":"Yes","kind":"allow_once"}"#,
    r#"{"optionId":"ever","name":"Always","kind":"allow_always"}"#,
    r#"{"optionId":"no","name":"No","kind":"reject_once"}"#,
];

/// What the agent was answered, after a step whose agent is called so.
#[track_caller]
fn answered(agent: &str, options: &[&str], words: &str) -> serde_json::Value {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in(&asking(&options.join(",")));
    let ran = environment.step_by(&thread, agent);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.stderr,
        format!("uwf-acp: asked for permission, rm -r /: {words}\n")
    );
    let turns = environment.last_detail(&thread)["turns"].clone();
    let call = json!({
        "role": "assistant",
        "content": "May I?",
        "toolCalls": [{
            "name": "delete", "args": "{\"title\":\"rm -r /\",\"input\":{\"path\":\"/\"}}"
        }],
        "reasoning": null
    });
    assert_eq!(turns[0], call);
    assert_eq!(
        turns[1],
        told(&format!("asked for permission, rm -r /: {words}"))
    );
    let heard = environment.heard();
    let answer = heard.iter().find(|(method, _)| method == "answer");
    answer.unwrap().1["result"]["outcome"].clone()
}

const DENYING: &str = "uwf-acp --permissions deny -- stand-in";

#[test]
fn permissions_are_given_or_refused_by_what_the_options_mean() {
    let mut reversed = OPTIONS;
    reversed.reverse();
    for options in [OPTIONS, reversed] {
        assert_eq!(
            answered(STAND_IN, &options, "allowed (Yes)"),
            json!({"outcome": "selected", "optionId": "yes"})
        );
        assert_eq!(
            answered(DENYING, &options, "denied (No)"),
            json!({"outcome": "selected", "optionId": "no"})
        );
    }
}

#[test]
fn where_no_option_means_what_is_wanted_nothing_is_permitted() {
    assert_eq!(
        answered(
            DENYING,
            &OPTIONS[1..3],
            "none of its options means denied: cancelled"
        ),
        json!({"outcome": "cancelled"})
    );
}

#[test]
fn what_was_said_before_the_question_is_no_part_of_the_answer() {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in(&asking(OPTIONS[1]));
    let ran = environment.step_by(&thread, STAND_IN);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let turns = environment.last_detail(&thread)["turns"].clone();
    assert_eq!(turns[2], said("---\ntitle: Asked\n---\nOf course."));
}

const ASKING: &str = "uwf-acp --permissions ask -- stand-in";

/// What is shown at a terminal where this is typed, and what the agent was answered.
fn typed(typed: &str) -> (String, serde_json::Value) {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in(&asking(&OPTIONS.join(",")));
    let command = environment.command(&["thread", "step", &thread, "--agent", ASKING]);
    let (shown, code) = terminal::run_typing(command, typed, &mut |_| {});
    assert_eq!(code, Some(0), "{shown}");
    let heard = environment.heard();
    let answer = heard.iter().find(|(method, _)| method == "answer");
    (shown, answer.unwrap().1["result"]["outcome"].clone())
}

#[test]
fn the_person_at_the_terminal_is_asked() {
    let (shown, outcome) = typed("9\n2\n");
    assert_eq!(outcome, json!({"outcome": "selected", "optionId": "yes"}));
    let question = "uwf-acp asks for permission: rm -r /\n  \
                      1  Never (reject_always)\n  \
                      2  Yes (allow_once)\n  \
                      3  Always (allow_always)\n  \
                      4  No (reject_once)\n\
                    Which one, 1 to 4? Which one, 1 to 4? \
                    uwf-acp: asked for permission, rm -r /: chosen (Yes)\n";
    assert!(shown.contains(question), "{shown}");
}

#[test]
fn a_link_to_this_program_can_ask_as_well() {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in(&asking(&OPTIONS.join(",")));
    let link = environment.work().with_file_name("bin").join("uwf-acp");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_uwf"), link).unwrap();
    let command = environment.command(&["thread", "step", &thread, "--agent", ASKING]);
    let (shown, code) = terminal::run_typing(command, "2\n", &mut |_| {});
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("rm -r /: chosen (Yes)\n"), "{shown}");
}

#[test]
fn no_answer_is_a_no() {
    let (shown, outcome) = typed("\u{4}");
    assert_eq!(outcome, json!({"outcome": "selected", "optionId": "no"}));
    assert!(
        shown.contains("asked for permission, rm -r /: denied (No)\n"),
        "{shown}"
    );
}

#[test]
fn where_there_is_no_terminal_the_answer_is_no_and_that_is_said() {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in(&asking(&OPTIONS.join(",")));
    let ran = environment.step_by(&thread, ASKING);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.stderr,
        "warning: there is no terminal to ask at: what needs permission is denied\n\
         uwf-acp: asked for permission, rm -r /: denied (No)\n"
    );
}

#[test]
fn a_signal_ends_the_wait_for_an_answer() {
    let (environment, thread) = Environment::with_draft();
    let start = environment.head(&thread);
    environment.stand_in(&asking(&OPTIONS.join(",")));
    let step = environment.command(&["thread", "step", &thread, "--agent", ASKING]);
    let mut command = std::process::Command::new("/bin/sh");
    command
        .args(["-c", "echo $$ >pid.txt; exec uwf \"$@\"", "sh"])
        .args(step.get_args())
        .current_dir(environment.work())
        .env_clear();
    for (name, value) in step.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    let mut is_asked = false;
    let (shown, code) = terminal::run_typing(command, "", &mut |shown| {
        if !is_asked && shown.contains("Which one, 1 to 4? ") {
            is_asked = true;
            assert_eq!(environment.shell("kill -INT $(cat pid.txt)").code, Some(0));
        }
    });
    assert_eq!((code, is_asked), (Some(130), true), "{shown}");
    assert_eq!(environment.head(&thread), start);
    assert_eq!(environment.attempts(&thread)[0]["class"], "interrupted");
}

#[test]
fn a_turn_that_ends_at_a_denied_permission_was_refused_and_not_interrupted() {
    let otherwise = asking(&OPTIONS.join(",")).replace(
        "*optionId*) text '---\\ntitle: Asked\\n---\\nOf course.'; stop end_turn ;;",
        "*optionId*) stop cancelled ;;",
    );
    let (_, _, words) = failure(&otherwise, DENYING, 3);
    let message = "agent `uwf-acp` failed: uwf-acp ended its turn because it was denied a \
                   permission";
    assert_eq!(words, ["refused", message]);
}
