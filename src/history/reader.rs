//! Reads a history back from its JSON Lines.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::event::{Event, Kind, SCHEMA_VERSION, Source};

#[derive(Debug, Error)]
pub enum ReadError {
    #[error("cannot read the history {path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{path}:{line}: not a history event: {source}")]
    Line { path: PathBuf, line: usize, source: serde_json::Error },
    #[error("{path}:{line}: history format {found}, this havoq reads format {SCHEMA_VERSION}")]
    Version { path: PathBuf, line: usize, found: u32 },
}

#[derive(Deserialize)]
struct Header {
    v: u32,
    seq: u64,
    scenario: String,
    attempt: u32,
    at: havoq_base::StackTime,
    real: havoq_base::RealTime,
    source: Source,
}

/// Reads a history file.
pub fn read_file(path: &Path) -> Result<Vec<Event>, ReadError> {
    let bytes = std::fs::read(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    read(path, &bytes)
}

/// Reads a history from its bytes; `path` is for messages. A last line that was cut off, as a
/// crash leaves it, is left out.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Vec<Event>, ReadError> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let lines = bytes[..whole].split(|byte| *byte == b'\n');
    lines
        .enumerate()
        .filter(|(_, line)| !line.is_empty())
        .map(|(index, line)| read_line(path, index + 1, line))
        .collect()
}

fn read_line(path: &Path, line: usize, text: &[u8]) -> Result<Event, ReadError> {
    let broken = |source| ReadError::Line { path: path.to_owned(), line, source };
    let header: Header = serde_json::from_slice(text).map_err(broken)?;
    if header.v != SCHEMA_VERSION {
        return Err(ReadError::Version { path: path.to_owned(), line, found: header.v });
    }
    let kind: Kind = serde_json::from_slice(text).map_err(broken)?;
    Ok(Event {
        seq: header.seq,
        scenario: header.scenario,
        attempt: header.attempt,
        at: header.at,
        real: header.real,
        source: header.source,
        kind,
    })
}
