//! What happened during a run: one append-only stream of events, streamed to disk as JSON Lines.
//! Injecting, observing and judging meet here and nowhere else.

mod event;
mod identity;
mod reader;
mod writer;

pub use event::{
    Attribution, Closed, Event, Held, Instance, Kind, Phase, Resource, SCHEMA_VERSION, Source, SourceText,
    Withheld,
};
pub use identity::{Identity, Recognized};
pub use reader::{ReadError, read, read_file};
pub use writer::{HistoryFile, Recorder, WriteError};
