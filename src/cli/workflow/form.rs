//! A stored workflow as people read it: the graph as one table, keys in the order of a file.

use serde_json::{Map, Value, json};

/// The order in which a workflow file is written, and read.
const ROLE: [&str; 6] = [
    "description",
    "goal",
    "capabilities",
    "procedure",
    "output",
    "frontmatter",
];

/// What `workflow show` prints, in another order. Nothing but the node's type is left out.
pub fn for_people(shown: &Value) -> Value {
    let payload = &shown["payload"];
    let mut form = Map::new();
    for key in ["name", "hash"] {
        form.insert(key.to_owned(), shown[key].clone());
    }
    form.insert("description".to_owned(), payload["description"].clone());
    form.insert("timestamp".to_owned(), shown["timestamp"].clone());
    form.insert("roles".to_owned(), roles(&payload["roles"]));
    form.insert("conditions".to_owned(), conditions(&payload["conditions"]));
    form.insert("graph".to_owned(), graph(&payload["graph"]));
    Value::Object(form)
}

fn roles(roles: &Value) -> Value {
    let Some(roles) = roles.as_object() else {
        return roles.clone();
    };
    let in_order = |role: &Value| match role.as_object() {
        Some(role) => {
            let first = ROLE.iter().filter_map(|key| role.get_key_value(*key));
            let rest = role.iter().filter(|(key, _)| !ROLE.contains(&key.as_str()));
            let pairs = first.chain(rest);
            pairs
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect()
        }
        None => role.clone(),
    };
    roles
        .iter()
        .map(|(name, role)| (name.clone(), in_order(role)))
        .collect()
}

fn conditions(conditions: &Value) -> Value {
    let Some(conditions) = conditions.as_object() else {
        return conditions.clone();
    };
    let row = |(name, condition): (&String, &Value)| {
        json!({
            "name": name,
            "expression": condition["expression"],
            "description": condition["description"],
        })
    };
    conditions.iter().map(row).collect()
}

fn graph(graph: &Value) -> Value {
    let Some(graph) = graph.as_object() else {
        return graph.clone();
    };
    let edges = graph.iter().flat_map(|(from, edges)| {
        let edges = edges.as_array().map(Vec::as_slice).unwrap_or_default();
        edges.iter().map(move |edge| {
            json!({
                "from": from,
                "to": edge["role"],
                "condition": edge["condition"],
                "prompt": edge["prompt"],
            })
        })
    });
    edges.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::output::text::{Look, to_string};

    #[test]
    fn a_workflow_reads_like_its_file() {
        let shown = json!({
            "hash": "6HA1S8JMB29J3",
            "name": "review",
            "type": "21AME01DDP1EB",
            "payload": {
                "name": "review",
                "graph": {
                    "$START": [{"role": "writer", "prompt": "Write.", "condition": null}],
                    "writer": [
                        {"role": "writer", "prompt": "Again.", "condition": "poor"},
                        {"role": "$END", "prompt": "Done.", "condition": null},
                    ],
                },
                "roles": {"writer": {
                    "goal": "A text.",
                    "procedure": "Write it,\nthen read it.",
                    "description": "Writes",
                    "frontmatter": "BCC0VRPJG3H5P",
                    "capabilities": ["writing", "reading"],
                }},
                "conditions": {"poor": {"expression": "$last('writer').poor", "description": "It is poor"}},
                "description": "Write until it is good",
            },
            "timestamp": 1_796_044_960_000_u64,
        });
        assert_eq!(
            to_string(&for_people(&shown), Look::default()),
            "\
name         review
hash         6HA1S8JMB29J3
description  Write until it is good
timestamp    2026-11-30 13:22:40 UTC

roles
  writer
    description   Writes
    goal          A text.
    capabilities  writing, reading
    procedure
      Write it,
      then read it.
    frontmatter   BCC0VRPJG3H5P

conditions
  name  expression            description
  poor  $last('writer').poor  It is poor

graph
  from    to      condition  prompt
  $START  writer  -          Write.
  writer  writer  poor       Again.
  writer  $END    -          Done.
"
        );
    }
}
