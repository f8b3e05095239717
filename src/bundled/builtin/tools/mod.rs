//! What the model can do: read and change files of the working folder, look for text in them, run
//! commands there.
//!
//! Each tool takes JSON that a model wrote, and answers with text for it. What goes wrong is such a
//! text too, and says what to do instead. Files outside the working folder are out of reach of all
//! tools but `run_command`, which may read them, and cannot write them where the system has Landlock.
//! What is said to the model, and when, is not decided here.

mod arguments;
mod catalogue;
mod command;
mod edit;
mod grep;
mod lines;
mod list;
mod output;
mod places;
mod progress;
mod read;
mod walk;
mod watch;
mod write;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::Value;

use self::arguments::Arguments;
use self::catalogue::Tool;
use self::places::{Place, Places};
use self::watch::Watch;
use crate::agent::{Guard, confined_work, landlock_version};
use crate::bundled::kit::Observer;
use crate::llm::Key;
use crate::model::in_full;
use crate::suggestion::did_you_mean;
use crate::wording::{excerpt, listed, one_line, quoted};

/// What programs may write besides files, wherever they run. Not the terminal: a command that asks
/// there for a password would be stopped for it, and so rather fails at once.
const DEVICES: [&str; 6] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/shm",
];
const TEMP: &str = "/tmp";

/// Where and how the tools work.
#[derive(Debug, Clone)]
pub struct ToolSettings {
    /// The working folder, absolute.
    pub cwd: PathBuf,
    /// Files and folders besides it that may be read and written, absolute.
    pub allowed: Vec<PathBuf>,
    /// Whether commands are kept from writing elsewhere, where the system can do that.
    pub sandbox: bool,
    /// The whole environment of commands.
    pub environment: BTreeMap<OsString, OsString>,
    /// The file of this program, by way of which commands are confined.
    pub own_program: Option<PathBuf>,
    /// The folder for temporary files. Commands may write there.
    pub temp: PathBuf,
    /// What no answer of a tool may hold: a command can read it where uwf has it from.
    pub key: Option<Key>,
}

/// The tools.
#[derive(Debug)]
pub struct Toolbox {
    places: Places,
    environment: BTreeMap<OsString, OsString>,
    confinement: Confinement,
    key: Option<Key>,
}

/// What keeps commands, and the tools that write, from writing elsewhere.
#[derive(Debug)]
enum Confinement {
    Landlock {
        version: u32,
        own_program: PathBuf,
        /// What commands may write.
        writable: Vec<PathBuf>,
    },
    None {
        why: String,
    },
}

/// Why a tool did not do what it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Stop {
    /// The model is told this, and can do something about it.
    Told(String),
    /// A signal asked this process to end.
    Interrupted(i32),
}

impl From<String> for Stop {
    fn from(text: String) -> Self {
        Self::Told(text)
    }
}

/// A text for the model, or why there is none.
type Outcome = Result<String, Stop>;

impl Toolbox {
    /// The tools for this folder. Fails when it, or a path that is allowed besides it, is not
    /// there.
    pub fn new(settings: ToolSettings) -> Result<Self, String> {
        let places = Places::new(&settings.cwd, &settings.allowed)?;
        Ok(Self {
            confinement: Confinement::of(&settings, &places),
            places,
            environment: settings.environment,
            key: settings.key,
        })
    }

    /// The tools as a service with the interface of `OpenAI` is told of them, the same each time.
    pub fn definitions(&self) -> Vec<Value> {
        let where_written = match &self.confinement {
            Confinement::Landlock { .. } => format!(
                " Files can be written in {} only; elsewhere that fails with \"Permission \
                 denied\".",
                self.writable_places()
            ),
            Confinement::None { .. } => String::new(),
        };
        let definition = |tool: Tool| match tool {
            Tool::RunCommand => tool.definition(&where_written),
            _ => tool.definition(""),
        };
        Tool::ALL.into_iter().map(definition).collect()
    }

    /// Lets a tool do what the model asks for: a text for it, which begins with `error: ` when it
    /// was not done. Fails with the signal when one asked this process to end.
    pub fn call(
        &self,
        name: &str,
        arguments: &str,
        signals: &mut Guard,
        observer: &mut dyn Observer,
    ) -> Result<String, i32> {
        match self.perform(name, arguments, signals, observer) {
            Ok(text) => Ok(self.without_key(&text)),
            Err(Stop::Told(why)) => Ok(self.without_key(&format!("error: {why}"))),
            Err(Stop::Interrupted(signal)) => Err(signal),
        }
    }

