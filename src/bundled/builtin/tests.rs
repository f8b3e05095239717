//! Tests of what is kept of a session.

use serde_json::json;

use super::conversation::Last;
use super::session::{Entry, Found};
use std::path::Path;

use super::*;
use crate::fsx;
use crate::llm::{Finish, Reply, TokenCount, ToolCall};

const THREAD: &str = "06H2S7T0SYTNXJYWQYS40BBMNR";
const OLD: &str = "01ARZ3NDEKTSV4RRFFQ69G5FA0";
const NEW: &str = "01ARZ3NDEKTSV4RRFFQ69G5FA1";

fn occasion() -> Occasion {
    Occasion {
        thread: THREAD.parse().unwrap(),
        role: "writer".parse().unwrap(),
        agent: "builtin".to_owned(),
        step: None,
    }
}

fn header() -> Header {
    Header {
        occasion: occasion(),
        started_at: 7,
        model: "m-1".to_owned(),
        given: 2,
    }
}

fn given() -> Vec<Message> {
    vec![
        Message::System("s".to_owned()),
        Message::User("u".to_owned()),
    ]
}

fn calls(ids: &[&str]) -> Reply {
    let call = |id: &&str| ToolCall {
        id: (*id).to_owned(),
        name: "read_file".to_owned(),
        arguments: "{}".to_owned(),
    };
    Reply {
        content: String::new(),
        reasoning: Some(("reasoning".to_owned(), "hm".to_owned())),
        tool_calls: ids.iter().map(call).collect(),
        finish: Finish::Done,
        usage: Some(TokenCount {
            input: 10,
            cached: 4,
            output: 3,
        }),
        model: None,
    }
}

fn found(root: &Path, known: Option<&str>) -> (Option<Found>, Vec<String>) {
    Session::find(root, &occasion(), known)
}

#[test]
fn a_session_is_found_as_it_was_left() {
    let root = tempfile::tempdir().unwrap();
    let mut conversation = Conversation::begin(root.path(), OLD, &header(), given()).unwrap();
    let cut = Reply {
        content: "long".to_owned(),
        finish: Finish::Length,
        ..calls(&[])
    };
    conversation.hear(&calls(&["a", "b"])).unwrap();
    conversation
        .say(Message::Tool {
            id: "a".to_owned(),
            content: "text".to_owned(),
        })
        .unwrap();
    let (left, warnings) = found(root.path(), None);
    assert_eq!(warnings, Vec::<String>::new());
    let left = Conversation::of(left.unwrap());
    assert_eq!(left.messages(), conversation.messages());
    assert_eq!(left.turns(), conversation.turns());
    assert_eq!((left.asked(), left.session_id()), (1, OLD));
    assert!(matches!(left.last(), Last::Calls(open) if open.len() == 1 && open[0].id == "b"));
    conversation.hear(&cut).unwrap();
    let left = Conversation::of(found(root.path(), None).0.unwrap());
    assert!(matches!(
        left.last(),
        Last::Said {
            finish: Finish::Length,
            ..
        }
    ));
    assert_eq!(
        left.usage(),
        Some(TokenCount {
            input: 20,
            cached: 8,
            output: 6
        })
    );
    // A service may count as it likes.
    let endless = TokenCount {
        input: u64::MAX,
        ..TokenCount::default()
    };
    conversation
        .hear(&Reply {
            usage: Some(endless),
            ..calls(&[])
        })
        .unwrap();
    assert_eq!(conversation.usage().unwrap().input, u64::MAX);
    conversation.remove().unwrap();
    assert!(found(root.path(), None).0.is_none());
}

