//! Chains that are whole, also those of the original, and every way in which one is not.

use std::error::Error;
use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::fsx::{self, Access};

const NOW: u64 = 1_796_044_961_065;

fn hash(text: &str) -> Hash {
    text.parse().unwrap()
}

/// A store of our own, and the nodes a thread is made of.
struct Fixture {
    folder: TempDir,
    store: Store,
    clock: u64,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path());
        Self {
            folder,
            store,
            clock: NOW,
        }
    }

    fn put(&mut self, type_hash: Hash, payload: &Value) -> Hash {
        self.clock += 1;
        self.store.put(&type_hash, payload, self.clock).unwrap()
    }

    fn start(&mut self, prompt: &str) -> Hash {
        let payload = json!({"workflow": "6HA1S8JMB29J3", "prompt": prompt});
        self.put(known::START_NODE, &payload)
    }

    fn step(&mut self, start: Hash, prev: Option<Hash>, role: &str) -> Hash {
        let output = self.put(known::TEXT, &json!(format!("output of {role}")));
        let payload = json!({
            "start": start, "prev": prev, "role": role,
            "output": output, "detail": output, "agent": "fake", "edgePrompt": "go on",
        });
        self.put(known::STEP_NODE, &payload)
    }

    fn file(&self, node: Hash) -> PathBuf {
        self.folder.path().join(format!("cas/{node}.bin"))
    }

    fn lose(&self, node: Hash) {
        let path = self.file(node);
        let away = self.folder.path().join("lost");
        #[expect(clippy::disallowed_methods, reason = "a test that loses a file")]
        std::fs::rename(path, away).unwrap();
    }

    fn load_error(&self, head: Hash) -> String {
        Chain::load(&self.store, head).unwrap_err().to_string()
    }

    /// What is told when a chain that loads is walked.
    fn walk_error(&self, head: Hash) -> String {
        let chain = Chain::load(&self.store, head).unwrap();
        chain.steps_oldest_first().unwrap_err().to_string()
    }
}

#[test]
fn a_thread_without_steps_is_its_start() {
    let mut fixture = Fixture::new();
    let start = fixture.start("do it");
    let chain = Chain::load(&fixture.store, start).unwrap();
    assert_eq!(chain.head(), start);
    assert_eq!(
        *chain.start(),
        Start {
            hash: start,
            node: StartNode {
                workflow: hash("6HA1S8JMB29J3"),
                prompt: "do it".to_owned(),
            },
            timestamp: (NOW + 1).into(),
        }
    );
    assert_eq!(chain.last_step(), None);
    assert_eq!(chain.steps().count(), 0);
    assert_eq!(chain.steps_oldest_first().unwrap(), []);
}

#[test]
fn steps_come_newest_first_and_oldest_first() {
    let mut fixture = Fixture::new();
    let start = fixture.start("do it");
    let one = fixture.step(start, None, "one");
    let two = fixture.step(start, Some(one), "two");
    let three = fixture.step(start, Some(two), "three");
    let chain = Chain::load(&fixture.store, three).unwrap();
    assert_eq!(chain.head(), three);
    assert_eq!(chain.last_step().unwrap().node.role.as_str(), "three");
    let hashes: Vec<_> = chain.steps().map(|step| step.unwrap().hash).collect();
    assert_eq!(hashes, [three, two, one]);
    let oldest_first = chain.steps_oldest_first().unwrap();
    let hashes: Vec<_> = oldest_first.iter().map(|step| step.hash).collect();
    assert_eq!(hashes, [one, two, three]);
    assert_eq!(chain.output(&oldest_first[1]).unwrap(), "output of two");
}

#[test]
fn a_long_chain_is_walked_and_its_head_needs_two_nodes() {
    let mut fixture = Fixture::new();
    let start = fixture.start("do it");
    let output = fixture.put(known::TEXT, &json!("done"));
    let mut head = None;
    let mut first = None;
    for number in 0..200 {
        let payload = json!({
            "start": start, "prev": head, "role": format!("role {number}"),
            "output": output, "detail": output, "agent": "fake",
        });
        head = Some(fixture.put(known::STEP_NODE, &payload));
        first = first.or(head);
    }
    let chain = Chain::load(&fixture.store, head.unwrap()).unwrap();
    let steps = chain.steps_oldest_first().unwrap();
    assert_eq!(steps.len(), 200);
    assert_eq!(steps[0].node.role.as_str(), "role 0");
    assert_eq!(steps[0].node.edge_prompt, None);

    fixture.lose(first.unwrap());
    let chain = Chain::load(&fixture.store, head.unwrap()).unwrap();
    assert_eq!(chain.steps().take(199).filter(Result::is_ok).count(), 199);
    let mut rest = chain.steps().skip(199);
    assert!(matches!(rest.next(), Some(Err(ChainError::Missing { .. }))));
    assert!(rest.next().is_none(), "nothing follows an error");
}

