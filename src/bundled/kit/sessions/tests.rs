//! The session cache: whose entry counts, what is written, what cannot be read.

use std::fs;

use serde_json::json;

use super::*;

fn root_with(entries: &Value) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    fsx::replace(
        &path(root.path()),
        entries.to_string().as_bytes(),
        Access::Owner,
    )
    .unwrap();
    root
}

fn kept(root: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path(root)).unwrap()).unwrap()
}

fn read<'a>(root: &'a Path, agent: &str, last_agent: LastAgent) -> Sessions<'a> {
    let key = "T:writer".to_owned();
    let (sessions, warning) = Sessions::read(root, key, agent.to_owned(), last_agent);
    assert_eq!(warning, None);
    sessions
}

#[test]
fn an_entry_counts_where_the_last_turn_was_its_agents() {
    let root = root_with(&json!({"T:writer:a": "a1", "T:editor": "e1", "T:editor:b": "e2"}));
    let known = |agent, last_agent| {
        let sessions = read(root.path(), agent, last_agent);
        sessions.known().map(str::to_owned)
    };
    assert_eq!(known("a", LastAgent::This).as_deref(), Some("a1"));
    assert_eq!(known("a", LastAgent::Nobody).as_deref(), Some("a1"));
    assert_eq!(known("a", LastAgent::Another), None);
    assert_eq!(known("b", LastAgent::This), None);
    let root = root_with(&json!({"T:writer:a": "a1", "T:writer": "o1"}));
    let known = |last_agent| {
        let sessions = read(root.path(), "a", last_agent);
        sessions.known().map(str::to_owned)
    };
    assert_eq!(known(LastAgent::This).as_deref(), Some("o1"));
    assert_eq!(known(LastAgent::Nobody).as_deref(), Some("a1"));
    assert_eq!(known(LastAgent::Another), None);
}

#[test]
fn a_step_makes_the_sessions_of_others_old() {
    let root = root_with(&json!({
        "T:writer": "o1", "T:writer:b": "b1", "T:writers:b": "s1", "T:editor": "e1",
    }));
    let sessions = read(root.path(), "a", LastAgent::This);
    assert_eq!(sessions.known(), Some("o1"));
    assert_eq!(sessions.forget_others(), None);
    let entries = entries(root.path()).unwrap();
    assert_eq!(
        Value::Object(entries),
        json!({"T:writers:b": "s1", "T:editor": "e1", "T:writer:a": "o1"})
    );
}

#[test]
fn a_session_is_written_down_beside_the_others_as_the_original_writes_them() {
    let root = root_with(&json!({"a:b": "other"}));
    let mut sessions = read(root.path(), "claude", LastAgent::This);
    assert_eq!(sessions.remember("new"), None);
    assert_eq!(sessions.known(), Some("new"));
    assert_eq!(
        fs::read_to_string(path(root.path())).unwrap(),
        "{\n  \"a:b\": \"other\",\n  \"T:writer:claude\": \"new\"\n}\n"
    );
    assert_eq!(sessions.forget_new(), None);
    assert_eq!(kept(root.path()), json!({"a:b": "other"}));
}

#[test]
fn what_was_known_before_the_turn_is_not_forgotten_with_it() {
    let root = root_with(&json!({"T:writer:claude": "before"}));
    let mut sessions = read(root.path(), "claude", LastAgent::This);
    assert_eq!(sessions.remember("new"), None);
    assert_eq!(sessions.forget_new(), None);
    assert_eq!(sessions.known(), Some("before"));
    assert_eq!(kept(root.path()), json!({"T:writer:claude": "before"}));
}

#[test]
fn a_file_that_cannot_be_used_is_set_aside_and_stops_nobody() {
    for text in ["{\"cut", "[1]", ""] {
        let root = tempfile::tempdir().unwrap();
        let file = path(root.path());
        fsx::replace(&file, text.as_bytes(), Access::Owner).unwrap();
        let (key, agent) = ("T:writer".to_owned(), "claude".to_owned());
        let (mut sessions, warning) = Sessions::read(root.path(), key, agent, LastAgent::This);
        assert!(warning.unwrap().starts_with(&file.display().to_string()));
        assert_eq!(sessions.known(), None);
        let aside = file.with_extension("json.unreadable");
        let warning = sessions.remember("new").unwrap();
        let where_it_is = format!("it is kept as {}", aside.display());
        assert!(warning.ends_with(&where_it_is), "{warning}");
        assert_eq!(fs::read_to_string(aside).unwrap(), text);
        assert_eq!(kept(root.path()), json!({"T:writer:claude": "new"}));
    }
}

#[test]
fn twenty_agents_at_once_lose_no_entry() {
    let root = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..20).map(|number| format!("agent{number}")).collect();
    std::thread::scope(|scope| {
        for name in &names {
            scope.spawn(|| {
                let mut sessions = read(root.path(), name, LastAgent::Nobody);
                assert_eq!(sessions.remember(name), None);
            });
        }
    });
    let kept = kept(root.path());
    assert_eq!(kept.as_object().unwrap().len(), 20);
    for name in names {
        assert_eq!(kept[format!("T:writer:{name}")], name);
    }
}
