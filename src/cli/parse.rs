//! What was typed, turned into what it means: a whole name, the beginning of one, or `@`.
//!
//! A whole name means itself, whether there is such a thing or not, and nothing is looked up for
//! it. The beginning of a name is looked up among the names there are, and must fit one alone.

use std::fmt::Display;
use std::num::NonZeroU64;
use std::str::FromStr;

use serde_json::json;

use super::context::Context;
use super::error::{CommandError, Kind, Result};
use super::thread::not_found;
use crate::cas::known;
use crate::model::{Hash, Prefix, ThreadId};
use crate::thread::{self, Listing};

/// What stands for the thread that was started, stepped or forked last.
const LAST: &str = "@";
/// Candidates that an error shows.
const SHOWN: usize = 5;

/// How a name may be typed.
const ENOUGH: &str = "its first characters are enough, four at the least";
/// Where hashes are to be found.
const HASHES: &str = "`uwf thread steps <thread>` prints the hashes of a thread's nodes";

/// How often something may be done: once at the least.
pub fn count(text: &str) -> std::result::Result<NonZeroU64, &'static str> {
    text.parse().map_err(|_| "must be a positive integer")
}

/// A hash of a node.
pub fn hash(text: &str, context: &Context) -> Result<Hash> {
    find_hash(text, context)?.ok_or_else(|| {
        let message = format!("no node's hash begins with `{}`", text.trim());
        CommandError::new(Kind::Request, message).hint(HASHES)
    })
}

/// A hash of a node; none when it is the beginning of no node's hash.
pub fn find_hash(text: &str, context: &Context) -> Result<Option<Hash>> {
    match typed_hash(text)? {
        Typed::Whole(hash) => Ok(Some(hash)),
        Typed::Beginning(prefix) => {
            only_one("nodes", &prefix, context.store.beginning_with(&prefix)?)
        }
    }
}

/// A hash of these; one that is none of them only when it was typed as a whole.
pub fn hash_among(text: &str, hashes: impl Iterator<Item = Hash>) -> Result<Option<Hash>> {
    match typed_hash(text)? {
        Typed::Whole(hash) => Ok(Some(hash)),
        Typed::Beginning(prefix) => only_one("steps", &prefix, hashes),
    }
}

/// The workflow whose hash begins like that; none when there is none.
pub fn find_workflow(text: &str, context: &Context) -> Result<Option<Hash>> {
    let Some(prefix) = Prefix::of(text.trim(), Hash::LENGTH) else {
        return Ok(None);
    };
    let mut workflows = Vec::new();
    for type_hash in &known::WORKFLOW_TYPES {
        workflows.extend(context.store.members(type_hash)?);
    }
    only_one("workflows", &prefix, workflows)
}

/// The id of a thread.
pub fn thread(text: &str, context: &Context) -> Result<ThreadId> {
    if text.trim() == LAST {
        return last_thread(context);
    }
    let typed = typed(text, ThreadId::LENGTH).map_err(|error| {
        CommandError::from_error(Kind::Request, &error)
            .hint(ENOUGH)
            .hint("`uwf thread list --all` shows every thread")
    })?;
    let prefix = match typed {
        Typed::Whole(thread) => return Ok(thread),
        Typed::Beginning(prefix) => prefix,
    };
    let listing = Listing::read(&context.root, true)?;
    only_one("threads", &prefix, listing.ids())?.ok_or_else(|| {
        let message = format!("no thread's id begins with `{}`", text.trim());
        not_found(message, &listing.skipped)
    })
}

fn last_thread(context: &Context) -> Result<ThreadId> {
    thread::current(&context.root)?.ok_or_else(|| {
        let message = format!(
            "`{LAST}` means no thread yet: none was started, stepped or forked in {}",
            context.root.display()
        );
        CommandError::new(Kind::Request, message).hint("`uwf thread list` shows the active threads")
    })
}

/// A name as it was typed.
enum Typed<T> {
    /// All of it.
    Whole(T),
    /// Its first characters.
    Beginning(Prefix),
}

fn typed_hash(text: &str) -> Result<Typed<Hash>> {
    typed(text, Hash::LENGTH).map_err(|error| {
        CommandError::from_error(Kind::Request, &error)
            .hint(ENOUGH)
            .hint(HASHES)
    })
}

/// Reads a name that has so many characters as a whole.
fn typed<T: FromStr>(text: &str, length: usize) -> std::result::Result<Typed<T>, T::Err> {
    let text = text.trim();
    let refused = match text.parse() {
        Ok(whole) => return Ok(Typed::Whole(whole)),
        Err(refused) => refused,
    };
    let prefix = Prefix::of(text, length).ok_or(refused)?;
    match prefix.as_str().parse() {
        Ok(whole) => Ok(Typed::Whole(whole)),
        Err(refused) if prefix.as_str().len() == length => Err(refused),
        Err(_) => Ok(Typed::Beginning(prefix)),
    }
}

fn only_one<T: Display>(
    kind: &str,
    prefix: &Prefix,
    names: impl IntoIterator<Item = T>,
) -> Result<Option<T>> {
    let fits = |name: &T| prefix.begins(&name.to_string());
    let mut fitting: Vec<T> = names.into_iter().filter(fits).collect();
    if fitting.len() < 2 {
        return Ok(fitting.pop());
    }
    let total = fitting.len();
    let shown: Vec<String> = fitting.iter().take(SHOWN).map(T::to_string).collect();
    let mut excerpt: String = shown.iter().map(|name| format!("  {name}\n")).collect();
    if total > SHOWN {
        excerpt.push_str(&format!("  and {} more\n", total - SHOWN));
    }
    let message = format!("`{prefix}` is ambiguous: {total} {kind} begin like that");
    Err(CommandError::new(Kind::Request, message)
        .excerpt(&excerpt, json!({"candidates": shown, "total": total}))
        .hint("type more of it"))
}
