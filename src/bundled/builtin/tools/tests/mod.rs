//! The tools, each in a folder of its own.

#![expect(
    clippy::disallowed_methods,
    reason = "the files that tools find are laid out here"
)]

mod calls;
mod changing;
mod commands;
mod paths;
mod reading;
mod searching;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::agent::{guard_for, quiet_guard};

/// A working folder, with another one beside it that is out of reach.
pub struct Workplace {
    /// Gone with this.
    _folder: TempDir,
    pub settings: ToolSettings,
}

/// Notes what is told.
#[derive(Debug, Default)]
pub struct Told {
    pub lines: Vec<String>,
}

impl Observer for Told {
    fn warning(&mut self, message: &str) {
        panic!("a warning: {message}");
    }

    fn progress(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    fn program_stderr(&mut self, bytes: &[u8]) {
        panic!("on the error stream: {bytes:?}");
    }
}

impl Workplace {
    /// Commands are not confined: the program that does it is tested as it is built.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["work", "outside"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        fs::write(folder.path().join("outside/secret"), "secret\n").unwrap();
        // Its real path: a temporary folder may be behind a link.
        let cwd = fs::canonicalize(folder.path().join("work")).unwrap();
        let path = ("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into());
        let settings = ToolSettings {
            temp: cwd.with_file_name("temp"),
            cwd,
            allowed: Vec::new(),
            sandbox: false,
            environment: BTreeMap::from([path]),
            own_program: None,
            key: None,
        };
        Self {
            _folder: folder,
            settings,
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.settings.cwd.join(name)
    }

    pub fn outside(&self) -> PathBuf {
        self.settings.cwd.with_file_name("outside")
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn mode(&self, name: &str) -> u32 {
        let metadata = self.path(name).metadata().unwrap();
        metadata.permissions().mode() & 0o7777
    }

    pub fn set_mode(&self, name: &str, mode: u32) {
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).unwrap();
    }

    pub fn pipe(&self, name: &str) {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let mode = Mode::RUSR | Mode::WUSR;
        mknodat(CWD, self.path(name), FileType::Fifo, mode, 0).unwrap();
    }

    pub fn toolbox(&self) -> Toolbox {
        Toolbox::new(self.settings.clone()).unwrap()
    }

    /// What a tool answers.
    #[expect(clippy::needless_pass_by_value, reason = "each call makes its own")]
    pub fn call(&self, name: &str, arguments: Value) -> String {
        let outcome = self.toolbox().call(
            name,
            &arguments.to_string(),
            &mut quiet_guard(),
            &mut Told::default(),
        );
        outcome.unwrap()
    }
}
