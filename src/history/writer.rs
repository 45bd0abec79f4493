//! Streams events to disk as they happen and keeps them for those that wait on them.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

use havoq_base::{Clock, StackTime};
use serde::Serialize;
use thiserror::Error;
use tokio::sync::watch;

use super::event::{Event, Kind, SCHEMA_VERSION};
use super::identity::Identity;
use super::parts::Source;

#[derive(Debug, Error)]
#[error("cannot write the history {path}: {source}")]
pub struct WriteError {
    path: PathBuf,
    source: Arc<io::Error>,
}

/// The file that all scenarios of a run write to; `seq` runs over all of them.
#[derive(Debug)]
pub struct HistoryFile {
    out: Mutex<Out>,
    path: PathBuf,
    failed: watch::Sender<bool>,
}

#[derive(Debug)]
struct Out {
    file: BufWriter<File>,
    seq: u64,
    failure: Option<Arc<io::Error>>,
}

impl HistoryFile {
    pub fn create(path: PathBuf) -> Result<Self, WriteError> {
        match File::create(&path) {
            Ok(file) => {
                let out = Out { file: BufWriter::new(file), seq: 0, failure: None };
                Ok(Self { out: Mutex::new(out), path, failed: watch::Sender::new(false) })
            }
            Err(source) => Err(WriteError { path, source: Arc::new(source) }),
        }
    }

    /// Numbers the event and writes it. A failure is kept, for `finish` to report: a recorder in
    /// the middle of a proxied call has nobody to tell. Nothing is written behind it, so that the
    /// file is a whole beginning of the history and has no hole.
    fn append(&self, event: &mut Event) {
        let mut out = lock(&self.out);
        out.seq += 1;
        event.seq = out.seq;
        if out.failure.is_some() {
            return;
        }
        let line = to_line(event);
        if let Err(error) = out.file.write_all(line.as_bytes()).and_then(|()| out.file.flush()) {
            out.failure = Some(Arc::new(error));
            self.failed.send_replace(true);
        }
    }

    /// Waits until writing fails; says how. A run without its record is not worth going on with.
    pub async fn failed(&self) -> String {
        self.failed.subscribe().wait_for(|failed| *failed).await.ok();
        self.finish().err().map(|error| error.to_string()).unwrap_or_default()
    }

    /// The failure to write, if there was one.
    pub fn finish(&self) -> Result<(), WriteError> {
        match &lock(&self.out).failure {
            None => Ok(()),
            Some(source) => Err(WriteError { path: self.path.clone(), source: Arc::clone(source) }),
        }
    }
}

/// Records the events of one attempt at one scenario. Clones share it.
#[derive(Clone, Debug)]
pub struct Recorder {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    scenario: String,
    attempt: u32,
    clock: Clock,
    file: Arc<HistoryFile>,
    keeps: Keeps,
    events: Mutex<Vec<Event>>,
    identity: Identity,
    length: watch::Sender<usize>,
}

/// What a recorder remembers of what it has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeps {
    All,
    /// Enough to keep the order of times: nobody waits on these events.
    Last,
}

impl Recorder {
    pub fn new(scenario: &str, attempt: u32, clock: Clock, file: Arc<HistoryFile>) -> Self {
        Self::keeping(Keeps::All, scenario, attempt, clock, file)
    }

    /// One that only writes, for what has no end of its own.
    pub fn streaming(scenario: &str, clock: Clock, file: Arc<HistoryFile>) -> Self {
        Self::keeping(Keeps::Last, scenario, 1, clock, file)
    }

    fn keeping(keeps: Keeps, scenario: &str, attempt: u32, clock: Clock, file: Arc<HistoryFile>) -> Self {
        let shared = Shared {
            scenario: scenario.to_owned(),
            attempt,
            clock,
            file,
            keeps,
            events: Mutex::new(Vec::new()),
            identity: Identity::default(),
            length: watch::Sender::new(0),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Appends an event that happens now.
    pub fn record(&self, source: Source, kind: Kind) -> u64 {
        self.record_at(self.shared.clock.now(), source, kind)
    }

    /// Appends an event with its own stack time, never before that of the event ahead of it.
    pub fn record_at(&self, at: StackTime, source: Source, kind: Kind) -> u64 {
        let mut events = lock(&self.shared.events);
        self.shared.identity.learn(&kind);
        let at = events.last().map_or(at, |last| last.at.max(at));
        let mut event = Event {
            seq: 0,
            scenario: self.shared.scenario.clone(),
            attempt: self.shared.attempt,
            at,
            real: self.shared.clock.real_now(),
            source,
            kind,
        };
        self.shared.file.append(&mut event);
        let seq = event.seq;
        if self.shared.keeps == Keeps::Last {
            events.clear();
        }
        events.push(event);
        self.shared.length.send_replace(events.len());
        seq
    }

    pub fn identity(&self) -> &Identity {
        &self.shared.identity
    }

    pub fn clock(&self) -> &Clock {
        &self.shared.clock
    }

    /// How many events there are so far.
    pub fn len(&self) -> usize {
        lock(&self.shared.events).len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Runs `read` over the events from position `from` on, and returns the new length.
    pub fn read_from(&self, from: usize, mut read: impl FnMut(&Event)) -> usize {
        let events = lock(&self.shared.events);
        events.iter().skip(from).for_each(&mut read);
        events.len()
    }

    /// Changes whenever an event is recorded.
    pub fn subscribe(&self) -> watch::Receiver<usize> {
        self.shared.length.subscribe()
    }

    /// All events so far.
    pub fn events(&self) -> Vec<Event> {
        lock(&self.shared.events).clone()
    }
}

// A panic elsewhere must not lose the history: what was recorded before it is still true.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[derive(Serialize)]
struct Header<'a> {
    v: u32,
    seq: u64,
    scenario: &'a str,
    attempt: u32,
    at: StackTime,
    real: havoq_base::RealTime,
    source: Source,
}

/// One line: the header and the kind's own members side by side in one object.
pub(super) fn to_line(event: &Event) -> String {
    let header = Header {
        v: SCHEMA_VERSION,
        seq: event.seq,
        scenario: &event.scenario,
        attempt: event.attempt,
        at: event.at,
        real: event.real,
        source: event.source,
    };
    let header = json(&header);
    let kind = json(&event.kind);
    let header = header.strip_suffix('}').unwrap_or(&header);
    let kind = kind.strip_prefix('{').unwrap_or(&kind);
    format!("{header},{kind}\n")
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("history types have string keys only")
}
