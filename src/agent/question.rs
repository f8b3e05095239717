//! Questions that an agent in the binary has for whoever watches the step, while it works.
//!
//! Its process has no terminal. Where somebody is there to answer, its standard input is a socket
//! instead of nothing: it writes a question there, one line of JSON, and reads the answer, another.
//! A variable of its environment says so. Agents that are not this program never get one: their
//! standard input is at its end from the start.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::invocation::Stdin;
use super::signals::Guard;

/// Set to [`QUESTIONS_ON_STDIN`] where questions can be put.
pub const QUESTIONS_VARIABLE: &str = "UWF_QUESTIONS";

/// They are put on the standard input.
pub const QUESTIONS_ON_STDIN: &str = "stdin";

/// The most bytes of a question.
const MOST_OF_QUESTION: usize = 1 << 20;

/// A question with the answers that it may have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// What is asked.
    pub title: String,
    /// The answers.
    pub options: Vec<Choice>,
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// What it is called in the answer.
    pub id: String,
    /// What a person is shown.
    pub name: String,
    /// What it means, such as `allow_once`.
    pub kind: String,
}

impl Question {
    /// Puts the question there, and waits for the answer: the id of an option, none when there is
    /// none, or a signal comes first.
    pub fn put(&self, stdin: OwnedFd, signals: &mut Guard) -> io::Result<Option<String>> {
        let mut stream = UnixStream::from(stdin);
        let line = json!({"question": self}).to_string() + "\n";
        stream.write_all(line.as_bytes())?;
        let mut answer = Vec::new();
        let mut buffer = [0; 4096];
        while !answer.ends_with(b"\n") && signals.wait_to_read(stream.as_fd(), None) {
            let count = stream.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            answer.extend_from_slice(&buffer[..count]);
        }
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
        Ok(answer["answer"].as_str().map(str::to_owned))
    }

    fn from_line(line: &[u8]) -> Option<Self> {
        let mut line: Value = serde_json::from_slice(line).ok()?;
        serde_json::from_value(line["question"].take()).ok()
    }
}

/// Who answers a question: the id of an option, or none. Not later than at this instant.
pub type Answerer<'a> = dyn FnMut(&Question, &mut Guard, Option<Instant>) -> Option<String> + 'a;

/// The other end of an agent's questions.
pub(super) struct Questions<'a> {
    stream: UnixStream,
    held: Vec<u8>,
    answerer: &'a mut Answerer<'a>,
}

impl<'a> Questions<'a> {
    /// With the end that the agent gets.
    pub fn new(answerer: &'a mut Answerer<'a>) -> io::Result<(Self, Stdin)> {
        let (stream, theirs) = UnixStream::pair()?;
        stream.set_nonblocking(true)?;
        let questions = Self {
            stream,
            held: Vec::new(),
            answerer,
        };
        Ok((questions, Stdin::Questions(Arc::new(theirs))))
    }

    /// Becomes readable when there is a question.
    pub fn wake(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }

    /// Reads what has come, and has the questions in it answered; false when there will be no more.
    pub fn serve(&mut self, signals: &mut Guard, until: Option<Instant>) -> io::Result<bool> {
        let mut buffer = [0; 4096];
        let count = match self.stream.read(&mut buffer) {
            Ok(count) => count,
            Err(error) => {
                let is_for_now = [io::ErrorKind::WouldBlock, io::ErrorKind::Interrupted];
                return Ok(is_for_now.contains(&error.kind()));
            }
        };
        self.held.extend_from_slice(&buffer[..count]);
        while let Some(end) = self.held.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.held.drain(..=end).collect();
            let question = Question::from_line(&line);
            let answer = question.and_then(|it| (self.answerer)(&it, signals, until));
            let answer = json!({"answer": answer}).to_string() + "\n";
            // It fails when the agent is gone, or takes no answers.
            if self.stream.write_all(answer.as_bytes()).is_err() {
                return Ok(false);
            }
        }
        Ok(count > 0 && self.held.len() <= MOST_OF_QUESTION)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::signals::tests::quiet_guard;

    fn question() -> Question {
        let choice = |id: &str| Choice {
            id: id.to_owned(),
            name: format!("Say {id}"),
            kind: "allow_once".to_owned(),
        };
        Question {
            title: "May I?\nReally?".to_owned(),
            options: vec![choice("yes"), choice("no")],
        }
    }

    /// What comes of a question when it is answered so.
    fn answered(answer: Option<&str>) -> Option<String> {
        let mut asked = Vec::new();
        let mut answerer = |question: &Question, _: &mut Guard, _: Option<Instant>| {
            asked.push(question.clone());
            answer.map(str::to_owned)
        };
        let (mut questions, stdin) = Questions::new(&mut answerer).unwrap();
        let Stdin::Questions(theirs) = stdin else {
            panic!("it should be a socket");
        };
        let theirs = theirs.try_clone().unwrap();
        let putting = std::thread::spawn(move || {
            let put = question().put(theirs.into(), &mut quiet_guard());
            put.unwrap()
        });
        while !putting.is_finished() {
            questions.serve(&mut quiet_guard(), None).unwrap();
        }
        drop(questions);
        assert_eq!(asked, [question()]);
        putting.join().unwrap()
    }

    #[test]
    fn a_question_is_answered_by_an_option_or_not() {
        assert_eq!(answered(Some("yes")), Some("yes".to_owned()));
        assert_eq!(answered(None), None);
    }

    #[test]
    fn what_is_no_question_has_no_answer_and_an_end_is_the_end() {
        let mut answerer = |_: &Question, _: &mut Guard, _: Option<Instant>| Some("x".to_owned());
        let (mut questions, stdin) = Questions::new(&mut answerer).unwrap();
        let Stdin::Questions(theirs) = stdin else {
            panic!("it should be a socket");
        };
        (&*theirs).write_all(b"hello\n").unwrap();
        assert!(questions.serve(&mut quiet_guard(), None).unwrap());
        let mut answer = [0; 64];
        let count = (&*theirs).read(&mut answer).unwrap();
        assert_eq!(&answer[..count], b"{\"answer\":null}\n");
        drop(theirs);
        assert!(!questions.serve(&mut quiet_guard(), None).unwrap());
    }
}
