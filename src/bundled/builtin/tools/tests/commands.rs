//! `run_command`, and what is said of its confinement.

use super::*;

fn run(workplace: &Workplace, command: &str) -> String {
    workplace.call("run_command", json!({"command": command}))
}

/// The confined program is another one here: this notes how it was called, and runs the command.
fn confiner(workplace: &Workplace) -> PathBuf {
    // Written by another process: were it written here, a child that another test starts at this
    // moment could hold it open, and it could not be executed.
    let script = r#"cat > ../uwf <<'END' && chmod +x ../uwf
#!/bin/sh
for word; do echo "<$word>"; done >> ../called
[ -z "$CHATTER" ] || echo "$CHATTER" >&2
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
END"#;
    assert_eq!(
        run(workplace, script),
        "[the command exited with code 0]\n[it said nothing]"
    );
    workplace.settings.cwd.with_file_name("uwf")
}

#[test]
fn what_a_command_says_is_given_in_its_order_with_its_end() {
    let workplace = Workplace::new();
    assert_eq!(
        run(&workplace, "echo one; echo two >&2; echo three"),
        "[the command exited with code 0]\none\ntwo\nthree\n"
    );
    assert_eq!(
        run(&workplace, "echo no >&2; exit 3"),
        "[the command exited with code 3]\nno\n"
    );
    assert_eq!(
        run(&workplace, "kill -9 $$"),
        "[the command was ended by SIGKILL]\n[it said nothing]"
    );
    assert_eq!(
        run(&workplace, "true"),
        "[the command exited with code 0]\n[it said nothing]"
    );
    assert_eq!(
        run(&workplace, "no-such-program-at-all 2>/dev/null"),
        "[the command exited with code 127]\n[it said nothing]"
    );
}

#[test]
fn a_command_has_its_folder_its_environment_and_nothing_to_read() {
    let mut workplace = Workplace::new();
    workplace
        .settings
        .environment
        .insert("GREETING".into(), "it's \"me\"".into());
    let cwd = workplace.settings.cwd.display().to_string();
    assert_eq!(
        run(
            &workplace,
            "pwd -P; cat; echo \"$GREETING|$HOME\"; read x || echo end"
        ),
        format!("[the command exited with code 0]\n{cwd}\nit's \"me\"|\nend\n")
    );
}

#[test]
fn of_a_long_output_both_ends_are_given() {
    let workplace = Workplace::new();
    let script = "echo first; head -c 40000000 /dev/zero | tr '\\0' x; echo; echo last";
    let text = run(&workplace, script);
    let head = format!("first\n{}", "x".repeat(11_994));
    let tail = format!("{}\nlast\n", "x".repeat(17_994));
    assert_eq!(
        text,
        format!("[the command exited with code 0]\n{head}\n[39970012 bytes left out here]\n{tail}")
    );
}

#[test]
fn output_that_is_no_text_is_made_one() {
    let workplace = Workplace::new();
    assert_eq!(
        run(&workplace, r"printf 'a\000b\377\033[31m\r\n\tz'"),
        "[the command exited with code 0]\na\u{fffd}b\u{fffd}\u{fffd}[31m\r\n\tz"
    );
    // No half of a character where it is cut.
    let text = run(&workplace, "printf x; yes é | head -n 20000 | tr -d '\\n'");
    assert!(text.contains("é\n[10002 bytes left out here]\né"), "{text}");
    assert!(!text.contains('\u{fffd}'), "{text}");
}

#[test]
fn a_command_that_takes_too_long_is_ended_with_all_it_started() {
    let workplace = Workplace::new();
    let told = workplace.call(
        "run_command",
        json!({
            "command": "yes > /dev/null & echo $! > pids; (sleep 1000 & echo $! >> pids; wait) & \
                        echo begun; wait",
            "timeout_seconds": 1,
        }),
    );
    assert_eq!(
        told,
        "error: the command was not done within 1 s, and was ended: do less at once, or set \
         `timeout_seconds`, to 1200 at most\nbegun\n"
    );
    for pid in workplace.read("pids").lines() {
        let probe = run(&workplace, &format!("kill -0 {pid} 2>/dev/null"));
        assert!(
            probe.starts_with("[the command exited with code 1]"),
            "{pid}"
        );
    }
}

