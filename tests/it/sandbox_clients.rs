//! Real clients against a sandbox that stands alone: each script asserts for itself.

use std::path::Path;
use std::process::Command;

use crate::sandbox_command::Served;
use crate::support::{provided, root};

fn is_content(program: &Path, script: &str, more: impl Fn(&str) -> Vec<String>) {
    let sandbox = Served::start(&[]);
    let url = sandbox.url();
    let mut client = Command::new(program);
    client.arg(root().join("tests/clients").join(script)).args(more(&url));
    let keys = [("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test"), ("AWS_PAGER", "")];
    let ran = client.envs(keys).output().expect("it can be run");
    let said =
        format!("{}{}\n{script}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success() && said.contains("all is well"), "{said}");
}

#[test]
fn boto3() {
    let Some(python) = provided("HAVOQ_TEST_PYTHON") else { return };
    is_content(&python, "sandbox.py", |url| vec![url.to_owned()]);
}

/// Functions by the API, with code in a ZipFile.
#[test]
fn functions() {
    let Some(python) = provided("HAVOQ_TEST_PYTHON") else { return };
    let code = root().join("tests/functions").display().to_string();
    is_content(&python, "functions.py", |url| vec![url.to_owned(), code.clone()]);
}

#[test]
fn sdk_for_javascript() {
    let Some(modules) = provided("HAVOQ_TEST_NODE_MODULES") else { return };
    is_content(Path::new("node"), "sandbox.mjs", |url| vec![url.to_owned(), modules.display().to_string()]);
}

#[test]
fn aws_cli() {
    let Some(python) = provided("HAVOQ_TEST_PYTHON") else { return };
    let aws = python.with_file_name("aws").display().to_string();
    is_content(Path::new("sh"), "sandbox.sh", |url| vec![aws.clone(), url.to_owned()]);
}
