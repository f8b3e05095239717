//! Protocols `json` and `markdown`: the engine writes the prompt and reads the answer.
//!
//! An answer that does not fit is sent back with what is wrong, at most twice. All the agent
//! said is kept as the turns of the detail node, also when nothing fitted in the end.

use serde_json::json;

use super::answer_json::parse_answer;
use super::assignment::{
    AnswerFormat, Assignment, Background, Failure, LastRun, Reason, Workbench,
};
use super::corrections::{Answer, Correspondent, Fitting, Unfitting, answer_that_fits};
use super::error::{AgentError, Ending, ProtocolError};
use super::invocation::{Capture, Finished, Invocation, Stdin};
use super::process;
use super::text::decode_text;
use crate::cas::{self, known};
use crate::config::PromptBy;
use crate::model::{Hash, StepNode};
use crate::prompt::{self, AnswerForm};

/// A prompt longer than this does not go through the argument list of a program.
const LONGEST_ARGUMENT: usize = 100_000;

/// Runs the agent until its answer fits; the hash of the step that was made of it.
pub fn perform(
    assignment: &Assignment<'_>,
    format: AnswerFormat,
    background: &Background,
    bench: &mut Workbench<'_>,
) -> Result<Hash, Box<Failure>> {
    let whole_prompt = prompt::assemble(&prompt::Inputs {
        thread: Some(assignment.thread),
        role_name: assignment.role_name,
        role: assignment.role,
        schema: assignment.form.schema(),
        answer: match format {
            AnswerFormat::Json => AnswerForm::Json,
            AnswerFormat::Markdown => AnswerForm::Frontmatter,
        },
        task: &background.task,
        history: &background.history,
        instruction: assignment.instruction,
        visit: background.visit,
        step: background.step,
    });
    let last_resort = bench.last_resort.take();
    let mut conversation = Conversation {
        assignment,
        format,
        whole_prompt,
        bench,
        turns: Vec::new(),
        last_said: None,
        corrections: 0,
        warnings: Vec::new(),
        duration_ms: 0,
        last_run: None,
    };
    match answer_that_fits(&mut conversation, assignment.form, last_resort) {
        Ok(fitting) => conversation.conclude(fitting),
        Err(Unfitting::Refused(error)) => Err(conversation.fail(error.into())),
        Err(Unfitting::DoesNotFit {
            corrections,
            faults,
        }) => Err(match conversation.bench.signals.interruption() {
            // It ended the last resort, not a program.
            Some(signal) => conversation.fail(Reason::from(AgentError::Ended {
                agent: assignment.agent.name.clone(),
                ending: Ending::Interrupted(signal),
                finished: Box::default(),
            })),
            None => conversation.fail(Reason::DoesNotFit {
                agent: assignment.agent.name.clone(),
                corrections,
                faults,
            }),
        }),
    }
}

/// The turns so far: what the agent answered, and what it was told of that.
struct Conversation<'a, 'b> {
    assignment: &'a Assignment<'a>,
    format: AnswerFormat,
    whole_prompt: String,
    bench: &'a mut Workbench<'b>,
    turns: Vec<(&'static str, String)>,
    /// All the agent printed last, which is not among the turns yet.
    last_said: Option<String>,
    corrections: usize,
    warnings: Vec<String>,
    duration_ms: u64,
    last_run: Option<LastRun>,
}

impl Correspondent for Conversation<'_, '_> {
    type Error = AgentError;

    fn begin(&mut self) -> Result<Answer, AgentError> {
        let prompt = self.whole_prompt.clone();
        self.ask(&prompt)
    }

    fn correct(&mut self, correction: &str) -> Result<Answer, AgentError> {
        let said = self.last_said.take().unwrap_or_default();
        let prompt = prompt::correction_prompt(&self.whole_prompt, &said, correction);
        self.turns.push(("assistant", said));
        self.turns.push(("tool", correction.to_owned()));
        self.corrections += 1;
        self.ask(&prompt)
    }
}

impl Conversation<'_, '_> {
    /// Runs the agent with a prompt.
    fn ask(&mut self, prompt: &str) -> Result<Answer, AgentError> {
        let invocation = invocation(self.assignment, self.format, prompt);
        let observer = &mut *self.bench.observer;
        let result = process::run(&invocation, self.bench.signals, &mut |lines| {
            observer.agent_stderr(lines);
        });
        let finished = match result {
            Ok(finished) => finished,
            Err(error) => {
                if let Some(finished) = error.finished() {
                    let said = self.note(finished);
                    self.last_said = Some(said).filter(|said| !said.is_empty());
                }
                return Err(error);
            }
        };
        let said = self.note(&finished);
        self.last_said = Some(said.clone());
        if self.format == AnswerFormat::Markdown {
            return Ok(Answer::Markdown(said));
        }
        match parse_answer(&said) {
            Ok(answer) => {
                self.warnings.extend(answer.warnings);
                let (meta, content) = (answer.meta, answer.content);
                Ok(Answer::Json { meta, content })
            }
            Err(cause) => Err(AgentError::Protocol {
                agent: invocation.agent,
                cause: ProtocolError::Answer(cause),
                finished: Box::new(finished),
            }),
        }
    }

