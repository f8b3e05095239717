//! `write_file` and `edit_file`.

use super::*;

fn edit(workplace: &Workplace, old: &str, new: &str) -> String {
    let arguments = json!({"path": "a.txt", "old_text": old, "new_text": new});
    workplace.call("edit_file", arguments)
}

fn edit_all(workplace: &Workplace, old: &str, new: &str) -> String {
    let all = json!({"path": "a.txt", "old_text": old, "new_text": new, "replace_all": true});
    workplace.call("edit_file", all)
}

#[test]
fn a_file_is_written_with_the_folders_above_it() {
    let workplace = Workplace::new();
    let write = |content| json!({"path": "a/b/c.txt", "content": content});
    assert_eq!(
        workplace.call("write_file", write("Größe\0\n")),
        "wrote a/b/c.txt: 9 bytes, a new file"
    );
    assert_eq!(workplace.read("a/b/c.txt"), "Größe\0\n");
    assert_eq!(
        workplace.call("write_file", write("")),
        "wrote a/b/c.txt: 0 bytes, in place of 9 bytes"
    );
    assert_eq!(workplace.read("a/b/c.txt"), "");
    let names = fs::read_dir(workplace.path("a/b")).unwrap().count();
    assert_eq!(names, 1);
}

#[test]
fn who_may_read_and_run_a_file_stays_so() {
    let workplace = Workplace::new();
    for mode in [0o755, 0o600, 0o664] {
        workplace.write("a.txt", "old");
        workplace.set_mode("a.txt", mode);
        workplace.call("write_file", json!({"path": "a.txt", "content": "new"}));
        assert_eq!(
            (workplace.read("a.txt").as_str(), workplace.mode("a.txt")),
            ("new", mode)
        );
        edit(&workplace, "new", "newer");
        let is = (workplace.read("a.txt"), workplace.mode("a.txt"));
        assert_eq!(is, ("newer".to_owned(), mode));
    }
}

#[test]
fn a_file_that_is_protected_stays_as_it_is() {
    let workplace = Workplace::new();
    workplace.write("a.txt", "old");
    workplace.set_mode("a.txt", 0o444);
    let told = "error: a.txt is write-protected: if it is to be changed all the same, chmod +w it \
                first, with run_command";
    let write = json!({"path": "a.txt", "content": "new"});
    assert_eq!(workplace.call("write_file", write), told);
    assert_eq!(edit(&workplace, "old", "new"), told);
    assert_eq!(workplace.read("a.txt"), "old");
}

#[test]
fn a_text_that_stands_there_once_is_replaced() {
    let workplace = Workplace::new();
    workplace.write("a.txt", "one\nzwei: größer\nthree\n");
    assert_eq!(
        edit(&workplace, "zwei: größer", "two\nand a half"),
        "edited a.txt: 1 replacement, at line 2"
    );
    assert_eq!(workplace.read("a.txt"), "one\ntwo\nand a half\nthree\n");
    assert_eq!(
        edit(&workplace, "and a half\n", ""),
        "edited a.txt: 1 replacement, at line 3"
    );
    assert_eq!(workplace.read("a.txt"), "one\ntwo\nthree\n");
}

#[test]
fn it_has_to_be_clear_which_text_is_meant() {
    let workplace = Workplace::new();
    workplace.write("a.txt", "x = 1;\ny = 2;\nx = 1;\nx = 1; x = 1;\n");
    assert_eq!(
        edit(&workplace, "x = 1;", "z"),
        "error: `old_text` stands in a.txt 4 times, at the lines 1, 3, 4 and 4: add text around \
         it until it stands there once, or set replace_all"
    );
    assert_eq!(
        edit_all(&workplace, "x = 1;", "z"),
        "edited a.txt: 4 replacements"
    );
    assert_eq!(workplace.read("a.txt"), "z\ny = 2;\nz\nz z\n");
    // Two places that overlap are two all the same.
    workplace.write("a.txt", "aaa");
    assert_eq!(
        edit(&workplace, "aa", "b"),
        "error: `old_text` stands in a.txt 2 times, at the lines 1 and 1: add text around it \
         until it stands there once, or set replace_all"
    );
    workplace.write("a.txt", "a\n".repeat(500));
    let told = edit(&workplace, "a", "b");
    assert!(
        told.starts_with("error: `old_text` stands in a.txt 100 times or more, at the lines 1, 2,"),
        "{told}"
    );
    assert!(told.contains(", 20 and 80 more: "), "{told}");
    assert_eq!(
        edit_all(&workplace, "a", "b"),
        "edited a.txt: 500 replacements"
    );
}

#[test]
fn a_file_does_not_outgrow_memory_by_many_long_replacements() {
    let workplace = Workplace::new();
    let text = "a".repeat(1_000_000);
    workplace.write("a.txt", &text);
    assert_eq!(
        edit_all(&workplace, "a", &"b".repeat(1_000_000)),
        "error: a.txt would have 1000000000000 bytes, and edit_file writes 10000000 at most: \
         change it with run_command"
    );
    assert_eq!(workplace.read("a.txt"), text);
}