#[test]
fn a_chain_of_the_original_is_read() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/store-original");
    let store = Store::open(Path::new(root));
    let chain = Chain::load(&store, hash("56XFMVXEJ5CJ5")).unwrap();
    assert_eq!(chain.start().hash, hash("0RED5J61WBD57"));
    assert_eq!(chain.start().timestamp, 1_796_044_961_065_u64.into());
    assert_eq!(
        chain.start().node.prompt,
        "Why is the nightly build red? (job 42)"
    );
    let steps = chain.steps_oldest_first().unwrap();
    let told: Vec<_> = steps
        .iter()
        .map(|step| (step.hash.as_str(), step.node.role.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("5YR25K3ZCXZVK", "collector"),
            ("81P904K6HWN7F", "writer"),
            ("7J2PXS102TXFK", "checker"),
            ("56XFMVXEJ5CJ5", "writer"),
        ]
    );
    assert_eq!(steps[0].timestamp, 1_796_044_961_784_u64.into());
    assert_eq!(
        chain.output(&steps[3]).unwrap(),
        json!({"score": 3, "title": "Two failures: parser and store", "severity": "high"})
    );
}

#[test]
fn a_missing_node_is_told_with_what_led_to_it() {
    let mut fixture = Fixture::new();
    let nowhere = hash("ZZZZZZZZZZZZZ");
    assert_eq!(
        fixture.load_error(nowhere),
        "the head is missing: there is no node ZZZZZZZZZZZZZ"
    );
    let step = fixture.step(nowhere, None, "one");
    assert_eq!(
        fixture.load_error(step),
        format!("the start of step {step} is missing: there is no node ZZZZZZZZZZZZZ")
    );
    let start = fixture.start("do it");
    let step = fixture.step(start, Some(nowhere), "two");
    assert_eq!(
        fixture.walk_error(step),
        format!("the step before {step} is missing: there is no node ZZZZZZZZZZZZZ")
    );
    let step = fixture.step(start, None, "three");
    let chain = Chain::load(&fixture.store, step).unwrap();
    let last = chain.last_step().unwrap().clone();
    fixture.lose(last.node.output);
    assert_eq!(
        chain.output(&last).unwrap_err().to_string(),
        format!(
            "the output of step {step} is missing: there is no node {}",
            last.node.output
        )
    );
}

#[test]
fn a_tampered_node_is_told_with_what_led_to_it_and_why() {
    let mut fixture = Fixture::new();
    let (start, other) = (fixture.start("do it"), fixture.start("do more"));
    let step = fixture.step(start, None, "one");
    let bytes = fsx::read_optional(&fixture.file(other)).unwrap().unwrap();
    fsx::replace(&fixture.file(start), &bytes, Access::Shared).unwrap();
    let error = Chain::load(&fixture.store, step).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("cannot read the start of step {step}, the node {start}")
    );
    assert!(matches!(
        error.source().and_then(|source| source.downcast_ref()),
        Some(CasError::Damaged { .. })
    ));
}

#[test]
fn a_node_of_another_type_is_damage() {
    let mut fixture = Fixture::new();
    let text = fixture.put(known::TEXT, &json!("hello"));
    assert_eq!(
        fixture.load_error(text),
        format!("the head is not a step or a start: the node {text} is of the type 86N29KJ2R9X6K")
    );
    let start = fixture.start("do it");
    let one = fixture.step(start, None, "one");
    let two = fixture.step(one, None, "two");
    assert_eq!(
        fixture.load_error(two),
        format!(
            "the start of step {two} is not a start: the node {one} is of the type FZMFBDYPZ0M9Y"
        )
    );
    let two = fixture.step(start, Some(start), "two");
    assert_eq!(
        fixture.walk_error(two),
        format!(
            "the step before {two} is not a step: the node {start} is of the type FPVH9K1XJ2DZA"
        )
    );
}

#[test]
fn a_step_with_a_role_that_cannot_be_one_is_damage() {
    let mut fixture = Fixture::new();
    let start = fixture.start("do it");
    let step = fixture.step(start, None, "$END");
    let error = Chain::load(&fixture.store, step).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the head is not a step: the node {step} does not hold what one holds")
    );
    assert_eq!(
        error.source().unwrap().to_string(),
        "`$END` cannot be a role: names that begin with `$` are places of the graph"
    );
}

#[test]
fn a_step_of_another_thread_in_the_chain_is_damage() {
    let mut fixture = Fixture::new();
    let (mine, other) = (fixture.start("do it"), fixture.start("do more"));
    let foreign = fixture.step(other, None, "one");
    let last = fixture.step(mine, Some(foreign), "two");
    assert_eq!(
        fixture.walk_error(last),
        format!(
            "step {foreign} belongs to the start {other}, and the chain it stands in to {mine}"
        )
    );
}
