//! What event patterns take, rule by rule (semantics 3.2). Each row has a pattern, events that it takes, and events that it
//! leaves. All of it is documented or was seen on AWS; what is not established has no row.

mod operators;
mod values;

use havoq_pattern::{Dialect, EventPattern};

use operators::{ANYTHING_BUT, NUMBERS, TEXTS};
use values::{EXISTENCE, OR, SHAPES, VALUES};

struct Row {
    rule: &'static str,
    pattern: &'static str,
    takes: &'static [&'static str],
    leaves: &'static [&'static str],
}

const fn row(
    rule: &'static str,
    pattern: &'static str,
    takes: &'static [&'static str],
    leaves: &'static [&'static str],
) -> Row {
    Row { rule, pattern, takes, leaves }
}

#[test]
fn events_are_taken_and_left_as_the_rules_say() {
    let tables = [VALUES, SHAPES, EXISTENCE, ANYTHING_BUT, TEXTS, NUMBERS, OR];
    let mut cases = 0;
    for Row { rule, pattern, takes, leaves } in tables.into_iter().flatten() {
        let parsed = EventPattern::parse(pattern, Dialect::EventBridge)
            .unwrap_or_else(|bad| panic!("{rule}: {pattern}: {bad}"));
        for (events, taken) in [(takes, true), (leaves, false)] {
            for event in *events {
                let value = serde_json::from_str(event).expect(event);
                assert_eq!(parsed.matches(&value), taken, "{rule}: {pattern} and {event}");
                cases += 1;
            }
        }
    }
    assert!(cases >= 150, "the table has lost its rows: {cases}");
}