#[test]
fn a_text_that_is_not_there_is_told_with_the_line_most_like_it() {
    let workplace = Workplace::new();
    let text = "fn main() {\n    let number = compute();\n    print(number);\n}\n";
    workplace.write("a.txt", text);
    let again = "Read the file again and copy the text exactly, white space included";
    for (old, why) in [
        (
            "let number = compute(1);",
            "the line most like it is line 2, `    let number = compute();`",
        ),
        (
            "let  number = compute();\nprint(number);",
            "the line most like its first is line 2, `    let number = compute();`",
        ),
        (
            "\nfn main() {\n    exit();",
            "line 1 is `fn main() {`, and what follows there is another text",
        ),
        ("struct Other;", "no line is like `struct Other;`"),
        ("  \n\t\n", "no line is like `  \\n\\t\\n`"),
    ] {
        assert_eq!(
            edit(&workplace, old, "x"),
            format!("error: `old_text` is not in a.txt: {why}. {again}")
        );
    }
    assert_eq!(workplace.read("a.txt"), text);
}

#[test]
fn a_change_of_nothing_is_refused() {
    let workplace = Workplace::new();
    workplace.write("a.txt", "old");
    assert_eq!(
        edit(&workplace, "", "x"),
        "error: `old_text` is empty: write_file writes a whole file"
    );
    assert_eq!(
        edit(&workplace, "old", "old"),
        "error: `old_text` and `new_text` are the same: nothing would change"
    );
    fs::remove_file(workplace.path("a.txt")).unwrap();
    assert_eq!(
        edit(&workplace, "old", "new"),
        "error: there is no file a.txt: list_dir tells what there is"
    );
}

#[test]
fn the_line_ends_of_the_file_are_kept() {
    let workplace = Workplace::new();
    workplace.write("a.txt", "one\r\ntwo\r\nthree\r\n");
    assert_eq!(
        edit(&workplace, "one\ntwo\n", "1\n2\n2.5\n"),
        "edited a.txt: 1 replacement, at line 1"
    );
    assert_eq!(
        edit(&workplace, "three", "3\r\n4"),
        "edited a.txt: 1 replacement, at line 4"
    );
    assert_eq!(workplace.read("a.txt"), "1\r\n2\r\n2.5\r\n3\r\n4\r\n");
    // A file that has both: what stands there as it was given is meant, else the other.
    workplace.write("a.txt", "a\r\nb\nc\r\nd\n");
    edit(&workplace, "b\nc", "B\nC");
    assert_eq!(workplace.read("a.txt"), "a\r\nB\nC\r\nd\n");
    edit(&workplace, "a\nB", "A\nb");
    assert_eq!(workplace.read("a.txt"), "A\r\nb\nC\r\nd\n");
}

#[test]
fn what_is_no_text_is_not_edited() {
    let workplace = Workplace::new();
    workplace.write("a.txt", b"Gr\xf6\xdfe old\n");
    assert_eq!(
        edit(&workplace, "old", "new"),
        "error: a.txt is not UTF-8 text (byte 2): change it with run_command"
    );
    let file = fs::File::create(workplace.path("a.txt")).unwrap();
    file.set_len(100 << 20).unwrap();
    assert_eq!(
        edit(&workplace, "old", "new"),
        "error: a.txt has 104857600 bytes, and edit_file takes 10000000 at most: change it with \
         run_command"
    );
}

/// Where the system can, it sees itself to it that nothing outside is changed: what a tool took
/// for a folder of ours may have become a link since.
#[test]
fn nothing_outside_is_changed_whatever_becomes_of_a_path() {
    let mut workplace = Workplace::new();
    workplace.settings.sandbox = true;
    workplace.settings.own_program = Some("/none".into());
    let toolbox = workplace.toolbox();
    fs::create_dir(workplace.path("folder")).unwrap();
    let place = toolbox.places.file_to_write("folder/new").unwrap();
    fs::remove_dir(workplace.path("folder")).unwrap();
    std::os::unix::fs::symlink(workplace.outside(), workplace.path("folder")).unwrap();
    let outcome = write::replace(&toolbox, &place, "x");
    if landlock_version().is_ok() {
        let folder = workplace.path("folder");
        let Err(Stop::Told(told)) = outcome else {
            panic!("it was written");
        };
        let why = format!("cannot write in {}: ", folder.display());
        assert!(told.starts_with(&why), "{told}");
        assert!(told.contains("Permission denied"), "{told}");
        assert!(!workplace.outside().join("new").exists());
    }
}

#[test]
fn tools_write_where_commands_are_confined() {
    let mut workplace = Workplace::new();
    workplace.settings.sandbox = true;
    workplace.settings.own_program = Some("/none".into());
    let secret = workplace.outside().join("secret");
    workplace.settings.allowed = vec![secret.clone()];
    for path in ["a/b.txt", secret.to_str().unwrap()] {
        let told = workplace.call("write_file", json!({"path": path, "content": "new"}));
        assert!(told.starts_with("wrote "), "{told}");
    }
    assert_eq!(workplace.read("a/b.txt"), "new");
    assert_eq!(fs::read_to_string(secret).unwrap(), "new");
}
