//! What is stored of a turn: the answer, and how it came about.

use serde_json::{Value, json};

use super::{DONE, Stage, TEXT_SESSION, answer, recorded, unfitting};

#[test]
fn a_turn_is_kept_as_the_originals_nodes() {
    let stage = Stage::playing(&[&recorded("claude/tool-bash")]);
    let step = stage.made("claude");
    assert_eq!(step["agent"], "uwf-claude-code");
    assert_eq!(step["edgePrompt"], "Write hello.txt.");
    assert_eq!(
        stage.environment.payload(step["output"].as_str().unwrap()),
        json!({"status": "done", "summary": "wrote hello.txt"})
    );
    let hash = stage
        .environment
        .payload(stage.environment.head(&stage.thread))["detail"]
        .clone();
    let node = stage
        .environment
        .json(&["cas", "get", hash.as_str().unwrap()]);
    assert_eq!(node["type"], "4A6V5ZW9DFX5A");
    let detail = &step["detail"];
    let turns = detail["turns"].as_array().unwrap();
    assert_eq!(
        *detail,
        json!({
            "sessionId": "89c56473-a3dd-4681-b36d-033d81893c48",
            "model": "claude-sonnet-4-5",
            "subtype": "success",
            "durationMs": 543,
            "numTurns": 2,
            "totalCostUsd": 0.00822,
            "stopReason": "end_turn",
            "usage": {"inputTokens": 2400, "outputTokens": 68, "cacheReadInputTokens": 0,
                "cacheCreationInputTokens": 0},
            "turns": turns,
        })
    );
    let turn = |position: usize| {
        let node = stage
            .environment
            .json(&["cas", "get", turns[position].as_str().unwrap()]);
        assert_eq!(node["type"], "893TEVFJKB6CE");
        node["payload"].clone()
    };
    let command =
        r#"{"command":"echo hi > hello.txt && cat hello.txt","description":"write hello"}"#;
    let text = |index: usize, role: &str, content: &str| json!({"index": index, "role": role, "content": content, "toolCalls": null});
    assert_eq!(turn(0), text(0, "assistant", "I will run a command."));
    assert_eq!(
        turn(1),
        json!({"index": 1, "role": "assistant", "content": "",
            "toolCalls": [{"name": "Bash", "args": command}]})
    );
    assert_eq!(turn(2), text(2, "tool", "hi"));
    let answer = "---\nstatus: done\nsummary: wrote hello.txt\n---\n\nAll done. The file \
                  **hello.txt** was written.\n";
    assert_eq!(turn(3), text(3, "assistant", answer));
    assert_eq!(turns.len(), 4);
    let page = stage.environment.ok(&["thread", "read", &stage.thread]);
    assert!(
        page.contains("All done. The file **hello.txt** was written."),
        "{page}"
    );
}

#[test]
fn a_correction_goes_on_in_the_session_and_is_counted_in() {
    let stage = Stage::playing(&[&unfitting(), &recorded("claude/text")]);
    let ran = stage.step("uwf-claude-code --max-budget-usd 1");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.assert_tells("\nthe answer does not fit the role: asking again\n");
    let resumed = ["--max-budget-usd", "0.99589", "--resume", TEXT_SESSION];
    assert_eq!(stage.argv(2)[4..8], resumed);
    let correction = stage.kept("stdin.2");
    assert_eq!(
        correction,
        "Your answer cannot be used:\n\n\
         - line 2: `/status` is missing; it must be a string\n\
         - line 2: `state` is no field of this role\n\n\
         Correct this and give the whole answer again, not only the part that was wrong.\n"
    );
    let step = stage.last_step();
    let detail = &step["detail"];
    let counts = ["durationMs", "numTurns", "totalCostUsd"].map(|key| detail[key].clone());
    assert_eq!(counts, [json!(882), json!(2), json!(0.00822)]);
    assert_eq!(detail["usage"]["inputTokens"], 2400);
    assert_eq!(detail["usage"]["outputTokens"], 68);
    let turns = stage.turns(detail);
    let roles: Vec<&str> = turns.iter().map(|(role, _)| role.as_str()).collect();
    assert_eq!(roles, ["assistant", "note", "assistant"]);
    assert_eq!(turns[1].1, correction);
    assert!(turns[2].1.contains("status: done"));
}

