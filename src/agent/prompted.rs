//! Protocols `json` and `markdown`: the engine writes the prompt and reads the answer.
//!
//! An answer that does not fit is sent back with what is wrong, at most twice. All the agent
//! said is kept as the turns of the detail node, also when nothing fitted in the end.

use serde_json::{Value, json};

use super::answer_json::parse_answer;
use super::assignment::{
    AnswerFormat, Assignment, Background, Failure, LastRun, Reason, Workbench,
};
use super::error::{AgentError, ProtocolError};
use super::invocation::{Capture, Finished, Invocation, Stdin};
use super::process;
use super::text::decode_text;
use crate::cas::{self, known};
use crate::extract::{self, Extracted, Fault, Form};
use crate::model::{Hash, StepNode};
use crate::prompt::{self, AnswerForm};

/// How often an agent is asked again.
const MOST_CORRECTIONS: usize = 2;
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
    let mut conversation = Conversation::new(format);
    let mut prompt = whole_prompt.clone();
    loop {
        let (answer, said) = match conversation.ask(assignment, &prompt, bench) {
            Ok(answered) => answered,
            Err(error) => return Err(conversation.fail(assignment, error.into(), bench)),
        };
        let faults = match answer.extract(assignment.form) {
            Ok(extracted) => return conversation.conclude(assignment, &answer, extracted, bench),
            Err(faults) => faults,
        };
        conversation.answered(said.clone());
        if conversation.corrections == MOST_CORRECTIONS {
            let reason = Reason::DoesNotFit {
                agent: assignment.agent.name.clone(),
                corrections: MOST_CORRECTIONS,
                faults: faults.iter().map(ToString::to_string).collect(),
            };
            return Err(conversation.fail(assignment, reason, bench));
        }
        let correction = extract::correction(&faults, assignment.form.schema());
        prompt = prompt::correction_prompt(&whole_prompt, &said, &correction);
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

    /// What the turn of an answer that fits is kept as.
    fn text(&self) -> &str {
        match self {
            Self::Markdown(text) => text,
            Self::Json { content, .. } => content,
        }
    }
}

/// The turns so far: what the agent answered, and what it was told of that.
struct Conversation {
    format: AnswerFormat,
    turns: Vec<(&'static str, String)>,
    corrections: usize,
    warnings: Vec<String>,
    duration_ms: u64,
    last_run: Option<LastRun>,
}

impl Conversation {
    fn new(format: AnswerFormat) -> Self {
        Self {
            format,
            turns: Vec::new(),
            corrections: 0,
            warnings: Vec::new(),
            duration_ms: 0,
            last_run: None,
        }
    }

    /// Runs the agent with a prompt: its answer, and all it printed.
    fn ask(
        &mut self,
        assignment: &Assignment<'_>,
        prompt: &str,
        bench: &mut Workbench<'_>,
    ) -> Result<(Answer, String), AgentError> {
        let observer = &mut *bench.observer;
        let invocation = invocation(assignment, self.format, prompt);
        let result = process::run(&invocation, bench.signals, &mut |lines| {
            observer.agent_stderr(lines);
        });
        let finished = match result {
            Ok(finished) => finished,
            Err(error) => {
                if let Some(finished) = error.finished() {
                    let said = self.note(finished);
                    if !said.is_empty() {
                        self.answered(said);
                    }
                }
                return Err(error);
            }
        };
        let said = self.note(&finished);
        if self.format == AnswerFormat::Markdown {
            return Ok((Answer::Markdown(said.clone()), said));
        }
        match parse_answer(&said) {
            Ok(answer) => {
                self.warnings.extend(answer.warnings);
                let (meta, content) = (answer.meta.into(), answer.content);
                Ok((Answer::Json { meta, content }, said))
            }
            Err(cause) => {
                self.answered(said);
                Err(AgentError::Protocol {
                    agent: invocation.agent,
                    cause: ProtocolError::Answer(cause),
                    finished: Box::new(finished),
                })
            }
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

    /// Keeps all the agent printed as its turn.
    fn answered(&mut self, said: String) {
        self.turns.push(("assistant", said));
    }

    fn correct(&mut self, correction: String) {
        self.turns.push(("tool", correction));
        self.corrections += 1;
    }

    /// Stores what fitted: output, turns, detail and the step.
    fn conclude(
        mut self,
        assignment: &Assignment<'_>,
        answer: &Answer,
        extracted: Extracted,
        bench: &mut Workbench<'_>,
    ) -> Result<Hash, Box<Failure>> {
        self.warnings.extend(extracted.warnings);
        for warning in &self.warnings {
            bench.observer.warning(warning);
        }
        self.turns.push(("assistant", answer.text().to_owned()));
        let now = (bench.now_ms)();
        let stored = self.store(assignment, bench).and_then(|detail| {
            let frontmatter = &assignment.role.frontmatter;
            Ok((detail, bench.store.put(frontmatter, &extracted.value, now)?))
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
        let stored = bench.store.put(&known::STEP_NODE, &step.to_payload(), now);
        stored.map_err(|error| self.failure(error.into(), Some(detail)))
    }

    /// A failure with what was said kept, so that the attempt can be looked at.
    fn fail(
        self,
        assignment: &Assignment<'_>,
        reason: Reason,
        bench: &mut Workbench<'_>,
    ) -> Box<Failure> {
        let output = if self.turns.is_empty() {
            None
        } else {
            let stored = self.store(assignment, bench);
            bench.kept(stored)
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
            "exitCode": self.last_run.as_ref().and_then(|run| run.exit_code),
            "durationMs": self.duration_ms,
            "corrections": self.corrections,
            "warnings": self.warnings,
            "turns": turns,
        });
        bench.store.put(&known::UWF_DETAIL, &detail, now)
    }
}

fn invocation(assignment: &Assignment<'_>, format: AnswerFormat, prompt: &str) -> Invocation {
    let by_argument =
        format == AnswerFormat::Json && prompt.len() <= LONGEST_ARGUMENT && !prompt.contains('\0');
    let (stdin, argument) = if by_argument {
        (Stdin::Empty, prompt)
    } else {
        (Stdin::Text(prompt.into()), "-")
    };
    let mut invocation = assignment.invocation(stdin, Capture::ANSWER);
    if format == AnswerFormat::Json {
        let arguments = ["-t", assignment.thread.as_str(), "-p", argument];
        invocation.arguments.extend(arguments.map(Into::into));
    }
    invocation
}
