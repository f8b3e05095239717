//! `sessions/<ulid>.jsonl`: a turn of the builtin agent while it runs. Each line is on disk before
//! the next request is made; the file is removed when the step is in the store.
//!
//! The first line says whose it is:
//!
//! ```json
//! {"version": 1, "thread": "06H2…", "role": "writer", "agent": "builtin", "step": "86N2…",
//!  "startedAt": 1796044961064, "model": "large-1", "given": 2}
//! ```
//!
//! `step` is the step that the new one is to follow, null in a thread without one; `given` how many
//! messages there were before the model was asked. Every other line is a message, as the chat API
//! writes it, with what else is known of an answer:
//!
//! ```json
//! {"message": {"role": "assistant", "content": "…", "tool_calls": […]},
//!  "reasoning": ["reasoning_content", "…"], "finish": "length",
//!  "usage": {"input": 10, "cached": 4, "output": 3}}
//! ```
//!
//! `finish` is `length` or `refused`, and left out of an answer that came to its end. Other
//! programs keep files of another form in the same folder: those are left alone.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::fsx::{self, Access, FileError};
use crate::llm::{Finish, Message, TokenCount};
use crate::model::{Hash, RoleName, ThreadId, in_full};

const VERSION: u64 = 1;
const ENDING: &str = ".jsonl";

/// What a session is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Occasion {
    /// The thread.
    pub thread: ThreadId,
    /// Whose turn it is.
    pub role: RoleName,
    /// The name that the user gave the agent.
    pub agent: String,
    /// The step that the new one is to follow.
    pub step: Option<Hash>,
}

/// What a session's file begins with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// What it is for.
    #[serde(flatten)]
    pub occasion: Occasion,
    /// In milliseconds since 1970.
    pub started_at: u64,
    /// What the service calls the model.
    pub model: String,
    /// Messages that were there before the model was asked.
    pub given: usize,
}

/// A message, and what else is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub message: Message,
    /// Of an answer: why the model stopped.
    pub finish: Finish,
    /// Of an answer: what it cost.
    pub usage: Option<TokenCount>,
}

/// A session's file.
#[derive(Debug, Clone)]
pub struct Session {
    path: PathBuf,
    id: String,
}

/// A session that came to no end.
pub struct Found {
    pub session: Session,
    pub header: Header,
    pub entries: Vec<Entry>,
}

