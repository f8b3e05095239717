//! `uwf setup`: what it writes, what it leaves alone, and what it asks.

mod agents;
mod asked;
mod at_once;
mod files;
mod flags;
mod keys;
mod probe;
mod runs;

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::environment::{Environment, Ran};

/// A key that must be seen nowhere but in `.env`.
pub const KEY: &str = "sk-Secret.0123/456";

/// An address at which nobody listens: asking there fails at once.
pub const NOWHERE: &str = "http://127.0.0.1:9/v1";

/// What is said when nobody listens there.
pub const REFUSED: &str = "cannot reach http://127.0.0.1:9/v1: the connection was refused";

impl Environment {
    /// Runs `uwf setup` with these arguments; `input` is its standard input.
    pub fn setup(&self, arguments: &[&str], input: &str) -> Ran {
        let mut command = self.command(&["setup"]);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // One that does not read it has ended by then.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let ran = Ran::from(child.wait_with_output().unwrap());
        self.assert_secret(&ran);
        ran
    }

    /// The key is in no output and in no file but `.env`.
    fn assert_secret(&self, ran: &Ran) {
        let shown = [&ran.stdout, &ran.stderr];
        assert!(!shown.iter().any(|text| text.contains(KEY)), "{ran:?}");
        for (path, content) in self.snapshot() {
            let is_env = path.ends_with(".env");
            let content = String::from_utf8_lossy(&content).into_owned();
            assert!(is_env || !content.contains(KEY), "{}", path.display());
        }
    }

    /// Writes the keys, which are their owner's alone.
    pub fn write_keys(&self, text: &str) {
        self.write_in_root(".env", text);
        let path = self.root().join(".env");
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }

    pub fn config(&self) -> String {
        self.read_in_root("config.yaml")
    }

    /// Who may do what with a file of the storage root.
    pub fn mode(&self, name: &str) -> u32 {
        let metadata = fs::metadata(self.root().join(name)).unwrap();
        metadata.permissions().mode() & 0o777
    }

    /// The path of a file of the storage root, as messages show it.
    pub fn shown(&self, name: &str) -> String {
        self.root().join(name).display().to_string()
    }

    /// What `uwf setup` prints.
    pub fn result(&self, provider: &str, model: &str, agent: &str, validation: &Value) -> String {
        let result = json!({
            "configPath": self.shown("config.yaml"),
            "envPath": self.shown(".env"),
            "provider": provider,
            "model": model,
            "defaultAgent": agent,
            "validation": validation,
        });
        format!("{result}\n")
    }
}

/// What is said on stderr when the model cannot be reached.
pub fn unreachable() -> String {
    format!(
        "warning: all is written, but the model does not answer: {REFUSED}\nhint: run `uwf setup` \
         again: what is right stays\n"
    )
}
