//! What is shown and listed of workflows, local ones too.

use std::fs;

use super::relay;
use crate::environment::{Environment, evidence};

#[test]
fn a_local_file_is_shown_as_it_would_be_stored_and_nothing_is_stored() {
    let environment = Environment::new();
    fs::create_dir(environment.work().join(".workflow")).unwrap();
    let local = environment.work().join(".workflow/triage-report.yaml");
    fs::copy(evidence("triage-report.yaml"), local).unwrap();
    let golden = Environment::with_golden_store();
    let stored = golden.ok(&["workflow", "show", "triage-report"]);
    let (before, _) = stored.split_once(",\"timestamp\":").unwrap();
    for asked in ["triage-report", ".workflow/triage-report.yaml"] {
        let shown = environment.ok(&["workflow", "show", asked]);
        assert_eq!(shown, format!("{before},\"timestamp\":null}}\n"));
    }
    assert!(!environment.root().exists());
}

#[test]
fn a_workflow_is_shown_as_yaml() {
    let environment = Environment::new();
    environment.write(
        "empty.yaml",
        "name: empty\ndescription: \"no: role\"\nroles: {}\nconditions: {}\ngraph: {}\n",
    );
    let shown = environment.ok(&["workflow", "show", "empty.yaml", "--format", "yaml"]);
    let (first, rest) = shown.split_once('\n').unwrap();
    assert_eq!(
        rest,
        "name: empty
type: 21AME01DDP1EB
payload:
  name: empty
  graph: {}
  roles: {}
  conditions: {}
  description: \"no: role\"
timestamp: null
"
    );
    let put = environment.ok(&["workflow", "put", "empty.yaml", "--format", "yaml"]);
    assert_eq!(put, format!("name: empty\n{first}\n"));
}

#[test]
fn local_workflows_are_listed_by_name_before_the_registered_ones() {
    let environment = Environment::new();
    for name in ["zebra", "relay"] {
        environment.write(&format!("{name}.yaml"), &relay(name, "registered"));
        environment.ok(&["workflow", "put", &format!("{name}.yaml")]);
    }
    let hash = |name: &str| {
        let hash = environment.json(&["workflow", "show", name])["hash"].clone();
        hash.as_str().unwrap().to_owned()
    };
    let (zebra, registered) = (hash("zebra"), hash("relay"));
    environment.write(".workflow/relay.yml", &relay("relay", "local"));
    environment.write(
        ".workflow/another.yaml",
        "faulty: it is listed all the same\n",
    );
    environment.write(".workflow/notes.txt", "not a workflow\n");
    fs::create_dir(environment.work().join(".workflow/folder.yaml")).unwrap();
    assert_eq!(
        environment.ok(&["workflow", "list"]),
        format!(
            "[{{\"name\":\"another\",\"hash\":\"(local)\",\"origin\":\"local\"}},\
             {{\"name\":\"relay\",\"hash\":\"(local)\",\"origin\":\"local\"}},\
             {{\"name\":\"zebra\",\"hash\":\"{zebra}\",\"origin\":\"global\"}},\
             {{\"name\":\"relay\",\"hash\":\"{registered}\",\"origin\":\"global\"}}]\n"
        )
    );
    assert_eq!(
        environment.ok(&["workflow", "list", "--format", "yaml"]),
        format!(
            "- name: another
  hash: (local)
  origin: local
- name: relay
  hash: (local)
  origin: local
- name: zebra
  hash: {zebra}
  origin: global
- name: relay
  hash: {registered}
  origin: global
"
        )
    );
}

#[test]
fn a_workflow_that_is_put_again_keeps_its_place_and_old_threads_keep_theirs() {
    let environment = Environment::with_relay();
    let old = environment.json(&["workflow", "show", "relay"])["hash"].clone();
    let thread = environment.start("relay", "a poem");
    environment.write("other.yaml", &relay("other", "d"));
    environment.ok(&["workflow", "put", "other.yaml"]);
    environment.write("relay.yaml", &relay("relay", "changed"));
    let new = environment.json(&["workflow", "put", "relay.yaml"])["hash"].clone();
    assert_ne!(old, new);
    let list = environment.json(&["workflow", "list"]);
    let names: Vec<_> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["name"])
        .collect();
    assert_eq!(names, ["relay", "other"]);
    assert_eq!(list[0]["hash"], new);
    assert_eq!(
        environment.json(&["thread", "show", &thread])["workflow"],
        old
    );
}
