//! A terminal to run `uwf` in: the other side of it is read.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

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
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let path = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
    let terminal = File::options().read(true).write(true).open(path).unwrap();
    let size = Winsize {
        ws_row: 24,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&terminal, size).unwrap();
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
