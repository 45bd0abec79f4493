//! Which operators pipes and Lambda's event source mappings have.

use havoq_pattern::{Dialect, EventPattern};

const ALL: &[&str] = &[
    r#""text""#,
    r#""""#,
    "5",
    "true",
    "null",
    r#"{"prefix":"a"}"#,
    r#"{"suffix":"a"}"#,
    r#"{"equals-ignore-case":"a"}"#,
    r#"{"numeric":["=",5]}"#,
    r#"{"numeric":[">",5,"<",10]}"#,
    r#"{"exists":true}"#,
    r#"{"exists":false}"#,
    r#"{"anything-but":"a"}"#,
    r#"{"anything-but":[1,2]}"#,
];

const IN_ANYTHING_BUT: &[&str] = &["prefix", "suffix", "equals-ignore-case", "wildcard"];

fn error(operator: &str, dialect: Dialect) -> Option<String> {
    EventPattern::parse(&format!(r#"{{"a":[{operator}]}}"#), dialect).err().map(|bad| bad.to_string())
}

#[test]
fn all_have_the_common_operators_and_or() {
    for dialect in [Dialect::EventBridge, Dialect::Pipes, Dialect::Lambda] {
        for operator in ALL {
            assert_eq!(error(operator, dialect), None, "{operator} {dialect:?}");
        }
        assert!(EventPattern::parse(r#"{"$or":[{"a":[1]},{"b":[2]}]}"#, dialect).is_ok());
    }
}

#[test]
fn anything_but_has_operators_on_a_bus_alone() {
    for operator in IN_ANYTHING_BUT {
        let pattern = format!(r#"{{"anything-but":{{"{operator}":"a"}}}}"#);
        assert_eq!(error(&pattern, Dialect::EventBridge), None, "{operator}");
        for dialect in [Dialect::Pipes, Dialect::Lambda] {
            let error = error(&pattern, dialect).expect(operator);
            assert!(
                error.starts_with(&format!("Unsupported anything-but pattern: {operator}\n at ")),
                "{error}"
            );
        }
    }
}

#[test]
fn wildcard_is_for_buses() {
    let pattern = r#"{"wildcard":"a*"}"#;
    assert_eq!(error(pattern, Dialect::EventBridge), None);
    for dialect in [Dialect::Pipes, Dialect::Lambda] {
        assert!(
            error(pattern, dialect).expect("refused").starts_with("Unrecognized match type wildcard\n at ")
        );
    }
}
