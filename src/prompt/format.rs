//! The instruction that tells an agent how its answer must begin.

use serde_json::{Map, Value};

use super::example::Examples;
use super::phrase::types;
use super::shape::{Shape, Together, Unfolder, shape};
use crate::wording::one_line;

/// Blocks that are shown at most.
const MOST_BLOCKS: usize = 12;

/// What an answer is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerForm {
    /// A block of YAML with the fields, and the text below it.
    Frontmatter,
    /// One JSON object: the fields under `meta`, the text under `content`.
    Json,
}

impl AnswerForm {
    /// What comes before the examples of the fields.
    fn introduction(self, is_one: bool) -> &'static str {
        match (self, is_one) {
            (Self::Frontmatter, true) => {
                "Begin your final answer with a YAML block like this one, then write the rest below it, in Markdown:\n\n"
            }
            (Self::Frontmatter, false) => {
                "Begin your final answer with one of these YAML blocks, whichever fits your result, then write the rest below it, in Markdown:\n\n"
            }
            (Self::Json, true) => {
                "Give your final answer as one JSON object and nothing else: `{\"meta\": {…}, \"content\": \"…\"}`. `content` is the text of your answer, in Markdown. `meta` holds these fields, shown here as YAML:\n\n"
            }
            (Self::Json, false) => {
                "Give your final answer as one JSON object and nothing else: `{\"meta\": {…}, \"content\": \"…\"}`. `content` is the text of your answer, in Markdown. `meta` holds the fields of one of these, whichever fits your result, shown here as YAML:\n\n"
            }
        }
    }

    /// An example of the fields, set off from the text around it.
    fn set_off(self, block: &str) -> String {
        match self {
            Self::Frontmatter => format!("---\n{block}---\n"),
            Self::Json => format!("```yaml\n{block}```\n"),
        }
    }

    /// What must stand first.
    fn first_line(self) -> &'static str {
        match self {
            Self::Frontmatter => FIRST_LINE,
            Self::Json => "",
        }
    }

    /// How to write texts.
    fn quoting(self) -> &'static str {
        match self {
            Self::Frontmatter => QUOTING,
            Self::Json => "",
        }
    }
}

/// How an answer must look for a role with this schema: an example of its fields, one for each
/// form the schema allows, and how to fill it in.
///
/// The text ends with a line break and is the same for the same schema.
pub fn output_format(schema: &Value, form: AnswerForm) -> String {
    let unfolder = Unfolder::new(schema);
    let examples = Examples::new(&unfolder);
    let mut shapes = Vec::new();
    let mut blocks: Vec<String> = Vec::new();
    for together in unfolder.choices(&[schema]) {
        if !may_be_mapping(&together) {
            continue;
        }
        let shape = shape(&together);
        let lines = heading(&together).into_iter();
        let lines = lines.chain(examples.fields(&together));
        let block = lines.map(|line| line + "\n").collect();
        if !blocks.contains(&block) {
            shapes.push(shape);
            blocks.push(block);
        }
    }
    let hidden = blocks.len().saturating_sub(MOST_BLOCKS);
    blocks.truncate(MOST_BLOCKS);

    let mut text = String::from("## Answer format\n\n");
    if shapes.iter().all(|shape| shape.fields.is_empty()) {
        text += &without_fields(schema, &shapes, &blocks, form);
        return text;
    }
    text += form.introduction(blocks.len() == 1);
    let fenced: Vec<_> = blocks.iter().map(|block| form.set_off(block)).collect();
    text += &fenced.join("\nor\n\n");
    text += "\n";
    if hidden > 0 || unfolder.was_cut() {
        text += "The schema allows more than is shown here.\n\n";
    }
    text += &rules(&shapes, form);
    text
}

fn may_be_mapping(together: &Together<'_>) -> bool {
    let types = types(together);
    types.contains(&"object") || types.contains(&"any")
}

/// What a choice says of itself, as a comment on top of its block. The title of the whole schema
/// is a name that the workflow gave it, and tells nothing.
fn heading(together: &[&Map<String, Value>]) -> Option<String> {
    let (whole, chosen) = together.split_first()?;
    let about = |map: &&Map<String, Value>, keyword| {
        let text = one_line(map.get(keyword)?.as_str()?);
        (!text.is_empty()).then(|| format!("# {text}"))
    };
    let chosen = chosen
        .iter()
        .rev()
        .find_map(|map| about(map, "description").or_else(|| about(map, "title")));
    chosen.or_else(|| about(whole, "description"))
}

/// How to turn the example into an answer.
fn rules(shapes: &[Shape<'_>], form: AnswerForm) -> String {
    let all_required = shapes
        .iter()
        .all(|shape| shape.fields.iter().all(|field| field.required));
    let others = shapes.iter().any(|shape| !shape.others.is_empty());
    let which = match (all_required, others) {
        (true, false) => "Write all of its fields and no others.",
        (false, false) => {
            "Write only these fields. Those marked `required` must be there; the others may be left out, but not left empty."
        }
        (_, true) => "The fields marked `required` must be there; no field may be left empty.",
    };
    format!(
        "{}\
         - {which}\n\
         - Put your own value in place of each `<…>`; where ` | ` stands between values, write one of them.\n\
         {}",
        form.first_line(),
        form.quoting()
    )
}

const FIRST_LINE: &str = "- The first line of the answer is `---`; nothing stands before it.\n";

const QUOTING: &str = "\
- Put a text in double quotes when it holds `: ` or ` #`, ends with a colon, or does not begin with a letter or a digit. Write a text of several lines after `|`, each line indented.
";

/// The instruction for a schema that names no field.
fn without_fields(
    schema: &Value,
    shapes: &[Shape<'_>],
    blocks: &[String],
    form: AnswerForm,
) -> String {
    let named = shapes.iter().any(|shape| !shape.others.is_empty());
    let (which, block) = match blocks {
        [block] if named => ("Its fields are of this kind", block.as_str()),
        _ if !named && schema.get("properties").is_some() => ("It holds no fields", "{}\n"),
        _ => ("Its fields are yours to choose", "<name>: <value>\n"),
    };
    let introduction = match form {
        AnswerForm::Frontmatter => {
            "Begin your final answer with a YAML block, then write the rest below it, in Markdown."
        }
        AnswerForm::Json => {
            "Give your final answer as one JSON object and nothing else: `{\"meta\": {…}, \"content\": \"…\"}`. `content` is the text of your answer, in Markdown; `meta` is shown here as YAML."
        }
    };
    format!(
        "{introduction} {which}:\n\n{}\n{}{}",
        form.set_off(block),
        form.first_line(),
        if block == "{}\n" { "" } else { form.quoting() },
    )
}
