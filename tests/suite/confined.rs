//! `uwf agent confined`, by which the commands of an agent's tool are kept from writing elsewhere.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::environment::{Environment, Ran};

/// Runs a shell script that may write in the working folder only; `sh` gets the other folder, which
/// is beside it, as its first argument. None on a system that cannot confine, which has to be told.
fn confined(environment: &Environment, script: &str) -> Option<Ran> {
    let work = environment.work();
    let home = environment.home();
    let [work, home] = [&work, &home].map(|path| path.to_str().unwrap());
    let call = ["agent", "confined", "--write", work, "--write", "/dev/null"];
    let program = ["--", "/bin/sh", "-c", script, "sh", home];
    let ran = environment.run(&[&call[..], &program].concat());
    let refusals = [
        ("this system has no Landlock", may_be_missing()),
        (
            "this system has its Landlock switched off",
            may_be_switched_off(),
        ),
    ];
    for (why, may_be_so) in refusals {
        let refusal = format!("error: cannot confine /bin/sh\n  because: {why}\n");
        if ran == Ran::refused(1, &refusal) {
            assert!(may_be_so, "{why}, says {ran:?}");
            return None;
        }
    }
    Some(ran)
}

fn has(file: &str, words: &str) -> bool {
    fs::read_to_string(file).is_ok_and(|text| text.contains(words))
}

/// The kernel was built without it, or a filter of system calls hides it.
fn may_be_missing() -> bool {
    !has("/proc/kallsyms", "sys_landlock_restrict_self") || has("/proc/self/status", "Seccomp:\t2")
}

fn may_be_switched_off() -> bool {
    !has("/sys/kernel/security/lsm", "landlock")
}

fn done(stdout: &str) -> Ran {
    Ran {
        code: Some(0),
        stdout: stdout.to_owned(),
        stderr: String::new(),
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn a_command_writes_in_its_folder_and_reads_everywhere() {
    let environment = Environment::new();
    fs::write(environment.home().join("there"), "of home\n").unwrap();
    let script = r#"mkdir -p a/b && echo new > a/b/c && mv a/b/c a/d && cat a/d "$1/there" &&
        echo unseen > /dev/null && cat < /dev/null && rm -r a && ls"#;
    let Some(ran) = confined(&environment, script) else {
        return;
    };
    assert_eq!(ran, done("new\nof home\n"));
}

#[test]
fn a_write_elsewhere_fails_as_the_command_says_it() {
    let environment = Environment::new();
    let script = r#"echo x > "$1/new" || echo "refused $?""#;
    let Some(ran) = confined(&environment, script) else {
        return;
    };
    // The words are the shell's, whichever it is.
    assert_eq!(
        (ran.code, ran.stdout.starts_with("refused ")),
        (Some(0), true)
    );
    assert!(ran.stderr.contains("ermission denied"), "{ran:?}");
    assert_eq!(names(&environment.home()), [""; 0]);
}

#[test]
fn nothing_is_moved_out_and_nothing_there_is_changed() {
    let environment = Environment::new();
    fs::write(environment.home().join("there"), "of home\n").unwrap();
    environment.write("mine", "mine\n");
    let script = r#"ln -s "$1" out; exec 2>/dev/null
        for try in 'mv mine "$1/moved"' 'ln mine "$1/linked"' 'rm "$1/there"' 'mkdir "$1/made"' \
            'mv "$1/there" .' ': > "$1/there"' ': > out/through' 'ln -s x "$1/symlink"'
        do (eval "$try") && echo "done: $try"; done; ls"#;
    let Some(ran) = confined(&environment, script) else {
        return;
    };
    assert_eq!(ran.stdout, "mine\nout\n");
    assert_eq!(names(&environment.home()), ["there"]);
    let there = fs::read_to_string(environment.home().join("there")).unwrap();
    assert_eq!(there, "of home\n");
}

#[test]
fn what_a_command_starts_is_confined_with_it() {
    let environment = Environment::new();
    let script = r#"/bin/sh -c '/bin/sh -c "echo x > \"\$1/new\"" sh "$1" 2>/dev/null' sh "$1""#;
    let Some(ran) = confined(&environment, script) else {
        return;
    };
    assert_ne!(ran.code, Some(0));
    assert_eq!(names(&environment.home()), [""; 0]);
}

#[test]
fn a_command_signals_what_it_started_and_nobody_else() {
    let environment = Environment::new();
    let mut foreign = Command::new("sleep").arg("600").spawn().unwrap();
    environment.write("foreign", &foreign.id().to_string());
    let script = r#"sleep 600 & kill -TERM $!; wait $!; echo "own: $?"
        (sh -c 'kill -TERM $PPID'; exit 3); echo "parent: $?"
        kill -TERM "$(cat foreign)" 2>/dev/null; echo "foreign: $?""#;
    let ran = confined(&environment, script);
    let was_spared = foreign.try_wait().unwrap().is_none();
    foreign.kill().unwrap();
    foreign.wait().unwrap();
    let Some(ran) = ran else {
        return;
    };
    assert!(ran.stdout.starts_with("own: 143\nparent: 143\n"), "{ran:?}");
    if ran.stdout.ends_with("foreign: 1\n") {
        assert!(was_spared);
    } else {
        // The first five versions of Landlock know nothing of signals.
        assert!(ran.stdout.ends_with("foreign: 0\n"), "{ran:?}");
    }
}

#[test]
fn a_pipe_that_is_closed_ends_who_writes_to_it() {
    let environment = Environment::new();
    let Some(ran) = confined(&environment, "yes | head -n 1; echo done > /dev/stderr") else {
        return;
    };
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str()),
        ("y\n", "done\n")
    );
}

