//! Several at once: none loses what another wrote.

use std::collections::BTreeSet;

use super::NOWHERE;
use crate::environment::{Environment, Ran};

#[test]
fn setups_at_once_keep_all_that_each_of_them_wrote() {
    let environment = Environment::new();
    let names: Vec<_> = (0..8).map(|number| format!("p{number}")).collect();
    let running: Vec<_> = names
        .iter()
        .map(|name| {
            let mut arguments = vec!["setup", "--provider", name, "--base-url", NOWHERE];
            arguments.extend(["--model", name, "--api-key", name]);
            environment.spawn(&arguments)
        })
        .collect();
    for child in running {
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    let config = environment.config();
    let env = environment.read_in_root(".env");
    for name in &names {
        let variable = name.to_uppercase() + "_API_KEY";
        let provider = format!("  {name}:\n    baseUrl: {NOWHERE}\n    apiKeyEnv: {variable}\n");
        assert!(config.contains(&provider), "{config}");
        let model = format!("    provider: {name}\n    name: {name}\n");
        assert!(config.contains(&model), "{config}");
    }
    let lines: BTreeSet<_> = env.lines().map(str::to_owned).collect();
    let wanted = names
        .iter()
        .map(|name| format!("{}_API_KEY={name}", name.to_uppercase()));
    assert_eq!(lines, wanted.collect());
    let left: Vec<_> = environment
        .snapshot()
        .into_iter()
        .filter(|(path, _)| path.to_string_lossy().contains(".new-"))
        .collect();
    assert_eq!(left, []);
}
