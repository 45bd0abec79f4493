//! Event source mappings: queues that functions are fed from (semantics 5.1-5.3). Their rules are
//! crate lambda's; here are their operations, and what makes them go.

mod described;
mod driver;
mod input;
mod manage;
mod registry;
mod source;

pub(crate) use driver::ids as ids_of;
pub(crate) use input::MappingInput;
pub(crate) use manage::OfMapping;
pub(super) use registry::Sources;

/// One mapping in its lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SourceId(u32);
