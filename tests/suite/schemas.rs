//! `cas schema register`: the schemas of a package, and nodes of them.

use crate::environment::Environment;

const REGISTERED: &str = concat!(
    r#"{"agent":"FCFAZC3S48TSJ","roleSchema":"4BDH115W39MQD","role":"3275W94TPF1AC","#,
    r#""workflow":"CDHWNBEQ7RF29","threadStart":"64QJPP11X6YV1","threadStep":"F8M8Q93AYPHT1","#,
    r#""threadEnd":"F5Z08Q6C9JKSE","content":"3EPSJXYZNGYDR","reactSession":"5BV40BMSYS7J9","#,
    r#""reactTurn":"FSAGRF7WEJ9HE","reactToolCall":"EFT6QMJXZCHWW"}"#,
    "\n"
);

const REGISTER: [&str; 4] = ["cas", "schema", "register", "json-cas-workflow"];

#[test]
fn the_eleven_schemas_are_registered_once_and_named_every_time() {
    let environment = Environment::new();
    assert_eq!(environment.ok(&REGISTER), REGISTERED);
    let before = environment.snapshot();
    assert_eq!(environment.ok(&REGISTER), REGISTERED);
    assert!(before == environment.snapshot());
    let listed = environment.json(&["cas", "schema", "list"]);
    assert_eq!(listed.as_array().unwrap().len(), 5 + 11);
}

#[test]
fn nodes_of_them_are_put_checked_and_walked() {
    let environment = Environment::new();
    environment.ok(&REGISTER);
    let put = |type_hash: &str, payload: &str| {
        let put = environment.json(&["cas", "put", type_hash, payload]);
        put["hash"].as_str().unwrap().to_owned()
    };
    let schema = put("4BDH115W39MQD", r#"{"type":"object"}"#);
    let role = put(
        "3275W94TPF1AC",
        &format!(
            r#"{{"name":"a","description":"","systemPrompt":"","extractPrompt":"","schema":"{schema}"}}"#
        ),
    );
    let workflow = put(
        "CDHWNBEQ7RF29",
        &format!(
            r#"{{"name":"demo","description":"","roles":{{"a":"{role}"}},"moderator":[{{"from":"a","to":"b","when":null}}]}}"#
        ),
    );
    assert_eq!(
        environment.ok(&["cas", "walk", &workflow]),
        format!("{{\"hashes\":[\"{workflow}\",\"{role}\",\"{schema}\"]}}\n")
    );
    let ran = environment.run(&["cas", "put", "CDHWNBEQ7RF29", r#"{"name":"demo"}"#]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    assert!(ran.stderr.contains("moderator"), "{}", ran.stderr);
}

#[test]
fn a_package_that_is_not_known_is_a_usage_error_that_lists_what_is() {
    let environment = Environment::new();
    let ran = environment.run(&["cas", "schema", "register", "json-cas"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert_eq!(
        ran.stderr,
        "error: invalid value 'json-cas' for '<PACKAGE>'\n  [possible values: json-cas-workflow]\n\n  \
         tip: a similar value exists: 'json-cas-workflow'\n\nFor more information, try '--help'.\n"
    );
    assert!(!environment.root().exists());
}
