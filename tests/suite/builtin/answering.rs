//! Models that answer badly, or not at all.

use serde_json::json;

use super::{Desk, ODE, user, write_file};
use crate::model_server::{Reply, delta, finish};

const NO_BLOCK: &str = "That was neither a call of a tool nor the answer. Go on with the tools if \
    there is work left. If there is none, give the answer now, whole: it begins with the block of \
    fields between two lines `---`, as you were told.";
const NOTHING: &str = "Nothing came from you. Go on with the tools if there is work left. If there \
    is none, give the answer now, whole: it begins with the block of fields between two lines \
    `---`, as you were told.";

#[test]
fn a_text_without_a_block_is_sent_back() {
    let desk = Desk::new([Reply::says("I will write it now."), Reply::says(ODE)]);
    assert_eq!(desk.step().code, Some(0));
    assert_eq!(desk.detail()["corrections"], 0);
    let messages = desk.messages(2);
    assert_eq!(messages[2]["content"], "I will write it now.");
    assert_eq!(messages[3], user(NO_BLOCK));
}

#[test]
fn after_three_times_it_is_corrected_and_then_given_up() {
    let desk = Desk::new([Reply::says("I will write it now.")]);
    let ran = desk.step();
    ran.assert_no_result(4);
    assert_eq!(desk.attempt().0, "output");
    // Once, after each of three nudges, and after each of two corrections.
    assert_eq!(desk.server.requests().len(), 6);
    assert_eq!(desk.sessions(), Vec::<String>::new());
}

#[test]
fn a_correction_goes_on_in_the_same_conversation() {
    let bad = "---\nwords: many\n---\nText.";
    let desk = Desk::new([
        write_file("a", "b"),
        Reply::says(bad),
        write_file("a", "c"),
        Reply::says(ODE),
    ]);
    assert_eq!(desk.step().code, Some(0));
    let (before, corrected) = (desk.messages(2), desk.messages(3));
    assert_eq!(corrected[..before.len()], before);
    assert_eq!(
        corrected[before.len()],
        json!({"role": "assistant", "content": bad})
    );
    let correction = corrected[before.len() + 1]["content"].as_str().unwrap();
    assert!(correction.contains("title"), "{correction}");
    assert_eq!(desk.detail()["corrections"], 1);
}

#[test]
fn nothing_at_all_is_asked_for_again_and_then_given_up() {
    let desk = Desk::new([Reply::says("")]);
    desk.assert_fails(
        3,
        "empty",
        "the model gave an empty answer, also when it was asked again",
    );
    assert_eq!(desk.server.requests().len(), 4);
    // A service may refuse to be told an empty answer.
    assert_eq!(desk.messages(4)[2..], vec![user(NOTHING); 3]);
}

#[test]
fn a_model_that_never_stops_calling_tools_is_stopped() {
    let desk = Desk::new([write_file("a", "b")]);
    desk.assert_fails(
        3,
        "turns",
        "the model did not come to an answer within 30 turns",
    );
    assert_eq!(desk.server.requests().len(), 30);
    let warned = |request| desk.last_message(request)["role"] == "user";
    let warnings: Vec<_> = (2..=30).filter(|request| warned(*request)).collect();
    assert_eq!(warnings, [28]);
    // All of it is kept: each answer, each result, and the warning.
    let attempts = desk.environment.attempts(&desk.thread);
    let output = desk
        .environment
        .payload(attempts[0]["output"].as_str().unwrap());
    assert_eq!(output["turnCount"], 30);
    assert_eq!(output["turns"].as_array().unwrap().len(), 61);
    assert_eq!(desk.sessions(), Vec::<String>::new());
}

#[test]
fn the_turns_can_be_set() {
    let desk = Desk::new([write_file("a", "b")]);
    let ran = desk.run(&["thread", "step", &desk.thread, "--agent", "brief"]);
    ran.assert_no_result(3);
    ran.assert_tells("the model did not come to an answer within 5 turns");
    assert_eq!(desk.server.requests().len(), 5);
}

#[test]
fn a_model_that_refuses_is_heard() {
    let desk = Desk::new([Reply::events(&[
        delta(json!({"content": "Not me."})),
        finish("content_filter"),
    ])]);
    desk.assert_fails(3, "refused", "the model refused to answer: Not me.");
    assert_eq!(desk.server.requests().len(), 1);
}

#[test]
fn an_answer_that_is_cut_off_is_asked_for_again_shorter() {
    let cut = || Reply::events(&[delta(json!({"content": "---\ntitle: O"})), finish("length")]);
    let desk = Desk::new([cut(), Reply::says(ODE)]);
    assert_eq!(desk.step().code, Some(0));
    let told = desk.last_message(2);
    let told = told["content"].as_str().unwrap();
    assert!(told.contains("was cut off"), "{told}");

    let desk = Desk::new([cut()]);
    desk.assert_fails(
        3,
        "api",
        "the model's answers were cut off for their length, 3 times in all",
    );
    assert_eq!(desk.server.requests().len(), 3);
}

#[test]
fn a_draft_in_a_thought_is_not_the_answer() {
    let draft = "<think>\n---\ntitle: Draft\nwords: 1\n---\n</think>";
    let call = json!({"content": format!("{draft}\nI write."), "tool_calls": [{
        "index": 0, "id": "a",
        "function": {"name": "list_dir", "arguments": "{}"},
    }]});
    let desk = Desk::new([
        Reply::events(&[delta(call), finish("tool_calls")]),
        Reply::says(&format!("{draft}\n\n{ODE}")),
    ]);
    let ran = desk.step();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let told = &desk.messages(2)[2];
    assert_eq!(told["content"], "I write.");
    assert_eq!(told.as_object().unwrap().len(), 3, "{told}");
    let turns = desk.turns(&desk.detail());
    let thought = "---\ntitle: Draft\nwords: 1\n---";
    let said: Vec<_> = turns
        .iter()
        .map(|turn| (&turn["content"], &turn["reasoning"]))
        .collect();
    assert_eq!(said[0], (&json!("I write."), &json!(thought)));
    assert_eq!(said[2], (&json!(ODE), &json!(thought)));
}
