//! `havoq tap`: the tap on its own, between anybody's clients and a stack.

mod behind;
mod command;
mod control;

pub(super) use command::Tap;
