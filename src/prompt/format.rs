//! The instruction that tells an agent how its answer must begin.

use serde_json::{Map, Value};

use super::example::Examples;
use super::shape::{Shape, Unfolder, shape};

/// Blocks that are shown at most.
const MOST_BLOCKS: usize = 12;

/// How an answer must look for a role with this schema: an example of the block it begins with,
/// one for each form the schema allows, and how to fill it in.
///
/// The text ends with a line break and is the same for the same schema.
pub fn output_format(schema: &Value) -> String {
    let unfolder = Unfolder::new(schema);
    let examples = Examples::new(&unfolder);
    let mut shapes = Vec::new();
    let mut blocks: Vec<String> = Vec::new();
    for together in unfolder.choices(&[schema]) {
        let shape = shape(&together);
        let lines = heading(&together).into_iter().chain(examples.fields(&shape));
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
        text += &without_fields(schema, &shapes, &blocks);
        return text;
    }
    text += match blocks.len() {
        1 => "Begin your answer with a YAML block like this one, then write the rest in Markdown:\n\n",
        _ => {
            "Begin your answer with one of these YAML blocks, whichever fits your result, then write the rest in Markdown:\n\n"
        }
    };
    let fenced: Vec<_> = blocks.iter().map(|block| fenced(block)).collect();
    text += &fenced.join("\nor\n\n");
    text += "\n";
    if hidden > 0 || unfolder.was_cut() {
        text += "The schema allows more forms than are shown here.\n\n";
    }
    text += &rules(&shapes);
    text
}

fn fenced(block: &str) -> String {
    format!("---\n{block}---\n")
}

/// What a choice says of itself, as a comment on top of its block. The title of the whole schema
/// is a name that the workflow gave it, and tells nothing.
fn heading(together: &[&Map<String, Value>]) -> Option<String> {
    let (whole, chosen) = together.split_first()?;
    let about = |map: &&Map<String, Value>, keyword| {
        let text = super::example::one_line(map.get(keyword)?.as_str()?);
        (!text.is_empty()).then(|| format!("# {text}"))
    };
    let chosen = chosen
        .iter()
        .rev()
        .find_map(|map| about(map, "description").or_else(|| about(map, "title")));
    chosen.or_else(|| about(whole, "description"))
}

/// How to turn the example into an answer.
fn rules(shapes: &[Shape<'_>]) -> String {
    let all_required = shapes
        .iter()
        .all(|shape| shape.fields.iter().all(|field| field.required));
    let others = shapes.iter().any(|shape| !shape.others.is_empty());
    let which = match (all_required, others) {
        (true, false) => "Write all of these fields and no others.",
        (false, false) => {
            "Write only these fields. Those marked `required` must be there; leave out another when there is nothing to say in it."
        }
        (_, true) => "The fields marked `required` must be there.",
    };
    format!(
        "- The first line of your answer is `---`; nothing stands before it.\n\
         - {which}\n\
         - Put your own value in place of each `<…>`; where ` | ` stands between values, write one of them.\n\
         {QUOTING}"
    )
}

const QUOTING: &str = "\
- Put a text in double quotes when it holds `: ` or ` #`, ends with a colon, or does not begin with a letter or a digit. Write a text of several lines after `|`, each line indented.
";

/// The instruction for a schema that names no field.
fn without_fields(schema: &Value, shapes: &[Shape<'_>], blocks: &[String]) -> String {
    let named = shapes.iter().any(|shape| !shape.others.is_empty());
    let closed = schema.get("properties").is_some() && !named;
    let (which, block) = if closed {
        ("It holds no fields", "{}\n")
    } else if named && blocks.len() == 1 {
        ("Its fields are of this kind", blocks[0].as_str())
    } else {
        ("Its fields are yours to choose", "<name>: <value>\n")
    };
    format!(
        "Begin your answer with a YAML block, then write the rest in Markdown. {which}:\n\n{}\n\
         - The first line of your answer is `---`; nothing stands before it.\n\
         {QUOTING}",
        fenced(block)
    )
}
