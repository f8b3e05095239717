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
#[command(after_help = "\
Result: [{thread, workflow, head}], active ones first; with --long each also has {status, next, \
steps, lastAttempt, cwd, startedAt, updatedAt}, as `uwf thread show --long` prints them")]
pub struct Arguments {
    /// List the threads that ended as well
    #[arg(long)]
    all: bool,
    /// Print how each one stands as well: status, next role, last failure, folder, times
    #[arg(long)]
    long: bool,
    /// Print only those: active, running, failed, damaged, completed or killed
    #[arg(long, value_parser = states(), hide_possible_values = true)]
    status: Option<State>,
    /// Print only those of this workflow: its name, or the hash of one version
    #[arg(long, value_name = "WORKFLOW")]
    workflow: Option<String>,
    /// Print only the first so many of them
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
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
    let printed: Value = printed.collect();
    context.print_with_form(&printed, || match arguments.long {
        true => form::long_threads(&printed),
        false => form::threads(&printed),
    })
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
    let is_long = arguments.long || context.is_for_people();
    if is_long || arguments.status.is_some() {
        let overview = long::overview(listed.thread, listed.head, listed.archived, context);
        if arguments
            .status
            .is_some_and(|status| status != overview.state)
        {
            return None;
        }
        if is_long {
            long::add(&mut entry, &overview);
        }
    }
    Some(entry)
}
