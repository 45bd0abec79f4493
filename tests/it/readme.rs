//! What the documents say is true.

use std::path::{Path, PathBuf};

use crate::support::{Havoq, provided, root};

/// The first block of README.md in this language.
fn block(language: &str) -> String {
    let text = std::fs::read_to_string(root().join("README.md")).expect("README.md");
    let (_, rest) = text.split_once(&format!("```{language}\n")).expect("a block");
    rest.split_once("```").expect("its end").0.to_owned()
}

/// Runs README's scenario with a consumer from README in `folder`.
fn passes(folder: &Path, command: &[PathBuf]) {
    let command: Vec<String> =
        command.iter().map(|part| format!("{:?}", part.display().to_string())).collect();
    let scenario = block("yaml").replace("[python3, app.py]", &format!("[{}]", command.join(", ")));
    let file = folder.join("my-consumer-survives.yaml");
    std::fs::write(&file, scenario).expect("a scenario");
    Havoq::run(&[&file], &[]).ran().assert_code(0);
}

#[test]
fn the_python_consumer_passes_the_scenario() {
    let Some(python) = provided("HAVOQ_TEST_PYTHON") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("app.py"), block("python")).expect("a file");
    passes(folder.path(), &[python, "app.py".into()]);
}

#[test]
fn the_node_consumer_passes_the_scenario() {
    let Some(modules) = provided("HAVOQ_TEST_NODE_MODULES") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    // Node looks for packages from the file upwards, so the file is put beside them.
    let app = modules.with_file_name("readme_app.mjs");
    std::fs::write(&app, block("js")).expect("a file");
    passes(folder.path(), &["node".into(), app]);
}

#[test]
fn the_history_page_knows_every_kind() {
    let source = std::fs::read_to_string(root().join("src/history/event.rs")).expect("the events");
    let (_, kinds) = source.split_once("pub enum Kind {").expect("the kinds");
    let page = std::fs::read_to_string(root().join("docs/history.md")).expect("docs/history.md");
    let variants = kinds.lines().filter_map(|line| line.strip_prefix("    ")).filter_map(|line| {
        let name: String = line.chars().take_while(char::is_ascii_alphanumeric).collect();
        name.starts_with(|c: char| c.is_ascii_uppercase()).then_some(name)
    });
    let names: Vec<String> = variants.map(|name| snake(&name)).collect();
    assert!(names.len() > 25, "{names:?}");
    for name in names {
        assert!(page.contains(&format!("`{name}`")), "docs/history.md does not know {name}");
    }
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}
