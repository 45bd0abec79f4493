//! A ZIP archive of some small files, not compressed: a function's code as the API takes it.

/// What comes before a file's data, and is repeated in the directory at the end.
fn described(name: &str, data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u32).to_le_bytes();
    // Version 2.0, no flags, stored, and the first moment that the format knows: 1980-01-01 00:00.
    let start = [20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
    let names = [(name.len() as u16).to_le_bytes(), [0, 0]];
    [&start[..], &crc32fast::hash(data).to_le_bytes(), &length, &length, names.as_flattened()].concat()
}

/// Everybody may read and run the files.
const MODE: u32 = 0o100_755 << 16;

pub(super) fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, data) in files {
        let offset = (archive.len() as u32).to_le_bytes();
        let described = described(name, data);
        for part in [b"PK\x03\x04", &described[..], name.as_bytes(), data] {
            archive.extend_from_slice(part);
        }
        // Made on Unix; no comment, disk 0, no inner attributes.
        for part in
            [b"PK\x01\x02\x14\x03", &described[..], &[0; 6], &MODE.to_le_bytes(), &offset, name.as_bytes()]
        {
            directory.extend_from_slice(part);
        }
    }
    let count = (files.len() as u16).to_le_bytes();
    let (size, offset) = ((directory.len() as u32).to_le_bytes(), (archive.len() as u32).to_le_bytes());
    archive.append(&mut directory);
    for part in [b"PK\x05\x06\0\0\0\0", &count[..], &count, &size, &offset, &[0, 0]] {
        archive.extend_from_slice(part);
    }
    archive
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
