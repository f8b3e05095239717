//! What commands print: values as JSON, YAML or text, and foreign text made safe for a terminal.
//!
//! Everything here turns a value into text; nothing here prints.

mod number;

pub mod json;
pub mod style;
pub mod terminal;
pub mod text;
pub mod yaml;

use serde_json::Value;

/// The shape of what a command prints, as `--format` names it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// One compact line.
    #[default]
    Json,
    /// A block document.
    Yaml,
    /// Tables and short texts for people.
    Text,
}

impl Format {
    /// The value as it goes to standard output, the final line break included. Text alone has a
    /// look.
    pub fn render(self, value: &Value, look: text::Look) -> String {
        match self {
            Self::Json => json::to_string(value) + "\n",
            Self::Yaml => yaml::to_string(value),
            Self::Text => text::to_string(value, look),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;
    use serde_json::json;

    #[test]
    fn every_shape_ends_with_one_line_break() {
        let value = json!({"name": "debate", "origin": "local"});
        let render = |format: Format| format.render(&value, text::Look::default());
        assert_eq!(
            render(Format::default()),
            "{\"name\":\"debate\",\"origin\":\"local\"}\n"
        );
        assert_eq!(render(Format::Yaml), "name: debate\norigin: local\n");
        assert_eq!(render(Format::Text), "name    debate\norigin  local\n");
    }

    #[test]
    fn a_shape_is_named_in_small_letters() {
        assert_eq!(Format::from_str("yaml", false), Ok(Format::Yaml));
        assert!(Format::from_str("xml", false).is_err());
    }
}
