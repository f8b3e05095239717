//! The rules, each a function from sources to lines of the form `file:line: what is wrong`.

use super::source::{Source, Token, tokens};

/// Each room with the rooms it may name besides itself.
pub const MAY_USE: [(&str, &str); 22] = [
    (
        "cli",
        "agent bundled cas config engine extract fsx host jsonl llm log model moderator pointers \
         prompt schema thread workflow yaml",
    ),
    (
        "bundled",
        "agent cas config engine extract fsx host jsonl llm model prompt schema thread workflow \
         yaml",
    ),
    (
        "engine",
        "agent cas config extract fsx host llm model moderator pointers prompt schema thread \
         workflow yaml",
    ),
    ("agent", "cas config extract model prompt"),
    ("llm", "model"),
    ("moderator", "model"),
    ("prompt", "model schema"),
    ("extract", "model schema yaml"),
    ("thread", "cas fsx jsonl model pointers"),
    ("workflow", "cas fsx model pointers schema yaml"),
    ("config", "fsx model yaml"),
    ("log", "fsx jsonl model"),
    ("cas", "fsx model schema"),
    ("pointers", "fsx model yaml"),
    ("schema", "model"),
    ("host", "model"),
    ("jsonl", "fsx"),
    ("yaml", ""),
    ("model", ""),
    ("fsx", ""),
    ("suggestion", "wording"),
    ("wording", ""),
];

/// The rooms that every other may name, unless it is one of them.
const EVERYBODY_MAY_USE: [&str; 2] = ["suggestion", "wording"];

/// A room names only the rooms below it.
pub fn rooms_used_wrongly(sources: &[Source]) -> Vec<String> {
    let mut wrong = Vec::new();
    for source in sources.iter().filter(|source| source.is_in("src")) {
        let Some(&room) = source.modules().first() else {
            continue;
        };
        let Some((_, may_use)) = MAY_USE.iter().find(|(name, _)| *name == room) else {
            wrong.push(source.at(1, &format!("the room {room} is not in the table of rooms")));
            continue;
        };
        for named in names_from_the_root(source) {
            let is_below = may_use.split(' ').any(|name| name == named.text);
            let is_everybodys =
                EVERYBODY_MAY_USE.contains(&named.text) && !EVERYBODY_MAY_USE.contains(&room);
            if named.text != room && !is_below && !is_everybodys {
                let what = format!("{room} may not use crate::{}", named.text);
                wrong.push(source.at(named.line, &what));
            }
        }
    }
    wrong
}

/// What follows `crate::`, or as many `super::` as lead there.
fn names_from_the_root(source: &Source) -> Vec<Token<'_>> {
    let tokens = tokens(&source.text);
    let text_at = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let mut depth = source.modules().len();
    let mut blocks = Vec::new();
    let mut named = Vec::new();
    for at in 0..tokens.len() {
        match text_at(at) {
            "{" => {
                let opens_module = at >= 2 && text_at(at - 2) == "mod";
                depth += usize::from(opens_module);
                blocks.push(opens_module);
            }
            "}" => depth -= usize::from(blocks.pop().unwrap_or_default()),
            "crate" if text_at(at + 1) == "::" => named.extend(first_names(&tokens[at + 2..])),
            "super" if at < 2 || text_at(at - 2) != "super" => {
                let climbed = (at..)
                    .step_by(2)
                    .take_while(|at| text_at(*at) == "super")
                    .count();
                let behind = at + 2 * climbed;
                if climbed == depth && text_at(behind - 1) == "::" {
                    named.extend(first_names(&tokens[behind..]));
                }
            }
            _ => {}
        }
    }
    named
}

/// The first name of each path: one, or one for each branch of `{…}`.
fn first_names<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut expected = true;
    for token in tokens {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            "," if depth == 1 => expected = true,
            _ if expected => {
                names.push(*token);
                expected = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

/// Every file says first what lives in it.
pub fn files_without_purpose(sources: &[Source]) -> Vec<String> {
    let silent = |source: &&Source| !source.text.starts_with("//!");
    let line = |source: &Source| source.at(1, "does not open with //!");
    sources.iter().filter(silent).map(line).collect()
}

/// A word that belongs to one room.
struct Property {
    tokens: &'static [&'static str],
    /// The folders and files of `src` that may say it.
    places: &'static [&'static str],
    reason: &'static str,
}

const fn printing(tokens: &'static [&'static str]) -> Property {
    Property {
        tokens,
        places: &["src/cli"],
        reason: "only src/cli prints",
    }
}

const fn signalling(tokens: &'static [&'static str]) -> Property {
    Property {
        tokens,
        places: &["src/agent"],
        reason: "only src/agent sends signals",
    }
}

const PROPERTIES: [Property; 14] = [
    printing(&["print", "!"]),
    printing(&["println", "!"]),
    printing(&["eprint", "!"]),
    printing(&["eprintln", "!"]),
    Property {
        tokens: &["jsonata_core"],
        places: &["src/moderator"],
        reason: "only one file of src/moderator knows the JSONata crate",
    },
    Property {
        tokens: &["jsonschema", "::"],
        places: &["src/schema"],
        reason: "only src/schema knows the JSON Schema crate",
    },
    Property {
        tokens: &["ureq"],
        places: &["src/llm"],
        reason: "only src/llm opens connections",
    },
    Property {
        tokens: &["agent_client_protocol"],
        places: &["src/bundled/acp"],
        reason: "only src/bundled/acp knows the crate of the Agent Client Protocol",
    },
    Property {
        tokens: &["landlock", "::"],
        places: &["src/agent/confinement"],
        reason: "only src/agent/confinement knows the Landlock crate",
    },
    Property {
        tokens: &["Command", "::", "new"],
        places: &["src/agent/process.rs"],
        reason: "only src/agent/process.rs starts processes",
    },
    signalling(&["kill_process"]),
    signalling(&["kill_process_group"]),
    signalling(&["pidfd_send_signal"]),
    Property {
        tokens: &["unsafe"],
        places: &[],
        reason: "nothing here is unsafe",
    },
];

/// What one room keeps to itself is said in that room only.
pub fn words_out_of_place(sources: &[Source]) -> Vec<String> {
    let mut wrong = Vec::new();
    for source in sources.iter().filter(|source| source.is_in("src")) {
        for property in &PROPERTIES {
            if property.places.iter().any(|place| source.is_in(place)) {
                continue;
            }
            let lines = source.lines_with(property.tokens);
            wrong.extend(lines.into_iter().map(|line| {
                let said = property.tokens.concat();
                source.at(line, &format!("says {said}: {}", property.reason))
            }));
        }
    }
    wrong
}

/// The crate that evaluates conditions is known to one file, so that it can be replaced there.
pub fn second_files_that_know_jsonata(sources: &[Source]) -> Vec<String> {
    let first_mention = |source: &Source| {
        let line = *source.lines_with(&["jsonata_core"]).first()?;
        Some(source.at(line, "is a second file that says jsonata_core"))
    };
    sources.iter().filter_map(first_mention).skip(1).collect()
}

/// Every direct dependency has its line in the table of reasons.
pub fn unexplained_dependencies(manifest: &str, reasons: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut in_dependencies = false;
    for (number, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            in_dependencies = line.ends_with("dependencies]");
            continue;
        }
        let name = line.split_once(" = ").map(|(name, _)| name);
        if let Some(name) = name.filter(|_| in_dependencies)
            && !reasons.contains(&format!("\n| `{name}` | "))
        {
            let place = number + 1;
            wrong.push(format!(
                "Cargo.toml:{place}: {name} is not in docs/dependencies.md"
            ));
        }
    }
    wrong
}
