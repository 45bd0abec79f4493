//! What happened during a run: one append-only stream of events, streamed to disk as JSON Lines.
//! Injecting, observing and judging meet here and nowhere else.

mod event;
mod identity;
mod parts;
mod reader;
mod writer;

pub use event::{Event, Kind, SCHEMA_VERSION};
pub use identity::{Identity, Recognized};
pub use parts::{
    Attribution, Closed, Exchange, Held, Instance, InvocationOutcome, Phase, Resource, Source, SourceText,
    Sweep, SweptKill, Withheld, reported,
};
pub use reader::{ReadError, read, read_file};
pub use writer::{HistoryFile, Recorder, WriteError};
