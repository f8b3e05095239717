//! What the README shows is run as it stands there.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::environment::Environment;
use crate::model_server::{ModelServer, Reply};

/// The shell block below the comment `<!-- tested… -->`.
fn block(readme: &str, marker: &str) -> String {
    let (_, after) = readme
        .split_once(&format!("<!-- {marker} -->\n```sh\n"))
        .unwrap();
    after.split_once("```\n").unwrap().0.to_owned()
}

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

#[test]
fn the_tour_runs_as_it_is_written() {
    let environment = Environment::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    std::os::unix::fs::symlink(examples, environment.work().join("examples")).unwrap();
    let planner = environment.program("planner", "");
    fs::write(&planner, block(&readme(), "tested: planner")).unwrap();
    fs::rename(&planner, environment.work().join("planner")).unwrap();

    let ran = environment.shell(&format!("set -e\n{}", block(&readme(), "tested")));
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (Some(0), ""),
        "{}",
        ran.stdout
    );
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(
        lines[0].starts_with(r#"{"name":"solve-issue","hash":""#),
        "{}",
        lines[0]
    );
    assert!(
        ran.stdout.contains("\n## Step 1: planner `"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("\nThe target is lost in `login()`, src/login.c:42.\n")
    );
    assert!(
        ran.stdout.contains(r#","archived":true}"#),
        "{}",
        ran.stdout
    );
    let prompt = fs::read_to_string(environment.work().join("prompt.txt")).unwrap();
    assert!(
        prompt.contains("## Task\n\nThe login page redirects to itself\n"),
        "{prompt}"
    );
}

#[test]
fn the_commands_of_every_day_run_as_they_are_written() {
    let environment = Environment::new();
    let planner = environment.program("planner", "");
    fs::write(&planner, block(&readme(), "tested: planner")).unwrap();
    fs::rename(&planner, environment.work().join("planner")).unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/solve-issue.yaml");
    environment.run(&["workflow", "put", example.to_str().unwrap()]);

    let script = format!("set -e\n{}", block(&readme(), "tested: every day"));
    let ran = environment.shell(&script);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(
        lines[2].contains(r#""done":false,"status":"active","next":""#),
        "{}",
        lines[2]
    );
    assert!(
        lines[3].ends_with(r#","visit":1,"model":null,"turns":1,"usage":null}]}"#),
        "{}",
        lines[3]
    );
    assert!(lines[4].starts_with(r#"[{"thread":""#), "{}", lines[4]);
    assert!(lines[5].ends_with(r#","archived":true}"#), "{}", lines[5]);
    assert_eq!(
        lines.len(),
        9,
        "a start and a step are followed:\n{}",
        ran.stdout
    );
    assert_eq!(lines[8], r#"{"hash":"7FKEJ57H3N4B2"}"#);
}

/// What a model says in a debate in which the opponent gives in at once.
const DEBATE: [&str; 3] = [
    "---\nargument: A warning is a defect that was found early.\ngivesIn: false\n---\nThat is why.",
    "---\nargument: Nothing to be said against it.\ngivesIn: true\n---\nWell.",
    "---\nwinner: proponent\ndecidedBy: The opponent gave in.\n---\n",
];

#[test]
fn a_newcomer_with_an_address_and_a_key_comes_to_the_end() {
    let word = json!({"choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}]});
    let server = ModelServer::new([Reply::json(200, &word)]);
    let environment = Environment::new();
    std::os::unix::fs::symlink(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("examples"),
        environment.work().join("examples"),
    )
    .unwrap();
    environment.write("key.txt", "sk-0123456789\n");
    let by_options = block(&readme(), "tested: setup").replace("$MODEL_URL", &server.url());
    let (with_a_model, another_agent) = by_options.split_once('\n').unwrap();
    let ran = environment.shell(with_a_model);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");

    // Instead of the questions that `uwf setup` asks on a terminal.
    let script = block(&readme(), "tested: with a model");
    let (asked, rest) = script.split_once('\n').unwrap();
    assert!(asked.starts_with("uwf setup "));
    server.now_answers(DEBATE.map(Reply::says));
    let ran = environment.shell(&format!("set -e\n{rest}"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains(r#""done":true}]"#), "{ran:?}");
    assert!(ran.stdout.contains("That is why."), "{ran:?}");

    let ran = environment.shell(another_agent);
    assert!(
        ran.stdout.contains(r#""defaultAgent":"claude-code""#),
        "{ran:?}"
    );
}

#[test]
fn the_workflow_and_the_configuration_it_shows_are_right() {
    let environment = Environment::new();
    let readme = readme();
    let yaml = |beginning: &str| {
        let (_, after) = readme.split_once(&format!("```yaml\n{beginning}")).unwrap();
        format!("{beginning}{}", after.split_once("```\n").unwrap().0)
    };
    environment.write("review.yaml", &yaml("name: review"));
    environment.ok(&["workflow", "put", "review.yaml"]);
    environment.write_in_root("config.yaml", &yaml("# config.yaml"));
    let thread = environment.start("review", "a poem");
    // The configuration is read without a word, and lacks nothing but the key.
    let ran = environment.run(&["thread", "step", &thread]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(
        ran.stderr.contains(
            "error: agent `builtin` failed: the key of provider `mine` is not set: MINE_API_KEY is"
        ),
        "{}",
        ran.stderr
    );
}

#[test]
fn every_example_is_registered_without_a_word() {
    let environment = Environment::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut put = Vec::new();
    for entry in fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "yaml")
        {
            environment.ok(&["workflow", "put", path.to_str().unwrap()]);
            put.push(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    put.sort();
    assert_eq!(
        put,
        ["analyze-topic", "debate", "repository-gate", "solve-issue"]
    );
}
