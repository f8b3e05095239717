//! A file of Rust as the words and marks it is made of, with their lines; comments and the insides
//! of strings are none.

/// One file: where it stands from the crate's root, with `/` between folders, and what it says.
pub struct Source {
    pub path: String,
    pub text: String,
}

/// A word or a mark of the language, with its line from 1.
#[derive(Clone, Copy)]
pub struct Token<'a> {
    pub text: &'a str,
    pub line: usize,
}

impl Source {
    pub fn is_in(&self, folder_or_file: &str) -> bool {
        self.path
            .strip_prefix(folder_or_file)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The modules around this file's own text: `src/agent/mod.rs` is `agent`.
    pub fn modules(&self) -> Vec<&str> {
        let path = self.path.trim_start_matches("src/");
        let mut modules: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
        if matches!(modules.last(), Some(&("mod" | "lib" | "main"))) {
            modules.pop();
        }
        modules
    }

    pub fn at(&self, line: usize, wrong: &str) -> String {
        format!("{}:{line}: {wrong}", self.path)
    }

    /// Where these tokens stand one after the other.
    pub fn lines_with(&self, wanted: &[&str]) -> Vec<usize> {
        tokens(&self.text)
            .windows(wanted.len())
            .filter(|window| {
                window
                    .iter()
                    .map(|token| token.text)
                    .eq(wanted.iter().copied())
            })
            .map(|window| window[0].line)
            .collect()
    }
}

pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while !rest.is_empty() {
        let (length, counts) = first_lexeme(rest);
        let (lexeme, after) = rest.split_at(length);
        if counts {
            tokens.push(Token { text: lexeme, line });
        }
        line += lexeme.matches('\n').count();
        rest = after;
    }
    tokens
}

/// The length of what the text begins with, and whether that is a token.
fn first_lexeme(text: &str) -> (usize, bool) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let first = text.chars().next().unwrap_or_default();
    if text.starts_with("//") {
        (text.find('\n').unwrap_or(text.len()), false)
    } else if text.starts_with("/*") {
        (block_comment_length(text), false)
    } else if let Some(length) = string_length(text).or_else(|| character_length(text)) {
        (length, false)
    } else if is_word(first) {
        (text.find(|c| !is_word(c)).unwrap_or(text.len()), true)
    } else if text.starts_with("::") {
        (2, true)
    } else {
        (first.len_utf8(), !first.is_whitespace())
    }
}

fn block_comment_length(text: &str) -> usize {
    let mut depth = 0;
    let mut length = 0;
    while length < text.len() {
        let rest = &text[length..];
        if rest.starts_with("/*") {
            depth += 1;
            length += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            length += 2;
            if depth == 0 {
                return length;
            }
        } else {
            length += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length of a string literal of any kind, when the text begins with one.
fn string_length(text: &str) -> Option<usize> {
    let unmarked = text.trim_start_matches(['b', 'c']);
    let marks = text.len() - unmarked.len();
    if let Some(raw) = unmarked.strip_prefix('r') {
        let fence = raw.len() - raw.trim_start_matches('#').len();
        let body = raw[fence..].strip_prefix('"').filter(|_| marks < 2)?;
        let end = format!("\"{}", "#".repeat(fence));
        let body_length = body.find(&end).map_or(body.len(), |at| at + end.len());
        return Some(marks + "r\"".len() + fence + body_length);
    }
    let body = unmarked.strip_prefix('"').filter(|_| marks < 2)?;
    let body_length = length_until(body, '"').unwrap_or(body.len());
    Some(marks + 1 + body_length)
}

/// The length of a character literal, when the text begins with one and not with a lifetime.
fn character_length(text: &str) -> Option<usize> {
    let body = text.strip_prefix('\'')?;
    let first = body.chars().next()?;
    let is_literal = first == '\\' || body[first.len_utf8()..].starts_with('\'');
    is_literal.then(|| 1 + length_until(body, '\'').unwrap_or(body.len()))
}

/// How far it is to behind an end that no backslash stands before.
fn length_until(body: &str, end: char) -> Option<usize> {
    let mut escaped = false;
    for (at, character) in body.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == end => return Some(at + end.len_utf8()),
            _ => {}
        }
    }
    None
}
