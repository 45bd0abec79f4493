//! Files that are no texts, and files that are not there.

use std::fs;
use std::path::PathBuf;

use super::super::{Problem, find, load};

fn said(bytes: &[u8]) -> Vec<Problem> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.yaml");
    fs::write(&path, bytes).expect("written");
    load(&path).expect_err("a bad file")
}

#[test]
fn what_is_no_text_is_refused_before_it_is_parsed() {
    for (bytes, message) in [
        (b"name: \xff\xfe".to_vec(), "the file is not UTF-8, first on line 1"),
        (b"name: \0".to_vec(), "the file is binary, not text"),
        (vec![b' '; (1 << 20) + 1], "the file is larger than 1 MiB"),
    ] {
        let problems = said(&bytes);
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].message, message);
        assert!(problems[0].render(false).contains("x.yaml"));
    }
}

#[test]
fn a_missing_stack_file_is_reported_where_it_is_named() {
    let problems =
        said(b"name: x\nstack: nowhere.yaml\ninject: [{ wait: 1s }]\nexpect: [{ drained: { queue: Q } }]\n");
    assert_eq!(problems.len(), 1, "names cannot be checked without a stack: {problems:?}");
    assert_eq!((problems[0].line, problems[0].column), (2, 8));
    assert!(problems[0].message.ends_with("no such file or directory"), "{}", problems[0].message);
}

#[test]
fn problems_of_the_stack_file_come_with_those_of_the_scenario() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("stack.yaml", "Resources: { Q: { Type: AWS::SQS::Queue, Properties: { DelaySeconds: -1 } } }\n");
    write(
        "x.yaml",
        "name: x\nstack: stack.yaml\ninject: [{ wait: 1 }]\nexpect: [{ drained: { queue: R } }]\n",
    );
    let problems = load(&folder.path().join("x.yaml")).expect_err("three problems");
    let files: Vec<_> =
        problems.iter().map(|problem| problem.file.rsplit('/').next().unwrap_or_default()).collect();
    assert_eq!(files, ["x.yaml", "x.yaml", "stack.yaml"]);
    assert!(problems[2].render(false).contains("DelaySeconds: -1"));
}

#[test]
fn folders_are_searched_for_scenarios_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    fs::create_dir_all(root.join("more/stacks")).expect("folders");
    for (name, text) in [
        ("b.yaml", "name: b"),
        ("a.yml", "name: ["),
        ("template.yaml", "Resources: {}"),
        ("notes.txt", "name: c"),
        ("more/c.yaml", "name: c"),
        ("more/stacks/d.yaml", "name: d"),
    ] {
        fs::write(root.join(name), text).expect("written");
    }
    let found = find(&[root.to_owned(), root.join("b.yaml")]).expect("scenarios");
    assert_eq!(found, ["a.yml", "b.yaml", "more/c.yaml"].map(|name| root.join(name)));
    let near = find(&[root.join("bb.yaml")]).expect_err("not there");
    assert!(near.message.starts_with("there is no file or folder"));
    let none =
        find(&[root.join("more/stacks/d.yaml"), PathBuf::from("/nowhere")]).expect_err("one is missing");
    assert_eq!(none.file, "/nowhere");
    fs::create_dir(root.join("empty")).expect("a folder");
    let empty = find(&[root.join("empty")]).expect_err("nothing in it");
    assert!(empty.message.ends_with("holds no scenario"));
}
