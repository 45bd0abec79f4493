//! Lambda functions as real processes: each environment of a function is one process that speaks
//! the Runtime API to a server of its own, runs one invocation at a time and is used again.
//!
//! ```text
//!   Pool ──(no warm one)──> Ground starts a process ──asks for work──> warm
//!     └──work──> warm ──answer──> warm again
//!                  └──(timeout, kill, crash)──> gone; the next invocation starts another
//! ```
//!
//! Here is no rule of Lambda's that crate lambda has; nor is it known who wants an invocation.

mod api;
mod environment;
mod ground;
mod local;
mod poller;
mod pool;
mod variables;

pub(crate) use ground::{Child, Ground, NewEnvironment};
pub(crate) use local::{Local, exit_of};
pub(crate) use poller::{Poller, Sight};
pub(crate) use pool::Pool;
pub(crate) use variables::reserved;
