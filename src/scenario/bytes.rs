//! Files as texts, with the checks that come before any parsing.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::problem::Problem;

/// No scenario or template comes near it; CloudFormation's own limit is 1 MB.
const MAX_BYTES: u64 = 1 << 20;

/// The text of a file, named `name` in problems.
pub(super) fn read(path: &Path, name: &str) -> Result<String, Problem> {
    let failed = |error: std::io::Error| {
        let hint = match error.kind() {
            std::io::ErrorKind::NotFound => Some("check the path"),
            std::io::ErrorKind::IsADirectory => Some("name a file in it"),
            _ => None,
        };
        let problem = Problem::of_file(name, format!("cannot read `{name}`: {}", reason(&error)));
        hint.into_iter().fold(problem, Problem::hint)
    };
    let mut bytes = Vec::new();
    // Opening a pipe would wait for its writer.
    let about = std::fs::metadata(path).map_err(failed)?;
    if !about.is_file() && !about.is_dir() {
        return Err(Problem::of_file(name, format!("`{name}` is not a file")));
    }
    File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(failed)?;
    check(&bytes, name)?;
    String::from_utf8(bytes).map_err(|_| Problem::of_file(name, "the file is not UTF-8"))
}

/// The system's words, lower case and without its number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string().to_lowercase();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// Whether bytes can be a text of the language at all.
pub(super) fn check(bytes: &[u8], name: &str) -> Result<(), Problem> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Problem::of_file(name, "the file is larger than 1 MiB"));
    }
    if bytes.contains(&0) {
        return Err(Problem::of_file(name, "the file is binary, not text"));
    }
    match std::str::from_utf8(bytes) {
        Ok(_) => Ok(()),
        Err(error) => {
            let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
            let problem = Problem::of_file(name, format!("the file is not UTF-8, first on line {line}"));
            Err(Problem { line, ..problem }.hint("save it as UTF-8"))
        }
    }
}
