//! Names that are typed: beginnings of ids and hashes, and `@`.

use std::fs;

use crate::environment::{Environment, Ran};

const THREAD: &str = "06H2S7T0SYTNXJYWQYS40BBMNR";
const ENDED: &str = "06H2S7SN4W24ANMYFNWWF49HHW";
const NOT_A_HASH: &str = "is not a hash: a hash is 13 characters of 0-9 and A-Z without I, L, O and U\n\
     hint: its first characters are enough, four at the least\n\
     hint: `uwf thread steps <thread>` prints the hashes of a thread's nodes\n";

fn refused(ran: &Ran) -> &str {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
    &ran.stderr
}

#[test]
fn every_command_takes_the_beginning_of_an_id_or_a_hash() {
    let environment = Environment::with_golden_store();
    let before = environment.snapshot();
    let pairs: [(&[&str], &[&str]); 13] = [
        (&["thread", "show", "06H2S7T0"], &["thread", "show", THREAD]),
        (&["thread", "show", "06h2s7sn4"], &["thread", "show", ENDED]),
        (
            &["thread", "show", &THREAD.to_lowercase()],
            &["thread", "show", THREAD],
        ),
        (
            &["thread", "steps", "06H2S7T0"],
            &["thread", "steps", THREAD],
        ),
        (
            &["thread", "attempts", "06H2S7T0"],
            &["thread", "attempts", THREAD],
        ),
        (
            &["thread", "read", "06H2S7T0", "--before", "81p9"],
            &["thread", "read", THREAD, "--before", "81P904K6HWN7F"],
        ),
        (
            &["thread", "step-details", "5YR2"],
            &["thread", "step-details", "5YR25K3ZCXZVK"],
        ),
        (&["cas", "get", "9y3k"], &["cas", "get", "9Y3KSN3PAJ0F4"]),
        (
            &["cas", "has", "9y3ksn3paj0f4"],
            &["cas", "has", "9Y3KSN3PAJ0F4"],
        ),
        (&["cas", "refs", "6HA1"], &["cas", "refs", "6HA1S8JMB29J3"]),
        (&["cas", "walk", "56XF"], &["cas", "walk", "56XFMVXEJ5CJ5"]),
        (
            &["cas", "schema", "get", "50mw"],
            &["cas", "schema", "get", "50MWR891XZW63"],
        ),
        (
            &["workflow", "show", "6ha1"],
            &["workflow", "show", "6HA1S8JMB29J3"],
        ),
    ];
    for (short, whole) in pairs {
        assert_eq!(environment.ok(short), environment.ok(whole), "{short:?}");
    }
    assert!(before == environment.snapshot(), "reading has written");

    let put = environment.ok(&["cas", "put", "86n2", "\"a plain text node\""]);
    assert_eq!(put, "{\"hash\":\"9Y3KSN3PAJ0F4\"}\n");
    let forked = environment.json(&["thread", "fork", "81p9"]);
    assert_eq!(forked["forkedFrom"]["step"], "81P904K6HWN7F");
    let killed = environment.ok(&["thread", "kill", "06H2S7T0"]);
    assert_eq!(
        killed,
        format!("{{\"thread\":\"{THREAD}\",\"archived\":true}}\n")
    );
    let started = environment.json(&["thread", "start", "6HA1S", "-p", "x"]);
    assert_eq!(started["workflow"], "6HA1S8JMB29J3");
}

#[test]
fn an_ambiguous_beginning_is_refused_with_what_it_could_mean() {
    let environment = Environment::with_golden_store();
    let ran = environment.run(&["thread", "kill", "06h2"]);
    assert_eq!(
        refused(&ran),
        "error: `06H2` is ambiguous: 4 threads begin like that\n  \
           06H2S7T0SYTNXJYWQYS40BBMNR\n  \
           06H2S7TA9T8B340D04DAXMJ56W\n  \
           06H2S7SN4W24ANMYFNWWF49HHW\n  \
           06H2S7T4PCHB3EJSX9FV4HQ570\n\
         hint: type more of it\n"
    );
    for last in ["A", "B", "C", "D", "E", "F"] {
        fs::write(
            environment
                .root()
                .join(format!("cas/9Y3KSN3PAJ0F{last}.bin")),
            "",
        )
        .unwrap();
    }
    let ran = environment.run(&["cas", "has", "9Y3K", "--error-format", "json"]);
    assert_eq!(
        refused(&ran),
        "{\"error\":\"`9Y3K` is ambiguous: 7 nodes begin like that\",\"kind\":\"request\",\
         \"exitCode\":1,\"causes\":[],\"hints\":[\"type more of it\"],\
         \"details\":{\"candidates\":[\"9Y3KSN3PAJ0F4\",\"9Y3KSN3PAJ0FA\",\"9Y3KSN3PAJ0FB\",\
         \"9Y3KSN3PAJ0FC\",\"9Y3KSN3PAJ0FD\"],\"total\":7}}\n"
    );
    let ran = environment.run(&["cas", "get", "9Y3K"]);
    assert!(
        refused(&ran).contains("\n  9Y3KSN3PAJ0FD\n  and 2 more\nhint: "),
        "{ran:?}"
    );
}

