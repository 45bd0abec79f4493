//! One stream of a consumer, in a file that cannot fill the disk: its beginning and its end.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// How much of the beginning is kept, and how much of the end.
const KEPT: usize = 5 << 20;

pub(super) struct Log {
    path: PathBuf,
    file: File,
    written: usize,
    /// What came after the beginning, no more than is kept.
    tail: VecDeque<u8>,
    cut: u64,
    failure: Option<io::Error>,
}

impl Log {
    pub(super) fn create(path: &OsStr) -> io::Result<Self> {
        let path = PathBuf::from(path);
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("cannot make the log {}: {error}", path.display()))
        };
        let file = File::create(&path).map_err(named)?;
        Ok(Self { path, file, written: 0, tail: VecDeque::new(), cut: 0, failure: None })
    }

    /// Takes all that comes, to the end of the stream, whatever becomes of the file.
    pub(super) fn keep(mut self, mut stream: impl Read) -> Self {
        let mut buffer = vec![0; 64 << 10];
        loop {
            match stream.read(&mut buffer) {
                Ok(0) => return self,
                Ok(count) => self.take(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return self,
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(KEPT - self.written));
        self.write(head);
        self.written += head.len();
        self.tail.extend(rest);
        let surplus = self.tail.len().saturating_sub(KEPT);
        self.tail.drain(..surplus);
        self.cut += surplus as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.failure.is_none() {
            self.failure = self.file.write_all(bytes).err();
        }
    }

    /// Writes the end. What went wrong, if something did.
    pub(super) fn finish(mut self, remark: Option<&str>) -> Option<String> {
        if self.cut > 0 {
            self.write(format!("\n[havoq: {} bytes were cut here]\n", self.cut).as_bytes());
        }
        let mut tail = std::mem::take(&mut self.tail);
        self.write(tail.make_contiguous());
        if let Some(remark) = remark {
            self.write(format!("[havoq: {remark}]\n").as_bytes());
        }
        let Self { path, failure, .. } = self;
        failure.map(|error| format!("cannot write the log {}: {error}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(stream: &[u8]) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("c-0-1.out");
        let log = Log::create(path.as_os_str()).expect("a log").keep(stream);
        assert_eq!(log.finish(None), None);
        std::fs::read(path).expect("the log")
    }

    #[test]
    fn what_fits_is_kept_whole() {
        let stream: Vec<u8> = (0..2 * KEPT).map(|n| (n / 1_000) as u8).collect();
        assert!(kept(&stream) == stream);
        assert_eq!(kept(b"short"), b"short");
    }

    #[test]
    fn of_a_flood_the_beginning_and_the_end_are_kept() {
        let mut stream = vec![b'-'; 3 * KEPT];
        stream[..5].copy_from_slice(b"first");
        let end = stream.len() - 4;
        stream[end..].copy_from_slice(b"last");
        let kept = String::from_utf8(kept(&stream)).expect("text");
        assert!(kept.starts_with("first-") && kept.ends_with("-last"));
        assert!(kept.contains(&format!("[havoq: {KEPT} bytes were cut here]")));
        assert!(kept.len() < 2 * KEPT + 100);
    }

    #[test]
    fn a_disk_that_is_full_is_told_and_the_stream_is_read_on() {
        let log = Log::create(OsStr::new("/dev/full")).expect("it opens").keep(&b"text"[..]);
        assert!(log.finish(None).expect("it fails").contains("/dev/full"));
    }
}
