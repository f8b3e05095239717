//! Permissions that an agent asks for: which of its options is taken.

use agent_client_protocol::v1::schema::{
    PermissionOption, PermissionOptionKind, RequestPermissionOutcome, SelectedPermissionOutcome,
};

/// What an agent is told when it asks for a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Permissions {
    /// Yes, this time.
    #[default]
    Allow,
    /// No, this time.
    Deny,
}

/// What was said to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// For the agent.
    pub outcome: RequestPermissionOutcome,
    /// For the record.
    pub words: String,
}

/// Takes one of the options: by what it means, never by where it stands. Where none means what is
/// wanted, nothing is permitted.
pub fn decide(permissions: Permissions, options: &[PermissionOption]) -> Decision {
    let (word, kinds) = match permissions {
        Permissions::Allow => (
            "allowed",
            [
                PermissionOptionKind::AllowOnce,
                PermissionOptionKind::AllowAlways,
            ],
        ),
        Permissions::Deny => (
            "denied",
            [
                PermissionOptionKind::RejectOnce,
                PermissionOptionKind::RejectAlways,
            ],
        ),
    };
    let chosen = kinds
        .iter()
        .find_map(|kind| options.iter().find(|option| option.kind == *kind));
    match chosen {
        Some(option) => Decision {
            outcome: RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(
                option.option_id.clone(),
            )),
            words: format!("{word} ({})", option.name),
        },
        None => Decision {
            outcome: RequestPermissionOutcome::Cancelled,
            words: format!("none of its options means {word}: cancelled"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn decided(permissions: Permissions, kinds: &[&str]) -> (Value, String) {
        let options: Vec<PermissionOption> = kinds
            .iter()
            .map(|kind| {
                let option = json!({"optionId": format!("id-{kind}"), "name": kind, "kind": kind});
                serde_json::from_value(option).unwrap()
            })
            .collect();
        let decision = decide(permissions, &options);
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
}
