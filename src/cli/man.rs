//! `uwf man`: manual pages, made of the definition of the command line.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Command, ValueHint};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::error::{CommandError, EXIT_CODES, Kind, Result};
use super::reference::EXAMPLES;
use super::{context, reference};
use crate::fsx::{self, Access};

/// Print the manual page, or write a page for each command
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  uwf man | man -l -
  uwf man --out ~/.local/share/man/man1")]
pub struct Arguments {
    /// Write the pages into this folder, and print nothing
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result {
    let definition = super::definition();
    match &arguments.out {
        Some(folder) => {
            fsx::create_folder(folder)?;
            write_pages(&definition, &definition, folder)
        }
        None => context::print_document(&page(&definition, &definition)?),
    }
}

fn write_pages(definition: &Command, command: &Command, folder: &Path) -> Result {
    let name = command
        .get_display_name()
        .unwrap_or_else(|| command.get_name());
    let path = folder.join(format!("{name}.1"));
    fsx::replace(&path, page(definition, command)?.as_bytes(), Access::Shared)?;
    command
        .get_subcommands()
        .try_for_each(|inner| write_pages(definition, inner, folder))
}

fn page(definition: &Command, command: &Command) -> Result<String> {
    let mut page = Vec::new();
    let version = definition.get_version().unwrap_or_default();
    let usage = reference::usage(command);
    let manual = Man::new(command.clone().override_usage(usage))
        .source(format!("uwf {version}"))
        .manual("uwf");
    // Memory takes every write, but the crate's signature says that it may fail.
    let unwritten = |error: io::Error| {
        CommandError::new(Kind::Request, "cannot make the manual page").cause(error.to_string())
    };
    manual.render_title(&mut page).map_err(unwritten)?;
    manual.render_name_section(&mut page).map_err(unwritten)?;
    manual
        .render_synopsis_section(&mut page)
        .map_err(unwritten)?;
    manual
        .render_description_section(&mut page)
        .map_err(unwritten)?;
    manual
        .render_options_section(&mut page)
        .map_err(unwritten)?;
    if command.has_subcommands() {
        manual
            .render_subcommands_section(&mut page)
            .map_err(unwritten)?;
    }
    last_sections(command)
        .to_writer(&mut page)
        .map_err(unwritten)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// Notes and examples, and on the first page what the exit codes mean.
fn last_sections(command: &Command) -> Roff {
    let mut roff = Roff::new();
    let after = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let (notes, examples) = match after.split_once(EXAMPLES) {
        Some((notes, examples)) => (notes.trim(), examples),
        None => (after.trim(), ""),
    };
    if !notes.is_empty() {
        roff.control("SH", ["NOTES"]);
        for line in notes.lines() {
            roff.text([roman(line)]);
        }
    }
    if !examples.is_empty() {
        roff.control("SH", ["EXAMPLES"]);
        roff.control("nf", []);
        for line in examples.lines() {
            roff.text([roman(line.trim_start())]);
        }
        roff.control("fi", []);
    }
    if command.get_version().is_some() {
        roff.control("SH", ["EXIT STATUS"]);
        for (code, meaning) in EXIT_CODES {
            roff.control("TP", []);
            roff.text([roman(code)]);
            roff.text([roman(meaning)]);
        }
    }
    roff
}
