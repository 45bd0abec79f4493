//! havoq's own poller: drives an event source mapping as a client of a tap, on whichever stack is
//! behind it, so that what it receives and deletes is seen like any consumer's.

mod driver;
mod invocation;
mod queue;
mod sight;

pub(crate) use driver::Poller;
pub(crate) use sight::Sight;
