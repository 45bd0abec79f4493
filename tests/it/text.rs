//! Rules about the text of the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// A file does one thing; past this it does two.
const MAX_LINES: usize = 500;

/// Every Rust file below a folder of the repository, with its path from there.
pub(crate) fn rust_files(folder: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("an entry of a folder is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text =
                    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                files.push((path.strip_prefix(root).expect("it is below the root").to_owned(), text));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn files_stay_small() {
    let files: Vec<_> = ["src", "crates", "tests"].into_iter().flat_map(rust_files).collect();
    assert!(files.len() > 30, "the sources were not found");
    let long: Vec<String> = files
        .iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > MAX_LINES)
        .map(|(path, lines)| format!("{}: {lines} lines, at most {MAX_LINES}", path.display()))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}
