//! Whole files: what is wrong with the bad ones, what the good ones mean.

mod files;
mod fuzz;
mod goldens;
mod meaning;
mod reference;
mod scale;
mod schema;
mod validator;

use std::path::{Path, PathBuf};

/// The fixtures of a folder beside this file, sorted.
fn fixtures(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(root().join(folder))
        .expect("the fixtures are there")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    files.sort();
    files
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/scenario/tests")
}

fn stem(path: &Path) -> String {
    path.file_stem().expect("a file name").to_string_lossy().into_owned()
}
