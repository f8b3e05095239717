//! `read_file` and `list_dir`.

use std::os::unix::fs::symlink;

use super::*;

fn read(workplace: &Workplace, arguments: Value) -> String {
    workplace.call("read_file", arguments)
}

#[test]
fn a_file_is_given_as_it_is() {
    let workplace = Workplace::new();
    let text = "Größe\n\t日本 👩‍🚀\u{feff}\u{1b}\n\nend\n";
    workplace.write("a.txt", text);
    assert_eq!(read(&workplace, json!({"path": "a.txt"})), text);
    workplace.write("b.txt", "no line break");
    assert_eq!(
        read(&workplace, json!({"path": "b.txt"})),
        "no line break\n"
    );
    workplace.write("c.txt", "");
    assert_eq!(
        read(&workplace, json!({"path": "c.txt"})),
        "[c.txt is empty]"
    );
}

#[test]
fn a_part_says_which_it_is_and_where_to_read_on() {
    let workplace = Workplace::new();
    workplace.write("a.txt", "1\n2\n3\n4\n5\n");
    let read = |arguments| read(&workplace, arguments);
    assert_eq!(
        read(json!({"path": "a.txt", "offset": 2, "limit": 2})),
        "[a.txt: lines 2 to 3 of a file of 10 bytes; read on with offset 4]\n2\n3\n"
    );
    assert_eq!(
        read(json!({"path": "a.txt", "offset": 4})),
        "[a.txt: lines 4 to 5 of a file of 10 bytes]\n4\n5\n"
    );
    assert_eq!(
        read(json!({"path": "a.txt", "limit": 5})),
        "1\n2\n3\n4\n5\n"
    );
    assert_eq!(
        read(json!({"path": "a.txt", "offset": 6})),
        "[a.txt ends with line 5]"
    );
    assert_eq!(
        read(json!({"path": "a.txt", "offset": 7})),
        "error: a.txt has 5 lines: there is no line 7"
    );
}

#[test]
fn a_long_file_is_given_in_parts_of_whole_lines() {
    let workplace = Workplace::new();
    let line = "x".repeat(999);
    workplace.write("a.txt", format!("{line}\n").repeat(250));
    let text = read(&workplace, json!({"path": "a.txt"}));
    let header = "[a.txt: lines 1 to 100 of a file of 250000 bytes; read on with offset 101]\n";
    assert_eq!(text, format!("{header}{}", format!("{line}\n").repeat(100)));
    let text = read(&workplace, json!({"path": "a.txt", "offset": 201}));
    assert!(text.starts_with("[a.txt: lines 201 to 250 of a file of 250000 bytes]\n"));
}

#[test]
fn a_line_that_is_too_long_is_cut() {
    let workplace = Workplace::new();
    workplace.write("a.txt", format!("é{}\nlast\n", "é".repeat(1_000_000)));
    let text = read(&workplace, json!({"path": "a.txt"}));
    let header = "[a.txt: lines 1 to 1 of a file of 2000008 bytes; read on with offset 2; line 1 \
                  is cut after 100000 bytes: run_command with cut -c shows more of it]\n";
    assert_eq!(text, format!("{header}{}\n", "é".repeat(50_000)));
    let text = read(&workplace, json!({"path": "a.txt", "offset": 2}));
    assert_eq!(
        text,
        "[a.txt: lines 2 to 2 of a file of 2000008 bytes]\nlast\n"
    );
}

#[test]
fn what_is_no_text_is_not_given() {
    let workplace = Workplace::new();
    workplace.write("nul", b"text\0text\n");
    assert_eq!(
        read(&workplace, json!({"path": "nul"})),
        "[nul is no text: a binary file of 10 bytes]"
    );
    let sparse = fs::File::create(workplace.path("sparse")).unwrap();
    sparse.set_len(100 << 20).unwrap();
    assert_eq!(
        read(&workplace, json!({"path": "sparse"})),
        "[sparse is no text: a binary file of 104857600 bytes]"
    );
    workplace.write("latin", b"Gr\xf6\xdfe\n");
    assert_eq!(
        read(&workplace, json!({"path": "latin"})),
        "[latin: 2 bytes of it not UTF-8, shown as \u{fffd}]\nGr\u{fffd}\u{fffd}e\n"
    );
}

