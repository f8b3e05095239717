//! How long a service may take that is asked while somebody waits for it.

use std::time::Duration;

use super::context::Context;
use super::error::{CommandError, Kind, Result};
use crate::config::parse_duration;

/// The variable that says how long; for a model that has to be loaded first.
const VARIABLE: &str = "UWF_PROBE_TIMEOUT";

/// How long a service may take.
pub struct Limits {
    /// For one word of a model.
    pub probe: Duration,
    /// For the list of its models.
    pub list: Duration,
}

impl Limits {
    /// As the caller says, else fifteen and ten seconds.
    pub fn of(context: &Context) -> Result<Self> {
        let Some(text) = context.host.variable(VARIABLE) else {
            return Ok(Self {
                probe: Duration::from_secs(15),
                list: Duration::from_secs(10),
            });
        };
        let text = text.to_string_lossy();
        match parse_duration(&text) {
            Ok(Some(limit)) => Ok(Self {
                probe: limit,
                list: limit,
            }),
            _ => Err(CommandError::new(
                Kind::Usage,
                format!("{VARIABLE} is `{text}`, and must be a length of time such as `30s`"),
            )),
        }
    }
}
