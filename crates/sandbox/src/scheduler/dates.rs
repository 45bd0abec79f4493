//! Times as Scheduler's API and messages have them.

use havoq_base::StackTime;

/// A timestamp of an answer.
pub(super) fn epoch(at: StackTime) -> f64 {
    at.as_millis() as f64 / 1e3
}

/// A timestamp of a request.
pub(super) fn from_epoch(secs: f64) -> StackTime {
    StackTime::from_micros((secs * 1e6).round().max(0.0) as u64)
}

/// `2022-03-22T18:59:43Z`
pub(super) fn iso(at: StackTime) -> String {
    format!("{}Z", at.rfc3339().get(..19).unwrap_or_default())
}
