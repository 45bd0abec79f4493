//! Scenario files among what the user named.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::problem::{Log, Problem};
use super::suggest::nearest;
use super::{bytes, yaml};

/// The scenario files that `paths` stand for: files as they are named, folders by their
/// `*.yaml` and `*.yml`, sorted. Each file once.
pub fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for path in paths {
        let files = if path.is_dir() {
            in_folder(path)?
        } else if path.exists() {
            vec![path.clone()]
        } else {
            return Err(missing(path));
        };
        found.extend(files.into_iter().filter(|file| seen.insert(file.clone())));
    }
    Ok(found)
}

fn missing(path: &Path) -> Problem {
    let name = path.display().to_string();
    let problem = Problem::of_file(&name, format!("there is no file or folder `{name}`"));
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let siblings: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let wrong = path.file_name().unwrap_or_default().to_string_lossy();
    match nearest(&wrong, siblings.iter().map(String::as_str)) {
        Some(near) => problem.hint(format!("did you mean `{}`?", path.with_file_name(near).display())),
        None => problem,
    }
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    if files.is_empty() {
        let name = folder.display().to_string();
        return Err(Problem::of_file(&name, format!("the folder `{name}` holds no scenario"))
            .hint("scenarios are `*.yaml` files with a `name` and a `stack`"));
    }
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Problem> {
    let name = folder.display().to_string();
    let entries = std::fs::read_dir(folder)
        .map_err(|error| Problem::of_file(&name, format!("cannot read the folder `{name}`: {error}")))?;
    for entry in entries.flatten() {
        let path = entry.path();
        // Links are followed for files only: a link to a folder above would never end.
        let folder_itself = entry.file_type().is_ok_and(|of_type| of_type.is_dir());
        if folder_itself {
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if entry.file_name() != "stacks" && !hidden {
                collect(&path, files)?;
            }
        } else if path.is_file() && is_yaml(&path) && !is_template(&path) {
            files.push(path);
        }
    }
    Ok(())
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
}

/// A CloudFormation template that lies among the scenarios. What cannot be read is no template,
/// so that `load` says what is wrong with it.
fn is_template(path: &Path) -> bool {
    let Ok(text) = bytes::read(path, "") else { return false };
    let root = yaml::compose(&text, &mut Log::new("", &text));
    root.is_some_and(|root| root.entry("Resources").is_some() && root.entry("name").is_none())
}
