//! The schemas this program knows by heart: what they say and what they are called.
//!
//! A store of a later json-cas has another meta-schema and so other hashes for the same schemas.
//! Those are read as what they are, and never written.

use std::sync::OnceLock;

use serde_json::{Value, json};

use super::cbor;
use super::shape::{integer, list, map, object, or_null, reference, text, titled};
use crate::model::Hash;
use crate::schema::Schema;

/// The type of every schema, and of itself.
pub const META_SCHEMA: Hash = Hash::literal("3RZYZ9X0Y34K7");
/// The meta-schema of a later json-cas.
pub const LATER_META_SCHEMA: Hash = Hash::literal("56GP9CC0KVQF8");
/// A workflow.
pub const WORKFLOW: Hash = Hash::literal("21AME01DDP1EB");
/// How a thread begins.
pub const START_NODE: Hash = Hash::literal("FPVH9K1XJ2DZA");
/// A step of a thread.
pub const STEP_NODE: Hash = Hash::literal("FZMFBDYPZ0M9Y");
/// A text.
pub const TEXT: Hash = Hash::literal("86N29KJ2R9X6K");
/// What the builtin agent tells of a step.
pub const BUILTIN_DETAIL: Hash = Hash::literal("7K46GP3A10K80");
/// One turn of a conversation with a model.
pub const BUILTIN_TURN: Hash = Hash::literal("EY17ZNT37EHBB");
/// What Claude Code tells of a step.
pub const CLAUDE_CODE_DETAIL: Hash = Hash::literal("4A6V5ZW9DFX5A");
/// One turn of Claude Code.
pub const CLAUDE_CODE_TURN: Hash = Hash::literal("893TEVFJKB6CE");
/// What Claude Code printed, where no more is known.
pub const CLAUDE_CODE_RAW: Hash = Hash::literal("16TBN4QMM7SKS");
/// What uwf tells of a step whose agent was run by it.
pub const UWF_DETAIL: Hash = Hash::literal("FWP94T4HK9DP4");

/// What an agent that ships in the binary tells of a step, where the original has no such agent
/// or knew less.
pub const UWF_AGENT_DETAIL: Hash = Hash::literal("4BWQX2GT3963J");

const LATER_WORKFLOW: Hash = Hash::literal("1V6JTYX9TM55B");
const LATER_START_NODE: Hash = Hash::literal("EWS0VP6PJ6SPB");
const LATER_STEP_NODE: Hash = Hash::literal("FXGQSEC130AY2");
const LATER_TEXT: Hash = Hash::literal("8J5E9WCD54ZJZ");

/// The types that say: this is a workflow.
pub const WORKFLOW_TYPES: [Hash; 2] = [WORKFLOW, LATER_WORKFLOW];

/// Whether a type says: this is a workflow.
pub fn is_workflow(type_hash: &Hash) -> bool {
    WORKFLOW_TYPES.contains(type_hash)
}

/// Whether a type says: this is the start of a thread.
pub fn is_start_node(type_hash: &Hash) -> bool {
    [START_NODE, LATER_START_NODE].contains(type_hash)
}

/// Whether a type says: this is a step of a thread.
pub fn is_step_node(type_hash: &Hash) -> bool {
    [STEP_NODE, LATER_STEP_NODE].contains(type_hash)
}

/// Whether a type says: this is a text.
pub fn is_text(type_hash: &Hash) -> bool {
    [TEXT, LATER_TEXT].contains(type_hash)
}

/// Whether a type says: this is what an agent answered, as a failed step keeps it.
pub fn is_answer_kept(type_hash: &Hash) -> bool {
    let details = [
        UWF_DETAIL,
        UWF_AGENT_DETAIL,
        BUILTIN_DETAIL,
        CLAUDE_CODE_DETAIL,
        CLAUDE_CODE_RAW,
    ];
    details.contains(type_hash) || is_text(type_hash)
}

/// Whether a type says: this is a schema.
pub fn is_meta_schema(type_hash: &Hash) -> bool {
    [META_SCHEMA, LATER_META_SCHEMA].contains(type_hash)
}

/// A schema known when the program is compiled.
pub struct Known {
    /// Its node.
    pub hash: Hash,
    /// Its node in the store of a later json-cas.
    later: Option<Hash>,
    written: fn() -> Value,
    stored: OnceLock<Value>,
    compiled: OnceLock<Option<Schema>>,
}

impl Known {
    const fn new(hash: Hash, later: Option<Hash>, written: fn() -> Value) -> Self {
        Self {
            hash,
            later,
            written,
            stored: OnceLock::new(),
            compiled: OnceLock::new(),
        }
    }

    /// The schema, its keys in stored order.
    pub fn schema(&self) -> &Value {
        self.stored
            .get_or_init(|| cbor::in_stored_order(&(self.written)()))
    }

