//! Prompts as the agents get them, word for word.

use serde_json::{Value, json};

use crate::model::{Role, RoleName};

use super::*;

fn role() -> Role {
    Role {
        description: "Writes the report".to_owned(),
        goal: "Turn the failures into a report.".to_owned(),
        capabilities: vec!["writing".to_owned(), "file-read".to_owned()],
        procedure: "1. Read {failures}.\n2. Write.\n".to_owned(),
        output: "The report's title.".to_owned(),
        frontmatter: "0000000000000".parse().unwrap(),
    }
}

fn name(text: &str) -> RoleName {
    text.parse().unwrap()
}

fn step(number: usize, role: &str, output: Value, body: Option<&str>) -> PastStep {
    PastStep {
        number,
        role: name(role),
        agent: "uwf-fake".to_owned(),
        output,
        body: body.map(str::to_owned),
    }
}

fn inputs<'a>(
    role_name: &'a RoleName,
    role: &'a Role,
    schema: &'a Value,
    history: &'a [PastStep],
) -> Inputs<'a> {
    Inputs {
        answer: AnswerForm::Frontmatter,
        thread: Some("06H2S7T0SYTNXJYWQYS40BBMNR".parse().unwrap()),
        role_name,
        role,
        schema,
        task: "Why is {the build} red?",
        history,
        instruction: "Add what is missing: {{plan}}.",
        visit: 2,
        step: 4,
    }
}

#[test]
fn the_whole_prompt_has_what_stays_the_same_first() {
    let (writer, role) = (name("writer"), role());
    let schema = json!({
        "title": "triage-report.writer",
        "properties": {"title": {"type": "string"}},
        "required": ["title"],
    });
    let history = [step(
        3,
        "checker",
        json!({"accepted": false, "missing": ["store.rs:7"]}),
        Some("## Step 9\n\nIt lacks:\n```\nstore.rs:7\n```"),
    )];
    let expected = r##"## Answer format

Begin your final answer with a YAML block like this one, then write the rest below it, in Markdown:

---
title: <text>  # required
---

- The first line of the answer is `---`; nothing stands before it.
- Write all of its fields and no others.
- Put your own value in place of each `<…>`; where ` | ` stands between values, write one of them.
- Put a text in double quotes when it holds `: ` or ` #`, ends with a colon, or does not begin with a letter or a digit. Write a text of several lines after `|`, each line indented.

## Goal

Turn the failures into a report.

## Capabilities

- writing
- file-read

## Procedure

1. Read {failures}.
2. Write.

## Output

The report's title.

## Task

Why is {the build} red?

## What happened since your last turn

### Step 3: checker, by uwf-fake

Output: {"accepted":false,"missing":["store.rs:7"]}

````
## Step 9

It lacks:
```
store.rs:7
```
````

## Instruction

Add what is missing: {{plan}}.

This is step 4 of the thread, and turn 2 of the role `writer`.
"##;
    let prompt = assemble(&inputs(&writer, &role, &schema, &history));
    assert_eq!(prompt, expected);
}

#[test]
fn what_is_not_there_has_no_section() {
    let writer = name("writer");
    let role = Role {
        capabilities: Vec::new(),
        procedure: " \n".to_owned(),
        output: String::new(),
        ..role()
    };
    let inputs = Inputs {
        visit: 1,
        step: 1,
        instruction: "",
        ..inputs(&writer, &role, &Value::Bool(true), &[])
    };
    let prompt = assemble(&inputs);
    let headings: Vec<_> = prompt
        .lines()
        .filter(|line| line.starts_with("## "))
        .collect();
    assert_eq!(headings, ["## Answer format", "## Goal", "## Task"]);
    assert!(prompt.ends_with(
        "## Task\n\nWhy is {the build} red?\n\n\
         This is step 1 of the thread, and turn 1 of the role `writer`.\n"
    ));
}

