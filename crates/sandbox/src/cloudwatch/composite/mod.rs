//! Composite alarms: their rules, what becomes of them when a child changes, and the suppression of
//! their actions (semantics 4.2).

mod evaluate;
mod model;
mod parse;
mod rule;
mod suppress;

pub(crate) use model::{Composite, Suppressor};
pub(crate) use rule::Rule;
