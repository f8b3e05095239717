//! A terminal to run `uwf` in: the other side of it is read, and typed on.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, OptionalActions, Winsize, tcgetattr, tcsetattr, tcsetwinsize};

use crate::environment::wait_until;

/// Runs the command with a terminal of so many columns as stdout and stderr; what it shows, and
/// the exit code.
pub fn run(command: Command, columns: u16) -> (String, Option<i32>) {
    run_with(command, columns, None, &mut |_| {})
}

/// The same with the terminal as stdin too, where this is typed from the start. `watcher` is shown
/// all there is on the screen, each time there is more.
pub fn run_typing(
    command: Command,
    typed: &str,
    watcher: &mut dyn FnMut(&str),
) -> (String, Option<i32>) {
    run_with(command, 100, Some(typed), watcher)
}

fn run_with(
    mut command: Command,
    columns: u16,
    typed: Option<&str>,
    watcher: &mut dyn FnMut(&str),
) -> (String, Option<i32>) {
    let (ours, terminal) = terminal(columns);
    command.env("TERM", "xterm");
    let mut ours = File::from(ours);
    if let Some(typed) = typed {
        ours.write_all(typed.as_bytes()).unwrap();
        command.stdin(terminal.try_clone().unwrap());
    }
    command
        .stdout(terminal.try_clone().unwrap())
        .stderr(terminal);
    let mut child = command.spawn().unwrap();
    // The command holds the terminal open until it is gone.
    drop(command);
    let mut shown = Vec::new();
    let mut buffer = [0; 4096];
    // At its end a terminal gives an error rather than nothing.
    while let Ok(read @ 1..) = ours.read(&mut buffer) {
        shown.extend_from_slice(&buffer[..read]);
        watcher(&String::from_utf8_lossy(&shown));
    }
    let code = child.wait().unwrap().code();
    let shown = String::from_utf8(shown).unwrap().replace("\r\n", "\n");
    (shown, code)
}

/// A command with a terminal as stdin and stderr, and somebody who types.
pub struct Session {
    child: Child,
    terminal: OwnedFd,
    shown: Arc<Mutex<String>>,
    seen: usize,
}

impl Session {
    /// Starts the command on a terminal of so many columns. Its stdout goes elsewhere.
    pub fn start(mut command: Command, columns: u16) -> Self {
        let (ours, theirs) = terminal(columns);
        command
            .env("TERM", "xterm")
            .stdin(theirs.try_clone().unwrap())
            .stdout(Stdio::piped())
            .stderr(theirs);
        let child = command.spawn().unwrap();
        drop(command);
        let shown = Arc::new(Mutex::new(String::new()));
        let (mut reader, written) = (File::from(ours.try_clone().unwrap()), Arc::clone(&shown));
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // At its end a terminal gives an error rather than nothing.
            while let Ok(read @ 1..) = reader.read(&mut buffer) {
                let text = String::from_utf8_lossy(&buffer[..read]).replace("\r\n", "\n");
                written.lock().unwrap().push_str(&text);
            }
        });
        Self {
            child,
            terminal: ours,
            shown,
            seen: 0,
        }
    }

    /// Waits until something is shown behind what was waited for before; all that came until then.
    #[track_caller]
    pub fn wait_for(&mut self, text: &str) -> String {
        let mut found = String::new();
        let what = format!("{text:?} is shown");
        wait_until(&what, || {
            let shown = self.shown.lock().unwrap();
            let Some(at) = shown[self.seen..].find(text) else {
                return false;
            };
            let end = self.seen + at + text.len();
            found = shown[self.seen..end].to_owned();
            self.seen = end;
            true
        });
        found
    }

    /// Types a line.
    pub fn type_line(&mut self, line: &str) {
        self.type_text(&format!("{line}\n"));
    }

    /// Types what it says, control characters too.
    pub fn type_text(&mut self, text: &str) {
        let mut keyboard = File::from(self.terminal.try_clone().unwrap());
        keyboard.write_all(text.as_bytes()).unwrap();
    }

    /// Whether the terminal shows what is typed, and turns Ctrl-C into a signal.
    pub fn shows_and_signals(&self) -> (bool, bool) {
        let modes = tcgetattr(&self.terminal).unwrap().local_modes;
        (
            modes.contains(LocalModes::ECHO),
            modes.contains(LocalModes::ISIG),
        )
    }

    /// The other side of the terminal, as the one who reads next has it.
    pub fn input(&self) -> File {
        other_side(&self.terminal)
    }

    /// Sends what Ctrl-C sends, or another signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// What it printed and how it ended, and all that was shown.
    pub fn finish(self) -> (String, Option<i32>, String) {
        let output = self.child.wait_with_output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        let shown = self.shown.lock().unwrap().clone();
        (stdout, output.status.code(), shown)
    }
}

/// Our side of a new terminal, and the other.
fn terminal(columns: u16) -> (OwnedFd, File) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let theirs = other_side(&ours);
    let size = Winsize {
        ws_row: 24,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&theirs, size).unwrap();
    (ours, theirs)
}

fn other_side(ours: &OwnedFd) -> File {
    let name = ptsname(ours, Vec::new()).unwrap();
    let path = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
    File::options().read(true).write(true).open(path).unwrap()
}

/// Bytes that were typed and that nobody has read.
pub fn unread(input: &File) -> u64 {
    // What is no whole line yet is there for those alone who read without lines.
    let mut modes = tcgetattr(input).unwrap();
    modes.local_modes.remove(LocalModes::ICANON);
    tcsetattr(input, OptionalActions::Now, &modes).unwrap();
    rustix::io::ioctl_fionread(input).unwrap()
}
