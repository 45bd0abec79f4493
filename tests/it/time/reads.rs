//! The wall clock of a living process goes with the stack's; its monotonic clocks do not.

use std::collections::BTreeMap;

use havoq_base::{StackDuration, StackTime};

use super::live::{Program, Shown, interpreted};

const JUMP: StackDuration = StackDuration::from_secs(900);
/// What a busy machine may take between two readings; TAI may be half a minute ahead as well.
const SLACK: f64 = 100.0;

fn readings(program: &mut Program) -> BTreeMap<String, f64> {
    program.tell();
    let mut readings = BTreeMap::new();
    loop {
        let line = program.line();
        let (name, value) = line.rsplit_once(' ').expect("a name and a value");
        if name == "end" {
            return readings;
        }
        readings.insert(name.to_owned(), value.parse().expect("seconds"));
    }
}

fn follows(shown: &Shown, argv: &[String]) {
    let mut program = shown.start(argv);
    program.expect("ready");
    let before = readings(&mut program);
    let stack = shown.clock.now().since(StackTime::default()).as_secs_f64();
    shown.jump(JUMP);
    let after = readings(&mut program);
    assert!(before.len() > 2);
    for (name, before) in &before {
        let moved = after[name] - before;
        if name.starts_with("monotonic") {
            assert!((0.0..SLACK).contains(&moved), "{}: {name} moved by {moved}", program.name);
        } else {
            assert!((before - stack).abs() < SLACK, "{}: {name} showed {before}, not {stack}", program.name);
            let expected = JUMP.as_secs_f64();
            assert!(
                (expected - 1.0..expected + SLACK).contains(&moved),
                "{}: {name} moved by {moved}",
                program.name
            );
        }
    }
}

#[test]
fn in_c() {
    let shown = Shown::new();
    let program = shown.compiled("reads", &[]);
    follows(&shown, &[program.to_string_lossy().into_owned()]);
}

fn in_language(interpreter: &str, source: &str) {
    let Some(argv) = interpreted(interpreter, source) else { return };
    follows(&Shown::new(), &argv);
}

#[test]
fn in_python() {
    in_language("python3", "reads.py");
}

#[test]
fn in_node() {
    in_language("node", "reads.mjs");
}

#[test]
fn in_java() {
    in_language("java", "Reads.java");
}
