//! `write_file`: a whole file, or nothing of it.

use super::arguments::Arguments;
use super::places::Place;
use super::{Outcome, Stop, Toolbox};
use crate::fsx::{self, Access};
use crate::model::in_full;
use crate::wording::counted;

pub fn write_file(toolbox: &Toolbox, arguments: &Arguments) -> Outcome {
    let place = toolbox.places.file_to_write(arguments.text("path"))?;
    let content = arguments.text("content");
    replace(toolbox, &place, content)?;
    let before = match &place.metadata {
        Some(metadata) => format!("in place of {}", counted(metadata.len(), "byte")),
        None => "a new file".to_owned(),
    };
    let bytes = counted(content.len() as u64, "byte");
    Ok(format!("wrote {}: {bytes}, {before}", place.shown))
}

/// Writes it, whole or not at all; who may read and run it stays so.
pub fn replace(toolbox: &Toolbox, place: &Place, content: &str) -> Result<(), Stop> {
    let written = toolbox.change(place, || {
        fsx::replace(&place.path, content.as_bytes(), Access::Shared)
    })?;
    written.map_err(|error| Stop::Told(in_full(&error)))
}
