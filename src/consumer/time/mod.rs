//! How consumers are shown the stack's clock: a small library is preloaded into their processes and
//! adds an offset, kept in a shared file, to the wall clock that they read (docs/clock.md).
//!
//! ```text
//!   started with the library ──(a process polls)──> it has the library: follows
//!                                                └─> it has not: keeps its own time, from then on
//! ```

mod library;
mod proof;
mod shared;
mod showing;

pub use library::Preload;
pub use showing::Showing;
