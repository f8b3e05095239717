//! Files: reading with the path in every error, writing whole or not at all, advisory locks.
//!
//! The only room that writes. A file is written under a name no other process can pick, synced,
//! and then moved into place; the folder is synced after it, so that what a command reported
//! survives a power cut.

#![expect(
    clippy::disallowed_methods,
    reason = "this is the room that writes files"
)]

mod lock;

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

pub use lock::{Lock, SharedLock};

/// Something the operating system refused, with what was being done to which path.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}", path.display())]
pub struct FileError {
    action: &'static str,
    path: PathBuf,
    source: io::Error,
}

impl FileError {
    /// What the operating system said.
    pub fn kind(&self) -> io::ErrorKind {
        self.source.kind()
    }
}

/// Result of a file operation.
pub type Result<T> = std::result::Result<T, FileError>;

fn failed<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> FileError + 'a {
    move |source| FileError {
        action,
        path: path.to_owned(),
        source: match source.kind() {
            io::ErrorKind::IsADirectory => {
                io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, not a file")
            }
            _ => source,
        },
    }
}

/// Who may read a file that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// As the umask says.
    Shared,
    /// The owner alone.
    Owner,
}

/// The bytes of a file; `None` when there is no such file.
pub fn read_optional(path: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed("read", path)(error)),
    }
}

/// The text of a file; `None` when there is no such file. Bytes that are not UTF-8 are an error.
pub fn read_text_optional(path: &Path) -> Result<Option<String>> {
    read_optional(path)?
        .map(|bytes| text_of(path, bytes))
        .transpose()
}

/// The text of a file that somebody named, and that may be anything, also a device that never ends:
/// more than so many bytes are an error, and are not read.
pub fn read_named_text(path: &Path, most: u64) -> Result<Option<String>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed("read", path)(error)),
    };
    let mut bytes = Vec::new();
    let read = file.take(most + 1).read_to_end(&mut bytes);
    read.map_err(failed("read", path))?;
    if bytes.len() as u64 > most {
        let why = format!("it has more than {most} bytes");
        return Err(failed("read", path)(io::Error::new(
            io::ErrorKind::FileTooLarge,
            why,
        )));
    }
    text_of(path, bytes).map(Some)
}

/// Opens a file that may be anything by now, for reading. What is no file, such as a folder, a pipe
/// or a device, is an error, and so is a link. Never waits. Also how many bytes it has.
#[cfg(unix)]
pub fn open_regular(path: &Path) -> Result<(File, u64)> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    // Without NONBLOCK a pipe would be waited for until somebody writes to it.
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(flags.bits().cast_signed());
    let file = options.open(path).map_err(failed("read", path))?;
    let metadata = file.metadata().map_err(failed("look at", path))?;
    if metadata.is_file() {
        return Ok((file, metadata.len()));
    }
    let why = io::Error::new(io::ErrorKind::InvalidInput, "it is not a file");
    Err(failed("read", path)(why))
}

fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        failed("read", path)(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("it is not UTF-8 text (byte {place})"),
        ))
    })
}

/// Makes a folder and the folders above it.
pub fn create_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(failed("make the folder", path))
}

/// Names of the files in a folder, sorted; empty when there is no such folder.
pub fn file_names(folder: &Path) -> Result<Vec<String>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed("list", folder)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed("list", folder))?;
        // A name that is not UTF-8 is none of ours.
        if let Ok(name) = entry.file_name().into_string() {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// How many bytes a file has; `None` when there is no file of that name, or another thing than a
/// file.
pub fn size_optional(path: &Path) -> Result<Option<u64>> {
    match std::fs::metadata(path) {
        Ok(metadata) => Ok(metadata.is_file().then_some(metadata.len())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed("look at", path)(error)),
    }
}

/// Whether others than its owner may read or change a file; false when there is none.
pub fn is_shared(path: &Path) -> Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    match std::fs::metadata(path) {
        Ok(metadata) => Ok(metadata.permissions().mode() & 0o077 != 0),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failed("look at", path)(error)),
    }
}

/// That this process may read a folder and make files in it. Makes none.
pub fn check_usable_folder(path: &Path) -> Result<()> {
    use rustix::fs::Access as Right;
    let looked = std::fs::metadata(path).map_err(failed("look at", path))?;
    if !looked.is_dir() {
        let why = io::Error::new(io::ErrorKind::NotADirectory, "it is a file, not a folder");
        return Err(failed("use", path)(why));
    }
    rustix::fs::access(path, Right::READ_OK | Right::EXEC_OK)
        .map_err(|error| failed("read", path)(error.into()))?;
    rustix::fs::access(path, Right::WRITE_OK)
        .map_err(|error| failed("write in", path)(error.into()))
}

/// Removes a file. False when there was none.
pub fn remove(path: &Path) -> Result<bool> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failed("remove", path)(error)),
    }
}

