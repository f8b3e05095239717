//! Files that try the reader's patience, or the reader's terminal.

use std::path::Path;

use serde_json::{Value, json};

use super::{EXPRESSIONS, SOUND, expect, inspected, said_of, with};
use crate::cas::Store;
use crate::workflow::diagnostic::Code;
use crate::workflow::inspect::inspect;
use crate::workflow::{MAX_BYTES, Severity, stored};
use crate::yaml::{Strictness, parse};

#[test]
fn line_ends_of_windows_change_no_place_and_no_hash() {
    let windows = SOUND.replace('\n', "\r\n");
    let hash = |text| {
        inspected(text)
            .definition
            .map(|definition| definition.hash())
    };
    assert!(hash(SOUND).is_some());
    assert_eq!(hash(&windows), hash(SOUND));

    let piece = "\"$last('reviewer').good = false\"";
    let broken = with(piece, "|\n      a\n      b << c").replace("$END", "$NED");
    let in_windows = said_of(&broken.replace('\n', "\r\n"));
    assert_eq!(in_windows, said_of(&broken));
    assert!(in_windows.contains("--> flow.yaml:27:9\n"), "{in_windows}");
}

#[test]
fn a_byte_order_mark_is_no_column() {
    let broken = with("name: flow", "name: flows");
    assert_eq!(said_of(&format!("\u{feff}{broken}")), said_of(&broken));
    assert_eq!(said_of(&format!("\u{feff}{SOUND}")), "");
}

#[test]
fn lone_carriage_returns_end_lines_too() {
    let said = said_of("name: flow\rname: flow\r");
    assert_eq!(
        said,
        "\
error[syntax]: the key `name` is given twice
 --> flow.yaml:2:1
  |
2 | name: flow
  | ^
  |
 ::: flow.yaml:1:1
  |
1 | name: flow
  | - first given here"
    );
}

