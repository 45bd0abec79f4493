//! Which orders are done: one file each, shared by all instances and restarts. No times are kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub(super) struct Marks {
    folder: PathBuf,
}

impl Marks {
    pub fn open(state_dir: &Path) -> io::Result<Self> {
        let folder = state_dir.join("done");
        fs::create_dir_all(&folder)?;
        Ok(Self { folder })
    }

    pub fn has(&self, id: &str) -> bool {
        self.file(id).exists()
    }

    pub fn set(&self, id: &str) -> io::Result<()> {
        fs::write(self.file(id), "")
    }

    /// An id may hold what no file name can.
    fn file(&self, id: &str) -> PathBuf {
        let name: String = id.bytes().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_seen_by_the_next_process() {
        let folder = tempfile::tempdir().expect("a folder");
        let marks = Marks::open(folder.path()).expect("marks");
        assert!(!marks.has("../a/b"));
        marks.set("../a/b").expect("set");
        assert!(Marks::open(folder.path()).expect("marks").has("../a/b"));
    }
}
