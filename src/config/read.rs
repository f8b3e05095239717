//! From the text of `config.yaml` to [`Config`]: the one place that knows its keys.

use std::path::Path;
use std::time::Duration;

use super::agent::{Limits, check_variable_name, parse_budget};
use super::duration;
use super::finding::{Finding, suggested};
use super::reader::{Reader, join};
use super::settings::{AgentEntry, Config, Model, PromptBy, Protocol, Provider};
use crate::yaml::{self, Entry, Mark, Node, Strictness};

const KEYS: [&str; 7] = [
    "providers",
    "models",
    "agents",
    "defaultAgent",
    "agentOverrides",
    "defaultModel",
    "modelOverrides",
];
const PROVIDER_KEYS: [&str; 2] = ["baseUrl", "apiKeyEnv"];
const MODEL_KEYS: [&str; 2] = ["provider", "name"];
const AGENT_KEYS: [&str; 8] = [
    "command",
    "args",
    "protocol",
    "prompt",
    "env",
    "timeout",
    "idleTimeout",
    "maxBudgetUsd",
];

/// Reads the text; `path` is what messages call it. A file with nothing in it sets nothing up.
pub fn config(text: &str, path: &Path) -> Result<Config, Vec<Finding>> {
    let mut reader = Reader::new(path);
    let mut config = Config {
        path: path.to_owned(),
        ..Config::default()
    };
    match yaml::parse(text, Strictness::Strict) {
        Ok(Some(document)) => {
            fill(&mut config, &mut reader, &document);
            reader.faults.sort_by_key(|finding| finding.mark);
            reader.warnings.sort_by_key(|finding| finding.mark);
        }
        Ok(None) => {}
        Err(fault) => {
            reader.fault(fault.mark, fault.message);
            if let Some((what, mark)) = fault.related {
                reader.fault(mark, what);
            }
        }
    }
    if reader.faults.is_empty() {
        config.warnings = reader.warnings;
        Ok(config)
    } else {
        Err(reader.faults)
    }
}

fn fill(config: &mut Config, reader: &mut Reader<'_>, document: &Node) {
    reader.expect_keys(document, "", &KEYS);
    for entry in reader.entries_of(document, "providers") {
        let provider = provider(reader, entry);
        config.providers.insert(entry.key.clone(), provider);
    }
    for entry in reader.entries_of(document, "models") {
        let model = model(reader, entry);
        config.models.insert(entry.key.clone(), model);
    }
    for entry in reader.entries_of(document, "agents") {
        let agent = agent(reader, entry);
        config.agents.insert(entry.key.clone(), agent);
    }
    config.default_agent = reader.reference(document, "", "defaultAgent");
    agent_overrides(config, reader, document);
    config.default_model = reader.reference(document, "", "defaultModel");
    for entry in reader.entries_of(document, "modelOverrides") {
        let what = join("modelOverrides", &entry.key);
        if let Some(reference) = reader.reference_of(&entry.value, &what) {
            config.model_overrides.insert(entry.key.clone(), reference);
        }
    }
}

fn provider(reader: &mut Reader<'_>, entry: &Entry) -> Provider {
    let (node, what) = (&entry.value, join("providers", &entry.key));
    reader.expect_keys(node, &what, &PROVIDER_KEYS);
    Provider {
        base_url: reader.text(node, &what, "baseUrl"),
        api_key_env: reader.text(node, &what, "apiKeyEnv"),
        mark: entry.key_span.start,
    }
}

fn model(reader: &mut Reader<'_>, entry: &Entry) -> Model {
    let (node, what) = (&entry.value, join("models", &entry.key));
    reader.expect_keys(node, &what, &MODEL_KEYS);
    Model {
        provider: reader.reference(node, &what, "provider"),
        name: reader.text(node, &what, "name"),
        mark: entry.key_span.start,
    }
}

fn agent(reader: &mut Reader<'_>, entry: &Entry) -> AgentEntry {
    let (node, what) = (&entry.value, join("agents", &entry.key));
    reader.expect_keys(node, &what, &AGENT_KEYS);
    AgentEntry {
        command: reader.text(node, &what, "command"),
        args: reader.words(node, &what, "args"),
        protocol: protocol(reader, node, &what),
        env: environment_names(reader, node, &what),
        prompt: prompt_by(reader, node, &what),
        timeout: limit(reader, node, &what, "timeout", Limits::STANDARD.total),
        idle_timeout: limit(reader, node, &what, "idleTimeout", Limits::STANDARD.idle),
        max_budget_usd: budget(reader, node, &what),
        mark: entry.key_span.start,
    }
}

fn agent_overrides(config: &mut Config, reader: &mut Reader<'_>, document: &Node) {
    for workflow in reader.entries_of(document, "agentOverrides") {
        let what = join("agentOverrides", &workflow.key);
        let roles = config
            .agent_overrides
            .entry(workflow.key.clone())
            .or_default();
        for entry in reader.entries(&workflow.value, &what) {
            match entry.key.parse() {
                Ok(role) => {
                    let what = join(&what, &entry.key);
                    if let Some(reference) = reader.reference_of(&entry.value, &what) {
                        roles.insert(role, reference);
                    }
                }
                Err(error) => reader.fault(entry.key_span.start, format!("`{what}`: {error}")),
            }
        }
    }
}

fn protocol(reader: &mut Reader<'_>, node: &Node, what: &str) -> Protocol {
    let Some(text) = reader.text(node, what, "protocol") else {
        return Protocol::default();
    };
    text.parse().unwrap_or_else(|error| {
        let suggestion = suggested(&text, Protocol::NAMES);
        let mark = place(node, "protocol");
        reader.fault(mark, format!("`{what}.protocol`: {error}{suggestion}"));
        Protocol::default()
    })
}

fn environment_names(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<String> {
    let names = reader.words(node, what, "env");
    for name in &names {
        if let Err(why) = check_variable_name(name) {
            let message = format!("`{what}.env` lists the names of variables: {why}");
            reader.fault(place(node, "env"), message);
        }
    }
    names
}

fn prompt_by(reader: &mut Reader<'_>, node: &Node, what: &str) -> Option<PromptBy> {
    let text = reader.text(node, what, "prompt")?;
    text.parse()
        .map_err(|error| {
            let suggestion = suggested(&text, PromptBy::NAMES);
            let message = format!("`{what}.prompt`: {error}{suggestion}");
            reader.fault(place(node, "prompt"), message);
        })
        .ok()
}

/// A limit of time: the standard one where the entry has none.
fn limit(
    reader: &mut Reader<'_>,
    node: &Node,
    what: &str,
    key: &str,
    standard: Option<Duration>,
) -> Option<Duration> {
    let Some(value) = node.get(key).filter(|value| !value.is_null()) else {
        return standard;
    };
    // As it was written: a bare number is told that it lacks a unit, not quotes.
    let text = reader.written(value, &join(what, key))?;
    duration::parse(&text).unwrap_or_else(|message| {
        reader.fault(value.span.start, format!("`{what}.{key}`: {message}"));
        None
    })
}

fn budget(reader: &mut Reader<'_>, node: &Node, what: &str) -> Option<f64> {
    let value = node.get("maxBudgetUsd").filter(|value| !value.is_null())?;
    let text = reader.written(value, &join(what, "maxBudgetUsd"))?;
    parse_budget(&text)
        .map_err(|message| {
            reader.fault(
                value.span.start,
                format!("`{what}.maxBudgetUsd`: {message}"),
            );
        })
        .ok()
}

fn place(node: &Node, key: &str) -> Mark {
    node.get(key).unwrap_or(node).span.start
}

#[cfg(test)]
mod tests;
