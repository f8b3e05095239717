//! Permissions that an agent asks for.

use serde_json::json;

use super::{STAND_IN, said, told};
use crate::environment::Environment;

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