#[test]
fn a_session_for_another_occasion_is_left_alone() {
    let root = tempfile::tempdir().unwrap();
    let others = [
        Occasion {
            step: "86N29KJ2R9X6K".parse().ok(),
            ..occasion()
        },
        Occasion {
            agent: "other".to_owned(),
            ..occasion()
        },
        Occasion {
            role: "reviewer".parse().unwrap(),
            ..occasion()
        },
        Occasion {
            thread: OLD.parse().unwrap(),
            ..occasion()
        },
    ];
    for (number, occasion) in others.into_iter().enumerate() {
        let header = Header {
            occasion,
            ..header()
        };
        let id = format!("other-{number}");
        Session::begin(root.path(), &id, &header, &given()).unwrap();
    }
    let of_the_original = root.path().join("sessions").join("x.jsonl");
    fsx::append_line(&of_the_original, "{\"turn\": 1}", fsx::Access::Owner).unwrap();
    let (none, warnings) = found(root.path(), None);
    assert!(none.is_none());
    assert_eq!(warnings, Vec::<String>::new());
    Session::begin(root.path(), OLD, &header(), &given()).unwrap();
    Session::begin(root.path(), NEW, &header(), &given()).unwrap();
    assert_eq!(found(root.path(), None).0.unwrap().session.id(), NEW);
}

#[test]
fn a_line_that_was_being_written_is_dropped() {
    let root = tempfile::tempdir().unwrap();
    let mut conversation = Conversation::begin(root.path(), OLD, &header(), given()).unwrap();
    conversation.hear(&calls(&["a"])).unwrap();
    let path = root.path().join("sessions").join(format!("{OLD}.jsonl"));
    let whole = fsx::read_optional(&path).unwrap().unwrap();
    let torn = [whole.as_slice(), b"{\"message\": {\"ro"].concat();
    fsx::replace(&path, &torn, fsx::Access::Owner).unwrap();
    let (left, warnings) = found(root.path(), None);
    assert_eq!(warnings, Vec::<String>::new());
    assert_eq!(left.unwrap().entries.len(), 3);
    assert_eq!(fsx::read_optional(&path).unwrap().unwrap(), whole);
}

#[test]
fn a_file_that_cannot_be_used_is_kept_aside() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("sessions").join(format!("{OLD}.jsonl"));
    let aside = path.with_extension("jsonl.unreadable");
    Session::begin(root.path(), OLD, &header(), &given()).unwrap();
    let whole = fsx::read_text_optional(&path).unwrap().unwrap();
    let broken = whole.replacen("{\"message\"", "{\"nothing\"", 1);
    let short = header();
    let short = whole.replace("\"given\":2", &format!("\"given\":{}", short.given + 1));
    for (text, line, what) in [
        (broken, 2, "it is no message"),
        (short, 1, "it lacks messages that it should begin with"),
        ("\0".to_owned(), 1, "it does not say whose session it is"),
    ] {
        fsx::replace(&path, text.as_bytes(), fsx::Access::Owner).unwrap();
        let (none, warnings) = found(root.path(), Some(OLD));
        assert!(none.is_none());
        assert_eq!(
            warnings,
            [format!(
                "the interrupted session cannot be taken up: {}:{line}: {what}; it is kept as {}",
                path.display(),
                aside.display()
            )]
        );
        assert_eq!(fsx::read_text_optional(&aside).unwrap(), Some(text));
        assert_eq!(fsx::read_optional(&path).unwrap(), None);
    }
}

#[test]
fn only_the_owner_may_read_a_session() {
    use std::os::unix::fs::PermissionsExt;
    let root = tempfile::tempdir().unwrap();
    let session = Session::begin(root.path(), OLD, &header(), &given()).unwrap();
    let entry = Entry {
        message: Message::assistant("a"),
        finish: Finish::Done,
        usage: None,
    };
    session.append(&entry).unwrap();
    let path = root.path().join("sessions").join(format!("{OLD}.jsonl"));
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = fsx::read_text_optional(&path).unwrap().unwrap();
    let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(
        first,
        json!({
            "version": 1, "thread": THREAD, "role": "writer", "agent": "builtin", "step": null,
            "startedAt": 7, "model": "m-1", "given": 2,
        })
    );
}

#[test]
fn tools_do_not_see_keys() {
    let variable = |name: &str| (OsString::from(name), OsString::from("x"));
    let environment = ["PATH", "KEY", "OTHER_KEY", "KEYS"].map(variable).into();
    let hidden = ["KEY", "OTHER_KEY"].map(str::to_owned).into();
    assert_eq!(
        without(&environment, &hidden),
        ["PATH", "KEYS"].map(variable).into()
    );
}