#[test]
fn the_end_of_a_huge_file_is_found_in_constant_memory() {
    let workplace = Workplace::new();
    let path = workplace.write("huge", "begin\n".repeat(2_000));
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_len(100 << 20).unwrap();
    let text = read(&workplace, json!({"path": "huge", "offset": 2001}));
    let header = "[huge: lines 2001 to 2001 of a file of 104857600 bytes; line 2001 is cut after \
                  100000 bytes: run_command with cut -c shows more of it]\n";
    assert!(text.starts_with(header), "{}", &text[..300]);
}

#[test]
fn line_ends_of_another_system_are_told() {
    let workplace = Workplace::new();
    workplace.write("a.txt", "one\r\ntwo\r\n");
    assert_eq!(
        read(&workplace, json!({"path": "a.txt"})),
        "[a.txt: lines end with CRLF in the file]\none\ntwo\n"
    );
}

#[test]
fn a_file_that_is_not_there_may_have_a_neighbour() {
    let workplace = Workplace::new();
    workplace.write("src/main.rs", "");
    assert_eq!(
        read(&workplace, json!({"path": "src/mian.rs"})),
        "error: there is no file src/mian.rs, did you mean `main.rs`?"
    );
    assert_eq!(
        read(&workplace, json!({"path": "doc/readme"})),
        "error: there is no file doc/readme: list_dir tells what there is"
    );
    assert_eq!(
        read(&workplace, json!({"path": "src/main.rs/x"})),
        "error: cannot use `src/main.rs/x`: Not a directory (os error 20)"
    );
}

#[test]
fn a_signal_ends_a_long_read() {
    let workplace = Workplace::new();
    let file = fs::File::create(workplace.write("long", "x")).unwrap();
    file.set_len(1 << 20).unwrap();
    fs::write(workplace.path("long"), "x".repeat(1 << 20)).unwrap();
    let signal = signal_hook::consts::SIGXCPU;
    let mut guard = guard_for(signal);
    signal_hook::low_level::raise(signal).unwrap();
    let outcome = workplace.toolbox().call(
        "read_file",
        r#"{"path": "long"}"#,
        &mut guard,
        &mut Told::default(),
    );
    assert_eq!(outcome, Err(signal));
}

#[test]
fn a_folder_is_listed_in_order_with_kinds_and_sizes() {
    let workplace = Workplace::new();
    let list = |arguments| workplace.call("list_dir", arguments);
    assert_eq!(list(json!({})), "[. is empty]");
    workplace.write("b.txt", "four");
    workplace.write("a/inner.txt", "x");
    workplace.write("Z\n\u{1b}", "");
    workplace.pipe("pipe");
    symlink("/nowhere", workplace.path("link")).unwrap();
    assert_eq!(
        list(json!({})),
        "Z\\n\\u{1b} (0 bytes)\na/\nb.txt (4 bytes)\nlink -> /nowhere\npipe (a pipe)\n"
    );
    assert_eq!(list(json!({"path": "a"})), "inner.txt (1 byte)\n");
    assert_eq!(
        list(json!({"path": "b.txt"})),
        "error: b.txt is not a folder: read_file reads files"
    );
    assert_eq!(
        list(json!({"path": "c"})),
        "error: there is no folder c: list_dir tells what there is"
    );
}

#[test]
fn of_a_large_folder_the_rest_is_counted() {
    let workplace = Workplace::new();
    for number in 0..1_003 {
        workplace.write(&format!("{number:04}"), "");
    }
    let text = workplace.call("list_dir", json!({"path": "."}));
    assert_eq!(text.lines().count(), 1_001);
    assert!(text.ends_with("0999 (0 bytes)\n[and 3 more: name a folder inside, or use grep]\n"));
}
