//! Threads of the test, confined by the system that runs it.

#![expect(
    clippy::disallowed_methods,
    reason = "what is confined here is writing itself"
)]

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use tempfile::TempDir;

use super::*;
use crate::agent::invocation::{Capture, Patience, Stdin};

/// A folder that may be written, one that may not, and a file in each.
struct Folders {
    folder: TempDir,
}

impl Folders {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["inside", "outside"] {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join("old"), "old").unwrap();
        }
        Self { folder }
    }

    fn inside(&self, name: &str) -> PathBuf {
        self.folder.path().join("inside").join(name)
    }

    fn outside(&self, name: &str) -> PathBuf {
        self.folder.path().join("outside").join(name)
    }

    /// What becomes of work that is confined to the one folder: none on a system that cannot.
    fn confined<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Option<T> {
        match confined_work(&[self.folder.path().join("inside")], work) {
            Ok(done) => Some(done),
            Err(error) => {
                assert!(may_be_so(&error), "{error:?}");
                None
            }
        }
    }
}

/// Whether what the system says of its Landlock agrees with all else that it shows: a test must
/// not pass over a confinement that is there and was not asked for as it should be.
fn may_be_so(error: &ConfinementError) -> bool {
    let has = |file: &str, words: &str| fs::read_to_string(file).is_ok_and(|it| it.contains(words));
    match error {
        // A filter of system calls may hide it.
        ConfinementError::Missing => {
            !has("/proc/kallsyms", "sys_landlock_restrict_self")
                || has("/proc/self/status", "Seccomp:\t2")
        }
        ConfinementError::SwitchedOff => !has("/sys/kernel/security/lsm", "landlock"),
        ConfinementError::Refused(_) => false,
    }
}

#[test]
fn what_is_confined_writes_inside_only_and_reads_everywhere() {
    let folders = Folders::new();
    symlink(folders.outside("linked"), folders.inside("link")).unwrap();
    let Some((outside, through_link, inside, read)) = folders.confined(|| {
        (
            fs::write(folders.outside("new"), "x").map_err(|error| error.kind()),
            fs::write(folders.inside("link"), "x").map_err(|error| error.kind()),
            fs::write(folders.inside("new"), "x").map_err(|error| error.kind()),
            fs::read_to_string(folders.outside("old")).unwrap(),
        )
    }) else {
        return;
    };
    assert_eq!(outside, Err(ErrorKind::PermissionDenied));
    assert_eq!(through_link, Err(ErrorKind::PermissionDenied));
    assert_eq!(inside, Ok(()));
    assert_eq!(read, "old");
    assert!(!folders.outside("new").exists() && !folders.outside("linked").exists());
    assert_eq!(fs::read_to_string(folders.inside("new")).unwrap(), "x");
}

#[test]
fn nothing_is_moved_linked_or_removed_across_the_border() {
    let folders = Folders::new();
    let Some(refused) = folders.confined(|| {
        [
            fs::rename(folders.inside("old"), folders.outside("moved")),
            fs::rename(folders.outside("old"), folders.inside("moved")),
            fs::hard_link(folders.inside("old"), folders.outside("linked")),
            fs::remove_file(folders.outside("old")),
            fs::create_dir(folders.outside("folder")),
            symlink("x", folders.outside("symlink")),
        ]
        .map(|outcome| outcome.unwrap_err().kind())
    }) else {
        return;
    };
    for kind in refused {
        // Between folders of different rights a move is told apart as one between file systems.
        let is_refusal = matches!(
            kind,
            ErrorKind::PermissionDenied | ErrorKind::CrossesDevices
        );
        assert!(is_refusal, "{kind:?}");
    }
    let names = |folder: &Path| -> Vec<OsString> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect()
    };
    assert_eq!(names(&folders.folder.path().join("outside")), ["old"]);
    assert_eq!(names(&folders.folder.path().join("inside")), ["old"]);
}

#[test]
fn each_version_confines_what_it_knows_of() {
    let folders = Folders::new();
    fs::create_dir(folders.inside("folder")).unwrap();
    // Nothing is written by this, so the first versions take it for reading.
    let cutting_short = OFlags::RDONLY | OFlags::TRUNC;
    let Some((moved, truncated)) = folders.confined(|| {
        (
            fs::rename(folders.inside("old"), folders.inside("folder/old")).is_ok(),
            rustix::fs::open(folders.outside("old"), cutting_short, Mode::empty()).is_ok(),
        )
    }) else {
        return;
    };
    let version = landlock_version().unwrap();
    // The second version lets files be moved between folders, the third knows of cutting short.
    assert_eq!(moved, version >= 2);
    assert_eq!(truncated, version < 3);
}

#[test]
fn nobody_outside_is_signalled_where_the_system_knows_of_it() {
    let folders = Folders::new();
    let parent = rustix::process::getppid().unwrap();
    // Whether it may be signalled; it is not.
    let Some(looked) = folders.confined(|| rustix::process::test_kill_process(parent)) else {
        return;
    };
    let expected = match landlock_version().unwrap() {
        ..6 => Ok(()),
        _ => Err(rustix::io::Errno::PERM),
    };
    assert_eq!(looked, expected);
    assert_eq!(rustix::process::test_kill_process(parent), Ok(()));
}

#[test]
fn the_thread_alone_is_confined() {
    let folders = Folders::new();
    folders.confined(|| ());
    fs::write(folders.outside("new"), "x").unwrap();
}

#[test]
fn a_program_is_confined_by_way_of_this_one() {
    let invocation = Invocation {
        agent: "x".to_owned(),
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), "--write".into(), "--".into()],
        cwd: "/".into(),
        environment: [].into(),
        stdin: Stdin::Empty,
        capture: Capture::LAST_LINES,
        limits: crate::config::Limits::default(),
        patience: Patience::COMMAND,
    };
    let writable = [PathBuf::from("/a b"), PathBuf::from("/c")];
    let confined = confined(invocation, Path::new("/bin/uwf"), &writable);
    assert_eq!(confined.program, "/bin/uwf");
    let expected = [
        "agent", "confined", "--write", "/a b", "--write", "/c", "--", "/bin/sh", "-c", "--write",
        "--",
    ];
    assert_eq!(confined.arguments, expected);
}

#[test]
fn the_call_is_told_from_every_other() {
    let call = |words: &str| {
        let arguments: Vec<OsString> = words.split_whitespace().map(Into::into).collect();
        confined_call(&arguments).map(<[OsString]>::to_vec)
    };
    assert_eq!(
        call("uwf agent confined -- sh"),
        Some(vec!["--".into(), "sh".into()])
    );
    assert_eq!(call("uwf agent confined"), Some(Vec::new()));
    assert_eq!(call("uwf agent mock confined"), None);
    assert_eq!(call("uwf agent"), None);
    assert_eq!(call("uwf"), None);
    assert_eq!(call(""), None);
}

#[test]
fn a_call_of_another_form_is_refused() {
    for words in [
        "",
        "sh",
        "--write",
        "--write /a",
        "--write /a sh",
        "--write /a --",
        "--read /a -- sh",
    ] {
        let arguments: Vec<OsString> = words.split_whitespace().map(Into::into).collect();
        let error = become_confined(&arguments);
        assert!(matches!(error, BecomeError::Called), "{words}: {error:?}");
    }
}
