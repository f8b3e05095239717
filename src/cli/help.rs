//! `uwf help`.

use super::context;
use super::error::Result;
use super::output::style::Colours;
use super::usage;

/// Print the help of a command
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The command's name, such as: thread step
    #[arg(value_name = "COMMAND")]
    names: Vec<String>,
}

pub fn run(arguments: &Arguments, colours: Colours) -> Result {
    context::print_document(&page(&arguments.names, colours)?)
}

/// The help of the command with these names, the program's left out.
pub fn page(names: &[String], colours: Colours) -> Result<String> {
    let definition = super::definition();
    let mut command = &definition;
    for name in names {
        command = command
            .find_subcommand(name)
            .ok_or_else(|| usage::no_such_command(&definition, command, name))?;
    }
    Ok(colours.paint_help(&command.clone().render_help().to_string()))
}
