//! The Lambda Runtime API (2018-06-01, semantics 5.5) of one environment, on loopback.

mod answers;
mod exchange;
mod server;

pub(super) use exchange::{Started, Work};
pub(super) use server::Api;
