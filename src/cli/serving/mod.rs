//! What the subcommands share that serve something on loopback.

mod account;
mod control;
mod loopback;

pub(super) use account::account;
pub(super) use control::{BELOW, answer, not_allowed, not_found};
pub(super) use loopback::Loopback;
