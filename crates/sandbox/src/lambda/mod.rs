//! Lambda: functions, invocations and event source mappings (semantics 5). One file a family of
//! operations.
//!
//! Functions run elsewhere: an invocation that begins is put into an outbox, and whoever runs it
//! comes back with how it ended, or is told that nobody waits for it any more. The functions' roles
//! are not modelled: a mapping may receive from any queue, and what a function calls is its own.

mod asynchronous;
mod code;
mod concurrency;
mod create;
mod described;
mod errors;
mod event_invoke;
mod for_pipes;
mod function;
mod handing_over;
mod invoke;
mod manage;
mod metrics;
mod names;
mod pages;
mod permissions;
mod policy;
mod record;
mod registry;
mod running;
mod service;
mod settings;
mod sources;
mod state;
mod tags;

use serde::Deserialize;

pub(crate) use asynchronous::EventId;
pub(crate) use code::CodeInput;
pub(crate) use for_pipes::NotBegun;
pub(crate) use invoke::{Invoke, InvokeAnswer, Invoked};
pub(crate) use running::{Order, RunId};
pub(crate) use service::{InvokeRefusal, ServiceInvoke};
pub(crate) use settings::Settings;
pub(crate) use sources::{MappingInput, OfMapping, SourceId, ids_of};
pub(crate) use state::Lambda;

/// One function in its lifetime: a function made anew under the same name has another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FunctionId(u32);

/// The input of what only reads or takes away.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct OfFunction {
    function_name: Option<String>,
    qualifier: Option<String>,
}
