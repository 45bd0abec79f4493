//! Schedule expressions: the examples of AWS's guides, and a search from minute to minute as the model.

mod examples;
mod model;
mod properties;
mod zones;

use havoq_base::StackTime;

use crate::schedule::{Schedule, Zone};

fn time(text: &str) -> StackTime {
    text.parse().expect("a time")
}

/// The first times after `after`, as texts without fractions.
fn due(expression: &str, zone: &str, after: &str, count: usize) -> Vec<String> {
    let schedule = Schedule::parse_for_scheduler(expression).expect(expression);
    let (zone, anchor) = (Zone::named(zone).expect("a zone"), time(after));
    let mut last = anchor;
    let mut times = Vec::new();
    while times.len() < count
        && let Some(next) = schedule.next_in(&zone, anchor, last)
    {
        times.push(next.to_string().replace(".000000", ""));
        last = next;
    }
    times
}
