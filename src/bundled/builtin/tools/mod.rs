//! Reading and writing files of the working folder, for the model.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::agent::Guard;
use crate::bundled::kit::Observer;
use crate::fsx::{self, Access};
use crate::model::in_full;

/// What tools may do.
#[derive(Debug, Clone)]
pub struct ToolSettings {
    pub cwd: PathBuf,
    pub allowed: Vec<PathBuf>,
    pub sandbox: bool,
    pub environment: BTreeMap<OsString, OsString>,
    pub own_program: Option<PathBuf>,
    pub temp: PathBuf,
}

/// The tools.
pub struct Toolbox {
    settings: ToolSettings,
}

impl Toolbox {
    #[expect(
        clippy::unnecessary_wraps,
        reason = "the tools that come may be refused"
    )]
    pub fn new(settings: ToolSettings) -> Result<Self, String> {
        Ok(Self { settings })
    }

    pub fn definitions(&self) -> Vec<Value> {
        let tool = |name: &str, properties: Value| {
            json!({"type": "function", "function": {
                "name": name,
                "description": name,
                "parameters": {"type": "object", "properties": properties},
            }})
        };
        let text = json!({"type": "string"});
        vec![
            tool("read_file", json!({"path": text})),
            tool("write_file", json!({"path": text, "content": text})),
        ]
    }

    #[expect(
        clippy::unnecessary_wraps,
        reason = "the tools that come may be interrupted"
    )]
    pub fn call(
        &self,
        name: &str,
        arguments: &str,
        _signals: &mut Guard,
        _observer: &mut dyn Observer,
    ) -> Result<String, i32> {
        let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
        let text = |key: &str| arguments[key].as_str().unwrap_or_default();
        let path = self.settings.cwd.join(text("path"));
        Ok(match name {
            "read_file" => match fsx::read_text_optional(&path) {
                Ok(text) => text.unwrap_or_else(|| "there is no such file".to_owned()),
                Err(error) => in_full(&error),
            },
            "write_file" => match fsx::replace(&path, text("content").as_bytes(), Access::Shared) {
                Ok(()) => "written".to_owned(),
                Err(error) => in_full(&error),
            },
            _ => format!("there is no tool `{name}`"),
        })
    }

    pub fn summary(&self, name: &str, arguments: &str) -> String {
        let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
        format!("{name} {}", arguments["path"].as_str().unwrap_or_default())
    }

    pub fn note(&self) -> String {
        "no command can be run".to_owned()
    }
}
