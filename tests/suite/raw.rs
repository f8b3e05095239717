//! `cas get --raw` and `cas hash`: nodes for other programs.

use serde_json::json;

use crate::environment::{Environment, Ran, evidence_json};

#[test]
fn a_text_is_printed_as_it_is_and_nothing_else() {
    let environment = Environment::new();
    for text in [
        "",
        "one line",
        "two\nlines\n",
        "\u{1b}[31m ünïcode 🦀\r\n",
        "-",
    ] {
        let put = environment.json(&["cas", "put-text", text]);
        let hash = put["hash"].as_str().unwrap();
        assert_eq!(environment.ok(&["cas", "get", hash, "--raw"]), text);
        let yaml = ["cas", "get", hash, "--raw", "--format", "yaml"];
        assert_eq!(environment.ok(&yaml), text);
    }
}

#[test]
fn what_is_no_text_is_not_printed_raw() {
    let environment = Environment::with_golden_store();
    assert_eq!(
        environment.run(&["cas", "get", "6HA1", "--raw"]),
        Ran::refused(
            1,
            "error: the node 6HA1S8JMB29J3 is not a text: its type is 21AME01DDP1EB\n\
             hint: print it as it is: `uwf cas get 6HA1S8JMB29J3`\n"
        )
    );
    let ran = environment.run(&["cas", "get", "9Y3K", "--raw", "--timestamp"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
}

#[test]
fn a_hash_is_the_one_the_node_would_have_whatever_the_type() {
    let environment = Environment::new();
    let vectors = evidence_json("hashes.json");
    let vectors = vectors["vectors"].as_array().unwrap();
    // What a file holds is not limited by what an argument may be.
    for (number, vector) in vectors.iter().enumerate() {
        let file = environment.write(&format!("{number}.json"), vector["json"].as_str().unwrap());
        let type_text = vector["type"].as_str().unwrap();
        let hashed = environment.json(&["cas", "hash", "--", type_text, file.to_str().unwrap()]);
        assert_eq!(hashed, json!({"hash": vector["hash"]}), "{vector}");
    }
    let hashed = environment.ok(&["cas", "hash", "86N29KJ2R9X6K", "\"a plain text node\""]);
    assert_eq!(hashed, "{\"hash\":\"9Y3KSN3PAJ0F4\"}\n");
    assert_eq!(
        environment.run(&["cas", "hash", "any text", "{"]),
        environment.run(&["cas", "put", "86N29KJ2R9X6K", "{"])
    );
    assert!(!environment.root().exists(), "something was stored");
}
