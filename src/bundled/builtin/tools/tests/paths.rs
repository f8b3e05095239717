//! Which paths are inside, however they are written.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use super::*;

#[test]
fn paths_that_lead_out_are_refused_whatever_is_asked_for() {
    let workplace = Workplace::new();
    let outside = workplace.outside();
    let outside = outside.to_str().unwrap();
    let cwd = workplace.settings.cwd.display().to_string();
    symlink(outside, workplace.path("folder")).unwrap();
    symlink("../outside/secret", workplace.path("file")).unwrap();
    let behind = format!(
        "outside the working folder `{cwd}`: name a file inside, by a path relative to the \
         working folder"
    );
    let secret = format!("{outside}/secret");
    let new = format!("{outside}/new");
    for (path, told) in [
        ("/etc/passwd", format!("`/etc/passwd` is {behind}")),
        (
            "../outside/secret",
            format!("`../outside/secret` leads to `{secret}`, which is {behind}"),
        ),
        (
            "file",
            format!("`file` leads to `{secret}`, which is {behind}"),
        ),
        (
            "folder/secret",
            format!("`folder/secret` leads to `{secret}`, which is {behind}"),
        ),
        (
            "folder/new",
            format!("`folder/new` leads to `{new}`, which is {behind}"),
        ),
        (secret.as_str(), format!("`{secret}` is {behind}")),
    ] {
        let told = format!("error: {told}");
        assert_eq!(workplace.call("read_file", json!({"path": path})), told);
        assert_eq!(workplace.call("list_dir", json!({"path": path})), told);
        let grep = json!({"path": path, "pattern": "x"});
        assert_eq!(workplace.call("grep", grep), told);
        let write = json!({"path": path, "content": "x"});
        assert_eq!(workplace.call("write_file", write), told);
        let edit = json!({"path": path, "old_text": "secret", "new_text": "x"});
        assert_eq!(workplace.call("edit_file", edit), told);
    }
    assert_eq!(fs::read_to_string(secret).unwrap(), "secret\n");
    assert!(!workplace.outside().join("new").exists());
}

#[test]
fn a_tilde_is_no_folder_of_the_tools() {
    let workplace = Workplace::new();
    let cwd = workplace.settings.cwd.display().to_string();
    for path in ["~", "~/notes/a"] {
        let told = format!(
            "error: `{path}` is no path: ~ means nothing to this tool. Name a file by a path \
             relative to the working folder, which is `{cwd}`"
        );
        assert_eq!(workplace.call("list_dir", json!({"path": path})), told);
        let write = json!({"path": path, "content": "x"});
        assert_eq!(workplace.call("write_file", write), told);
    }
    assert!(!workplace.path("~").exists());
    let write = json!({"path": "~a", "content": "x"});
    assert_eq!(
        workplace.call("write_file", write),
        "wrote ~a: 1 byte, a new file"
    );
}

#[test]
fn detours_and_links_inside_are_fine() {
    let workplace = Workplace::new();
    workplace.write("a/b.txt", "b\n");
    symlink("a", workplace.path("folder")).unwrap();
    symlink(workplace.path("a/b.txt"), workplace.path("file")).unwrap();
    let absolute = workplace.path("a/b.txt");
    for path in [
        "a/b.txt",
        "./a/../a/./b.txt",
        "../work/a/b.txt",
        "folder/b.txt",
        "file",
        absolute.to_str().unwrap(),
    ] {
        assert_eq!(workplace.call("read_file", json!({"path": path})), "b\n");
    }
    // A link stays one: what it leads to is written.
    let write = json!({"path": "file", "content": "new\n"});
    assert_eq!(
        workplace.call("write_file", write),
        "wrote a/b.txt: 4 bytes, in place of 2 bytes"
    );
    assert_eq!(workplace.read("a/b.txt"), "new\n");
    assert!(workplace.path("file").is_symlink());
}

#[test]
fn a_link_to_nothing_is_not_written_through() {
    let workplace = Workplace::new();
    symlink("../outside/new", workplace.path("link")).unwrap();
    symlink("loop", workplace.path("loop")).unwrap();
    assert_eq!(
        workplace.call("write_file", json!({"path": "link", "content": "x"})),
        "error: cannot use `link`: it is a link to `../outside/new`, which is not there"
    );
    assert_eq!(
        workplace.call("write_file", json!({"path": "link/x", "content": "x"})),
        "error: cannot use `link/x`: it is a link to `../outside/new`, which is not there"
    );
    assert!(
        workplace
            .call("read_file", json!({"path": "loop"}))
            .starts_with("error: cannot use `loop`: ")
    );
    assert_eq!(
        workplace.call("write_file", json!({"path": "new/../../x", "content": "x"})),
        "error: cannot use `new/../../x`: a folder on the way to it is not there"
    );
    assert!(!workplace.outside().join("new").exists());
}

