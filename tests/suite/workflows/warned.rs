//! What `workflow put` warns about and stores all the same.

use crate::environment::{Environment, RELAY};

#[test]
fn unknown_keys_are_left_out_with_a_warning_that_says_where() {
    let environment = Environment::new();
    environment.write("relay.yaml", RELAY);
    let clean = environment.ok(&["workflow", "put", "relay.yaml"]);
    let odd = RELAY
        .replacen("description: One", "autor: me\ndescription: One", 1)
        .replacen(
            "prompt: \"Write the text.\"",
            "prompt: \"Write the text.\", model: big",
            1,
        );
    let file = environment.write("relay.yaml", &odd);
    let file = file.display();
    let ran = environment.run(&["workflow", "put", "relay.yaml"]);
    assert_eq!(
        ran.stderr,
        format!(
            "warning[unknown-key]: the workflow has no key `autor`: it is ignored
 --> {file}:2:1
  |
2 | autor: me
  | ^^^^^
  |
  = help: the keys here are `name`, `description`, `roles`, `conditions` and `graph`

warning[unknown-key]: edge 1 of `$START` has no key `model`: it is ignored
  --> {file}:15:54
   |
15 |   $START: [{{role: writer, prompt: \"Write the text.\", model: big}}]
   |                                                      ^^^^^
   |
   = help: the keys here are `role`, `condition` and `prompt`
"
        )
    );
    assert_eq!(
        (ran.code, ran.stdout),
        (Some(0), clean),
        "the same workflow, the same hash"
    );
}

#[test]
fn a_misspelt_key_is_named_with_the_one_that_was_meant() {
    let environment = Environment::new();
    let file = environment.write("relay.yaml", &RELAY.replacen("graph:", "grpah:", 1));
    let file = file.display();
    let ran = environment.run(&["workflow", "put", "relay.yaml"]);
    assert_eq!(ran.code, Some(1));
    let warning = format!(
        "warning[unknown-key]: the workflow has no key `grpah`: it is ignored
  --> {file}:13:1
   |
13 | grpah:
   | ^^^^^
   |
   = help: did you mean `graph`?
"
    );
    assert!(ran.stderr.contains(&warning), "{}", ran.stderr);
    assert!(
        ran.stderr
            .contains("error[missing-key]: the workflow has no `graph`\n")
    );
}

#[test]
fn a_graph_in_which_a_thread_can_get_stuck_is_warned_about_and_stored() {
    let environment = Environment::new();
    let stuck = RELAY.replacen("  reviewer: [{role: $END, prompt: \"Done.\"}]\n", "", 1);
    let file = environment.write("relay.yaml", &stuck);
    let file = file.display();
    let ran = environment.run(&["workflow", "put", "relay.yaml"]);
    assert_eq!(
        ran.stderr,
        format!(
            "warning[dead-end]: no edge leads out of role `reviewer`: a thread cannot go on from there
  --> {file}:11:3
   |
11 |   reviewer: *role
   |   ^^^^^^^^
   |
   = help: add an edge, to `$END` if the work is done then
"
        )
    );
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.stdout.starts_with("{\"name\":\"relay\",\"hash\":\""),
        "{}",
        ran.stdout
    );
}