#[test]
fn the_program_ends_as_it_does_elsewhere_and_gets_its_arguments_as_they_are() {
    let environment = Environment::new();
    let Some(ran) = confined(&environment, "exit 7") else {
        return;
    };
    assert_eq!(ran, Ran::refused(7, ""));
    let call = [
        "agent",
        "confined",
        "--",
        "/bin/echo",
        "--",
        "--help",
        "a b",
    ];
    assert_eq!(environment.run(&call), done("-- --help a b\n"));
    let ran = confined(&environment, "kill -9 $$").unwrap();
    assert_eq!(ran.code, None);
}

#[test]
fn nothing_but_the_call_is_needed() {
    let environment = Environment::new();
    if confined(&environment, "true").is_none() {
        return;
    }
    let ran = Command::new(env!("CARGO_BIN_EXE_uwf"))
        .args(["agent", "confined", "--", "/bin/sh", "-c", "echo $A $HOME"])
        .env_clear()
        .env("A", "only this")
        .env("UWF_LOG", "nonsense")
        .output()
        .unwrap();
    assert_eq!(Ran::from(ran), done("only this\n"));
}

#[test]
fn it_is_the_same_by_the_name_of_an_agent() {
    let environment = Environment::new();
    if confined(&environment, "true").is_none() {
        return;
    }
    // A copy, or a hard link, by which the agent runs its commands.
    let ran = Command::new(env!("CARGO_BIN_EXE_uwf"))
        .arg0("/usr/bin/uwf-builtin")
        .args(["agent", "confined", "--", "/bin/sh", "-c", "echo here"])
        .output()
        .unwrap();
    assert_eq!(Ran::from(ran), done("here\n"));
}

#[test]
fn a_program_that_cannot_be_run_is_told() {
    let environment = Environment::new();
    if confined(&environment, "true").is_none() {
        return;
    }
    assert_eq!(
        environment.run(&["agent", "confined", "--", "/none"]),
        Ran::refused(
            1,
            "error: cannot run /none\n  because: No such file or directory (os error 2)\n"
        )
    );
}

#[test]
fn another_call_is_refused_and_no_help_names_it() {
    let environment = Environment::new();
    assert_eq!(
        environment.run(&["agent", "confined", "--read", "/", "--", "/bin/sh"]),
        Ran::refused(
            2,
            "error: `uwf agent confined` takes --write PATH, as often as need be, then -- PROGRAM \
             and its arguments\n"
        )
    );
    for page in [&["help", "agent"][..], &["completions", "bash"], &["man"]] {
        assert!(!environment.ok(page).contains("confined"), "{page:?}");
    }
}
