//! Protocols `json` and `markdown`: the engine writes the prompt and reads the answer.
//!
//! An answer that does not fit is sent back with what is wrong, at most twice. All the agent
//! said is kept as the turns of the detail node, also when nothing fitted in the end.

use serde_json::{Value, json};

use super::answer_json::parse_answer;
use super::assignment::{Assignment, Background, Failure, Reason, Workbench};
use super::error::{AgentError, ProtocolError};
use super::invocation::{Capture, Finished, Invocation, Stdin};
use super::process;
use super::text::decode_text;
use crate::cas::{self, known};
use crate::config::Protocol;
use crate::extract::{self, Extracted, Fault, Form};
use crate::model::{Hash, StepNode};
use crate::prompt;

/// How often an agent is asked again.
const MOST_CORRECTIONS: usize = 2;
/// A prompt longer than this does not go through the argument list of a program.
const LONGEST_ARGUMENT: usize = 100_000;

/// Runs the agent until its answer fits; the hash of the step that was made of it.
pub fn perform(
    assignment: &Assignment<'_>,
    background: &Background,
    bench: &mut Workbench<'_>,
) -> Result<Hash, Failure> {
    let whole_prompt = prompt::assemble(&prompt::Inputs {
        thread: Some(assignment.thread),
        role_name: assignment.role_name,
        role: assignment.role,
        schema: assignment.form.schema(),
        task: &background.task,
        history: &background.history,
        instruction: assignment.instruction,
        visit: background.visit,
        step: background.step,
    });
    let mut conversation = Conversation::default();
    let mut prompt = whole_prompt.clone();
    loop {
        let answer = match conversation.ask(assignment, &prompt, bench) {
            Ok(answer) => answer,
            Err(error) => return Err(conversation.fail(assignment, error.into(), bench)),
        };
        let faults = match answer.extract(assignment.form) {
            Ok(extracted) => return conversation.conclude(assignment, extracted, bench),
            Err(faults) => faults,
        };
        if conversation.corrections == MOST_CORRECTIONS {
            let reason = Reason::DoesNotFit {
                agent: assignment.agent.name.clone(),
                corrections: MOST_CORRECTIONS,
                faults: faults.iter().map(ToString::to_string).collect(),
            };
            return Err(conversation.fail(assignment, reason, bench));
        }
        let correction = extract::correction(&faults, assignment.form.schema());
        prompt = prompt::correction_prompt(&whole_prompt, answer.text(), &correction);
        conversation.correct(correction);
    }
}

/// What an agent printed, as its protocol reads it.
enum Answer {
    Markdown(String),
    Json { meta: Value, content: String },
}

impl Answer {
    fn extract(&self, form: &Form) -> Result<Extracted, Vec<Fault>> {
        match self {
            Self::Markdown(text) => extract::extract(text, form),
            Self::Json { meta, content } => extract::fit(meta, form).map(|fitted| Extracted {
                value: fitted.value,
                body: content.clone(),
                warnings: fitted.warnings,
            }),
        }
    }

    /// What the agent's turn is kept as.
    fn text(&self) -> &str {
        match self {
            Self::Markdown(text) => text,
            Self::Json { content, .. } => content,
        }
    }
}

/// The turns so far: what the agent answered, and what it was told of that.
#[derive(Default)]
struct Conversation {
    turns: Vec<(&'static str, String)>,
    corrections: usize,
    warnings: Vec<String>,
    duration_ms: u64,
    /// Of the last run; none when it did not end by itself.
    exit_code: Option<i32>,
}

impl Conversation {
    fn ask(
        &mut self,
        assignment: &Assignment<'_>,
        prompt: &str,
        bench: &mut Workbench<'_>,
    ) -> Result<Answer, AgentError> {
        let observer = &mut *bench.observer;
        let invocation = invocation(assignment, prompt);
        let result = process::run(&invocation, bench.signals, &mut |lines| {
            observer.agent_stderr(lines);
        });
        let finished = match result {
            Ok(finished) => finished,
            Err(error) => {
                match error.finished() {
                    Some(finished) => {
                        let text = self.note(finished);
                        self.turns
                            .extend((!text.is_empty()).then_some(("assistant", text)));
                    }
                    None => self.exit_code = None,
                }
                return Err(error);
            }
        };
        let text = self.note(&finished);
        let answer = match assignment.agent.protocol {
            Protocol::Json => self.read_json(text, assignment, finished)?,
            Protocol::Markdown | Protocol::Cas => Answer::Markdown(text),
        };
        self.turns.push(("assistant", answer.text().to_owned()));
        Ok(answer)
    }