fn temporary_beside(path: &Path, access: Access) -> Result<NamedTempFile> {
    let folder = path.parent().unwrap_or(Path::new("."));
    create_folder(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".new-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = match access {
            Access::Shared => 0o666,
            Access::Owner => 0o600,
        };
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = access;
    builder
        .tempfile_in(folder)
        .map_err(failed("write in", folder))
}

fn sync_folder_of(path: &Path) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    File::open(folder)
        .and_then(|handle| handle.sync_all())
        .map_err(failed("sync", folder))
}

fn written_temporary(path: &Path, bytes: &[u8], access: Access) -> Result<NamedTempFile> {
    let mut temporary = temporary_beside(path, access)?;
    temporary.write_all(bytes).map_err(failed("write", path))?;
    temporary
        .as_file()
        .sync_all()
        .map_err(failed("sync", path))?;
    Ok(temporary)
}

/// Replaces a file, whole or not at all.
///
/// A link stays one: the file it leads to is replaced, or made. A file keeps its owner; one that is
/// shared with fewer people than usual stays so, and one that can be run can be run.
pub fn replace(path: &Path, bytes: &[u8], access: Access) -> Result<()> {
    let target = end_of_links(path);
    let replaced = target.metadata().ok();
    // Whoever may not read the file that is replaced must not read the new one on its way either.
    let at_first = match replaced {
        Some(_) => Access::Owner,
        None => access,
    };
    let temporary = written_temporary(&target, bytes, at_first)?;
    if let Some(replaced) = replaced {
        keep_owner(temporary.as_file(), &replaced).map_err(failed("set who owns", path))?;
        if access == Access::Shared {
            let kept = temporary.as_file().set_permissions(replaced.permissions());
            kept.map_err(failed("set who may read", path))?;
        }
    }
    temporary
        .persist(&target)
        .map_err(|error| failed("replace", path)(error.error))?;
    sync_folder_of(&target)
}

/// Where a path leads, also when there is nothing yet.
fn end_of_links(path: &Path) -> PathBuf {
    let mut end = path.to_owned();
    // As many as the system follows.
    for _ in 0..40 {
        match std::fs::read_link(&end) {
            Ok(next) => end = end.parent().unwrap_or(Path::new(".")).join(next),
            Err(_) => break,
        }
    }
    end
}

/// Only root can give a file away: for everybody else the new file is their own.
#[cfg(unix)]
fn keep_owner(file: &File, replaced: &std::fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let metadata = file.metadata()?;
    if (metadata.uid(), metadata.gid()) == (replaced.uid(), replaced.gid()) {
        return Ok(());
    }
    match fchown(file, Some(replaced.uid()), Some(replaced.gid())) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        outcome => outcome,
    }
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _replaced: &std::fs::Metadata) -> io::Result<()> {
    Ok(())
}

/// Writes a file unless there is one of that name, whole or not at all.
///
/// True when this call wrote it. Safe against a second process doing the same.
pub fn create(path: &Path, bytes: &[u8], access: Access) -> Result<bool> {
    let temporary = written_temporary(path, bytes, access)?;
    match temporary.persist_noclobber(path) {
        Ok(_) => sync_folder_of(path).map(|()| true),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
            // Whoever wrote it may not have synced the folder yet, and the caller relies on it.
            sync_folder_of(path).map(|()| false)
        }
        Err(error) => Err(failed("create", path)(error.error)),
    }
}

/// Appends one line and syncs it. After a torn last line it starts on a new one.
///
/// `line` holds no line break. Concurrent appends of short lines do not mix: the file is opened
/// for appending and the line is written by one call. With [`Access::Owner`], a file that others
/// may read is closed to them first.
pub fn append_line(path: &Path, line: &str, access: Access) -> Result<()> {
    if let Some(folder) = path.parent() {
        create_folder(folder)?;
    }
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    if access == Access::Owner {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let is_new = !path.exists();
    let mut file = options.open(path).map_err(failed("open", path))?;
    if access == Access::Owner {
        close_to_others(&file).map_err(failed("close to others", path))?;
    }
    let mut text = String::with_capacity(line.len() + 2);
    if ends_torn(&mut file).map_err(failed("read", path))? {
        text.push('\n');
    }
    text.push_str(line);
    text.push('\n');
    file.write_all(text.as_bytes())
        .map_err(failed("append to", path))?;
    file.sync_all().map_err(failed("sync", path))?;
    if is_new { sync_folder_of(path) } else { Ok(()) }
}

#[cfg(unix)]
fn close_to_others(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut permissions = file.metadata()?.permissions();
    if permissions.mode() & 0o077 == 0 {
        return Ok(());
    }
    permissions.set_mode(0o600);
    file.set_permissions(permissions)
}

#[cfg(not(unix))]
fn close_to_others(_file: &File) -> io::Result<()> {
    Ok(())
}

fn ends_torn(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != [b'\n'])
}

#[cfg(test)]
mod tests;
