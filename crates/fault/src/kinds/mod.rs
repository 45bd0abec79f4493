//! The kinds of faults: a file each, and a line here.

mod clock_skew;
mod denied;
mod duplicate_delivery;
mod empty_receive;
mod error;
mod failed_entries;
mod late;
mod latency;
mod lost_receive;
mod lost_response;
mod reorder;
mod reset;
mod short_batch;
mod swallow;
#[cfg(test)]
mod tests;
mod throttle;
mod timeout;

pub(crate) use error::KIND as ERROR;

use crate::param::KindDef;

/// All of them, in the order of the reference.
pub const KINDS: &[&KindDef] = &[
    &error::KIND,
    &throttle::KIND,
    &denied::KIND,
    &latency::KIND,
    &reset::KIND,
    &timeout::KIND,
    &lost_response::KIND,
    &failed_entries::KIND,
    &clock_skew::KIND,
    &duplicate_delivery::KIND,
    &late::KIND,
    &lost_receive::KIND,
    &empty_receive::KIND,
    &short_batch::KIND,
    &reorder::KIND,
    &swallow::KIND,
];

/// The kind of this name.
pub fn find(name: &str) -> Option<&'static KindDef> {
    KINDS.iter().copied().find(|kind| kind.name == name)
}
