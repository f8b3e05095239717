//! A place to run `uwf` in that nothing outside can reach or be reached from.

mod threads;

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub use threads::DRAFT;

/// A private home, storage root and working folder, gone after the test.
pub struct Environment {
    folder: TempDir,
}

/// What a run of the program left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Environment {
    /// An empty home; the storage root does not exist yet.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "work", "bin"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_uwf"), folder.path().join("bin/uwf"))
            .unwrap();
        Self { folder }
    }

    /// The same with a copy of the store that the original wrote as its storage root.
    pub fn with_golden_store() -> Self {
        let environment = Self::new();
        copy_tree(&evidence("store-original"), &environment.root());
        environment
    }

    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    /// The folder commands are called in.
    pub fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// A command that is ready to run: `uwf` with these arguments.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uwf"));
        let path = format!(
            "{}:/usr/local/bin:/usr/bin:/bin",
            self.folder.path().join("bin").display()
        );
        command
            .args(arguments)
            .current_dir(self.work())
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.home())
            .env("UNCAGED_WORKFLOW_STORAGE_ROOT", self.root())
            .stdin(Stdio::null());
        command
    }

    /// Runs `uwf` with these arguments.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::from(self.command(arguments).output().unwrap())
    }

    /// Runs a command that must succeed and say nothing on stderr; its stdout.
    #[track_caller]
    pub fn ok(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (Some(0), ""),
            "{arguments:?}: {ran:?}"
        );
        ran.stdout
    }

    /// Runs a command that must succeed and print JSON; what it printed.
    #[track_caller]
    pub fn json(&self, arguments: &[&str]) -> Value {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        serde_json::from_str(&ran.stdout).unwrap()
    }

    /// Runs a shell script in the working folder, `uwf` on its PATH.
    pub fn shell(&self, script: &str) -> Ran {
        let uwf = self.command(&[]);
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", script])
            .current_dir(self.work())
            .env_clear()
            .stdin(Stdio::null());
        for (name, value) in uwf.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        Ran::from(command.output().unwrap())
    }

    /// Starts a thread; its id.
    #[track_caller]
    pub fn start(&self, workflow: &str, prompt: &str) -> String {
        let started = self.json(&["thread", "start", workflow, "-p", prompt]);
        started["thread"].as_str().unwrap().to_owned()
    }

    /// Starts `uwf` and does not wait for it.
    pub fn spawn(&self, arguments: &[&str]) -> Child {
        self.command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Runs `uwf` with these arguments, called in another folder.
    pub fn run_in(&self, folder: &Path, arguments: &[&str]) -> Ran {
        Ran::from(
            self.command(arguments)
                .current_dir(folder)
                .output()
                .unwrap(),
        )
    }

    /// Writes a file in the working folder.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.work().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Writes a file of the storage root.
    pub fn write_in_root(&self, name: &str, text: &str) {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read_in_root(&self, name: &str) -> String {
        fs::read_to_string(self.root().join(name)).unwrap()
    }

    /// Writes a shell program onto the PATH of `uwf` and its agents.
    pub fn program(&self, name: &str, script: &str) -> PathBuf {
        let path = self.folder.path().join("bin").join(name);
        // A program that is being run cannot be written: write beside it and move it over.
        let new = path.with_extension("new");
        let mut file = fs::File::create(&new).unwrap();
        file.write_all(format!("#!/bin/sh\n{script}").as_bytes())
            .unwrap();
        file.set_permissions(fs::Permissions::from_mode(0o755))
            .unwrap();
        drop(file);
        fs::rename(new, &path).unwrap();
        path
    }

    /// Every file of the storage root with its content, to see that nothing changed.
    pub fn snapshot(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        collect(&self.root(), &mut files);
        files.sort();
        files
    }
}

impl Ran {
    /// What a run leaves behind that gives no result.
    pub fn refused(code: i32, stderr: &str) -> Self {
        Self {
            code: Some(code),
            stdout: String::new(),
            stderr: stderr.to_owned(),
        }
    }
}

/// A workflow in which a writer and a reviewer each have one turn, whatever they answer.
pub const RELAY: &str = r#"name: relay
description: One writes, the other reads
roles:
  writer: &role
    description: Writes
    goal: Write.
    capabilities: []
    procedure: Just do it.
    output: The title.
    frontmatter: {type: object, properties: {title: {type: string}}, required: [title]}
  reviewer: *role
conditions: {}
graph:
  $START: [{role: writer, prompt: "Write the text."}]
  writer: [{role: reviewer, prompt: "Read the text."}]
  reviewer: [{role: $END, prompt: "Done."}]
"#;

/// A program that answers for both roles of `RELAY`. Each run leaves a line in `runs.txt`.
pub const ANSWER: &str = "echo run >>runs.txt\nprintf -- '---\\ntitle: T\\n---\\nBody.\\n'\n";

impl Environment {
    /// An empty home with `RELAY` registered and `ANSWER` on the PATH, as `answer`.
    pub fn with_relay() -> Self {
        let environment = Self::new();
        environment.write("relay.yaml", RELAY);
        environment.ok(&["workflow", "put", "relay.yaml"]);
        environment.program("answer", ANSWER);
        environment
    }

    /// Runs one step with the program `answer`.
    pub fn step(&self, thread: &str) -> Ran {
        self.run(&[
            "thread",
            "step",
            thread,
            "--agent",
            "answer",
            "--protocol",
            "markdown",
        ])
    }

    /// How often programs were run that leave a line in `runs.txt`.
    pub fn runs(&self) -> usize {
        fs::read_to_string(self.work().join("runs.txt")).map_or(0, |runs| runs.lines().count())
    }
}

/// Waits until something is so. That it takes a minute means that it never will be.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..3000 {
        if is_so() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("waited in vain until {what}");
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// A file or folder of the evidence measured on the original.
pub fn evidence(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/vectors")
        .join(name)
}

pub fn evidence_json(name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(evidence(name)).unwrap()).unwrap()
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            fs::write(target, fs::read(entry.path()).unwrap()).unwrap();
        }
    }
}

fn collect(folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.push((path.clone(), Vec::new()));
            collect(&path, files);
        } else {
            let content = fs::read(&path).unwrap();
            files.push((path, content));
        }
    }
}
