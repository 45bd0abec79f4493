//! A ZIP archive of some small files, not compressed: a function's code as the API takes it.

use std::io::{Cursor, Write};

use ::zip::write::SimpleFileOptions;
use ::zip::{CompressionMethod, ZipWriter};

pub(super) fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // Everybody may read and run the files.
    let options =
        SimpleFileOptions::default().compression_method(CompressionMethod::Stored).unix_permissions(0o755);
    for (name, data) in files {
        zip.start_file(*name, options).expect("memory takes all");
        zip.write_all(data).expect("memory takes all");
    }
    zip.finish().expect("memory takes all").into_inner()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn an_archive_is_unpacked_by_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("code.zip");
        std::fs::write(&file, archive(&[("a.py", b"print(1)\n"), ("b", b"")])).expect("written");
        let script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; \
                      print([(i.filename, z.read(i), oct(i.external_attr >> 16)) for i in z.infolist()])";
        let ran = Command::new("python3").args(["-c", script]).arg(&file).output().expect("Python");
        let told = String::from_utf8_lossy(&ran.stdout);
        assert_eq!(told.trim(), r"[('a.py', b'print(1)\n', '0o100755'), ('b', b'', '0o100755')]");
    }
}
