//! The arrows between the crates of the workspace, from their manifests.

use std::fs;
use std::path::Path;

/// Each pure crate and the crates of the workspace that it may depend on.
const CRATES: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("wire", &["base"]),
    ("pattern", &["base"]),
    ("fault", &["wire", "base"]),
    ("lambda", &["pattern", "base"]),
    ("sandbox", &["wire", "pattern", "lambda", "base"]),
];

/// The dependencies in a crate's manifest that it may not have.
fn violations(name: &str, manifest: &str) -> Vec<String> {
    let Some((_, allowed)) = CRATES.iter().find(|(listed, _)| *listed == name) else {
        return vec![format!("the crate {name} is not in the table of arrows")];
    };
    let wrong = dependencies(manifest).into_iter().filter(|dependency| {
        let own = dependency.strip_prefix("havoq-").is_some_and(|own| !allowed.contains(&own));
        // The pure crates stay free of the AWS SDK, so that they build in seconds.
        own || dependency == "havoq" || dependency.starts_with("aws-")
    });
    wrong.map(|dependency| format!("the crate {name} may not depend on {dependency}")).collect()
}

/// The names in every section of dependencies, those of tests included.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut inside = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            inside = section.ends_with("dependencies");
            // `[dependencies.name]` is a section of its own.
            if let Some((head, name)) = section.rsplit_once('.')
                && head.ends_with("dependencies")
            {
                names.push(name.trim_matches('"').to_owned());
            }
        } else if inside && !line.starts_with('#') {
            let name = line.split(['=', '.', ' ']).next().unwrap_or_default().trim_matches('"');
            names.extend((!name.is_empty()).then(|| name.to_owned()));
        }
    }
    names
}

#[test]
fn every_crate_keeps_to_its_arrows() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let mut found = Vec::new();
    let mut wrong = Vec::new();
    for entry in fs::read_dir(&folder).expect("the folder of crates is readable") {
        let path = entry.expect("its entries are readable").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let manifest = fs::read_to_string(path.join("Cargo.toml")).expect("a crate has a manifest");
        wrong.extend(violations(&name, &manifest));
        found.push(name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(found.len(), CRATES.len(), "crates found: {found:?}");
}

#[test]
fn a_wrong_dependency_is_found_in_every_spelling() {
    for manifest in [
        "[dependencies]\nhavoq-sandbox.workspace = true",
        "[dependencies]\nhavoq-sandbox = { path = \"../sandbox\" }",
        "[dev-dependencies]\n\"havoq-sandbox\"=\"1\"",
        "[dependencies.havoq-sandbox]\npath = \"../sandbox\"",
        "[target.'cfg(unix)'.dependencies]\nhavoq-sandbox.workspace = true",
    ] {
        assert_eq!(
            violations("wire", manifest),
            ["the crate wire may not depend on havoq-sandbox"],
            "{manifest}"
        );
    }
    let manifest =
        "[dependencies]\naws-sdk-sqs = \"1\"\nhavoq-base.workspace = true\n[lints]\nworkspace = true";
    assert_eq!(violations("sandbox", manifest), ["the crate sandbox may not depend on aws-sdk-sqs"]);
    assert_eq!(violations("base", "[dev-dependencies]\nproptest.workspace = true"), Vec::<String>::new());
}
