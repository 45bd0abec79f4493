//! What EventBridge refuses as an event pattern and how it says so: reason and place.

use havoq_pattern::{Dialect, EventPattern};

fn error(pattern: &str) -> String {
    EventPattern::parse(pattern, Dialect::EventBridge).expect_err(pattern).to_string()
}

fn placed(reason: &str, pattern: &str, columns: &[usize]) -> String {
    let place = |column| format!("\n at [Source: (String)\"{pattern}\"; line: 1, column: {column}]");
    columns.iter().fold(reason.to_owned(), |text, column| text + &place(column))
}

/// Patterns, what was seen to be said of their like on AWS, and the column it is said of.
const SEEN: &[(&str, &str, usize)] = &[
    (r#"{"n": 42}"#, r#""n" must be an object or an array"#, 9),
    (r#"{"s": "value"}"#, r#""s" must be an object or an array"#, 8),
    (r#"{"r": []}"#, "Empty arrays are not allowed", 9),
    (r#"{"k": [{"EXISTS": true}]}"#, "Unrecognized match type EXISTS", 23),
    (r#"{"k": [{"NUMERIC": ["=", 5]}]}"#, "Unrecognized match type NUMERIC", 21),
    (r#"{"k": [{"numeric": [">", 0, ">", 0]}]}"#, "Bad numeric range operator: >", 32),
    (r#"{"k": [{"numeric": [">", 0, "<"]}]}"#, "Value of < must be numeric", 33),
    (r#"{"k": [{"numeric": 10}]}"#, "Value of numeric must be an array.", 22),
    (r#"{"k": [{"prefix": 123}]}"#, "prefix match pattern must be a string", 22),
    (r#"{"k": [{"prefix": ["a"]}]}"#, "prefix match pattern must be a string", 20),
    (r#"{"k": [{"suffix": 123}]}"#, "suffix match pattern must be a string", 22),
    (r#"{"k": [{"wildcard": 123}]}"#, "wildcard match pattern must be a string", 24),
    (r#"{"k": [{"wildcard": "a**b"}]}"#, "Consecutive wildcard characters at pos 2", 27),
    (r#"{"k": [{"cidr": ["10.0.0.0/8"]}]}"#, "prefix match pattern must be a string", 18),
    (
        r#"{"k": [{"equals-ignore-case": {"prefix": "a"}}]}"#,
        "equals-ignore-case match pattern must be a string",
        32,
    ),
    (
        r#"{"k": [{"anything-but": null}]}"#,
        "Value of anything-but must be an array or single string/number value.",
        29,
    ),
    (
        r#"{"k": [{"anything-but": {"prefix": {"equals-ignore-case": "a"}}}]}"#,
        "Value of anything-but must be an array or single string/number value.",
        37,
    ),
    (r#"{"k": [{"anything-but": {"prefix": ""}}]}"#, "Null prefix/suffix not allowed", 38),
    (r#"{"k": [{"anything-but": {"suffix": 1}}]}"#, "prefix/suffix match pattern must be a string", 37),
    (
        r#"{"k": [{"anything-but": {"equals-ignore-case": 1}}]}"#,
        "Inside anything-but/equals-ignore-case list, number|start|null|boolean is not supported.",
        49,
    ),
    (r#"["not", "an", "object"]"#, "Filter is not an object", 2),
    (
        "{'k': 'quotes'}",
        "Unexpected character (''' (code 39)): was expecting double-quote to start field name",
        2,
    ),
    (
        r#"{"k": word"#,
        "Unrecognized token 'word': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
        11,
    ),
];

/// What is wrong inside of a list of anything-but is told twice.
const SEEN_TWICE: &[(&str, &str, usize)] = &[
    (
        r#"{"k": [{"anything-but": ["a", null]}]}"#,
        "Inside anything but list, start|null|boolean is not supported.",
        35,
    ),
    (
        r#"{"k": [{"anything-but": {"prefix": [123, "a"]}}]}"#,
        "prefix/suffix match pattern must be a string",
        40,
    ),
    (
        r#"{"k": [{"anything-but": {"equals-ignore-case": [123]}}]}"#,
        "Inside anything-but/equals-ignore-case list, number|start|null|boolean is not supported.",
        52,
    ),
    (r#"{"k": [{"anything-but": {"wildcard": [123, "a"]}}]}"#, "wildcard match pattern must be a string", 42),
];

#[test]
fn a_bad_pattern_is_refused_in_the_words_of_aws_and_with_the_place() {
    for (pattern, reason, column) in SEEN {
        assert_eq!(error(pattern), placed(reason, pattern, &[*column]), "{pattern}");
    }
    for (pattern, reason, column) in SEEN_TWICE {
        assert_eq!(error(pattern), placed(reason, pattern, &[*column, *column]), "{pattern}");
    }
}

#[test]
fn bad_blocks_have_no_place() {
    let cidr = |block: &str| error(&format!(r#"{{"k":[{{"cidr":"{block}"}}]}}"#));
    assert_eq!(cidr("bad-filter"), "Malformed CIDR, one '/' required");
    assert_eq!(cidr("bad-/64filter"), "Malformed CIDR, mask bits must be an integer");
    assert_eq!(cidr("xx.11.xx/8"), "Nonstandard IP address: xx.11.xx");
    assert_eq!(cidr("xxxx:db8::/64"), "Nonstandard IP address: xxxx:db8::");
}

/// As AWS's reader of JSON is known to put it.
const SYNTAX: &[(&str, &str, usize)] = &[
    (
        r#"{"a":[1],}"#,
        "Unexpected character ('}' (code 125)): was expecting double-quote to start field name",
        10,
    ),
    (
        r#"{"a":[1] "b":[2]}"#,
        "Unexpected character ('\"' (code 34)): was expecting comma to separate Object entries",
        10,
    ),
    (
        r#"{"a" [1]}"#,
        "Unexpected character ('[' (code 91)): was expecting a colon to separate field name and value",
        6,
    ),
    (r#"{"a":[01]}"#, "Invalid numeric value: Leading zeroes not allowed", 9),
    (r#"{"a":["x"#, "Unexpected end-of-input: was expecting closing quote for a string value", 9),
    (r#"{"a":[1],"#, "Unexpected end-of-input within/between Object entries", 10),
    (r#"{"a":["\q"]}"#, "Unrecognized character escape 'q' (code 113)", 10),
    (
        r#"{"a":[.5]}"#,
        "Unexpected character ('.' (code 46)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
        7,
    ),
    (
        r#"{"a":["x",tru]}"#,
        "Unrecognized token 'tru': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
        14,
    ),
];

#[test]
fn what_is_no_json_is_told_as_such() {
    for (pattern, reason, column) in SYNTAX {
        assert_eq!(error(pattern), placed(reason, pattern, &[*column]), "{pattern}");
    }
    let (pattern, source) = (r#"{"a":[1"#, r#"[Source: (String)"{"a":[1"; line: 1, column: "#);
    let text = format!(
        "Unexpected end-of-input: expected close marker for Array (start marker at {source}6])\n at {source}8]"
    );
    assert_eq!(error(pattern), text);
    for pattern in ["", "   ", "5", "null", "\"text\""] {
        assert!(error(pattern).starts_with("Filter is not an object\n at "), "{pattern}");
    }
}

#[test]
fn the_first_error_is_told_whatever_comes_behind_it() {
    assert!(error(r#"{"a":[],"b":"#).starts_with("Empty arrays are not allowed"));
    assert!(error(r#"{"a":5 nonsense"#).starts_with("\"a\" must be an object or an array"));
    // A name that comes twice is looked at twice.
    assert!(error(r#"{"a":[],"a":[1]}"#).starts_with("Empty arrays are not allowed"));
}

#[test]
fn places_have_lines_and_long_patterns_are_cut() {
    assert!(error("{\n  \"ä\": [],\r\n \"b\": 1}").ends_with("; line: 2, column: 10]"));
    let long = format!(r#"{{"a":["{}"],"b":5}}"#, "x".repeat(500));
    let shown =
        format!("(String)\"{}\"[truncated {} chars]; line: 1, column: 516]", &long[..500], long.len() - 500);
    assert!(error(&long).ends_with(&shown), "{}", error(&long));
}
