//! Why a claim failed: recognisers over the story of the marker that broke it, or over the alarm.
//!
//! Each recogniser names the event that proves its anti-pattern. Where several fit, the one whose
//! event is earliest is the cause and the others are its consequences; at one event, the order of
//! the table decides. A recogniser never changes a verdict.

mod alarms;
mod deletes;
mod functions;
mod invalid;
mod receives;
mod repeats;
mod table;

use havoq_base::ids::Marker;

use super::finding::Breach;
use super::index::{Index, Story};
use crate::scenario::Claim;

pub use table::{Diagnosis, diagnoses, known};

/// What a recogniser found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    pub(crate) id: &'static str,
    /// The event at which the mistake was made.
    pub(crate) seq: u64,
    pub(crate) evidence: Vec<u64>,
    /// What the reason gains by it.
    pub(crate) note: Option<String>,
}

/// What a recogniser may look at.
pub(crate) struct Case<'a> {
    pub(crate) index: &'a Index,
    pub(crate) story: &'a Story,
    pub(crate) claim: Option<&'a Claim>,
}

/// How many other markers are asked when the first does not tell.
const OTHERS: usize = 100;

type Recogniser = fn(&Case<'_>) -> Option<Cause>;

/// In the order that decides at one and the same event.
const RECOGNISERS: &[Recogniser] = &[
    invalid::effect_from_invalid_message,
    functions::report_ignored,
    functions::throttled_into_dlq,
    functions::whole_batch_retry,
    deletes::deleted_before_effect,
    deletes::marked_before_effect,
    deletes::swallowed_error,
    deletes::cannot_delete,
    deletes::delete_failure_ignored,
    deletes::never_deleted,
    invalid::crashes_on_poison,
    receives::visibility_shorter_than_processing,
    receives::retry_burn,
    receives::max_receive_count_one,
    receives::done_and_dead_lettered,
    receives::no_dlq,
    receives::poison_loop,
    repeats::no_idempotency,
];

/// The likely cause of a breach.
pub(crate) fn diagnose(index: &Index, breach: &Breach, claim: Option<&Claim>) -> Cause {
    let named = |marker: &Marker| recognise(&Case { index, story: index.story(marker)?, claim });
    let of_marker = breach.marker.as_ref().and_then(named);
    let of_alarm = || claim.and_then(|claim| alarms::recognise(index, claim));
    let of_others =
        || breach.also.iter().take(OTHERS).find_map(|marker| Some(seen_in(marker, named(marker)?)));
    let of_absent = || breach.marker.is_none().then(|| absent(index, claim)).flatten();
    of_marker.or_else(of_alarm).or_else(of_others).or_else(of_absent).unwrap_or(Cause {
        id: "unknown",
        seq: 0,
        evidence: Vec::new(),
        note: None,
    })
}

/// Where a claim is about a dead-letter queue or its alarm, the poison messages that never came
/// there tell why.
fn absent(index: &Index, claim: Option<&Claim>) -> Option<Cause> {
    let never_moved = |story: &&Story| {
        story.poison.is_some() && index.messages_of(story).all(|message| message.moves.is_empty())
    };
    let stories = index.stories.iter().filter(never_moved).take(OTHERS);
    let causes =
        stories.filter_map(|story| Some(seen_in(&story.marker, recognise(&Case { index, story, claim })?)));
    causes.min_by_key(|cause| cause.seq)
}

fn seen_in(marker: &Marker, cause: Cause) -> Cause {
    Cause { note: Some(format!("see {marker}")), ..cause }
}

fn recognise(case: &Case<'_>) -> Option<Cause> {
    RECOGNISERS.iter().filter_map(|recogniser| recogniser(case)).min_by_key(|cause| cause.seq)
}

impl Cause {
    fn new(id: &'static str, seq: u64, evidence: Vec<u64>) -> Self {
        Self { id, seq, evidence, note: None }
    }
}
