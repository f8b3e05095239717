//! A workflow that can be stored: the nodes it becomes, their hashes, and putting them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::draft::{ConditionDraft, Draft, EdgeDraft, RoleDraft, SourceDraft, When};
use crate::cas::{self, CasError, Store, known};
use crate::model::{Condition, Edge, Hash, Place, Role, RoleName, Workflow};

/// A workflow without faults, as its file defines it.
///
/// Its hash is known without a store: whoever only looks at a file writes nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    workflow: Workflow,
    /// The schema nodes that the roles name, each with its title, in the order of the file: the
    /// order in which they are stored shows in the store's index.
    schemas: Vec<(RoleName, Value)>,
}

impl Definition {
    /// The definition of a draft that has no gaps and whose names are sound.
    pub(super) fn of(draft: &Draft<'_>) -> Option<Self> {
        let workflow_name = draft.name?.value;
        let mut schemas = Vec::new();
        let mut roles = BTreeMap::new();
        for role in draft.roles.as_ref()? {
            let name: RoleName = role.name.value.parse().ok()?;
            let schema = titled(role.schema?.to_value(), workflow_name, &name);
            roles.insert(name.clone(), complete_role(role, &schema)?);
            schemas.push((name, schema));
        }
        let conditions = draft.conditions.as_ref()?.iter().map(complete_condition);
        let graph = draft.graph.as_ref()?.sources.iter().map(complete_source);
        let workflow = Workflow {
            name: workflow_name.to_owned(),
            description: draft.description?.to_owned(),
            roles,
            conditions: conditions.collect::<Option<_>>()?,
            graph: graph.collect::<Option<_>>()?,
        };
        Some(Self { workflow, schemas })
    }

    /// The workflow as the moderator uses it.
    pub fn workflow(&self) -> &Workflow {
        &self.workflow
    }

    /// The schema of each role, as it is stored, in the order of the file.
    #[cfg(test)]
    pub fn schemas(&self) -> &[(RoleName, Value)] {
        &self.schemas
    }

    /// The payload of its Workflow node, its keys in the order in which they are stored.
    pub fn payload(&self) -> Value {
        cas::in_stored_order(&json!(self.workflow))
    }

    /// The hash of its Workflow node.
    pub fn hash(&self) -> Hash {
        cas::hash_of(known::WORKFLOW.as_str(), &self.payload())
    }

    /// Bytes of everything it becomes, written as JSON.
    pub(super) fn size(&self) -> usize {
        let schemas = self.schemas.iter();
        let schemas = schemas.map(|(_, schema)| schema.to_string().len());
        self.payload().to_string().len() + schemas.sum::<usize>()
    }

    /// Stores the schemas and the workflow that names them; gives the workflow's hash.
    pub fn store(&self, store: &Store, now_ms: u64) -> Result<Hash, CasError> {
        for (_, schema) in &self.schemas {
            store.put_schema(schema, now_ms)?;
        }
        store.put(&known::WORKFLOW, &self.payload(), now_ms)
    }
}

/// The schema of a role, under the title `<workflow>.<role>` when it has none of its own.
fn titled(schema: Value, workflow: &str, role: &RoleName) -> Value {
    match schema {
        Value::Object(mut map) => {
            map.entry("title")
                .or_insert_with(|| format!("{workflow}.{role}").into());
            Value::Object(map)
        }
        other => other,
    }
}

fn complete_role(role: &RoleDraft<'_>, schema: &Value) -> Option<Role> {
    let capabilities = role.capabilities.as_ref()?;
    Some(Role {
        description: role.description?.to_owned(),
        goal: role.goal?.to_owned(),
        capabilities: capabilities.iter().copied().map(str::to_owned).collect(),
        procedure: role.procedure?.to_owned(),
        output: role.output?.to_owned(),
        frontmatter: cas::hash_of(known::META_SCHEMA.as_str(), schema),
    })
}

fn complete_condition(condition: &ConditionDraft<'_>) -> Option<(String, Condition)> {
    let (expression, _) = condition.expression?;
    let complete = Condition {
        description: condition.description?.to_owned(),
        expression: expression.to_owned(),
    };
    Some((condition.name.value.to_owned(), complete))
}

fn complete_source(source: &SourceDraft<'_>) -> Option<(Place, Vec<Edge>)> {
    let place = source.name.value.parse().ok()?;
    let edges = source.edges.as_ref()?.iter().map(complete_edge);
    Some((place, edges.collect::<Option<_>>()?))
}

fn complete_edge(edge: &EdgeDraft<'_>) -> Option<Edge> {
    let condition = match edge.when {
        When::Always => None,
        When::Holds(condition) => Some(condition.value.to_owned()),
        When::Faulty => return None,
    };
    Some(Edge {
        role: edge.target?.value.parse().ok()?,
        condition,
        prompt: edge.prompt?.value.to_owned(),
    })
}