#[test]
fn endless_output_ends_in_time() {
    let workplace = Workplace::new();
    let told = workplace.call(
        "run_command",
        json!({"command": "exec yes", "timeout_seconds": 1}),
    );
    assert!(told.starts_with("error: the command was not done within 1 s, and was ended"));
    assert!(told.contains(" bytes left out here]\n"));
    assert!(told.len() < 31_000);
}

#[test]
fn what_is_left_in_the_background_is_ended() {
    let workplace = Workplace::new();
    assert_eq!(
        run(&workplace, "sleep 1000 & echo $! > pid; echo done"),
        "[the command exited with code 0]\ndone\n"
    );
    let pid = workplace.read("pid");
    let probe = run(&workplace, &format!("kill -0 {} 2>/dev/null", pid.trim()));
    assert!(probe.starts_with("[the command exited with code 1]"));
}

#[test]
fn a_signal_ends_the_command() {
    let workplace = Workplace::new();
    let signal = signal_hook::consts::SIGXCPU;
    let mut guard = guard_for(signal);
    let mut raising = Raising { signal };
    let outcome = workplace.toolbox().call(
        "run_command",
        r#"{"command": "echo begun; exec sleep 1000"}"#,
        &mut guard,
        &mut raising,
    );
    assert_eq!(outcome, Err(signal));
}

/// Raises a signal when it hears that the command has begun.
struct Raising {
    signal: i32,
}

impl Observer for Raising {
    fn warning(&mut self, _: &str) {}

    fn progress(&mut self, line: &str) {
        assert_eq!(line, "run_command: begun");
        signal_hook::low_level::raise(self.signal).unwrap();
    }

    fn program_stderr(&mut self, _: &[u8]) {}
}

#[test]
fn progress_is_told() {
    let workplace = Workplace::new();
    let mut told = Told::default();
    workplace
        .toolbox()
        .call(
            "run_command",
            r#"{"command": "echo '  building  '; echo more"}"#,
            &mut quiet_guard(),
            &mut told,
        )
        .unwrap();
    assert!(!told.lines.is_empty() && told.lines[0].starts_with("run_command: "));
}

#[test]
fn commands_that_cannot_be_run_are_refused() {
    let workplace = Workplace::new();
    for (arguments, told) in [
        (
            json!({"command": " \n"}),
            "`command` is empty: nothing was run",
        ),
        (
            json!({"command": "echo \0"}),
            "`command` holds a NUL character, which no program can be given",
        ),
        (
            json!({"command": "x".repeat(100_001)}),
            "`command` has 100001 bytes, and 100000 at most can be run: write a script with \
             write_file, and run that",
        ),
        (
            json!({"command": "true", "timeout_seconds": 1201}),
            "`timeout_seconds` may be 1200 at most",
        ),
    ] {
        assert_eq!(
            workplace.call("run_command", arguments),
            format!("error: {told}")
        );
    }
    let long = format!("echo {} | wc -c", "x".repeat(99_000));
    assert!(run(&workplace, &long).contains("99001"));
    let toolbox = workplace.toolbox();
    fs::remove_dir_all(&workplace.settings.cwd).unwrap();
    let outcome = toolbox.call(
        "run_command",
        r#"{"command": "true"}"#,
        &mut quiet_guard(),
        &mut Told::default(),
    );
    let cwd = workplace.settings.cwd.display();
    assert_eq!(
        outcome.unwrap(),
        format!(
            "error: the command cannot be run: cannot enter its working folder {cwd}: No such \
             file or directory (os error 2)"
        )
    );
}

