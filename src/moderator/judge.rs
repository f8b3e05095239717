//! Conditions are asked here, within limits.

use std::sync::mpsc::{self, Receiver, Sender};

use serde_json::{Map, Value};

use super::bounds::{self, Limits, Watch};
use super::failure::Failure;
use super::jsonata::{self, CancelToken, Data};
use super::{Context, blame};

/// Says of expressions whether they hold over one context.
#[derive(Debug)]
pub(super) struct Judge {
    expressions: Sender<String>,
    verdicts: Receiver<Result<bool, Failure>>,
    cancel: CancelToken,
    watch: Watch,
}

impl Judge {
    pub(super) fn over(context: Context, limits: Limits) -> Result<Self, Failure> {
        let (expressions, questions) = mpsc::channel::<String>();
        let (answers, verdicts) = mpsc::channel();
        let cancel = CancelToken::new();
        let watch = Watch::start(limits);
        let token = cancel.clone();
        bounds::spawn(move || {
            let data = prepare(context);
            for expression in questions {
                let verdict = bounds::guarded(|| match &data {
                    Ok(data) => judge(data, &expression, limits.depth, &token),
                    Err(failure) => Err(failure.clone()),
                });
                if answers.send(verdict).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self {
            expressions,
            verdicts,
            cancel,
            watch,
        })
    }

    /// Whether the expression holds. Not to be asked again after a failure.
    pub(super) fn holds(&self, expression: &str) -> Result<bool, Failure> {
        // A thread that is gone shows when its answer is waited for.
        let _ = self.expressions.send(expression.to_owned());
        self.watch.wait(&self.verdicts)?
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

fn prepare(context: Context) -> Result<Data, Failure> {
    let steps = Value::Array(context.steps);
    let input = Map::from_iter([
        ("start".to_owned(), context.start),
        ("steps".to_owned(), steps),
    ]);
    bounds::guarded(|| {
        Data::new(Value::Object(input)).map_err(|complaint| Failure::Broken(complaint.text))
    })
}

fn judge(
    data: &Data,
    expression: &str,
    depth: usize,
    cancel: &CancelToken,
) -> Result<bool, Failure> {
    let parsed = jsonata::parse(expression).map_err(|complaint| {
        Failure::from_complaint(&complaint, |c| blame::syntax(expression, c))
    })?;
    data.holds(&parsed, depth, cancel).map_err(|complaint| {
        Failure::from_complaint(&complaint, |c| blame::evaluation(expression, c))
    })
}