#[test]
fn a_beginning_of_nothing_is_said_so() {
    let environment = Environment::with_golden_store();
    let cases: [(&[&str], String); 7] = [
        (
            &["thread", "steps", "01AR"],
            "error: no thread's id begins with `01AR`\n\
             hint: `uwf thread list --all` shows every thread\n"
                .to_owned(),
        ),
        (
            &["cas", "get", "ZZZZ"],
            "error: no node's hash begins with `ZZZZ`\n\
             hint: `uwf thread steps <thread>` prints the hashes of a thread's nodes\n"
                .to_owned(),
        ),
        (&["cas", "get", "9Y3"], format!("error: `9Y3` {NOT_A_HASH}")),
        (&["cas", "get", "9Y3I"], format!("error: `9Y3I` {NOT_A_HASH}")),
        (
            &["cas", "get", "9Y3KSN3PAJ0F44"],
            format!("error: `9Y3KSN3PAJ0F44` {NOT_A_HASH}"),
        ),
        (
            &["thread", "read", THREAD, "--before", "BRB4"],
            format!(
                "error: thread {THREAD} has no step BRB4\n\
                 hint: `uwf thread steps {THREAD}` lists its steps\n"
            ),
        ),
        (
            &["thread", "show", "06H"],
            "error: `06H` is not a thread id: an id is 26 characters of 0-9 and A-Z without I, L, O and U, the first at most 7\n\
             hint: its first characters are enough, four at the least\n\
             hint: `uwf thread list --all` shows every thread\n"
                .to_owned(),
        ),
    ];
    for (arguments, message) in cases {
        let ran = environment.run(arguments);
        assert_eq!(refused(&ran), message, "{arguments:?}");
    }
    let ran = environment.run(&["cas", "has", "ZZZZ"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(1), "{\"exists\":false}\n", "")
    );
    environment.write_in_root("history.jsonl", "{\"thread\":\"01AR\n");
    let ran = environment.run(&["thread", "steps", "01AR"]);
    assert!(
        refused(&ran)
            .contains("  because: a line of the history that may tell of it cannot be read: "),
        "{ran:?}"
    );
}

#[test]
fn a_workflows_name_comes_before_the_beginning_of_a_hash() {
    let environment = Environment::with_golden_store();
    environment.write(
        ".workflow/6HA1.yaml",
        "name: \"6HA1\"\ndescription: d\nroles: {}\nconditions: {}\ngraph: {}\n",
    );
    assert_eq!(
        environment.json(&["workflow", "show", "6HA1"])["name"],
        "6HA1"
    );
    let shown = environment.json(&["workflow", "show", "6HA1S"]);
    assert_eq!(shown["name"], "triage-report");
    let ran = environment.run(&["workflow", "show", "9Y3K"]);
    assert!(
        refused(&ran).starts_with("error: there is no workflow `9Y3K` in "),
        "{ran:?}"
    );
}

#[test]
fn the_last_thread_is_the_one_started_stepped_or_forked_and_reading_changes_nothing() {
    let environment = Environment::with_golden_store();
    let ran = environment.run(&["thread", "show", "@"]);
    assert_eq!(
        refused(&ran),
        format!(
            "error: `@` means no thread yet: none was started, stepped or forked in {}\n\
             hint: `uwf thread list` shows the active threads\n",
            environment.root().display()
        )
    );
    environment.program(
        "answer",
        "printf -- '---\\ncount: 1\\nfailures: [a]\\n---\\n'",
    );
    let last = || environment.json(&["thread", "show", "@"])["thread"].clone();

    let first = environment.start("triage-report", "one");
    assert_eq!(last(), first.as_str());
    let forked = environment.json(&["thread", "fork", "81P904K6HWN7F"])["thread"].clone();
    assert_eq!(last(), forked);
    let agent = ["--agent", "answer", "--protocol", "markdown"];
    environment.json(&[&["thread", "step", first.as_str()][..], &agent].concat());
    assert_eq!(last(), first.as_str());
    environment.json(&["thread", "steps", THREAD]);
    environment.json(&["thread", "kill", THREAD]);
    environment.json(&["thread", "show", ENDED]);
    assert_eq!(last(), first.as_str());
    assert_eq!(
        environment.read_in_root("current.json"),
        format!("{{\"version\":1,\"thread\":\"{first}\"}}\n")
    );

    // A step that fails is a step; one that cannot begin is none.
    let failing = ["--agent", "false", "--protocol", "markdown"];
    let forked = forked.as_str().unwrap();
    let ran = environment.run(&[&["thread", "step", forked][..], &failing].concat());
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert_eq!(last(), forked);
    let ran = environment.run(&[&["thread", "step", ENDED][..], &failing].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(last(), forked);
}

#[test]
fn a_record_of_the_last_thread_that_cannot_be_read_is_named_and_kept() {
    let environment = Environment::with_golden_store();
    environment.write_in_root("current.json", "{\"version\":1,");
    let path = environment.root().join("current.json");
    let ran = environment.run(&["thread", "show", "@"]);
    assert_eq!(
        (ran.code, ran.stderr),
        (
            Some(7),
            format!(
                "error: cannot read which thread was the last in {}\n  \
                   because: EOF while parsing a value at line 1 column 13\n\
                 hint: remove the file: the next thread that is started, stepped or forked writes it anew\n",
                path.display()
            )
        )
    );
    let ran = environment.run(&["thread", "start", "triage-report", "-p", "x"]);
    assert_eq!(
        (ran.code, ran.stderr),
        (
            Some(0),
            format!(
                "warning: `@` does not mean this thread: cannot read which thread was the last in {}: EOF while parsing a value at line 1 column 13\n",
                path.display()
            )
        )
    );
    assert_eq!(environment.read_in_root("current.json"), "{\"version\":1,");
}
