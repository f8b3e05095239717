//! Two threads of one workflow side by side: where they part, and what differs after.
//!
//! Steps that both threads share have one hash. After the parting no hash can be the same again,
//! since each step names the one before it: there, steps are compared by what they say.

use serde_json::Value;

use super::chain::{Chain, ChainError, Step};

/// Two threads side by side.
#[derive(Debug)]
pub struct Comparison {
    /// Whether both begin with the same start.
    pub same_start: bool,
    /// How many steps both have.
    pub common: usize,
    /// The steps after those, pair by pair.
    pub after: Vec<Pair>,
}

/// What stands at the same place of both threads after they parted.
#[derive(Debug)]
pub struct Pair {
    /// Which step of either thread it is, from 1.
    pub number: usize,
    /// The first thread's; none when it is shorter.
    pub a: Option<Side>,
    /// The second thread's; none when it is shorter.
    pub b: Option<Side>,
    /// What differs: `role`, `agent`, `edgePrompt`, and JSON pointers that begin with `output`.
    /// Empty when one side is missing.
    pub differs: Vec<String>,
}

/// A step with what it answered.
#[derive(Debug)]
pub struct Side {
    /// The step.
    pub step: Step,
    /// Its output as it is stored.
    pub output: Value,
}

/// Compares two threads. Outputs of steps that both have are not read.
pub fn compare(a: &Chain<'_>, b: &Chain<'_>) -> Result<Comparison, ChainError> {
    let (a_steps, b_steps) = (a.steps_oldest_first()?, b.steps_oldest_first()?);
    let same = |(a, b): &(&Step, &Step)| a.hash == b.hash;
    let common = a_steps.iter().zip(&b_steps).take_while(same).count();
    let after = (common..a_steps.len().max(b_steps.len()))
        .map(|at| {
            let a = a_steps.get(at).map(|step| side(a, step)).transpose()?;
            let b = b_steps.get(at).map(|step| side(b, step)).transpose()?;
            let differs = match (&a, &b) {
                (Some(a), Some(b)) => differences(a, b),
                _ => Vec::new(),
            };
            let number = at + 1;
            Ok(Pair {
                number,
                a,
                b,
                differs,
            })
        })
        .collect::<Result<_, ChainError>>()?;
    Ok(Comparison {
        same_start: a.start().hash == b.start().hash,
        common,
        after,
    })
}

fn side(chain: &Chain<'_>, step: &Step) -> Result<Side, ChainError> {
    Ok(Side {
        output: chain.output(step)?,
        step: step.clone(),
    })
}

fn differences(a: &Side, b: &Side) -> Vec<String> {
    let (a_node, b_node) = (&a.step.node, &b.step.node);
    let parts = [
        ("role", a_node.role == b_node.role),
        ("agent", a_node.agent == b_node.agent),
        ("edgePrompt", a_node.edge_prompt == b_node.edge_prompt),
    ];
    let unequal = parts.iter().filter(|(_, is_equal)| !is_equal);
    let mut differs = unequal.map(|(part, _)| (*part).to_owned()).collect();
    let (a, b) = (Some(&a.output), Some(&b.output));
    collect_differences("output", a, b, &mut differs);
    differs
}

/// The places where two values differ, as deep as both have them.
fn collect_differences(at: &str, a: Option<&Value>, b: Option<&Value>, differs: &mut Vec<String>) {
    match (a, b) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let only_in_b = b.keys().filter(|key| !a.contains_key(*key));
            for key in a.keys().chain(only_in_b) {
                let place = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                collect_differences(&place, a.get(key), b.get(key), differs);
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            for index in 0..a.len().max(b.len()) {
                let place = format!("{at}/{index}");
                collect_differences(&place, a.get(index), b.get(index), differs);
            }
        }
        _ if a != b => differs.push(at.to_owned()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::cas::Store;

    #[test]
    fn values_differ_where_they_say_something_else() {
        let a = json!({"same": [1, {"x": null}], "n": 1, "list": [1, 2, 3], "a/b~c": 1, "o": {}});
        let b = json!({"same": [1, {"x": null}], "n": "1", "list": [1, 5], "o": [], "new": null});
        let mut differs = Vec::new();
        collect_differences("output", Some(&a), Some(&b), &mut differs);
        assert_eq!(
            differs,
            [
                "output/n",
                "output/list/1",
                "output/list/2",
                "output/a~1b~0c",
                "output/o",
                "output/new",
            ]
        );
        let mut differs = Vec::new();
        collect_differences(
            "output",
            Some(&json!(1)),
            Some(&json!({"a": 1})),
            &mut differs,
        );
        assert_eq!(differs, ["output"]);
        collect_differences("output", Some(&a), Some(&a), &mut differs);
        assert_eq!(differs.len(), 1);
    }

    #[test]
    fn threads_of_the_original_are_compared_step_by_step() {
        let store = Store::open(Path::new(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/vectors/store-original"
        )));
        let chain = |head: &str| Chain::load(&store, head.parse().unwrap()).unwrap();
        let (whole, beginning) = (chain("BRB4722M3Y7T7"), chain("7J2PXS102TXFK"));
        let compared = compare(&beginning, &whole).unwrap();
        assert!(compared.same_start);
        assert_eq!((compared.common, compared.after.len()), (3, 2));
        assert!(
            compared
                .after
                .iter()
                .all(|pair| pair.a.is_none() && pair.differs.is_empty())
        );
        assert_eq!(compared.after[0].number, 4);

        // Another start: no hash is the same, and yet both began with the same answer.
        let compared = compare(&chain("95EECVDJRHA3X"), &chain("5YR25K3ZCXZVK")).unwrap();
        assert!(!compared.same_start);
        assert_eq!((compared.common, compared.after.len()), (0, 1));
        assert!(compared.after[0].differs.is_empty());

        let compared = compare(&whole, &whole).unwrap();
        assert_eq!((compared.common, compared.after.len()), (5, 0));
    }
}
