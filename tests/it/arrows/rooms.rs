//! The arrows between the rooms of `src/`.

use std::collections::BTreeSet;
use std::path::Path;

use super::paths;
use crate::text::rust_files;

/// Each room, the rooms that it may import, and the crates of the workspace that it may import
/// besides base, which every room may.
const ROOMS: &[(&str, &[&str], &[&str])] = &[
    ("scenario", &[], &["havoq_pattern", "havoq_lambda", "havoq_wire", "havoq_fault"]),
    ("history", &[], &["havoq_lambda"]),
    ("check", &["scenario", "history"], &[]),
    ("report", &["scenario", "history", "check"], &[]),
    ("aws", &[], &["havoq_wire"]),
    ("stack", &["scenario", "aws", "history", "guard"], &["havoq_wire", "havoq_lambda", "havoq_sandbox"]),
    ("tap", &["history", "aws"], &["havoq_wire", "havoq_fault"]),
    ("consumer", &["aws", "history", "tap"], &["havoq_lambda"]),
    (
        "inject",
        &["scenario", "history", "guard", "stack", "consumer", "tap"],
        &["havoq_pattern", "havoq_fault"],
    ),
    ("observe", &["scenario", "history", "stack", "guard"], &["havoq_wire", "havoq_pattern"]),
    ("guard", &["scenario", "aws"], &[]),
    (
        "engine",
        &["scenario", "history", "check", "aws", "stack", "tap", "consumer", "inject", "observe", "guard"],
        &["havoq_wire", "havoq_fault", "havoq_pattern", "havoq_lambda", "havoq_sandbox"],
    ),
    (
        "cli",
        &[
            "scenario", "history", "check", "report", "aws", "stack", "tap", "consumer", "inject", "observe",
            "guard", "engine",
        ],
        &["havoq_wire", "havoq_fault", "havoq_pattern", "havoq_lambda", "havoq_sandbox"],
    ),
    // src/main.rs turns the command line over to the room that reads it.
    ("main", &["cli"], &[]),
    // src/lib.rs only lists the rooms.
    ("lib", &[], &[]),
];

/// The imports of one file that its room may not make.
fn violations(path: &Path, text: &str) -> Vec<String> {
    let room = room_of(path);
    let Some((_, rooms, crates)) = ROOMS.iter().find(|(name, ..)| *name == room) else {
        return vec![format!("{}: the room {room} is not in the table of arrows", path.display())];
    };
    let mut wrong = Vec::new();
    for import in paths::imports(text, depth_of(path)) {
        let allowed = match &import {
            paths::Import::Room(name) => *name == room || rooms.contains(&name.as_str()),
            paths::Import::Crate(name) => name == "havoq_base" || crates.contains(&name.as_str()),
        };
        if !allowed {
            wrong.push(format!("{}: the room {room} may not import {import}", path.display()));
        }
    }
    wrong
}

/// `src/check/ledger.rs` is of the room `check`, `src/main.rs` of none but its own.
fn room_of(path: &Path) -> String {
    let part = path.iter().nth(1).unwrap_or_default();
    Path::new(part).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// How many `super` lead from the file's own module to the crate's root.
fn depth_of(path: &Path) -> usize {
    let stem = path.file_stem().unwrap_or_default();
    let below_src = path.iter().count() - 1;
    if ["mod", "main", "lib"].iter().any(|name| stem == *name) { below_src - 1 } else { below_src }
}

#[test]
fn every_room_keeps_to_its_arrows() {
    let files = rust_files("src");
    let wrong: Vec<String> = files.iter().flat_map(|(path, text)| violations(path, text)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_room_of_the_table_exists() {
    let found: BTreeSet<String> = rust_files("src").iter().map(|(path, _)| room_of(path)).collect();
    let listed: BTreeSet<String> = ROOMS.iter().map(|(name, ..)| (*name).to_owned()).collect();
    assert_eq!(found, listed);
}

#[test]
fn a_wrong_import_is_found_wherever_it_hides() {
    let wrong = "src/history/writer.rs: the room history may not import the room engine";
    for text in [
        "use crate::engine::Run;",
        "use crate::{scenario::Scenario, engine};",
        "use crate::{history::{Event, Kind}, engine::{self, Run}};",
        "pub(crate) use super::super::engine::Run;",
        "use super::super::{history, engine::Run};",
        "mod tests { use super::super::super::engine; }",
        "fn f(run: &crate::engine::Run) {}",
        "fn f() { let run = crate :: engine :: run(); }",
        "type A = Vec<crate::engine::Run>;",
        "use havoq::engine::Run;",
    ] {
        let found = violations(Path::new("src/history/writer.rs"), text);
        assert!(found.contains(&wrong.to_owned()), "{text}: {found:?}");
    }
    let found =
        violations(Path::new("src/report/mod.rs"), "use havoq_sandbox::Sandbox; use havoq_base::Seed;");
    assert_eq!(found, ["src/report/mod.rs: the room report may not import the crate havoq_sandbox"]);
    let found = violations(Path::new("src/extra/mod.rs"), "");
    assert_eq!(found, ["src/extra/mod.rs: the room extra is not in the table of arrows"]);
}

#[test]
fn a_right_import_and_a_mere_mention_are_not_found() {
    for text in [
        "use crate::history::Event; use super::event::Kind; use super::{reader, writer};",
        "// crate::engine::Run\n/* crate::engine /* nested */ crate::engine */",
        "/// [`crate::engine::Run`]\nfn f() { println!(\"crate::engine\"); }",
        "const A: &str = r#\"crate::engine \"quoted\" \"#; const B: char = '\"'; use crate::history::B;",
        "pub(crate) fn f<'a>(a: &'a str) {} pub(super) fn engine() {} mod engine {}",
        "mod tests { use super::super::event; } mod more { use super::*; }",
    ] {
        assert_eq!(violations(Path::new("src/history/writer.rs"), text), Vec::<String>::new(), "{text}");
    }
}