#[test]
fn the_cost_of_a_session_is_counted_once_though_the_program_adds_it_up() {
    let first =
        recorded("claude/text").replace(TEXT_SESSION, "aaac5abe-37b3-45ac-add5-b409ae91612c");
    let again = recorded("claude-2.1.332/resume");
    let (lines, own) = again
        .split_once(",\"model_usage_since_last_result\"")
        .unwrap();
    assert!(!own.contains('\n') || own.ends_with("}\n"));
    for second in [again.clone(), format!("{lines}}}\n")] {
        let stage = Stage::playing(&[&first, &second]);
        stage.made("claude");
        stage.made("checker");
        let detail = stage.made("claude")["detail"].clone();
        assert_eq!(detail["totalCostUsd"], 0.00411);
        assert_eq!(detail["usage"]["inputTokens"], 1200);
        assert_eq!(detail["numTurns"], 1);
    }
}

#[test]
fn an_answer_that_stands_in_the_result_alone_is_the_last_turn() {
    let said = json!({"type": "assistant", "message": {"content": "I am about to answer."}});
    let stage = Stage::playing(&[&format!("{said}\n{}", answer("s1", DONE))]);
    let detail = stage.made("claude")["detail"].clone();
    assert_eq!(
        stage.turns(&detail),
        [("assistant", "I am about to answer."), ("assistant", DONE)]
            .map(|(role, text)| (role.to_owned(), text.to_owned()))
    );
}

#[test]
fn what_is_left_out_of_an_answer_is_noted() {
    let answer_with_more = "---\nstatus: done\nmood: good\n---\nDone.\n";
    let stage = Stage::playing(&[&answer("s1", answer_with_more)]);
    let ran = stage.step("claude");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let warning = ran.stderr.strip_prefix("warning: ").unwrap().trim_end();
    let turns = stage.turns(&stage.last_step()["detail"]);
    assert_eq!(turns[1], ("note".to_owned(), warning.to_owned()));
}

#[test]
fn a_run_printed_as_one_array_is_read() {
    let lines: Vec<Value> = recorded("claude/tool-bash")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let stage = Stage::playing(&[&Value::from(lines).to_string()]);
    let detail = stage.made("claude")["detail"].clone();
    assert_eq!(detail["turns"].as_array().unwrap().len(), 4);
    assert_eq!(detail["totalCostUsd"], 0.00822);
}

#[test]
fn a_tool_that_prints_a_whole_disk_costs_its_beginning() {
    let stage = Stage::playing(&[]);
    let (lines, result) = recorded("claude/tool-bash")
        .rsplit_once("{\"type\":\"result\"")
        .map(|(lines, result)| (lines.to_owned(), format!("{{\"type\":\"result\"{result}")))
        .unwrap();
    let [before, after] = ["\"content\":\"hi", "\""].map(str::to_owned);
    let (head, tail) = lines.split_once(&format!("{before}{after}")).unwrap();
    stage.lay_out("head", &format!("{head}{before}"));
    stage.lay_out("tail", &format!("{after}{tail}{result}"));
    stage.lay_out(
        "do.1",
        "cat \"$stage/head\"\nhead -c 40000000 /dev/zero | tr '\\0' x\ncat \"$stage/tail\"\n",
    );
    let detail = stage.made("claude")["detail"].clone();
    let turns = stage.turns(&detail);
    assert_eq!(turns.len(), 4);
    assert!(turns[2].1.starts_with("hixxx"));
    assert!(turns[2].1.len() < 1_100_000, "{}", turns[2].1.len());
    assert_eq!(detail["numTurns"], 2);
}