    fn perform(
        &self,
        name: &str,
        arguments: &str,
        signals: &mut Guard,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let tool = Tool::from_name(name).ok_or_else(|| no_such_tool(name))?;
        let arguments = Arguments::read(tool, arguments)?;
        let places = &self.places;
        match tool {
            Tool::ReadFile => read::read_file(places, &arguments, &mut Watch::begin(signals)),
            Tool::WriteFile => write::write_file(self, &arguments),
            Tool::EditFile => edit::edit_file(self, &arguments),
            Tool::ListDir => list::list_dir(places, &arguments),
            Tool::Grep => grep::grep(places, &arguments, &mut Watch::begin(signals)),
            Tool::RunCommand => command::run_command(self, &arguments, signals, observer),
        }
    }

    fn without_key(&self, text: &str) -> String {
        Key::cut_from(self.key.as_ref(), text)
    }

    /// One harmless line on what is asked for, such as `read_file src/main.rs`.
    pub fn summary(&self, name: &str, arguments: &str) -> String {
        let Some(tool) = Tool::from_name(name) else {
            return excerpt(&self.without_key(&one_line(name)));
        };
        let subject = Arguments::read(tool, arguments).ok();
        let subject = subject.and_then(|arguments| {
            let subject = arguments.optional_text(tool.subject())?;
            Some(excerpt(&self.without_key(&one_line(subject))))
        });
        match subject {
            Some(subject) => format!("{} {subject}", tool.name()),
            None => tool.name().to_owned(),
        }
    }

    /// What keeps commands from writing elsewhere, or why nothing does.
    pub fn note(&self) -> String {
        match &self.confinement {
            Confinement::Landlock { version, .. } => format!(
                "run_command: writes confined to {} by Landlock (ABI {version})",
                self.writable_places()
            ),
            Confinement::None { why } => format!("run_command: not confined: {why}"),
        }
    }

    fn writable_places(&self) -> String {
        let allowed = self.places.allowed().iter();
        let allowed = allowed.map(|path| excerpt(&path.to_string_lossy()));
        let places = ["the working folder".to_owned()].into_iter().chain(allowed);
        listed(places.chain(["temp".to_owned()]), "and")
    }

    /// Does what changes a file. Where commands are confined the system sees to it that none
    /// outside is changed, whoever makes links of folders meanwhile.
    fn change<T: Send>(&self, place: &Place, work: impl FnOnce() -> T + Send) -> Result<T, Stop> {
        let Confinement::Landlock { .. } = &self.confinement else {
            return Ok(work());
        };
        let mut writable = self.places.roots().to_vec();
        if writable.contains(&place.path) {
            // A file that is allowed by itself is replaced by a new one from beside it.
            writable.extend(place.path.parent().map(Path::to_owned));
        }
        confined_work(&writable, work)
            .map_err(|error| Stop::Told(format!("nothing was changed: {}", in_full(&error))))
    }
}

impl Confinement {
    fn of(settings: &ToolSettings, places: &Places) -> Self {
        let none = |why: &str| Self::None {
            why: why.to_owned(),
        };
        if !settings.sandbox {
            return none("switched off by the entry");
        }
        let version = match landlock_version() {
            Ok(version) => version,
            Err(error) => return none(&in_full(&error)),
        };
        let Some(own_program) = settings.own_program.clone() else {
            return none("this system does not tell where uwf is");
        };
        let temp = [settings.temp.as_path(), Path::new(TEMP)];
        let elsewhere = temp.into_iter().chain(DEVICES.map(Path::new));
        let inside = places.roots().iter().cloned();
        Self::Landlock {
            version,
            own_program,
            writable: inside.chain(elsewhere.map(Path::to_owned)).collect(),
        }
    }
}

fn no_such_tool(name: &str) -> Stop {
    let names = || Tool::ALL.into_iter().map(Tool::name);
    let meant = did_you_mean(name, names()).map_or_else(String::new, |meant| format!(", {meant}"));
    Stop::Told(format!(
        "there is no tool {}{meant}; there are {}",
        quoted(name),
        listed(names().map(str::to_owned), "and")
    ))
}

#[cfg(test)]
mod tests;
