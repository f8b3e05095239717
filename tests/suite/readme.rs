//! What the README shows is run as it stands there.

use std::fs;
use std::path::Path;

use crate::environment::Environment;

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
    // Under a name that no program has: where the real one is installed, it is not run.
    let config = yaml("# config.yaml").replace("command: claude\n", "command: no-such-claude\n");
    environment.write_in_root("config.yaml", &config);
    let thread = environment.start("review", "a poem");
    // The configuration is read, and names a program that is not there.
    let ran = environment.run(&["thread", "step", &thread]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let stderr = "error: cannot start agent `claude`\n  because: there is no program `no-such-claude` in PATH";
    assert!(
        ran.stderr
            .starts_with("warning: agent `claude` is to get `ANTHROPIC_API_KEY`"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains(stderr), "{}", ran.stderr);
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
