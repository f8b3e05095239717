//! Workflow files: what is refused and warned about, how a workflow is found, what is shown of it.

mod found;
mod refused;
mod routing;
mod shown;
mod warned;

use std::path::Path;

use serde_json::Value;

use crate::environment::{Environment, RELAY};

/// `RELAY` under another name, told apart by its description.
fn relay(name: &str, description: &str) -> String {
    RELAY
        .replacen("name: relay", &format!("name: {name}"), 1)
        .replacen("One writes, the other reads", description, 1)
}

fn description_of(environment: &Environment, folder: &Path, workflow: &str) -> Option<String> {
    let ran = environment.run_in(folder, &["workflow", "show", workflow]);
    if ran.code != Some(0) {
        return None;
    }
    let shown: Value = serde_json::from_str(&ran.stdout).unwrap();
    Some(shown["payload"]["description"].as_str().unwrap().to_owned())
}