#[test]
fn what_is_no_path_is_told() {
    let workplace = Workplace::new();
    for path in ["", "a\0b", &"x/".repeat(3000)] {
        let told = workplace.call("read_file", json!({"path": path}));
        let shown = quoted(path);
        assert_eq!(
            told,
            format!(
                "error: {shown} is no path: name a file by a path relative to the working folder"
            )
        );
    }
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let workplace = Workplace::new();
    workplace.pipe("pipe");
    let _listener = UnixListener::bind(workplace.path("socket")).unwrap();
    fs::create_dir(workplace.path("folder")).unwrap();
    for (name, told) in [
        (
            "pipe",
            "pipe is a pipe, not a file: only files can be read and written",
        ),
        (
            "socket",
            "socket is a socket, not a file: only files can be read and written",
        ),
        ("folder", "folder is a folder: list_dir tells what it holds"),
    ] {
        let told = format!("error: {told}");
        assert_eq!(workplace.call("read_file", json!({"path": name})), told);
        let write = json!({"path": name, "content": "x"});
        assert_eq!(workplace.call("write_file", write), told);
        let edit = json!({"path": name, "old_text": "a", "new_text": "x"});
        assert_eq!(workplace.call("edit_file", edit), told);
    }
    assert_eq!(
        workplace.call("grep", json!({"path": "pipe", "pattern": "x"})),
        "error: pipe is not a folder: read_file reads files"
    );
}

#[test]
fn a_device_is_no_file_where_it_is_allowed() {
    let mut workplace = Workplace::new();
    workplace.settings.allowed = vec!["/dev/zero".into()];
    assert_eq!(
        workplace.call("read_file", json!({"path": "/dev/zero"})),
        "error: /dev/zero is a device, not a file: only files can be read and written"
    );
}

#[test]
fn what_is_allowed_besides_the_folder_is_inside() {
    let mut workplace = Workplace::new();
    workplace.settings.allowed = vec![workplace.outside()];
    let secret = workplace.outside().join("secret");
    let secret = secret.to_str().unwrap();
    assert_eq!(
        workplace.call("read_file", json!({"path": secret})),
        "secret\n"
    );
    assert_eq!(
        workplace.call("read_file", json!({"path": "../outside/secret"})),
        "secret\n"
    );
    let write = json!({"path": secret, "content": "x"});
    assert_eq!(
        workplace.call("write_file", write),
        format!("wrote {secret}: 1 byte, in place of 7 bytes")
    );
    let cwd = workplace.settings.cwd.display();
    let outside = workplace.outside();
    assert_eq!(
        workplace.call("read_file", json!({"path": "/etc/passwd"})),
        format!(
            "error: `/etc/passwd` is outside the working folder `{cwd}` and `{}`: name a file \
             inside, by a path relative to the working folder",
            outside.display()
        )
    );
}

#[test]
fn what_belongs_to_git_is_read_and_not_written() {
    let workplace = Workplace::new();
    workplace.write(".git/config", "[core]\n");
    workplace.write("inner/.git", "gitdir: elsewhere\n");
    symlink(".git", workplace.path("link")).unwrap();
    assert_eq!(
        workplace.call("read_file", json!({"path": ".git/config"})),
        "[core]\n"
    );
    for (path, shown) in [
        (".git/config", ".git/config"),
        (".git/hooks/pre-commit", ".git/hooks/pre-commit"),
        ("link/config", ".git/config"),
        ("inner/.git", "inner/.git"),
        ("new/.GIT/config", "new/.GIT/config"),
    ] {
        assert_eq!(
            workplace.call("write_file", json!({"path": path, "content": "x"})),
            format!("error: {shown} belongs to git: change it by git itself, with run_command")
        );
    }
    let write = json!({"path": ".gitignore", "content": "target\n"});
    assert_eq!(
        workplace.call("write_file", write),
        "wrote .gitignore: 7 bytes, a new file"
    );
}
