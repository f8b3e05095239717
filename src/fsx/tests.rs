//! Files are whole or not there, and errors say which file and why.

use super::*;

#[test]
fn create_keeps_the_first_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/er/node.bin");
    assert!(create(&path, b"one", Access::Shared).unwrap());
    assert!(!create(&path, b"two", Access::Shared).unwrap());
    assert_eq!(read_optional(&path).unwrap().as_deref(), Some(&b"one"[..]));
    assert_eq!(file_names(path.parent().unwrap()).unwrap(), ["node.bin"]);
}

#[test]
fn replace_leaves_no_other_file_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("threads.yaml");
    replace(&path, b"a", Access::Shared).unwrap();
    replace(&path, b"b", Access::Owner).unwrap();
    assert_eq!(read_text_optional(&path).unwrap().as_deref(), Some("b"));
    assert_eq!(file_names(folder.path()).unwrap(), ["threads.yaml"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
#[cfg(unix)]
fn replace_keeps_a_link_and_who_may_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (
        folder.path().join("elsewhere.yaml"),
        folder.path().join("threads.yaml"),
    );
    replace(&file, b"a", Access::Shared).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    replace(&link, b"b", Access::Shared).unwrap();
    assert!(link.is_symlink());
    assert_eq!(read_text_optional(&file).unwrap().as_deref(), Some("b"));
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn an_append_after_a_torn_line_starts_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.jsonl");
    append_line(&path, "{}", Access::Shared).unwrap();
    replace(&path, b"{}\n{\"thr", Access::Shared).unwrap();
    append_line(&path, "{}", Access::Shared).unwrap();
    assert_eq!(
        read_text_optional(&path).unwrap().as_deref(),
        Some("{}\n{\"thr\n{}\n")
    );
}

#[cfg(unix)]
#[test]
fn an_append_for_the_owner_alone_closes_a_file_that_others_may_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let new = folder.path().join("new.jsonl");
    append_line(&new, "{}", Access::Owner).unwrap();
    assert_eq!(mode(&new), 0o600);
    let old = folder.path().join("old.jsonl");
    append_line(&old, "{}", Access::Shared).unwrap();
    std::fs::set_permissions(&old, std::fs::Permissions::from_mode(0o644)).unwrap();
    append_line(&old, "{}", Access::Owner).unwrap();
    assert_eq!(mode(&old), 0o600);
    assert_eq!(
        read_text_optional(&old).unwrap().as_deref(),
        Some("{}\n{}\n")
    );
}

#[test]
fn what_is_not_there_has_no_size_and_needs_no_removal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    assert_eq!(size_optional(&path).unwrap(), None);
    assert!(!remove(&path).unwrap());
    replace(&path, b"abc", Access::Shared).unwrap();
    assert_eq!(size_optional(&path).unwrap(), Some(3));
    assert_eq!(size_optional(folder.path()).unwrap(), None);
    assert!(remove(&path).unwrap());
    assert_eq!(size_optional(&path).unwrap(), None);
}

#[test]
#[cfg(unix)]
fn of_a_device_that_never_ends_no_more_is_read_than_may_be() {
    let error = read_named_text(Path::new("/dev/zero"), 1000).unwrap_err();
    assert_eq!(error.to_string(), "cannot read /dev/zero");
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(cause, "it has more than 1000 bytes");
    assert_eq!(
        read_named_text(Path::new("/dev/null"), 0)
            .unwrap()
            .as_deref(),
        Some("")
    );
}

#[test]
fn text_that_is_not_utf8_is_named_with_its_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.yaml");
    replace(&path, b"ab\xff", Access::Shared).unwrap();
    let error = read_text_optional(&path).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot read {}", path.display()));
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(cause, "it is not UTF-8 text (byte 2)");
}

#[test]
fn who_may_read_a_file_and_what_is_no_folder_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".env");
    assert!(!is_shared(&path).unwrap());
    replace(&path, b"A=1", Access::Owner).unwrap();
    assert!(!is_shared(&path).unwrap());
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    assert!(is_shared(&path).unwrap());
    check_usable_folder(folder.path()).unwrap();
    let error = check_usable_folder(&path).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot use {}", path.display()));
    let error = check_usable_folder(&folder.path().join("none")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
}

#[test]
fn only_a_file_is_opened_and_nothing_is_waited_for() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use std::io::Read;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("file"), "four").unwrap();
    std::os::unix::fs::symlink("file", path("link")).unwrap();
    let mode = Mode::RUSR | Mode::WUSR;
    mknodat(CWD, path("pipe"), FileType::Fifo, mode, 0).unwrap();
    let (mut file, size) = open_regular(&path("file")).unwrap();
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    assert_eq!((text.as_str(), size), ("four", 4));
    for name in ["pipe", "."] {
        let error = open_regular(&path(name)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        let place = path(name);
        let said = format!("cannot read {}", place.display());
        assert_eq!(error.to_string(), said);
    }
    assert!(open_regular(&path("link")).is_err());
    let error = open_regular(&path("none")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
}

#[test]
fn a_file_that_is_replaced_keeps_its_owner_and_can_be_run() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("script");
    std::fs::write(&path, "old").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    // Only root can give a file away, and everybody has a file of their own.
    let is_root = rustix::process::geteuid().is_root();
    if is_root {
        chown(&path, Some(12_345), Some(12_345)).unwrap();
    }
    let before = path.metadata().unwrap();
    for (access, mode) in [
        (Access::Shared, before.mode()),
        (Access::Owner, before.mode() & !0o777 | 0o600),
    ] {
        replace(&path, b"new", access).unwrap();
        let after = path.metadata().unwrap();
        assert_eq!(after.mode(), mode);
        assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
    }
}

#[test]
fn a_link_that_leads_to_nothing_yet_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("dotfiles")).unwrap();
    std::os::unix::fs::symlink("second", path("first")).unwrap();
    std::os::unix::fs::symlink("dotfiles/config.yaml", path("second")).unwrap();
    replace(&path("first"), b"text", Access::Shared).unwrap();
    for link in ["first", "second"] {
        assert!(path(link).is_symlink(), "{link}");
    }
    assert_eq!(
        std::fs::read(path("dotfiles/config.yaml")).unwrap(),
        b"text"
    );
}
