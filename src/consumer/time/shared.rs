//! The file that havoq shares with the preloaded library. `preload/havoq_time.c` has the same
//! layout: 8 bytes of magic, the offset in nanoseconds, a reserve, and the pids that checked in.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};

use havoq_base::StackDuration;
use memmap2::MmapRaw;

const MAGIC: &[u8; 8] = b"HAVOQT1\0";
const OFFSET_AT: usize = 8;
const PIDS_AT: usize = 64;
const SLOTS: usize = 4080;
const SIZE: usize = PIDS_AT + SLOTS * size_of::<i32>();

/// What the library reads the offset from and writes the pids to.
#[derive(Debug)]
pub(super) struct SharedFile {
    path: PathBuf,
    file: File,
    map: MmapRaw,
}

impl SharedFile {
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path)?;
        file.set_len(SIZE as u64)?;
        file.write_all_at(MAGIC, 0)?;
        let map = MmapRaw::map_raw(&file)?;
        // As the kernel names it in /proc/<pid>/maps.
        Ok(Self { path: path.canonicalize()?, file, map })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// From now on, wall-clock time is shown this far ahead of the real one.
    pub fn show_ahead(&self, span: StackDuration) {
        let nanos = span.as_micros().saturating_mul(1_000);
        self.offset().store(i64::try_from(nanos).unwrap_or(i64::MAX), Ordering::Release);
    }

    /// The processes that have checked in, those that have ended meanwhile among them.
    pub fn pids(&self) -> io::Result<Vec<u32>> {
        let mut slots = [0; SLOTS * size_of::<i32>()];
        self.file.read_exact_at(&mut slots, PIDS_AT as u64)?;
        let pids = slots.as_chunks().0.iter().map(|slot| u32::from_ne_bytes(*slot));
        Ok(pids.filter(|pid| *pid != 0).collect())
    }

    /// What the library does in its process.
    #[cfg(test)]
    pub fn take_slot(&self, pid: u32) {
        self.file.write_all_at(&pid.to_ne_bytes(), PIDS_AT as u64).expect("a slot is written");
    }

    #[expect(unsafe_code, reason = "an atomic in memory that consumer processes read")]
    fn offset(&self) -> &AtomicI64 {
        // SAFETY: the map is `SIZE` bytes at the start of a page, so the address is inside it and
        // aligned; it lives as long as `self`; and all who use these bytes use them atomically.
        unsafe { AtomicI64::from_ptr(self.map.as_mut_ptr().add(OFFSET_AT).cast()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_offset_stands_in_the_file_where_the_library_reads_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let shared = SharedFile::create(&folder.path().join("time")).expect("a file");
        shared.show_ahead(StackDuration::from_secs(900));
        let bytes = std::fs::read(shared.path()).expect("its bytes");
        assert_eq!(bytes.len(), SIZE);
        assert_eq!(&bytes[..8], MAGIC);
        assert_eq!(bytes[8..16], 900_000_000_000_i64.to_ne_bytes());
    }

    #[test]
    fn whoever_took_a_slot_has_checked_in() {
        let folder = tempfile::tempdir().expect("a folder");
        let shared = SharedFile::create(&folder.path().join("time")).expect("a file");
        assert_eq!(shared.pids().expect("slots"), Vec::<u32>::new());
        let last = (SIZE - size_of::<i32>()) as u64;
        for (pid, at) in [(77_u32, PIDS_AT as u64), (4_194_303, last)] {
            shared.file.write_all_at(&pid.to_ne_bytes(), at).expect("a slot is written");
        }
        assert_eq!(shared.pids().expect("slots"), [77, 4_194_303]);
    }
}