    /// The schema, ready for use.
    pub(super) fn compiled(&self) -> Option<&Schema> {
        self.compiled
            .get_or_init(|| Schema::compile(self.schema()).ok())
            .as_ref()
    }
}

/// How many of [`KNOWN`] every store has.
const BUILT_IN: usize = 5;

static KNOWN: [Known; 12] = [
    Known::new(META_SCHEMA, None, meta_schema),
    Known::new(WORKFLOW, Some(LATER_WORKFLOW), workflow),
    Known::new(START_NODE, Some(LATER_START_NODE), start_node),
    Known::new(STEP_NODE, Some(LATER_STEP_NODE), step_node),
    Known::new(TEXT, Some(LATER_TEXT), text),
    Known::new(BUILTIN_DETAIL, None, builtin_detail),
    Known::new(BUILTIN_TURN, None, builtin_turn),
    Known::new(UWF_DETAIL, None, uwf_detail),
    Known::new(UWF_AGENT_DETAIL, None, uwf_agent_detail),
    Known::new(CLAUDE_CODE_DETAIL, None, claude_code_detail),
    Known::new(CLAUDE_CODE_TURN, None, claude_code_turn),
    Known::new(CLAUDE_CODE_RAW, None, claude_code_raw),
];

/// The schemas that the first write registers, in that order.
pub(super) fn built_in() -> &'static [Known] {
    &KNOWN[..BUILT_IN]
}

/// The schema of this name, when it is a known one.
pub fn find(hash: &Hash) -> Option<&'static Known> {
    KNOWN
        .iter()
        .find(|known| known.hash == *hash || known.later == Some(*hash))
}

/// The original's description of a schema, kept as it is for its hash. What counts as a schema is
/// decided by the schema room.
fn meta_schema() -> Value {
    let type_name = json!({
        "type": "string",
        "enum": ["string", "number", "integer", "boolean", "object", "array", "null"],
    });
    let schema = json!({"type": "object", "additionalProperties": false});
    json!({
        "type": "object",
        "description": "json-cas JSON Schema meta-schema",
        "properties": {
            "type": {"anyOf": [type_name, list(&type_name)]},
            "properties": map(&schema),
            "required": list(&text()),
            "additionalProperties": {"anyOf": [{"type": "boolean"}, schema]},
            "anyOf": list(&schema),
            "items": schema,
            "format": text(),
            "title": text(),
            "enum": {"type": "array"},
            "const": {},
            "description": text(),
        },
        "additionalProperties": false,
    })
}

fn workflow() -> Value {
    let role = object(
        &[
            "description",
            "goal",
            "capabilities",
            "procedure",
            "output",
            "frontmatter",
        ],
        &json!({
            "description": text(),
            "goal": text(),
            "capabilities": list(&text()),
            "procedure": text(),
            "output": text(),
            "frontmatter": reference(),
        }),
    );
    let condition = object(
        &["description", "expression"],
        &json!({"description": text(), "expression": text()}),
    );
    let edge = object(
        &["role", "condition", "prompt"],
        &json!({"role": text(), "condition": or_null(&text()), "prompt": text()}),
    );
    let workflow = object(
        &["name", "description", "roles", "conditions", "graph"],
        &json!({
            "name": text(),
            "description": text(),
            "roles": map(&role),
            "conditions": map(&condition),
            "graph": map(&list(&edge)),
        }),
    );
    titled("Workflow", workflow)
}

fn start_node() -> Value {
    let node = object(
        &["workflow", "prompt"],
        &json!({"workflow": reference(), "prompt": text()}),
    );
    titled("StartNode", node)
}

fn step_node() -> Value {
    let node = object(
        &["start", "prev", "role", "output", "detail", "agent"],
        &json!({
            "start": reference(),
            "prev": or_null(&reference()),
            "role": text(),
            "output": reference(),
            "detail": reference(),
            "agent": text(),
            "edgePrompt": text(),
        }),
    );
    titled("StepNode", node)
}

fn builtin_detail() -> Value {
    let detail = object(
        &["sessionId", "model", "duration", "turnCount", "turns"],
        &json!({
            "sessionId": text(),
            "model": text(),
            "duration": integer(),
            "turnCount": integer(),
            "turns": list(&reference()),
        }),
    );
    titled("builtin-detail", detail)
}

fn builtin_turn() -> Value {
    let call = object(&["name", "args"], &json!({"name": text(), "args": text()}));
    let turn = object(
        &["role", "content"],
        &json!({
            "role": {"type": "string", "enum": ["assistant", "tool"]},
            "content": text(),
            "toolCalls": or_null(&list(&call)),
            "reasoning": or_null(&text()),
        }),
    );
    titled("builtin-turn", turn)
}