#[test]
fn tabs_and_wide_characters_keep_the_caret_in_place() {
    expect(
        "role: reviewer, prompt: Review it.",
        "prompt: \"\t審査\t\", role: 審査員",
        "
error[unknown-role]: edge 1 of `writer` leads to `審査員`, which is no role
  --> flow.yaml:30:30
   |
30 |     - {prompt: \"    審査    \", role: 審査員}
   |                                      ^^^^^^
   |
   = help: an edge can lead to `writer`, `reviewer` or `$END`
",
    );
}

#[test]
fn what_steers_a_terminal_does_not_reach_it() {
    let hostile = "\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}\u{200b}\u{7f}\u{85}\u{2028}";
    let written = "\\e]0;owned\\a\\x9b31m\\u202e\\u200b\\x7f\\N\\L";
    let prompt = "prompt: Review it.";
    let texts = [
        // In the text itself: that is no YAML.
        with(prompt, &format!("prompt: {hostile}")),
        with(prompt, &format!("prompt: \"{hostile}\"")),
        with(prompt, &format!("prompt: '\u{202e}\u{200b}', {hostile}: x")),
        // In names that are quoted back.
        with("role: reviewer,", &format!("role: \"{written}\",")),
        with("condition: rejected", &format!("condition: \"{written}\"")),
        with("name: flow", &format!("name: \"{written}\"")),
        with(
            "    goal: Write the text.",
            &format!("    goal: 1\n    \"{written}\": x"),
        ),
    ];
    for text in texts {
        let path = format!("{hostile}/flow.yaml");
        let report = inspect(Path::new(&path), text, EXPRESSIONS).report;
        let rendered = report.render();
        assert!(report.has_errors(), "{rendered}");
        let steering = |character: char| {
            character != '\n'
                && (character.is_control() || "\u{202e}\u{200b}\u{2028}".contains(character))
        };
        assert_eq!(rendered.find(steering), None, "{rendered:?}");
    }
}

#[test]
fn a_long_line_is_cut_around_the_caret() {
    let filler = "word ".repeat(100);
    expect(
        "    - {role: reviewer, prompt: Review it.}",
        &format!("    - {{prompt: {filler}, role: reviwer, prompt: {filler}}}"),
        "
error[syntax]: the key `prompt` is given twice
  --> flow.yaml:30:533
   |
30 | ...d word word word word word , role: reviwer, prompt: word word word word word word word wo...
   |                                                ^
   |
  ::: flow.yaml:30:8
   |
30 |     - {prompt: word word word word word word word word word word word word word word word wo...
   |        - first given here
",
    );
}

#[test]
fn of_a_very_long_line_only_a_piece_is_looked_at() {
    let filler = "é".repeat(400_000);
    expect(
        "    goal: Write the text.\n",
        &format!("    goal: {filler}, gaol: 1\n"),
        "
error[syntax]: a colon followed by a space ends the value here; put the value in quotes
 --> flow.yaml:6:400017
  |
  |
6 | ...éééééééééééééééééééééééééééééééééééééé, gaol: 1
  |                                                ^
",
    );
}

#[test]
fn a_second_place_in_a_very_long_line_is_told_in_words() {
    let filler = "x".repeat(5_000);
    let said = said_of(&format!("{{name: {filler}, name: b, c: {filler}}}"));
    assert!(
        said.contains("= note: first given here: flow.yaml:1:2\n")
            || said.ends_with("= note: first given here: flow.yaml:1:2"),
        "{said}"
    );
    assert!(said.lines().all(|line| line.len() < 130), "{said}");
}

#[test]
fn a_prompt_of_100_000_bytes_can_be_handed_over_and_one_more_cannot() {
    let prompt = |bytes: usize| format!("prompt: {}", "p".repeat(bytes));
    assert_eq!(said_of(&with("prompt: Review it.", &prompt(100_000))), "");
    expect(
        "prompt: Review it.",
        &prompt(100_001),
        "
error[prompt-too-long]: the prompt of edge 1 of `writer` has 100001 bytes: at most 100000 can be handed to an agent
  --> flow.yaml:30:32
   |
   |
30 | ...t: ppppppppppppppppppppppppppppppp...ppppppppppppppppppppppppppppppp
   |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = help: put what is always the same into the role's `procedure`
",
    );
}

#[test]
fn a_huge_file_is_refused_without_reading_it() {
    let text = format!("{SOUND}#{}", "x".repeat(MAX_BYTES));
    assert_eq!(
        said_of(&text),
        format!(
            "\
error[too-large]: the file has {} bytes: at most {MAX_BYTES} are accepted
 --> flow.yaml:1:1
  |
1 | name: flow
  | ^",
            text.len()
        )
    );
}

#[test]
fn aliases_do_not_make_a_small_file_a_huge_workflow() {
    let big = format!("goal: &big {}", "x".repeat(300_000));
    let aliases = ["*big"; 20].join(", ");
    let text = with("goal: Write the text.", &big);
    let text = text.replace(
        "capabilities: [reading]",
        &format!("capabilities: [{aliases}]"),
    );
    let inspection = inspected(&text);
    let [found] = inspection.report.diagnostics.as_slice() else {
        panic!("{:?}", inspection.report.diagnostics);
    };
    assert_eq!(found.code, Code::TooLarge);
    assert!(
        found
            .message
            .starts_with("the workflow with its aliases written out has 6"),
        "{}",
        found.message
    );
    assert!(inspection.definition.is_none());
}

#[test]
fn a_file_that_nests_too_deep_is_refused() {
    for nested in [
        format!("a: {}", "[".repeat(100_000)),
        format!("a: {}", "{a: ".repeat(100_000)),
        "- ".repeat(100_000),
    ] {
        let said = said_of(&nested);
        assert!(said.starts_with("error[syntax]: "), "{said}");
    }
}

#[test]
fn what_may_nest_deep_can_be_stored_and_read_again() {
    let deep = "{a: ".repeat(240) + "1" + &"}".repeat(240);
    let schema = format!("const: {deep}");
    let text = with("properties: {words: {type: integer}}", &schema);
    let inspection = inspected(&text);
    assert_eq!(inspection.report.render(), "");
    let definition = inspection.definition.unwrap();
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path());
    let hash = definition.store(&store, 7).unwrap();
    assert_eq!(stored(&store, &hash).unwrap(), *definition.workflow());
    let role = &definition.workflow().roles[&"writer".parse().unwrap()];
    let (_, schema) = &definition.schemas()[0];
    assert_eq!(store.schema(&role.frontmatter).unwrap(), *schema);
}

#[test]
fn of_very_many_findings_the_most_important_are_shown() {
    let unknown: String = (0..150).map(|n| format!("extra{n}: 1\n")).collect();
    let roles: String = (0..60).map(|n| format!("  role{n}: {{}}\n")).collect();
    let text = unknown + &with("conditions:\n", &format!("{roles}conditions:\n"));
    let report = inspected(&text).report;
    assert_eq!(report.count(Severity::Error), 60);
    assert_eq!(report.count(Severity::Warning), 150 + 60);
    let rendered = report.render();
    assert_eq!(rendered.matches("error[").count(), 60);
    assert_eq!(rendered.matches("warning[").count(), 40);
    assert!(
        rendered.ends_with("\n\nnote: 170 more findings are not shown"),
        "{rendered}"
    );
}

#[test]
fn any_value_anywhere_is_either_sound_or_told() {
    let root = parse(SOUND, Strictness::Strict)
        .unwrap()
        .unwrap()
        .to_value();
    let mut pointers = Vec::new();
    collect_pointers(&root, String::new(), &mut pointers);
    assert!(pointers.len() > 40);
    let values = [
        json!(null),
        json!(true),
        json!(7),
        json!(1.5),
        json!(""),
        json!("x"),
        json!([]),
        json!([[]]),
        json!([{}]),
        json!({}),
        json!({"a": {"role": 1}}),
    ];
    for pointer in pointers {
        for value in &values {
            let mut changed = root.clone();
            *changed.pointer_mut(&pointer).unwrap() = value.clone();
            is_sound_or_told(&changed.to_string());
        }
    }
}

#[test]
fn a_file_that_is_cut_anywhere_is_either_sound_or_told() {
    for (at, _) in SOUND.char_indices() {
        is_sound_or_told(&SOUND[..at]);
    }
}

fn collect_pointers(value: &Value, at: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                collect_pointers(value, format!("{at}/{key}"), pointers);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect_pointers(item, format!("{at}/{index}"), pointers);
            }
        }
        _ => {}
    }
    pointers.push(at);
}

#[track_caller]
fn is_sound_or_told(text: &str) {
    let inspection = inspected(text);
    let report = &inspection.report;
    assert_eq!(
        report.has_errors(),
        inspection.definition.is_none(),
        "{text}"
    );
    for found in &report.diagnostics {
        let places = [
            Some(found.span),
            found.related.as_ref().map(|related| related.0),
        ];
        for span in places.into_iter().flatten() {
            assert!(
                text.get(span.start.offset..span.end.offset).is_some(),
                "{found:?}"
            );
        }
    }
    let shown = report.render();
    assert_eq!(shown.is_empty(), report.diagnostics.is_empty());
}
