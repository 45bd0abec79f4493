//! Fixed words that stand alone, each a set of one.

use super::super::names::Named;

/// `wall_clock: none`.
#[derive(Clone, Copy, Debug)]
pub(in crate::scenario) struct NoWallClock;

impl Named for NoWallClock {
    const WHAT: &'static str = "a wall clock declaration";
    const ALL: &'static [(&'static str, Self)] = &[("none", Self)];
}

/// `allow: [discarded]`.
#[derive(Clone, Copy, Debug)]
pub(in crate::scenario) struct Discarded;

impl Named for Discarded {
    const WHAT: &'static str = "something that can be allowed";
    const ALL: &'static [(&'static str, Self)] = &[("discarded", Self)];
}

/// `to: fixed`.
#[derive(Clone, Copy, Debug)]
pub(in crate::scenario) struct Fixed;

impl Named for Fixed {
    const WHAT: &'static str = "a variant of a consumer";
    const ALL: &'static [(&'static str, Self)] = &[("fixed", Self)];
}
