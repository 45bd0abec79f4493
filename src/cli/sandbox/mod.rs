//! `havoq sandbox`: the embedded stack on its own, for any AWS client.

mod command;
mod control;

pub(super) use command::Sandbox;
