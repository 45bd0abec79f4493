//! `havoq probe`: what a stack shows of AWS's behaviour.

mod command;
mod outcome;
mod table;

pub(super) use command::Probe;