    fn read_json(
        &mut self,
        text: String,
        assignment: &Assignment<'_>,
        finished: Finished,
    ) -> Result<Answer, AgentError> {
        match parse_answer(&text) {
            Ok(answer) => {
                self.warnings.extend(answer.warnings);
                Ok(Answer::Json {
                    meta: answer.meta.into(),
                    content: answer.content,
                })
            }
            Err(cause) => {
                self.turns.push(("assistant", text));
                Err(AgentError::Protocol {
                    agent: assignment.agent.name.clone(),
                    cause: ProtocolError::Answer(cause),
                    finished: Box::new(finished),
                })
            }
        }
    }

    /// Takes account of a run; what the agent printed, as text.
    fn note(&mut self, finished: &Finished) -> String {
        self.exit_code = finished.exit_code;
        self.duration_ms += u64::try_from(finished.duration.as_millis()).unwrap_or(u64::MAX);
        let (text, warning) = decode_text(&finished.stdout);
        self.warnings.extend(warning);
        text
    }

    fn correct(&mut self, correction: String) {
        self.turns.push(("tool", correction));
        self.corrections += 1;
    }

    /// Stores what fitted: output, turns, detail and the step.
    fn conclude(
        mut self,
        assignment: &Assignment<'_>,
        extracted: Extracted,
        bench: &mut Workbench<'_>,
    ) -> Result<Hash, Failure> {
        for warning in &extracted.warnings {
            bench.observer.warning(warning);
        }
        self.warnings.extend(extracted.warnings);
        let now = (bench.now_ms)();
        let detail = self.store(assignment, bench)?;
        let output = bench
            .store
            .put(&assignment.role.frontmatter, &extracted.value, now)?;
        let step = StepNode {
            start: assignment.start,
            prev: assignment.prev,
            role: assignment.role_name.clone(),
            output,
            detail,
            agent: assignment.agent.name.clone(),
            edge_prompt: Some(assignment.instruction.to_owned()),
        };
        Ok(bench
            .store
            .put(&known::STEP_NODE, &step.to_payload(), now)?)
    }

    /// Keeps what was said, so that the attempt can be looked at.
    fn fail(self, assignment: &Assignment<'_>, reason: Reason, bench: &Workbench<'_>) -> Failure {
        if self.turns.is_empty() {
            return Failure {
                reason,
                output: None,
                step: None,
            };
        }
        match self.store(assignment, bench) {
            Ok(detail) => Failure {
                reason,
                output: Some(detail),
                step: None,
            },
            Err(error) => error.into(),
        }
    }

    fn store(&self, assignment: &Assignment<'_>, bench: &Workbench<'_>) -> cas::Result<Hash> {
        let now = (bench.now_ms)();
        bench.store.register(&known::BUILTIN_TURN, now)?;
        bench.store.register(&known::UWF_DETAIL, now)?;
        let turns = self
            .turns
            .iter()
            .map(|(role, content)| {
                let turn =
                    json!({"role": role, "content": content, "toolCalls": null, "reasoning": null});
                bench.store.put(&known::BUILTIN_TURN, &turn, now)
            })
            .collect::<cas::Result<Vec<Hash>>>()?;
        let detail = json!({
            "protocol": assignment.agent.protocol.as_str(),
            "command": assignment.agent.command,
            "exitCode": self.exit_code,
            "durationMs": self.duration_ms,
            "corrections": self.corrections,
            "warnings": self.warnings,
            "turns": turns,
        });
        bench.store.put(&known::UWF_DETAIL, &detail, now)
    }
}

fn invocation(assignment: &Assignment<'_>, prompt: &str) -> Invocation {
    let in_words = |stdin| assignment.invocation(stdin, Capture::ANSWER);
    match assignment.agent.protocol {
        Protocol::Json => {
            let by_argument = prompt.len() <= LONGEST_ARGUMENT && !prompt.contains('\0');
            let (stdin, argument) = if by_argument {
                (Stdin::Empty, prompt)
            } else {
                (Stdin::Text(prompt.into()), "-")
            };
            let mut invocation = in_words(stdin);
            let arguments = ["-t", assignment.thread.as_str(), "-p", argument];
            invocation.arguments.extend(arguments.map(Into::into));
            invocation
        }
        Protocol::Markdown | Protocol::Cas => in_words(Stdin::Text(prompt.into())),
    }
}
