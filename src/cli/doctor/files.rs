//! The storage root and the two files in it that people write.

use std::path::Path;

use super::report::Check;
use crate::config::{Config, ConfigError, DotEnv, DotEnvError};
use crate::fsx;
use crate::model::in_full;
use crate::pointers;

/// Folders of the root that are written in, where they are.
const FOLDERS: [&str; 8] = [
    "cas",
    "cas/_index",
    "threads",
    "attempts",
    "locks",
    "logs",
    "cache",
    "sessions",
];

/// The root itself, and whether it can be changed.
pub fn root(root: &Path) -> Vec<Check> {
    if !root.exists() {
        let message = format!("there is nothing at {} yet", root.display());
        let hint = "`uwf setup` makes it, and so does `uwf workflow put`";
        return vec![Check::open("root", message).hint(hint)];
    }
    let folders = FOLDERS.iter().map(|folder| root.join(folder));
    let folders = folders.filter(|folder| folder.exists());
    let unusable = std::iter::once(root.to_owned())
        .chain(folders)
        .find_map(|folder| fsx::check_usable_folder(&folder).err());
    let usable = match unusable {
        Some(error) => Check::wrong("root", in_full(&error))
            .hint("let it and all in it belong to the user who runs uwf"),
        None => Check::well("root", root.display().to_string()),
    };
    if !root.is_dir() {
        return vec![usable];
    }
    let lock = match pointers::share_root(root) {
        Ok(_) => Check::well("lock", "nobody holds the lock of the root"),
        Err(error) => Check::wrong("lock", in_full(&error))
            .hint("look for a uwf that is stopped, and let it go on or end it"),
    };
    vec![usable, lock]
}

/// `config.yaml`, and what it says when it can be read.
pub fn config(root: &Path) -> (Vec<Check>, Option<Config>) {
    let path = Config::path_in(root);
    let config = match Config::load(root) {
        Ok(config) => config,
        Err(ConfigError::Invalid(findings)) => {
            let wrong = |finding: &dyn ToString| Check::wrong("config", finding.to_string());
            let checks = findings.iter().map(|finding| {
                wrong(finding).hint("mend it there; until then every step is refused")
            });
            return (checks.collect(), None);
        }
        Err(ConfigError::File(error)) => {
            return (vec![Check::wrong("config", in_full(&error))], None);
        }
    };
    if !path.exists() {
        let message = format!("there is no {} yet", path.display());
        let check = Check::open("config", message).hint("`uwf setup` writes it");
        return (vec![check], Some(config));
    }
    let mut checks = vec![Check::well("config", path.display().to_string())];
    let warnings = config.warnings.iter();
    checks.extend(warnings.map(|finding| Check::open("config", finding.to_string())));
    (checks, Some(config))
}

/// `.env`, and the keys in it when it can be read.
pub fn env(root: &Path) -> (Vec<Check>, Option<DotEnv>) {
    let path = DotEnv::path(root);
    if !path.exists() {
        let message = format!("there is no {}", path.display());
        return (vec![Check::open(".env", message)], Some(DotEnv::default()));
    }
    let mut checks = Vec::new();
    let (read, env) = match DotEnv::load(root) {
        Ok(env) => (Check::well(".env", path.display().to_string()), Some(env)),
        Err(error) => (unreadable(&error), None),
    };
    checks.push(read);
    match fsx::is_shared(&path) {
        Ok(false) => {}
        Ok(true) => {
            let path = path.to_string_lossy();
            let message = format!("{path} can be read by others than its owner");
            let hint = format!("chmod 600 {}", shell_words::quote(&path));
            checks.push(Check::wrong(".env", message).hint(hint));
        }
        Err(error) => checks.push(Check::wrong(".env", in_full(&error))),
    }
    (checks, env)
}

fn unreadable(error: &DotEnvError) -> Check {
    let check = Check::wrong(".env", in_full(error));
    match error.hint() {
        Some(hint) => check.hint(hint),
        None => check,
    }
}
