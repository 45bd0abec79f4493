//! What tells one run from all others.

use havoq_base::{Seed, StackTime};

/// UTC stamp and four hex digits.
pub(super) fn run_id(started: StackTime) -> String {
    let stamp: String =
        started.rfc3339().chars().take(19).filter(|c| c.is_ascii_digit() || *c == 'T').collect();
    let random = Seed::fresh().0 & 0xffff;
    format!("{stamp}Z-{random:04x}")
}
