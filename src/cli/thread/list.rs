//! `uwf thread list`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};

use super::wanted::Wanted;
use super::{form, long};
use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::engine::State;
use crate::model::{Hash, ThreadId, in_full};
use crate::thread::{Archived, Chain, ChainError, Listing};

/// List the active threads
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: [{thread, workflow, head}], active ones first")]
pub struct Arguments {
    /// List the threads that ended as well
    #[arg(long)]
    all: bool,
    /// Also print how each one stands: status, who is next, last failure, folder, times
    #[arg(long)]
    long: bool,
    /// Only those of this status: active, running, failed, damaged, or, of those that ended,
    /// completed or killed
    #[arg(long, value_parser = states(), hide_possible_values = true)]
    status: Option<State>,
    /// Only those of this workflow: its name, whichever version, or its hash
    #[arg(long, value_name = "WORKFLOW")]
    workflow: Option<String>,
    /// Only the first so many of them
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

fn states() -> impl TypedValueParser<Value = State> {
    PossibleValuesParser::new(State::ALL.map(State::as_str)).try_map(|text| text.parse::<State>())
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let has_ended = matches!(arguments.status, Some(State::Completed | State::Killed));
    let listing = Listing::read(&context.root, arguments.all || has_ended)?;
    for line in &listing.skipped {
        context.warn(&line.to_string());
    }
    let mut listed: Vec<Listed> = listed(&listing, context).collect();
    if let Some(asked) = &arguments.workflow {
        let wanted = Wanted::of(asked, context)?;
        listed.retain(|thread| {
            thread
                .workflow
                .is_some_and(|hash| wanted.is(&hash, context))
        });
        wanted.known_or_found(!listed.is_empty())?;
    }
    // Nothing more is found out about threads that are not printed.
    let printed = listed
        .iter()
        .filter_map(|thread| entry(thread, arguments, context))
        .take(arguments.limit.unwrap_or(usize::MAX));
    context.print(&printed.collect::<Value>())
}

/// A thread of the list.
struct Listed<'l> {
    thread: ThreadId,
    workflow: Option<Hash>,
    head: Hash,
    /// Why its workflow is not known.
    damage: Option<ChainError>,
    archived: Option<&'l Archived>,
}

fn listed<'l>(listing: &'l Listing, context: &Context) -> impl Iterator<Item = Listed<'l>> {
    let active = listing.active.iter().map(|(thread, head)| {
        let chain = Chain::load(&context.store, *head);
        Listed {
            thread: *thread,
            workflow: chain.as_ref().ok().map(|chain| chain.start().node.workflow),
            head: *head,
            damage: chain.err(),
            archived: None,
        }
    });
    let archived = listing.archived.iter().map(|ended| Listed {
        thread: ended.thread,
        workflow: ended.workflow,
        head: ended.head,
        damage: None,
        archived: Some(ended),
    });
    active.chain(archived)
}

/// What is printed of a thread; none when it is of another status.
fn entry(listed: &Listed, arguments: &Arguments, context: &Context) -> Option<Value> {
    let mut entry =
        json!({"thread": listed.thread, "workflow": listed.workflow, "head": listed.head});
    if let Some(damage) = &listed.damage {
        entry["error"] = in_full(damage).into();
    }
    if arguments.long || arguments.status.is_some() {
        let overview = long::overview(listed.thread, listed.head, listed.archived, context);
        if arguments
            .status
            .is_some_and(|status| status != overview.state)
        {
            return None;
        }
        if arguments.long {
            long::add(&mut entry, &overview);
            return Some(entry);
        }
    }
    if context.is_for_people() {
        let status = match &listed.damage {
            Some(_) => "damaged",
            None => form::status(listed.archived),
        };
        entry["status"] = status.into();
    }
    Some(entry)
}
