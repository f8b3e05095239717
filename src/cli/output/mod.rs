//! What commands print: values as JSON or YAML, and foreign text made safe for a terminal.
//!
//! Everything here turns a value into text; nothing here prints.

mod number;

pub mod json;
pub mod terminal;
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
}

impl Format {
    /// The value as it goes to standard output, the final line break included.
    pub fn render(self, value: &Value) -> String {
        match self {
            Self::Json => json::to_string(value) + "\n",
            Self::Yaml => yaml::to_string(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;
    use serde_json::json;

    #[test]
    fn both_shapes_end_with_one_line_break() {
        let value = json!({"name": "debate", "origin": "local"});
        assert_eq!(
            Format::default().render(&value),
            "{\"name\":\"debate\",\"origin\":\"local\"}\n"
        );
        assert_eq!(Format::Yaml.render(&value), "name: debate\norigin: local\n");
    }

    #[test]
    fn a_shape_is_named_in_small_letters() {
        assert_eq!(Format::from_str("yaml", false), Ok(Format::Yaml));
        assert!(Format::from_str("xml", false).is_err());
    }
}
