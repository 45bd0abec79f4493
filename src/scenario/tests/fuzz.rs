//! No input may bring the loader down, and whatever is refused is refused with a reason.

use proptest::prelude::*;

use super::super::problem::Log;
use super::super::yaml::{Data, compose};
use super::super::{Scenario, StackLookup, parse, render_problems};

const SCENARIO: &str = include_str!("good/full.yaml");
const STACK: &str = include_str!("good/stacks/orders.yaml");
const INLINE: &str = include_str!("good/inline.yaml");

fn survives(text: &str, stack: &str) {
    let lookup = StackLookup::Embedded { name: "stack.yaml", text: stack };
    match parse("x.yaml", text, lookup) {
        Err(problems) => {
            assert!(!problems.is_empty());
            render_problems(&problems, true);
        }
        Ok(scenario) => nothing_was_dropped(text, &scenario),
    }
}

/// What is left out of the meaning must have been a problem.
fn nothing_was_dropped(text: &str, scenario: &Scenario) {
    let root = compose(text, &mut Log::new("x.yaml", text)).expect("it was read");
    let written = |key| match root.entry(key).map(|entry| &entry.value.data) {
        Some(Data::List(items)) => items.len(),
        Some(Data::Map(entries)) => entries.len(),
        _ => 0,
    };
    assert_eq!(written("inject"), scenario.inject.len());
    assert_eq!(written("steady_state"), scenario.steady_state.len());
    assert_eq!(written("expect"), scenario.expect.len());
    assert_eq!(written("consumers"), scenario.consumers.len());
    assert_eq!(written("effects"), scenario.effects.len());
}

/// A valid text with one part cut out, put in or put elsewhere.
fn mutated(text: &'static str) -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "",
        " ",
        "\n",
        "\t",
        ":",
        "- ",
        "{",
        "}",
        "[",
        "]",
        "&a ",
        "*a",
        "!Ref ",
        "\"",
        "'",
        "|",
        "#",
        "null",
        "-1",
        "1e999",
        "0s",
        "é",
        "\u{feff}",
        "---\n",
        "<<: ",
        "? ",
        "%YAML 1.2\n",
        "${",
        "{{",
        "99999999999999999999",
    ]);
    (0..text.len(), 0..40_usize, pieces, 0..text.len()).prop_map(move |(at, cut, piece, to)| {
        let bounds =
            |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let (start, end) = (bounds(at), bounds(at + cut));
        let mut result = format!("{}{piece}{}", &text[..start], &text[end.max(start)..]);
        let to = (0..=to.min(result.len())).rev().find(|at| result.is_char_boundary(*at)).unwrap_or(0);
        result.insert_str(to, piece);
        result
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        survives(&String::from_utf8_lossy(&bytes), STACK);
    }

    #[test]
    fn any_text(text in "[-a-z0-9:{}\\[\\]&*!|>#?,'\" \n\t]{0,200}") {
        survives(&text, &text);
    }

    #[test]
    fn a_mutated_scenario(text in mutated(SCENARIO)) {
        survives(&text, STACK);
    }

    #[test]
    fn a_mutated_stack(stack in mutated(STACK)) {
        survives(SCENARIO, &stack);
    }

    #[test]
    fn a_mutated_inline_stack(text in mutated(INLINE)) {
        survives(&text, "");
    }
}

#[test]
fn deep_nesting_and_many_values_end_quickly() {
    for text in [
        "[".repeat(100_000),
        "{a: ".repeat(50_000),
        "- ".repeat(200_000),
        format!("name: x\nstack: {}", "[[],".repeat(5_000)),
        (0..60_000).map(|n| format!("k{n}: 1\n")).collect(),
        format!(
            "a0: &a0 [x]\n{}",
            (1..300).map(|n| format!("a{n}: &a{n} [*a{}]\n", n - 1)).collect::<String>()
        ),
        "*a: ".repeat(10_000),
    ] {
        survives(&text, &text);
    }
}