#[test]
fn a_command_is_run_by_way_of_the_program_that_confines_it() {
    let mut workplace = Workplace::new();
    workplace.settings.own_program = Some(confiner(&workplace));
    workplace.settings.sandbox = true;
    workplace.settings.allowed = vec![workplace.outside()];
    let toolbox = workplace.toolbox();
    let Ok(version) = landlock_version() else {
        let note = toolbox.note();
        assert!(
            note.starts_with("run_command: not confined: this system "),
            "{note}"
        );
        return;
    };
    let outside = workplace.outside();
    let places = format!(
        "the working folder, {} and temp",
        excerpt(&outside.to_string_lossy())
    );
    assert_eq!(
        toolbox.note(),
        format!("run_command: writes confined to {places} by Landlock (ABI {version})")
    );
    let description = toolbox.definitions()[5]["function"]["description"].clone();
    assert!(description.as_str().unwrap().ends_with(&format!(
        " Files can be written in {places} only; elsewhere that fails with \"Permission denied\"."
    )));
    assert_eq!(
        run(&workplace, "echo it runs"),
        "[the command exited with code 0]\nit runs\n"
    );
    let cwd = workplace.settings.cwd.display().to_string();
    let temp = workplace.settings.temp.display().to_string();
    let called = fs::read_to_string(workplace.settings.cwd.with_file_name("called")).unwrap();
    let expected = format!(
        "<agent>\n<confined>\n<--write>\n<{cwd}>\n<--write>\n<{}>\n<--write>\n<{temp}>\n<--write>\n\
         </tmp>\n<--write>\n</dev/null>\n<--write>\n</dev/zero>\n<--write>\n</dev/full>\n<--write>\n\
         </dev/random>\n<--write>\n</dev/urandom>\n<--write>\n</dev/shm>\n<-->\n</bin/sh>\n<-c>\n\
         <exec /bin/sh -c \"$1\" sh 2>&1>\n<sh>\n<echo it runs>\n",
        outside.display()
    );
    assert_eq!(called, expected);
}

#[test]
fn what_starts_a_command_may_say_something_of_its_own() {
    let mut workplace = Workplace::new();
    workplace.settings.own_program = Some(confiner(&workplace));
    workplace.settings.sandbox = true;
    if landlock_version().is_err() {
        return;
    }
    // As a shell does to which the language of the environment is not known.
    let said = "sh: warning: setlocale: LC_ALL: cannot change locale (xx_YY)";
    let environment = &mut workplace.settings.environment;
    environment.insert("CHATTER".into(), said.into());
    assert_eq!(
        run(&workplace, "echo it runs"),
        format!("[the command exited with code 0]\n[what starts commands said: {said}]\nit runs\n")
    );
    assert_eq!(
        run(&workplace, "exit 3"),
        format!(
            "[the command exited with code 3]\n[what starts commands said: {said}]\n[it said \
             nothing]"
        )
    );
}

#[test]
fn a_program_that_does_not_confine_is_told_as_that() {
    let mut workplace = Workplace::new();
    workplace.settings.sandbox = true;
    workplace.settings.own_program = Some("/none".into());
    if landlock_version().is_ok() {
        assert_eq!(
            run(&workplace, "true"),
            "error: the command cannot be run: there is no file /none"
        );
    }
}

#[test]
fn what_is_not_confined_says_why() {
    let mut workplace = Workplace::new();
    assert_eq!(
        workplace.toolbox().note(),
        "run_command: not confined: switched off by the entry"
    );
    workplace.settings.sandbox = true;
    let note = workplace.toolbox().note();
    match landlock_version() {
        Ok(_) => assert_eq!(
            note,
            "run_command: not confined: this system does not tell where uwf is"
        ),
        Err(error) => assert_eq!(note, format!("run_command: not confined: {error}")),
    }
}
