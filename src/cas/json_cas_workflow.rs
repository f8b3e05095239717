//! The node types of the package json-cas-workflow: workflows, threads and the conversations
//! behind their steps, as programs beside this one store them.
//!
//! Each payload is defined once, as a Rust type; the schema of its nodes is read off it. Nothing
//! here runs such a workflow.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::error::Result;
use super::shape;
use super::store::Store;
use crate::model::Hash;

/// Stores the schemas of all payloads, and says what each is called: its name in the package and
/// its node. What is stored already stays as it is.
pub fn register(store: &Store, now: u64) -> Result<Vec<(&'static str, Hash)>> {
    let register = |(name, schema): (_, Value)| Ok((name, store.put_schema(&schema, now)?));
    schemas().into_iter().map(register).collect()
}

fn schemas() -> [(&'static str, Value); 11] {
    [
        ("agent", Agent::schema()),
        ("roleSchema", RoleSchema::schema()),
        ("role", Role::schema()),
        ("workflow", Workflow::schema()),
        ("threadStart", ThreadStart::schema()),
        ("threadStep", ThreadStep::schema()),
        ("threadEnd", ThreadEnd::schema()),
        ("content", Content::schema()),
        ("reactSession", ReactSession::schema()),
        ("reactTurn", ReactTurn::schema()),
        ("reactToolCall", ReactToolCall::schema()),
    ]
}

/// A type whose JSON has a schema.
trait Described {
    fn schema() -> Value;
}

impl Described for String {
    fn schema() -> Value {
        shape::text()
    }
}

impl Described for f64 {
    fn schema() -> Value {
        shape::number()
    }
}

impl Described for Hash {
    fn schema() -> Value {
        shape::reference()
    }
}

impl Described for Map<String, Value> {
    fn schema() -> Value {
        shape::any_object()
    }
}

impl<T: Described> Described for Option<T> {
    fn schema() -> Value {
        shape::or_null(&T::schema())
    }
}

impl<T: Described> Described for Vec<T> {
    fn schema() -> Value {
        shape::list(&T::schema())
    }
}

impl<T: Described> Described for BTreeMap<String, T> {
    fn schema() -> Value {
        shape::map(&T::schema())
    }
}

/// A struct and, of the same fields in the same order, its schema: a closed object that requires
/// all of them.
macro_rules! payload {
    (
        $(#[$about:meta])*
        $name:ident { $( $(#[$field_about:meta])* $field:ident: $type:ty, )+ }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct $name {
            $( $(#[$field_about])* pub $field: $type, )+
        }

        impl Described for $name {
            fn schema() -> Value {
                closed_object([ $( (stringify!($field), <$type>::schema()) ),+ ])
            }
        }
    };
}

fn closed_object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let properties: Map<String, Value> = fields
        .into_iter()
        .map(|(field, schema)| (camel_case(field), schema))
        .collect();
    let required: Vec<&str> = properties.keys().map(String::as_str).collect();
    shape::object(&required, &Value::Object(properties.clone()))
}

/// `system_prompt` as the stored key, `systemPrompt`.
fn camel_case(field: &str) -> String {
    let mut words = field.split('_');
    let mut key = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(word.len().min(1));
        key.push_str(&first.to_ascii_uppercase());
        key.push_str(rest);
    }
    key
}

payload! {
    /// A program that does the work of roles.
    Agent {
        /// The package it comes in.
        package: String,
        /// The package's version.
        version: String,
        /// How it is set up.
        config: Map<String, Value>,
    }
}

/// A JSON Schema for what a role gives: any object.
pub type RoleSchema = Map<String, Value>;

payload! {
    /// What one role of a workflow is told.
    Role {
        /// What it is called.
        name: String,
        /// What it is for.
        description: String,
        /// What its model is told before anything else.
        system_prompt: String,
        /// How its result is taken from what it said.
        extract_prompt: String,
        /// The [`RoleSchema`] of its result.
        schema: Hash,
    }
}

payload! {
    /// One way from a place of a workflow to the next.
    Transition {
        /// The place it leads from.
        from: String,
        /// The place it leads to.
        to: String,
        /// The condition under which it is taken; none: always.
        when: Option<String>,
    }
}

payload! {
    /// Roles, and the ways between them.
    Workflow {
        /// What it is called.
        name: String,
        /// What it is for.
        description: String,
        /// Each [`Role`] by its name.
        roles: BTreeMap<String, Hash>,
        /// The ways, in the order in which they are tried.
        moderator: Vec<Transition>,
    }
}

payload! {
    /// How a thread begins.
    ThreadStart {
        /// The [`Workflow`] it runs.
        workflow: Hash,
        /// What it was asked.
        input: String,
        /// How many threads it is nested in.
        depth: f64,
        /// The thread that began it, if one did.
        parent_thread: Option<Hash>,
        /// The [`Agent`] of each role.
        agents: BTreeMap<String, Hash>,
    }
}

payload! {
    /// One role's turn in a thread.
    ThreadStep {
        /// The role.
        role: String,
        /// Its result, which fits the role's schema.
        meta: Map<String, Value>,
        /// The [`Content`] with its words.
        content: Hash,
        /// The [`ReactSession`] it came about in.
        react: Hash,
        /// The [`ThreadStart`].
        start: Hash,
        /// The [`ThreadStep`] before, if there is one.
        previous: Option<Hash>,
    }
}

payload! {
    /// How a thread ended.
    ThreadEnd {
        /// 0 when it ended well.
        return_code: f64,
        /// What came of it, in words.
        summary: String,
        /// The [`ThreadStart`].
        start: Hash,
        /// The last [`ThreadStep`].
        last_step: Hash,
    }
}

payload! {
    /// A text.
    Content {
        /// The text.
        text: String,
    }
}

payload! {
    /// An agent's conversation with its model in one step.
    ReactSession {
        /// The [`Agent`].
        agent: Hash,
        /// The role it worked for.
        role: String,
        /// Each [`ReactTurn`], the first one first.
        turns: Vec<Hash>,
        /// The tokens of all turns.
        total_tokens: f64,
        /// How long it took.
        duration_ms: f64,
    }
}

payload! {
    /// What a turn cost.
    TurnTokens {
        /// Tokens that were read.
        input: f64,
        /// Tokens that were written.
        output: f64,
    }
}

payload! {
    /// One question to the model and its answer.
    ReactTurn {
        /// The [`Content`] it was asked.
        input: Hash,
        /// The [`Content`] it answered.
        output: Hash,
        /// Each [`ReactToolCall`] the answer asked for.
        tool_calls: Vec<Hash>,
        /// What it cost.
        tokens: TurnTokens,
        /// How long the answer took.
        latency_ms: f64,
    }
}

payload! {
    /// A tool that was run for the model.
    ReactToolCall {
        /// The tool.
        name: String,
        /// The [`Content`] it was given.
        arguments: Hash,
        /// The [`Content`] it gave back.
        result: Hash,
        /// How long it ran.
        duration_ms: f64,
    }
}

#[cfg(test)]
mod tests;
