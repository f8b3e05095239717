//! Changing the text of `config.yaml` where it has to change, and nowhere else.
//!
//! A change is a place in the text and what is to stand there. Whether it says what was wanted,
//! and leaves all else as it was, is not argued but tried: the new text is read again, and a
//! change that fails that is not made. So comments, order, quotes and line ends are the user's.

mod layout;
mod place;
mod render;

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::wording::quoted;
use crate::yaml::{self, Node, Strictness};

use self::layout::Layout;

/// One thing that the configuration is to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The keys that lead to it, the outermost first; at least one.
    path: Vec<String>,
    /// What stands there.
    value: Setpoint,
}

/// What a key is to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Setpoint {
    Text(String),
    Words(Vec<String>),
    Nothing,
}

impl Setting {
    /// The key holds this text.
    pub fn text(path: &[&str], text: &str) -> Self {
        Self::of(path, Setpoint::Text(text.to_owned()))
    }

    /// The key holds this list of words.
    pub fn words(path: &[&str], words: &[String]) -> Self {
        Self::of(path, Setpoint::Words(words.to_vec()))
    }

    /// The key holds nothing. Where there is no such key, none is made.
    pub fn nothing(path: &[&str]) -> Self {
        Self::of(path, Setpoint::Nothing)
    }

    fn of(path: &[&str], value: Setpoint) -> Self {
        Self {
            path: path.iter().map(|key| (*key).to_owned()).collect(),
            value,
        }
    }
}

/// The text cannot be changed without changing what else it says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot change {} in {} and leave the rest of it as it is", quoted(key), path.display())]
pub struct EditError {
    /// The file.
    pub path: PathBuf,
    /// The key that was to be changed.
    pub key: String,
    /// What the file is to say, as lines that can be written into it.
    pub by_hand: String,
}

/// The text with these settings. It is the same text when it says all of it already.
pub fn edited(text: &str, path: &Path, settings: &[Setting]) -> Result<String, EditError> {
    let mut changed = text.to_owned();
    for setting in settings {
        changed = with(&changed, setting).ok_or_else(|| EditError {
            path: path.to_owned(),
            key: setting.path.join("."),
            by_hand: fresh(settings),
        })?;
    }
    Ok(changed)
}

/// A file that says nothing but these settings.
fn fresh(settings: &[Setting]) -> String {
    settings.iter().fold(String::new(), |text, setting| {
        with(&text, setting).unwrap_or(text)
    })
}

/// The text with one setting; none when no change that was tried does it.
fn with(text: &str, setting: &Setting) -> Option<String> {
    let document = yaml::parse(text, Strictness::Strict).ok()?;
    let said = document.as_ref().map_or(Json::Null, Node::to_value);
    let wanted = said_with(&said, &setting.path, &setting.value)?;
    if wanted == said {
        return Some(text.to_owned());
    }
    let layout = Layout::of(text, document.as_ref());
    place::candidates(document.as_ref(), setting, &layout)
        .into_iter()
        .find(|candidate| says(candidate, &wanted))
}

fn says(text: &str, wanted: &Json) -> bool {
    matches!(yaml::parse(text, Strictness::Strict), Ok(Some(node)) if node.to_value() == *wanted)
}

/// What a document says when a setting is made; none when there is no room for it, since something
/// else stands there.
fn said_with(said: &Json, path: &[String], value: &Setpoint) -> Option<Json> {
    let Some((key, rest)) = path.split_first() else {
        return Some(match value {
            Setpoint::Text(text) => text.as_str().into(),
            Setpoint::Words(words) => words.iter().map(String::as_str).collect(),
            Setpoint::Nothing => Json::Null,
        });
    };
    let mut map = match said {
        Json::Object(map) => map.clone(),
        Json::Null => serde_json::Map::new(),
        _ => return None,
    };
    let inner = map.get(key).unwrap_or(&Json::Null);
    if inner.is_null() && *value == Setpoint::Nothing {
        return Some(said.clone());
    }
    map.insert(key.clone(), said_with(inner, rest, value)?);
    Some(Json::Object(map))
}

#[cfg(test)]
mod tests;