impl Session {
    /// A new one.
    pub fn begin(root: &Path, id: &str, header: &Header, given: &[Message]) -> fsx::Result<Self> {
        let session = Self {
            path: folder(root).join(format!("{id}{ENDING}")),
            id: id.to_owned(),
        };
        let mut text = header.to_line() + "\n";
        for message in given {
            let entry = Entry {
                message: message.clone(),
                finish: Finish::Done,
                usage: None,
            };
            text += &(entry.to_line() + "\n");
        }
        fsx::replace(&session.path, text.as_bytes(), Access::Owner)?;
        Ok(session)
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Adds a message, and returns when it is on disk.
    pub fn append(&self, entry: &Entry) -> fsx::Result<()> {
        fsx::append_line(&self.path, &entry.to_line(), Access::Owner)
    }

    /// Removes the file.
    pub fn remove(&self) -> fsx::Result<()> {
        fsx::remove(&self.path).map(|_| ())
    }

    /// The newest session for an occasion, with warnings. A file that cannot be used is kept aside;
    /// `known` is the session that is remembered for the occasion, also when its file does not
    /// tell.
    pub fn find(
        root: &Path,
        occasion: &Occasion,
        known: Option<&str>,
    ) -> (Option<Found>, Vec<String>) {
        let mut warnings = Vec::new();
        let names = fsx::file_names(&folder(root)).unwrap_or_else(|error| {
            warnings.push(format!("no session is taken up: {}", in_full(&error)));
            Vec::new()
        });
        // Ids of our clock sort by time.
        for name in names.iter().rev() {
            let Some(id) = name.strip_suffix(ENDING) else {
                continue;
            };
            let session = Self {
                path: folder(root).join(name),
                id: id.to_owned(),
            };
            match session.read(occasion, known == Some(id)) {
                Ok(None) => {}
                Ok(Some((header, entries))) => {
                    let found = Found {
                        session,
                        header,
                        entries,
                    };
                    return (Some(found), warnings);
                }
                Err(why) => warnings.push(session.set_aside(&why)),
            }
        }
        (None, warnings)
    }

    /// What is in it; none when it is for another occasion, or of another program.
    fn read(
        &self,
        occasion: &Occasion,
        is_known: bool,
    ) -> Result<Option<(Header, Vec<Entry>)>, String> {
        let bytes = match fsx::read_optional(&self.path) {
            Ok(bytes) => bytes.unwrap_or_default(),
            Err(error) if is_known => return Err(in_full(&error)),
            Err(_) => return Ok(None),
        };
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (first, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
        let header = match Header::from_line(first) {
            Some(header) if header.occasion == *occasion => header,
            None if is_known => return Err(self.wrong(1, "it does not say whose session it is")),
            _ => return Ok(None),
        };
        let mut entries = Vec::new();
        let lines: Vec<_> = rest.split(|byte| *byte == b'\n').skip(1).collect();
        let count = lines.len();
        for (index, line) in lines.into_iter().enumerate() {
            match Entry::from_line(line) {
                Some(entry) => entries.push(entry),
                // The end of the last line; or a line that was being written when the run was
                // killed.
                None if index + 1 == count => self.drop_torn(line, &bytes)?,
                None => return Err(self.wrong(index + 2, "it is no message")),
            }
        }
        if header.given == 0 || entries.len() < header.given {
            return Err(self.wrong(1, "it lacks messages that it should begin with"));
        }
        Ok(Some((header, entries)))
    }

    fn drop_torn(&self, torn: &[u8], bytes: &[u8]) -> Result<(), String> {
        if torn.is_empty() {
            return Ok(());
        }
        let whole = &bytes[..bytes.len() - torn.len()];
        fsx::replace(&self.path, whole, Access::Owner).map_err(|error| in_full(&error))
    }

    fn wrong(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.path.display())
    }

    /// Moves a file that cannot be used out of the way; what to say of it.
    fn set_aside(&self, why: &str) -> String {
        let aside = self.path.with_extension("jsonl.unreadable");
        let moved = || -> Result<(), FileError> {
            if let Some(bytes) = fsx::read_optional(&self.path)? {
                fsx::replace(&aside, &bytes, Access::Owner)?;
                fsx::remove(&self.path)?;
            }
            Ok(())
        };
        let what = match moved() {
            Ok(()) => format!("it is kept as {}", aside.display()),
            Err(error) => format!("it stays where it is: {}", in_full(&error)),
        };
        format!("the interrupted session cannot be taken up: {why}; {what}")
    }
}

impl Header {
    fn to_line(&self) -> String {
        let mut line = json!({"version": VERSION});
        if let (Some(line), Ok(Value::Object(header))) =
            (line.as_object_mut(), serde_json::to_value(self))
        {
            line.extend(header);
        }
        line.to_string()
    }

    fn from_line(line: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(line).ok()?;
        if value.get("version")?.as_u64()? != VERSION {
            return None;
        }
        serde_json::from_value(value).ok()
    }
}

impl Entry {
    fn to_line(&self) -> String {
        let mut line = Map::new();
        line.insert("message".to_owned(), self.message.to_json());
        if let Message::Assistant {
            reasoning: Some((key, thought)),
            ..
        } = &self.message
        {
            line.insert("reasoning".to_owned(), json!([key, thought]));
        }
        if let Some(finish) = finish_word(self.finish) {
            line.insert("finish".to_owned(), finish.into());
        }
        if let Some(usage) = self.usage {
            let count = json!({
                "input": usage.input, "cached": usage.cached, "output": usage.output,
            });
            line.insert("usage".to_owned(), count);
        }
        Value::Object(line).to_string()
    }

    fn from_line(line: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(line).ok()?;
        let mut message = Message::from_json(value.get("message")?)?;
        if let Message::Assistant { reasoning, .. } = &mut message
            && let Some(told) = value.get("reasoning")
        {
            let text = |index: usize| Some(told.get(index)?.as_str()?.to_owned());
            *reasoning = text(0).zip(text(1));
        }
        let word = value.get("finish").and_then(Value::as_str);
        let known = [Finish::Length, Finish::Refused].into_iter();
        let finish = known
            .into_iter()
            .find(|finish| finish_word(*finish) == word);
        let usage = value.get("usage").map(|usage| {
            let number = |key: &str| usage.get(key).and_then(Value::as_u64).unwrap_or_default();
            TokenCount {
                input: number("input"),
                cached: number("cached"),
                output: number("output"),
            }
        });
        Some(Self {
            message,
            finish: finish.unwrap_or(Finish::Done),
            usage,
        })
    }
}

fn finish_word(finish: Finish) -> Option<&'static str> {
    match finish {
        Finish::Done => None,
        Finish::Length => Some("length"),
        Finish::Refused => Some("refused"),
    }
}

fn folder(root: &Path) -> PathBuf {
    root.join("sessions")
}