    /// Takes account of a run; what the agent printed, as text.
    fn note(&mut self, finished: &Finished) -> String {
        let run = LastRun::from(finished);
        self.duration_ms += run.duration_ms;
        self.last_run = Some(run);
        let (text, warning) = decode_text(&finished.stdout);
        self.warnings.extend(warning);
        text
    }

    /// Stores what fitted: output, turns, detail and the step.
    fn conclude(mut self, fitting: Fitting) -> Result<Hash, Box<Failure>> {
        self.warnings.extend(fitting.extracted.warnings);
        for warning in &self.warnings {
            self.bench.observer.warning(warning);
        }
        self.turns
            .push(("assistant", fitting.answer.text().to_owned()));
        let assignment = self.assignment;
        let now = (self.bench.now_ms)();
        let stored = self.store().and_then(|detail| {
            let frontmatter = &assignment.role.frontmatter;
            let output = &fitting.extracted.value;
            Ok((detail, self.bench.store.put(frontmatter, output, now)?))
        });
        let (detail, output) = match stored {
            Ok(stored) => stored,
            Err(error) => return Err(self.failure(error.into(), None)),
        };
        let step = StepNode {
            start: assignment.start,
            prev: assignment.prev,
            role: assignment.role_name.clone(),
            output,
            detail,
            agent: assignment.agent.name.clone(),
            edge_prompt: Some(assignment.instruction.to_owned()),
        };
        let store = self.bench.store;
        let stored = store.put(&known::STEP_NODE, &step.to_payload(), now);
        stored.map_err(|error| self.failure(error.into(), Some(detail)))
    }

    /// A failure with what was said kept, so that the attempt can be looked at.
    fn fail(mut self, reason: Reason) -> Box<Failure> {
        if let Some(said) = self.last_said.take() {
            self.turns.push(("assistant", said));
        }
        let output = if self.turns.is_empty() {
            None
        } else {
            let stored = self.store();
            self.bench.kept(stored)
        };
        self.failure(reason, output)
    }

    fn failure(self, reason: Reason, output: Option<Hash>) -> Box<Failure> {
        Box::new(Failure {
            reason,
            output,
            step: None,
            run: self.last_run,
        })
    }

    fn store(&self) -> cas::Result<Hash> {
        let store = self.bench.store;
        let now = (self.bench.now_ms)();
        store.register(&known::BUILTIN_TURN, now)?;
        store.register(&known::UWF_DETAIL, now)?;
        let turns = self
            .turns
            .iter()
            .map(|(role, content)| {
                let turn =
                    json!({"role": role, "content": content, "toolCalls": null, "reasoning": null});
                store.put(&known::BUILTIN_TURN, &turn, now)
            })
            .collect::<cas::Result<Vec<Hash>>>()?;
        let detail = json!({
            "protocol": self.assignment.agent.protocol.as_str(),
            "command": self.assignment.agent.command,
            "exitCode": self.last_run.as_ref().and_then(|run| run.exit_code),
            "durationMs": self.duration_ms,
            "corrections": self.corrections,
            "warnings": self.warnings,
            "turns": turns,
        });
        store.put(&known::UWF_DETAIL, &detail, now)
    }
}

/// By argument only what fits into one: a longer prompt is on stdin, and `-` says so on protocol
/// `json`.
fn invocation(assignment: &Assignment<'_>, format: AnswerFormat, prompt: &str) -> Invocation {
    let wanted = assignment.agent.prompt.unwrap_or(match format {
        AnswerFormat::Json => PromptBy::Argument,
        AnswerFormat::Markdown => PromptBy::Stdin,
    });
    let fits = prompt.len() <= LONGEST_ARGUMENT && !prompt.contains('\0');
    let by_argument = wanted == PromptBy::Argument && fits;
    let stdin = if by_argument {
        Stdin::Empty
    } else {
        Stdin::Text(prompt.into())
    };
    let mut invocation = assignment.invocation(stdin, Capture::ANSWER);
    let arguments: &[&str] = match format {
        AnswerFormat::Json => {
            let argument = if by_argument { prompt } else { "-" };
            &["-t", assignment.thread.as_str(), "-p", argument]
        }
        AnswerFormat::Markdown if by_argument => &[prompt],
        AnswerFormat::Markdown => &[],
    };
    invocation
        .arguments
        .extend(arguments.iter().map(Into::into));
    invocation
}
