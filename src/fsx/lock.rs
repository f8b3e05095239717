//! Locks of the operating system: who holds one, holds it until its process ends, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Result, create_folder, failed};

/// How long a lock is waited for, and how often it is looked at.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
const GLANCE: Duration = Duration::from_millis(2);

/// An advisory lock of the operating system on a file: it ends with the process, however that
/// ends, so it can never be stale.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    fn open(path: &Path) -> Result<File> {
        if let Some(folder) = path.parent() {
            create_folder(folder)?;
        }
        OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed("open", path))
    }

    /// Waits until the lock is free, and takes it.
    ///
    /// It is held for moments only. A process that was stopped while it held it would be waited
    /// for without end, so after a minute that is an error.
    pub fn acquire(path: &Path) -> Result<Self> {
        let deadline = Instant::now() + LONGEST_WAIT;
        loop {
            if let Some(lock) = Self::try_acquire(path)? {
                return Ok(lock);
            }
            if Instant::now() > deadline {
                let why = "another process has held it for a minute";
                return Err(failed("lock", path)(io::Error::new(
                    io::ErrorKind::TimedOut,
                    why,
                )));
            }
            std::thread::sleep(GLANCE);
        }
    }

    /// Takes the lock; `None` when another process has it.
    pub fn try_acquire(path: &Path) -> Result<Option<Self>> {
        let file = Self::open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self {
                file,
                path: path.to_owned(),
            })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(failed("lock", path)(error)),
        }
    }

    /// Whether somebody has the lock now. Makes no file.
    ///
    /// Asking takes a share of the lock for a moment, in which [`Lock::try_acquire`] is refused:
    /// who must not be in the way of others asks under a lock that they wait for.
    pub fn is_held(path: &Path) -> Result<bool> {
        let Some(file) = open_optional(path)? else {
            return Ok(false);
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) => Err(failed("lock", path)(error)),
        }
    }

    /// Replaces what the lock's file says of its holder.
    pub fn describe(&mut self, holder: &str) -> Result<()> {
        self.file
            .set_len(0)
            .and_then(|()| self.file.seek(SeekFrom::Start(0)))
            .and_then(|_| self.file.write_all(holder.as_bytes()))
            .map_err(failed("write", &self.path))
    }
}

/// A share of a lock: while it lasts, nobody has the lock, and others may share it.
#[derive(Debug)]
pub struct SharedLock {
    _file: File,
}

impl SharedLock {
    /// Waits until the lock is free, and takes a share. `None` when there is no such file: nobody
    /// has ever had the lock. Makes no file.
    pub fn acquire(path: &Path) -> Result<Option<Self>> {
        let Some(file) = open_optional(path)? else {
            return Ok(None);
        };
        file.lock_shared().map_err(failed("lock", path))?;
        Ok(Some(Self { _file: file }))
    }
}

fn open_optional(path: &Path) -> Result<Option<File>> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed("open", path)(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fsx::{file_names, read_text_optional};

    #[test]
    fn a_lock_is_held_once_and_free_after_drop() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("locks/a.lock");
        let mut held = Lock::acquire(&path).unwrap();
        held.describe("pid 1").unwrap();
        assert!(Lock::try_acquire(&path).unwrap().is_none());
        assert_eq!(read_text_optional(&path).unwrap().as_deref(), Some("pid 1"));
        drop(held);
        assert!(Lock::try_acquire(&path).unwrap().is_some());
    }

    #[test]
    fn whether_a_lock_is_held_is_told_without_making_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        assert!(!Lock::is_held(&path).unwrap());
        assert!(SharedLock::acquire(&path).unwrap().is_none());
        assert!(file_names(folder.path()).unwrap().is_empty());

        let held = Lock::acquire(&path).unwrap();
        assert!(Lock::is_held(&path).unwrap());
        drop(held);
        assert!(!Lock::is_held(&path).unwrap());
        let shared = SharedLock::acquire(&path).unwrap().unwrap();
        assert!(SharedLock::acquire(&path).unwrap().is_some());
        assert!(Lock::try_acquire(&path).unwrap().is_none());
        drop(shared);
        assert!(Lock::try_acquire(&path).unwrap().is_some());
    }
}
