//! The payloads as nodes: put, read back, refused, walked.

use serde::de::DeserializeOwned;
use serde_json::json;

use super::super::CasError;
use super::super::tests::files;
use super::*;

const VECTORS: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/vectors/schemas.json"
));

/// A store with the schemas, in which payloads are put under their names.
struct Stocked {
    store: Store,
    types: BTreeMap<&'static str, Hash>,
    _root: tempfile::TempDir,
}

impl Stocked {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path());
        let types = register(&store, 1).unwrap().into_iter().collect();
        Self {
            store,
            types,
            _root: root,
        }
    }

    fn try_put(&self, name: &str, payload: &impl Serialize) -> Result<Hash> {
        let payload = serde_json::to_value(payload).unwrap();
        self.store.put(&self.types[name], &payload, 2)
    }

    /// Stores a payload, and reads it back as what it was.
    fn put<P>(&self, name: &str, payload: &P) -> Hash
    where
        P: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
    {
        let hash = self.try_put(name, payload).unwrap();
        let node = self.store.get(&hash).unwrap();
        assert_eq!(node.type_hash, self.types[name]);
        assert_eq!(serde_json::from_value::<P>(node.payload).unwrap(), *payload);
        hash
    }

    fn content(&self, text: &str) -> Hash {
        self.put("content", &Content { text: text.into() })
    }
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn the_schemas_are_those_of_the_package_in_its_order() {
    let root = tempfile::tempdir().unwrap();
    let registered = register(&Store::open(root.path()), 1).unwrap();
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let expected: Vec<(&str, &str)> = vectors["schemas"]
        .as_object()
        .unwrap()
        .iter()
        .filter_map(|(name, schema)| {
            let name = name.strip_prefix("json-cas-workflow.")?;
            Some((name, schema["hash"].as_str().unwrap()))
        })
        .collect();
    let registered: Vec<(&str, &str)> = registered
        .iter()
        .map(|(name, hash)| (*name, hash.as_str()))
        .collect();
    assert_eq!(registered, expected);
    assert_eq!(registered.len(), 11);
}

#[test]
fn registering_again_changes_nothing() {
    let root = tempfile::tempdir().unwrap();
    let first = register(&Store::open(root.path()), 1).unwrap();
    let before = files(root.path());
    assert_eq!(register(&Store::open(root.path()), 2).unwrap(), first);
    assert!(before == files(root.path()));
}

#[test]
fn a_thread_is_stored_read_back_and_walked_from_its_end() {
    let stocked = Stocked::new();
    let agent = stocked.put(
        "agent",
        &Agent {
            package: "@example/agent".into(),
            version: "1.2.3".into(),
            config: object(&json!({"model": "small", "limits": {"turns": 3}})),
        },
    );
    let schema = stocked.put("roleSchema", &object(&json!({"type": "object"})));
    let role = stocked.put(
        "role",
        &Role {
            name: "writer".into(),
            description: "Writes".into(),
            system_prompt: "You write.".into(),
            extract_prompt: "Give the title.".into(),
            schema,
        },
    );
    let way = |from: &str, to: &str, when: Option<&str>| Transition {
        from: from.into(),
        to: to.into(),
        when: when.map(Into::into),
    };
    let workflow = stocked.put(
        "workflow",
        &Workflow {
            name: "letter".into(),
            description: "Write a letter".into(),
            roles: [("writer".to_owned(), role)].into(),
            moderator: vec![
                way("$START", "writer", None),
                way("writer", "$END", Some("done")),
            ],
        },
    );
    let start = stocked.put(
        "threadStart",
        &ThreadStart {
            workflow,
            input: "To my aunt".into(),
            depth: 0.0,
            parent_thread: None,
            agents: [("writer".to_owned(), agent)].into(),
        },
    );
    let [arguments, result, question, answer] =
        ["{}", "42", "Write.", "Dear aunt"].map(|text| stocked.content(text));
    let call = stocked.put(
        "reactToolCall",
        &ReactToolCall {
            name: "address".into(),
            arguments,
            result,
            duration_ms: 1.5,
        },
    );
    let turn = stocked.put(
        "reactTurn",
        &ReactTurn {
            input: question,
            output: answer,
            tool_calls: vec![call],
            tokens: TurnTokens {
                input: 10.0,
                output: 20.0,
            },
            latency_ms: 900.0,
        },
    );
    let react = stocked.put(
        "reactSession",
        &ReactSession {
            agent,
            role: "writer".into(),
            turns: vec![turn],
            total_tokens: 30.0,
            duration_ms: 901.5,
        },
    );
    let step = |previous| ThreadStep {
        role: "writer".into(),
        meta: object(&json!({"title": "A letter"})),
        content: answer,
        react,
        start,
        previous,
    };
    let first = stocked.put("threadStep", &step(None));
    let last = stocked.put("threadStep", &step(Some(first)));
    let end = stocked.put(
        "threadEnd",
        &ThreadEnd {
            return_code: 0.0,
            summary: "Written".into(),
            start,
            last_step: last,
        },
    );
    let nested = stocked.put(
        "threadStart",
        &ThreadStart {
            workflow,
            input: "To my uncle".into(),
            depth: 1.0,
            parent_thread: Some(start),
            agents: BTreeMap::new(),
        },
    );

    let mut walked = stocked.store.walk(&end).unwrap();
    assert_eq!(walked[0], end);
    let mut all = vec![
        agent, schema, role, workflow, start, arguments, result, question, answer, call, turn,
        react, first, last, end,
    ];
    walked.sort_unstable();
    all.sort_unstable();
    assert_eq!(walked, all);
    assert_eq!(stocked.store.refs(&nested).unwrap(), [workflow, start]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let stocked = Stocked::new();
    let refused = |name: &str, payload: Value| match stocked.try_put(name, &payload).unwrap_err() {
        CasError::Unfit { violations, .. } => violations[0].keyword.clone(),
        other => panic!("{other}"),
    };
    assert_eq!(refused("content", json!({})), "required");
    assert_eq!(
        refused("content", json!({"text": "a", "more": 1})),
        "additionalProperties"
    );
    assert_eq!(
        refused(
            "threadEnd",
            json!({"returnCode": 0, "summary": "", "start": "x", "lastStep": "3EPSJXYZNGYDR"})
        ),
        "format"
    );
    assert_eq!(refused("roleSchema", json!([])), "type");
    for payload in [json!({}), json!({"text": "a", "more": 1})] {
        assert!(serde_json::from_value::<Content>(payload).is_err());
    }
}
