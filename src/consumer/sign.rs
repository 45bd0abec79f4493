//! Waits for what shows that a consumer is ready, and reads what it wrote last when it is not.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use havoq_base::{RealDuration, clock};
use regex::bytes::Regex;
use tokio::net::TcpStream;

use super::process::Supervisor;
use super::supervise::Order;

/// Between two looks at a log or a port: nobody tells when it changes.
const LOOK_AGAIN: RealDuration = RealDuration::from_millis(20);
/// Between two tries of a command, and how long one may take.
const TRY_AGAIN: RealDuration = RealDuration::from_millis(100);
const TRY: RealDuration = RealDuration::from_secs(10);
/// How much of a log is read at a time.
const PIECE: u64 = 1 << 20;
/// How much of stderr is told: lines, and bytes that they are looked for in.
const LAST_LINES: usize = 5;
const LAST_BYTES: u64 = 4 << 10;
const LINE_LENGTH: usize = 200;

/// Waits until a whole line of one of the files matches.
pub(super) async fn line_matches(pattern: &Regex, files: [PathBuf; 2]) {
    let mut logs = files.map(Growing::new);
    loop {
        if logs.iter_mut().any(|log| log.look(pattern)) {
            return;
        }
        clock::sleep(LOOK_AGAIN).await;
    }
}

/// Waits until the port of loopback accepts a connection.
pub(super) async fn port_accepts(port: u16) {
    while !accepts(port).await {
        clock::sleep(LOOK_AGAIN).await;
    }
}

/// Whether somebody listens on this port of loopback.
pub(super) async fn accepts(port: u16) -> bool {
    let stream = TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await;
    stream.is_ok_and(|stream| leads_to_somebody(&stream))
}

/// Where nobody listens, a connection from the very same port meets itself now and then.
fn leads_to_somebody(stream: &TcpStream) -> bool {
    stream.local_addr().ok() != stream.peer_addr().ok()
}

/// Tries a command until it exits with 0.
pub(super) async fn command_succeeds(havoq: &Path, order: &Order) {
    loop {
        if let Ok(supervisor) = Supervisor::start(havoq, order).await {
            let group = supervisor.group();
            let mut ended = std::pin::pin!(supervisor.ended());
            let end = tokio::select! {
                end = &mut ended => end,
                () = clock::sleep(TRY) => {
                    group.kill();
                    ended.await
                }
            };
            if end.code == Some(0) {
                return;
            }
        }
        clock::sleep(TRY_AGAIN).await;
    }
}

/// A log that is being written.
struct Growing {
    path: PathBuf,
    read: u64,
    /// The beginning of a line whose end is not there yet.
    line: Vec<u8>,
}

impl Growing {
    fn new(path: PathBuf) -> Self {
        Self { path, read: 0, line: Vec::new() }
    }

    /// Reads what has come since the last look. Whether a line of it matches.
    fn look(&mut self, pattern: &Regex) -> bool {
        loop {
            let mut piece = Vec::new();
            // What cannot be read shows nothing.
            let read = File::open(&self.path).and_then(|mut file| {
                file.seek(SeekFrom::Start(self.read))?;
                file.take(PIECE).read_to_end(&mut piece)
            });
            if !matches!(read, Ok(1..)) {
                return false;
            }
            self.read += piece.len() as u64;
            if self.take(&piece, pattern) {
                return true;
            }
        }
    }

    fn take(&mut self, piece: &[u8], pattern: &Regex) -> bool {
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            let Some(line) = self.line.strip_suffix(b"\n") else { continue };
            if pattern.is_match(line.strip_suffix(b"\r").unwrap_or(line)) {
                return true;
            }
            self.line.clear();
        }
        false
    }
}

/// The last lines of a log, fit to be shown.
pub(super) fn last_lines(path: &Path) -> Vec<String> {
    let mut end = Vec::new();
    let read = File::open(path).and_then(|mut file| {
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(LAST_BYTES)))?;
        file.read_to_end(&mut end)
    });
    if read.is_err() {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&end);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    let shown = |line: &&str| line.chars().filter(|c| !c.is_control()).take(LINE_LENGTH).collect();
    last.iter().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn log() -> (tempfile::TempDir, File, Growing) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("c-0-1.out");
        let file = File::create(&path).expect("a log");
        (folder, file, Growing::new(path))
    }

    fn pattern(text: &str) -> Regex {
        Regex::new(text).expect("a pattern")
    }

    #[test]
    fn only_a_whole_line_counts_and_it_may_come_in_pieces() {
        let (_folder, mut file, mut log) = log();
        let ready = pattern("^Started in [0-9.]+ s$");
        for (piece, shown) in [("Start", false), ("ed in 2", false), (".5 s", false), ("\r\nmore", true)] {
            file.write_all(piece.as_bytes()).expect("written");
            assert_eq!(log.look(&ready), shown, "{piece}");
        }
    }

    #[test]
    fn a_line_is_found_behind_a_flood_of_bytes_that_are_no_text() {
        let (_folder, mut file, mut log) = log();
        file.write_all(&vec![0xff; 3 * PIECE as usize]).expect("written");
        file.write_all(b"\nready\n").expect("written");
        assert!(log.look(&pattern("^ready$")));
        let mut missing = Growing::new("/nowhere/at-all".into());
        assert!(!missing.look(&pattern("ready")));
    }

    #[test]
    fn the_last_lines_are_few_short_and_plain() {
        let (_folder, mut file, log) = log();
        let lines: String = (1..=9).map(|n| format!("line {n}\n\n")).collect();
        write!(file, "{lines}\u{1b}[31mred {}", "x".repeat(1_000)).expect("written");
        let last = last_lines(&log.path);
        assert_eq!(last.len(), 5);
        assert_eq!(last[0], "line 6");
        assert!(last[4].starts_with("[31mred xx") && last[4].len() == LINE_LENGTH);
        assert!(last_lines(Path::new("/nowhere/at-all")).is_empty());
    }

    #[tokio::test]
    async fn a_connection_that_meets_itself_is_nobody() {
        let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
        socket.bind((Ipv4Addr::LOCALHOST, 0).into()).expect("a port");
        let own = socket.local_addr().expect("its address");
        let Ok(stream) = socket.connect(own).await else { return };
        assert!(!leads_to_somebody(&stream));
    }

    #[tokio::test]
    async fn a_port_accepts_once_somebody_listens() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a listener");
        let port = listener.local_addr().expect("its address").port();
        assert!(accepts(port).await);
        drop(listener);
        assert!(!accepts(port).await);
    }
}
