//! How times, counts and outcomes read.

use havoq_base::{StackDuration, StackTime};

use super::index::Exit;
use super::verdict::Fate;
use crate::scenario::{AlarmState, Bound};

/// A span to three decimals at most: `180.1s`, `20ms`.
pub(crate) fn span(span: StackDuration) -> String {
    let micros = span.as_micros();
    match micros {
        0 => "0s".to_owned(),
        1..1_000 => format!("{micros}us"),
        1_000..1_000_000 => format!("{}ms", trimmed(micros as f64 / 1e3)),
        _ => format!("{}s", trimmed(micros as f64 / 1e6)),
    }
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `+180.1s`, counted from `zero`.
pub(crate) fn offset(at: StackTime, zero: StackTime) -> String {
    format!("+{}", span(at.since(zero)))
}

/// `, within 30m` or nothing.
pub(crate) fn within(within: Option<StackDuration>) -> String {
    within.map_or_else(String::new, |within| format!(", within {within}"))
}

pub(crate) fn counted(count: u64, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    }
}

pub(crate) fn state(state: AlarmState) -> &'static str {
    match state {
        AlarmState::Ok => "OK",
        AlarmState::Alarm => "ALARM",
        AlarmState::InsufficientData => "INSUFFICIENT_DATA",
    }
}

/// `exactly 0`, `at most 3`, `2 to 5`.
pub(crate) fn bound(bound: Bound) -> String {
    match (bound.at_least, bound.at_most) {
        (Some(least), Some(most)) if least == most => format!("exactly {least}"),
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("at least {least}"),
        (None, Some(most)) => format!("at most {most}"),
        (None, None) => "any number".to_owned(),
    }
}

/// `exited with code 1`, `was ended by signal 9 (kill-0)`.
pub(crate) fn exit(exit: &Exit) -> String {
    let how = match (exit.code, exit.signal) {
        (_, Some(signal)) => format!("was ended by signal {signal}"),
        (Some(code), None) => format!("exited with code {code}"),
        (None, None) => "exited".to_owned(),
    };
    match &exit.ended_by {
        Some(why) => format!("{how} (by havoq: {why})"),
        None => format!("{how}, by itself"),
    }
}

pub(crate) fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Processed => "processed",
        Fate::DeadLettered => "dead-lettered",
        Fate::StillQueued => "still queued",
        Fate::InFlight => "in flight",
        Fate::Delayed => "delayed",
        Fate::Expired => "expired",
        Fate::Purged => "purged",
        Fate::Rejected => "rejected",
        Fate::Discarded => "discarded",
        Fate::Lost => "lost",
    }
}
