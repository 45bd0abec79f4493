//! How large a pattern may be.

use havoq_pattern::{BadPattern, Dialect, EventPattern};

fn parse(pattern: &str) -> Result<EventPattern, BadPattern> {
    EventPattern::parse(pattern, Dialect::EventBridge)
}

/// A pattern of `count` `$or`s with ten rules each, and `more` rules in one more.
fn ors(count: usize, more: usize) -> String {
    let rules = |count: usize| -> String {
        (0..count).map(|n| format!(r#"{{"k":[{n}]}}"#)).collect::<Vec<_>>().join(",")
    };
    let mut fields: Vec<String> =
        (0..count).map(|n| format!(r#""f{n}":{{"$or":[{}]}}"#, rules(10))).collect();
    if more > 0 {
        fields.push(format!(r#""g":{{"$or":[{}]}}"#, rules(more)));
    }
    format!("{{{}}}", fields.join(","))
}

#[test]
fn or_has_1000_combinations_at_most() {
    assert!(parse(&ors(3, 0)).is_ok());
    assert_eq!(parse(&ors(3, 2)), Err(BadPattern::TooManyChoices));
    assert_eq!(parse(&ors(4, 0)), Err(BadPattern::TooManyChoices));
    let nested =
        r#"{"$or":[{"a":[1]},{"b":[1],"$or":[{"c":[1]},{"d":[1]}]}],"e":{"$or":[{"f":[1]},{"g":[1]}]}}"#;
    assert!(parse(nested).is_ok());
}

#[test]
fn a_pattern_has_2048_characters_at_most() {
    let pattern = |length: usize| format!(r#"{{"a":["{}"]}}"#, "ö".repeat(length - 10));
    assert!(parse(&pattern(2048)).is_ok());
    assert_eq!(parse(&pattern(2049)), Err(BadPattern::TooLong(2048)));
    for dialect in [Dialect::Pipes, Dialect::Lambda] {
        assert!(EventPattern::parse(&pattern(4096), dialect).is_ok());
        assert_eq!(EventPattern::parse(&pattern(4097), dialect), Err(BadPattern::TooLong(4096)));
    }
}

#[test]
fn wildcards_can_be_too_complex() {
    let wildcard = |text: &str| parse(&format!(r#"{{"a":[{{"wildcard":"{text}"}}]}}"#));
    // The first was seen to be refused, the second to be taken.
    let refused = wildcard("*:*:*:*:*:event-bus/*").expect_err("too complex");
    assert_eq!(
        refused.to_string(),
        "Rule is too complex - try using fewer wildcard characters or fewer repeating character sequences after a wildcard character"
    );
    assert!(wildcard("/Users/*/dir/dir/dir/dir/dir/doc.txt").is_ok());
    assert!(wildcard("arn:aws:events:us-east-1:*:event-bus/*").is_ok());
}

#[test]
fn nesting_is_bounded() {
    let deep = |depth: usize| format!("{}[1]{}", "{\"\":".repeat(depth), "}".repeat(depth));
    assert!(parse(&deep(127)).is_ok());
    let error = parse(&deep(128)).expect_err("too deep");
    assert!(error.to_string().starts_with("Nesting is deeper than 128\n at "), "{error}");
}
