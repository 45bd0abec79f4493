//! What a report format is, and the list of all formats.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{json::Json, junit::Junit, model::Report, style::Style, terminal::Terminal};

/// A way to write a report down.
pub trait Format {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Its file in the run's folder; none for what is only shown.
    fn file_name(&self) -> Option<&'static str>;

    fn render(&self, report: &Report) -> Result<Vec<u8>, RenderError>;
}

/// Every format; a new one is registered here. `style` is for those that people read.
pub fn formats(style: Style) -> Vec<Box<dyn Format>> {
    vec![Box::new(Terminal { style }), Box::new(Json), Box::new(Junit)]
}

#[derive(Debug, Error)]
pub enum RenderError {
    #[error("cannot write the report as JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("cannot write the report as JUnit XML: {0}")]
    Junit(#[from] quick_junit::SerializeError),
    #[error("cannot write {path}: {source}")]
    Write { path: PathBuf, source: std::io::Error },
}

/// Writes the report in every format that has a file into the run's folder, and returns the files.
/// All are tried, so that a failure of one does not cost the others.
pub fn write_files(report: &Report, folder: &Path) -> Result<Vec<PathBuf>, RenderError> {
    let formats = formats(Style::default());
    let named = formats.iter().filter_map(|format| Some((format, folder.join(format.file_name()?))));
    let written: Vec<_> = named.map(|(format, path)| write_file(report, format.as_ref(), path)).collect();
    written.into_iter().collect()
}

fn write_file(report: &Report, format: &dyn Format, path: PathBuf) -> Result<PathBuf, RenderError> {
    let bytes = format.render(report)?;
    match std::fs::write(&path, bytes) {
        Ok(()) => Ok(path),
        Err(source) => Err(RenderError::Write { path, source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixtures;

    #[test]
    fn every_format_has_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let files = write_files(&fixtures::failing(), folder.path()).unwrap();
        let names: Vec<_> = files.iter().filter_map(|file| file.file_name()?.to_str()).collect();
        assert_eq!(names, ["report.json", "junit.xml"]);
        assert!(files.iter().all(|file| file.exists()));
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_named() {
        let error = write_files(&fixtures::failing(), Path::new("/nowhere/at/all")).unwrap_err();
        assert!(error.to_string().starts_with("cannot write /nowhere/at/all/report.json: "), "{error}");
    }
}
