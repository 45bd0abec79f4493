//! Reads a history back from its JSON Lines.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::event::{Event, Kind, SCHEMA_VERSION};
use super::parts::Source;

#[derive(Debug, Error)]
pub enum ReadError {
    #[error("cannot read the history {path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{path}:{line}: not a history event: {source}")]
    Line { path: PathBuf, line: usize, source: serde_json::Error },
    #[error("{path}:{line}: history format {found}, this havoq reads format {SCHEMA_VERSION}")]
    Version { path: PathBuf, line: usize, found: u32 },
    #[error("{path}: the history has a gap before line {line}: seq {found} follows {before}")]
    Gap { path: PathBuf, line: usize, found: u64, before: u64 },
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
/// crash leaves it, is left out. Events count 1, 2, 3 and so on through the whole file: a history
/// from which some were taken tells another story.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Vec<Event>, ReadError> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let lines = bytes[..whole].split(|byte| *byte == b'\n');
    let mut events: Vec<Event> = Vec::new();
    for (index, line) in lines.enumerate().filter(|(_, line)| !line.is_empty()) {
        let event = read_line(path, index + 1, line)?;
        let before = events.last().map_or(0, |last| last.seq);
        if before.checked_add(1) != Some(event.seq) {
            return Err(ReadError::Gap { path: path.to_owned(), line: index + 1, found: event.seq, before });
        }
        events.push(event);
    }
    Ok(events)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(seqs: &[u64]) -> Vec<u8> {
        let line = |seq: &u64| {
            let event = Event {
                seq: *seq,
                scenario: "s".to_owned(),
                attempt: 1,
                at: havoq_base::StackTime::default(),
                real: havoq_base::RealTime::default(),
                source: Source::Engine,
                kind: Kind::Interrupted {},
            };
            super::super::writer::to_line(&event).into_bytes()
        };
        seqs.iter().flat_map(line).collect()
    }

    #[test]
    fn a_history_with_a_gap_is_refused() {
        let read = |seqs: &[u64]| read(Path::new("h"), &lines(seqs));
        assert_eq!(read(&[1, 2, 3]).map_or(0, |events| events.len()), 3);
        let told = |seqs: &[u64]| read(seqs).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(told(&[1, 2, 4]), "h: the history has a gap before line 3: seq 4 follows 2");
        assert!(told(&[2, 3]).contains("before line 1"));
        assert!(told(&[1, 1]).contains("before line 2"));
    }
}
