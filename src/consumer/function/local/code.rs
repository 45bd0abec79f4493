//! Code that came as an archive, unpacked once for each version of it.

use std::io::{self, Cursor};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use zip::ZipArchive;

/// The archives that have been unpacked below a folder.
pub(super) struct Unpacked {
    folder: PathBuf,
    known: Mutex<Vec<(Bytes, PathBuf)>>,
}

impl Unpacked {
    pub fn below(folder: PathBuf) -> Self {
        Self { folder, known: Mutex::default() }
    }

    /// The folder that the archive's files are in.
    pub fn folder_of(&self, archive: &Bytes) -> io::Result<PathBuf> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, folder)) = known.iter().find(|(known, _)| known == archive) {
            return Ok(folder.clone());
        }
        let folder = self.folder.join(format!("code-{}", known.len()));
        std::fs::create_dir_all(&folder)?;
        let unpack = ZipArchive::new(Cursor::new(archive)).and_then(|mut archive| archive.extract(&folder));
        unpack.map_err(|error| {
            io::Error::other(format!("the function's archive cannot be unpacked: {error}"))
        })?;
        known.push((archive.clone(), folder.clone()));
        Ok(folder)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn archive(name: &str) -> Bytes {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file(name, SimpleFileOptions::default().unix_permissions(0o755)).expect("a file");
        writer.write_all(b"#!/bin/sh\n").expect("written");
        Bytes::from(writer.finish().expect("an archive").into_inner())
    }

    #[test]
    fn an_archive_is_unpacked_once_with_its_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let unpacked = Unpacked::below(folder.path().to_owned());
        let archive = archive("bootstrap");
        let code = unpacked.folder_of(&archive).expect("unpacked");
        let mode = std::fs::metadata(code.join("bootstrap")).expect("a file").permissions().mode();
        assert_eq!(mode & 0o111, 0o111);
        std::fs::remove_file(code.join("bootstrap")).expect("removed");
        assert_eq!(unpacked.folder_of(&archive).expect("known"), code);
    }

    #[test]
    fn nothing_is_written_beside_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let unpacked = Unpacked::below(folder.path().join("code"));
        unpacked.folder_of(&archive("../outside")).ok();
        assert!(!folder.path().join("code/outside").exists() && !folder.path().join("outside").exists());
        assert!(unpacked.folder_of(&Bytes::from_static(b"no archive")).is_err());
    }
}