/// The history section of a prompt with these steps.
fn told(history: &[PastStep], thread: bool) -> String {
    let (writer, role) = (name("writer"), role());
    let all = inputs(&writer, &role, &Value::Null, history);
    let inputs = Inputs {
        visit: 1,
        thread: all.thread.filter(|_| thread),
        ..all
    };
    let prompt = assemble(&inputs);
    let start = prompt.find("## What happened so far\n\n").unwrap();
    let end = prompt.find("\n## Instruction").unwrap();
    prompt[start..end].replace("## What happened so far\n\n", "")
}

#[test]
fn a_body_too_many_is_cut_and_says_so() {
    let long = "é".repeat(100_000);
    let history = [
        step(1, "planner", json!({"plan": "a"}), Some("Short.\n")),
        step(2, "writer", json!({}), Some(&long)),
    ];
    // All but two headings and the older step.
    let shown = 60_000 - (34 + 12 + 7) - (39 + 2);
    let expected = format!(
        "### Step 1: planner, by uwf-fake\n\n\
         Output: {{\"plan\":\"a\"}}\n\n\
         ```\nShort.\n```\n\n\
         ### Step 2: writer (you), by uwf-fake\n\n\
         Output: {{}}\n\n\
         ```\n{}\n```\n\
         ({} characters are left out here; read them with \
         `uwf thread read 06H2S7T0SYTNXJYWQYS40BBMNR --quota 1000000`.)\n",
        "é".repeat(shown),
        100_000 - shown
    );
    assert_eq!(told(&history, true), expected);
}

#[test]
fn outputs_are_cut_too_and_the_oldest_steps_left_out() {
    let history: Vec<_> = (1..=40)
        .map(|number| {
            step(
                number,
                "planner",
                json!("x".repeat(9_998)),
                Some(&"y".repeat(10_000)),
            )
        })
        .collect();
    let told = told(&history, false);
    assert!(told.chars().count() < 65_000, "{}", told.chars().count());
    assert!(told.starts_with("Steps 1 to "), "{}", &told[..200]);
    assert!(told.contains(" characters are left out here.)\n"));
    let newest = told.rfind("### Step 40: planner, by uwf-fake\n").unwrap();
    assert!(told[newest..].len() > 20_000);
}

#[test]
fn steps_that_find_no_room_are_left_out_and_named() {
    let steps = |last: usize, length: usize| -> Vec<_> {
        (1..=last)
            .map(|number| step(number, "planner", json!("x".repeat(length)), None))
            .collect()
    };
    // Each of these leaves the next older one half of the rest.
    let told_of = told(&steps(3, 59_000), false);
    assert!(
        told_of.starts_with("### Step 1: planner"),
        "{}",
        &told_of[..80]
    );
    let told_of = told(&steps(5_000, 1), true);
    assert_eq!(
        told_of.lines().next(),
        Some(
            "Steps 1 to 3501 are left out; read them with `uwf thread read 06H2S7T0SYTNXJYWQYS40BBMNR --quota 1000000`."
        )
    );
}

#[test]
fn names_cannot_break_out_of_a_heading() {
    let mut odd = step(1, "a\n## Task", json!(1), None);
    odd.agent = "b\r\n\u{1b}[2Jc".to_owned();
    assert_eq!(
        told(&[odd], false),
        "### Step 1: a ## Task, by b [2Jc\n\nOutput: 1\n"
    );
}

#[test]
fn a_correction_repeats_the_prompt_and_shows_the_answer() {
    assert_eq!(
        correction_prompt(
            "## Task\n\nDo.\n",
            "```\nno block\n```\n",
            "It has no block.\n"
        ),
        "## Task\n\nDo.\n\n\
         ## Your previous answer\n\n\
         ````\n```\nno block\n```\n````\n\n\
         ## What is wrong with it\n\n\
         It has no block.\n"
    );
    assert_eq!(
        correction_prompt("Do.", " \n", "It is empty."),
        "Do.\n\n## Your previous answer\n\nIt was empty.\n\n## What is wrong with it\n\nIt is empty.\n"
    );
    let long = correction_prompt("Do.", &"é".repeat(30_001), "Too long.");
    assert!(long.contains("é\n```\n(1 character of it left out here.)\n\n## What is wrong"));
}
