//! Where the storage root is.

use crate::environment::{Environment, Ran};

/// The storage root that a call with these variables writes into, from the temporary folder.
fn written_root(environment: &Environment, variables: &[(&str, &str)]) -> Vec<String> {
    let mut command = environment.command(&["cas", "put-text", "hi"]);
    command
        .env_remove("UNCAGED_WORKFLOW_STORAGE_ROOT")
        .envs(variables.iter().copied());
    let ran = Ran::from(command.output().unwrap());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let roots = [
        environment.home().join(".uncaged/workflow"),
        environment.work().join("first"),
        environment.work().join("second"),
    ];
    let written = |root: &&std::path::PathBuf| root.join("cas/D0C8Z3JTGNQ51.bin").is_file();
    let names = roots
        .iter()
        .filter(written)
        .map(|root| root.file_name().unwrap());
    names
        .map(|name| name.to_str().unwrap().to_owned())
        .collect()
}

#[test]
fn without_variables_the_storage_root_is_in_the_home_folder() {
    let environment = Environment::new();
    assert_eq!(written_root(&environment, &[]), ["workflow"]);
}

#[test]
fn the_second_variable_names_the_storage_root_and_it_may_be_relative() {
    let environment = Environment::new();
    let variables = [("WORKFLOW_STORAGE_ROOT", "second")];
    assert_eq!(written_root(&environment, &variables), ["second"]);
}

#[test]
fn the_first_variable_wins_over_the_second() {
    let environment = Environment::new();
    let variables = [
        ("UNCAGED_WORKFLOW_STORAGE_ROOT", "first"),
        ("WORKFLOW_STORAGE_ROOT", "second"),
    ];
    assert_eq!(written_root(&environment, &variables), ["first"]);
}

#[test]
fn a_variable_that_is_empty_counts_as_not_set() {
    let environment = Environment::new();
    let variables = [
        ("UNCAGED_WORKFLOW_STORAGE_ROOT", ""),
        ("WORKFLOW_STORAGE_ROOT", "second"),
    ];
    assert_eq!(written_root(&environment, &variables), ["second"]);
    let environment = Environment::new();
    let variables = [
        ("UNCAGED_WORKFLOW_STORAGE_ROOT", ""),
        ("WORKFLOW_STORAGE_ROOT", ""),
    ];
    assert_eq!(written_root(&environment, &variables), ["workflow"]);
}

#[test]
fn without_variables_and_home_it_is_said_what_to_set() {
    let environment = Environment::new();
    let mut command = environment.command(&["workflow", "list"]);
    command
        .env_remove("UNCAGED_WORKFLOW_STORAGE_ROOT")
        .env_remove("HOME");
    let stderr = "error: cannot find the storage root: UNCAGED_WORKFLOW_STORAGE_ROOT is not set, \
                  and neither is HOME
hint: set UNCAGED_WORKFLOW_STORAGE_ROOT to the folder that is to hold everything
";
    assert_eq!(
        Ran::from(command.output().unwrap()),
        Ran {
            code: Some(1),
            stdout: String::new(),
            stderr: stderr.to_owned()
        }
    );
}