/// `exitCode` is null when a signal ended the agent; `durationMs` is in milliseconds; `turns` are
/// builtin-turn nodes, oldest first.
fn uwf_detail() -> Value {
    let detail = object(
        &[
            "protocol",
            "command",
            "exitCode",
            "durationMs",
            "corrections",
            "warnings",
            "turns",
        ],
        &json!({
            "protocol": text(),
            "command": text(),
            "exitCode": or_null(&integer()),
            "durationMs": integer(),
            "corrections": integer(),
            "warnings": list(&text()),
            "turns": list(&reference()),
        }),
    );
    titled("uwf-detail", detail)
}

/// The keys of a builtin-detail, and what goes beyond them. `duration` is in milliseconds, `turns`
/// are builtin-turn nodes, oldest first; `usage` is null when the agent told of none, and so is
/// `totalCostUsd`; `notes` are what a reader should know of how the answer came about.
fn uwf_agent_detail() -> Value {
    let usage = object(
        &[
            "inputTokens",
            "outputTokens",
            "cacheReadInputTokens",
            "cacheCreationInputTokens",
        ],
        &json!({
            "inputTokens": integer(),
            "outputTokens": integer(),
            "cacheReadInputTokens": integer(),
            "cacheCreationInputTokens": integer(),
        }),
    );
    let detail = object(
        &[
            "sessionId",
            "model",
            "duration",
            "turnCount",
            "turns",
            "usage",
            "totalCostUsd",
            "corrections",
            "notes",
        ],
        &json!({
            "sessionId": text(),
            "model": text(),
            "duration": integer(),
            "turnCount": integer(),
            "turns": list(&reference()),
            "usage": or_null(&usage),
            "totalCostUsd": or_null(&json!({"type": "number"})),
            "corrections": integer(),
            "notes": list(&text()),
        }),
    );
    titled("uwf-agent-detail", detail)
}

/// The turns are claude-code-turn nodes, though nothing in the schema says so.
fn claude_code_detail() -> Value {
    let names = [
        "inputTokens",
        "outputTokens",
        "cacheReadInputTokens",
        "cacheCreationInputTokens",
    ];
    let counts: serde_json::Map<String, Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), integer()))
        .collect();
    let usage = json!({"type": "object", "properties": counts, "required": names});
    let detail = object(
        &[
            "sessionId",
            "model",
            "subtype",
            "durationMs",
            "numTurns",
            "totalCostUsd",
            "stopReason",
            "usage",
            "turns",
        ],
        &json!({
            "sessionId": text(),
            "model": text(),
            "subtype": text(),
            "durationMs": integer(),
            "numTurns": integer(),
            "totalCostUsd": {"type": "number"},
            "stopReason": text(),
            "usage": usage,
            "turns": list(&text()),
        }),
    );
    titled("claude-code-detail", detail)
}

fn claude_code_turn() -> Value {
    let turn = object(
        &["index", "role", "content", "toolCalls"],
        &json!({
            "index": integer(),
            "role": text(),
            "content": text(),
            "toolCalls": {},
        }),
    );
    titled("claude-code-turn", turn)
}

fn claude_code_raw() -> Value {
    titled(
        "claude-code-raw-output",
        object(&["text"], &json!({"text": text()})),
    )
}

#[cfg(test)]
mod tests {
    use super::super::hash::{hash_of, self_hash_of};
    use super::*;
    use crate::schema::is_original_subset;

    const VECTORS: &str = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/vectors/schemas.json"
    ));

    #[test]
    fn every_known_schema_has_its_hash_in_both_columns() {
        for known in &KNOWN {
            if known.hash == META_SCHEMA {
                assert_eq!(self_hash_of(known.schema()), META_SCHEMA);
                continue;
            }
            assert_eq!(hash_of(META_SCHEMA.as_str(), known.schema()), known.hash);
            if let Some(later) = known.later {
                assert_eq!(hash_of(LATER_META_SCHEMA.as_str(), known.schema()), later);
            }
            assert!(is_original_subset(known.schema()));
        }
    }

    #[test]
    fn every_known_schema_can_be_used() {
        for known in &KNOWN {
            assert!(known.compiled().is_some(), "{}", known.hash);
        }
    }

    #[test]
    fn the_vectors_schemas_hash_to_their_names() {
        let vectors: Value = serde_json::from_str(VECTORS).unwrap();
        let meta = &vectors["metaSchema"];
        assert_eq!(self_hash_of(&meta["payload"]).as_str(), meta["hash"]);
        let schemas = vectors["schemas"].as_object().unwrap();
        assert_eq!(schemas.len(), 23);
        for (name, schema) in schemas {
            let hash = hash_of(META_SCHEMA.as_str(), &schema["payload"]);
            assert_eq!(hash.as_str(), schema["hash"], "{name}");
            if let Some(known) = find(&hash) {
                assert_eq!(*known.schema(), schema["payload"], "{name}");
            }
        }
    }
}
