//! Permissions that an agent asks for: which of its options is taken.

use agent_client_protocol::v1::schema::{
    PermissionOption, PermissionOptionKind, RequestPermissionOutcome, SelectedPermissionOutcome,
};
use serde_json::Value;

use crate::agent::{Choice, Question};
use crate::bundled::kit::Reply;

/// What an agent is told when it asks for a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Permissions {
    /// Yes, this time.
    #[default]
    Allow,
    /// No, this time.
    Deny,
    /// What the person at the terminal says; no where there is none.
    Ask,
}

/// What was said to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// For the agent.
    pub outcome: RequestPermissionOutcome,
    /// For the record.
    pub words: String,
    /// Whether the agent may not do what it asked for.
    pub is_denial: bool,
}

/// Decides about what an agent asks for. `ask` puts the question to the person who watches.
pub fn decide(
    permissions: Permissions,
    title: &str,
    options: &[PermissionOption],
    ask: &mut dyn FnMut(&Question) -> Reply,
) -> Decision {
    match permissions {
        Permissions::Allow => take(ALLOWED, options),
        Permissions::Deny => take(DENIED, options),
        Permissions::Ask => {
            let Reply::Chosen(id) = ask(&question(title, options)) else {
                return take(DENIED, options);
            };
            match options.iter().find(|option| *option.option_id.0 == *id) {
                Some(option) => selected("chosen", option),
                None => take(DENIED, options),
            }
        }
    }
}

fn question(title: &str, options: &[PermissionOption]) -> Question {
    let kind = |option: &PermissionOption| match serde_json::to_value(option.kind) {
        Ok(Value::String(kind)) => kind,
        _ => String::new(),
    };
    let options = options.iter().map(|option| Choice {
        id: option.option_id.to_string(),
        name: option.name.clone(),
        kind: kind(option),
    });
    Question {
        title: title.to_owned(),
        options: options.collect(),
    }
}

/// A word for a decision, and the options that mean it, the best first.
type Meaning = (&'static str, [PermissionOptionKind; 2]);

const ALLOWED: Meaning = (
    "allowed",
    [
        PermissionOptionKind::AllowOnce,
        PermissionOptionKind::AllowAlways,
    ],
);

const DENIED: Meaning = (
    "denied",
    [
        PermissionOptionKind::RejectOnce,
        PermissionOptionKind::RejectAlways,
    ],
);

/// Takes one of the options: by what it means, never by where it stands. Where none means what is
/// wanted, nothing is permitted.
fn take((word, kinds): Meaning, options: &[PermissionOption]) -> Decision {
    let chosen = kinds
        .iter()
        .find_map(|kind| options.iter().find(|option| option.kind == *kind));
    match chosen {
        Some(option) => selected(word, option),
        None => Decision {
            outcome: RequestPermissionOutcome::Cancelled,
            words: format!("none of its options means {word}: cancelled"),
            is_denial: true,
        },
    }
}

fn selected(word: &str, option: &PermissionOption) -> Decision {
    Decision {
        outcome: RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(
            option.option_id.clone(),
        )),
        words: format!("{word} ({})", option.name),
        is_denial: DENIED.1.contains(&option.kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn decided(permissions: Permissions, kinds: &[&str]) -> (Value, String) {
        let options: Vec<PermissionOption> = kinds
            .iter()
            .map(|kind| {
                let option = json!({"optionId": format!("id-{kind}"), "name": kind, "kind": kind});
                serde_json::from_value(option).unwrap()
            })
            .collect();
        let mut nobody = |_: &Question| panic!("nobody should be asked");
        let decision = decide(permissions, "", &options, &mut nobody);
        let outcome = serde_json::to_value(decision.outcome).unwrap();
        (outcome["optionId"].clone(), decision.words)
    }

    #[test]
    fn options_are_taken_by_their_kind_wherever_they_stand() {
        let all = ["reject_always", "allow_always", "reject_once", "allow_once"];
        let mut reversed = all;
        reversed.reverse();
        for kinds in [all, reversed] {
            assert_eq!(
                decided(Permissions::Allow, &kinds),
                (json!("id-allow_once"), "allowed (allow_once)".to_owned())
            );
            assert_eq!(
                decided(Permissions::Deny, &kinds),
                (json!("id-reject_once"), "denied (reject_once)".to_owned())
            );
        }
    }

    #[test]
    fn always_stands_in_for_once_and_nothing_for_the_opposite() {
        let always = ["reject_always", "allow_always"];
        assert_eq!(
            decided(Permissions::Allow, &always).0,
            json!("id-allow_always")
        );
        assert_eq!(
            decided(Permissions::Deny, &always).0,
            json!("id-reject_always")
        );
        let none = |word: &str| {
            let words = format!("none of its options means {word}: cancelled");
            (Value::Null, words)
        };
        assert_eq!(decided(Permissions::Deny, &["allow_once"]), none("denied"));
        assert_eq!(
            decided(Permissions::Allow, &["reject_once"]),
            none("allowed")
        );
    }

    #[test]
    fn a_person_decides_by_the_option_and_no_answer_is_a_no() {
        let options: Vec<PermissionOption> = serde_json::from_value(json!([
            {"optionId": "y", "name": "Yes", "kind": "allow_once"},
            {"optionId": "n", "name": "No", "kind": "reject_once"}
        ]))
        .unwrap();
        let decided = |reply: Reply| {
            let mut ask = |question: &Question| {
                assert_eq!(question.title, "May I?");
                assert_eq!(question.options[1].kind, "reject_once");
                reply.clone()
            };
            let decision = decide(Permissions::Ask, "May I?", &options, &mut ask);
            (decision.words, decision.is_denial)
        };
        let chosen = |id: &str| decided(Reply::Chosen(id.to_owned()));
        let denied = ("denied (No)".to_owned(), true);
        assert_eq!(chosen("y"), ("chosen (Yes)".to_owned(), false));
        assert_eq!(chosen("n"), ("chosen (No)".to_owned(), true));
        assert_eq!(chosen("z"), denied);
        assert_eq!(decided(Reply::NoneChosen), denied);
        assert_eq!(decided(Reply::NobodyThere), denied);
    }
}
