//! What is no resource policy.

use havoq_pattern::{BadPolicy, Policy};

fn error(policy: &str) -> String {
    Policy::parse(policy).err().unwrap_or_else(|| panic!("accepted: {policy}")).to_string()
}

/// A statement with one element more.
fn with(element: &str) -> String {
    let name = element.split('"').nth(1).unwrap_or_default();
    let rest = [
        ("Effect", r#""Effect":"Allow""#),
        ("Principal", r#""Principal":"*""#),
        ("Action", r#""Action":"sqs:*""#),
        ("Resource", r#""Resource":"*""#),
    ];
    let rest: Vec<&str> = rest.iter().filter(|(known, _)| *known != name).map(|(_, text)| *text).collect();
    format!(r#"{{"Statement":[{{{},{element}}}]}}"#, rest.join(","))
}

#[test]
fn elements_that_are_wrong() {
    let cases = [
        (r#""Effect":"allow""#, "Effect must be Allow or Deny"),
        (r#""Effect":null"#, "Effect must be Allow or Deny"),
        (r#""Sid":5"#, "Sid must be a string"),
        (r#""Actions":"sqs:*""#, "unknown element \"Actions\""),
        (r#""Action":"SendMessage""#, "no such action: \"SendMessage\""),
        (r#""Action":"sqs:""#, "no such action: \"sqs:\""),
        (r#""Action":[]"#, "Action must not be empty"),
        (r#""Action":[5]"#, "Action must be a string"),
        (r#""NotAction":"sqs:*""#, "Action and NotAction exclude each other"),
        (r#""NotPrincipal":"*""#, "Principal and NotPrincipal exclude each other"),
        (r#""NotResource":"*""#, "Resource and NotResource exclude each other"),
        (r#""Principal":"111122223333""#, "Principal must be \"*\" or an object"),
        (r#""Principal":{}"#, "Principal must not be empty"),
        (r#""Principal":{"AWS":"alice"}"#, "no such principal: \"alice\""),
        (
            r#""Principal":{"AWS":"arn:aws:iam::444455556666:user/*"}"#,
            "no such principal: \"arn:aws:iam::444455556666:user/*\"",
        ),
        (r#""Principal":{"Queue":"*"}"#, "unknown kind of principal \"Queue\""),
        (r#""Condition":[]"#, "Condition must be an object"),
        (r#""Condition":{"StringIs":{"k":"a"}}"#, "unknown condition operator \"StringIs\""),
        (
            r#""Condition":{"ForSome:StringEquals":{"k":"a"}}"#,
            "unknown condition operator \"ForSome:StringEquals\"",
        ),
        (r#""Condition":{"NullIfExists":{"k":"true"}}"#, "unknown condition operator \"NullIfExists\""),
        (r#""Condition":{"NumericAbove":{"k":"5"}}"#, "unknown condition operator \"NumericAbove\""),
        (r#""Condition":{"StringEquals":"a"}"#, "StringEquals must be an object"),
        (r#""Condition":{"StringEquals":{"k":[]}}"#, "k must not be empty"),
        (
            r#""Condition":{"StringEquals":{"k":{}}}"#,
            "the operand of a condition must be a string, a number or a boolean",
        ),
        (r#""Condition":{"NumericEquals":{"k":"five"}}"#, "bad operand of a condition: \"five\""),
        (r#""Condition":{"DateEquals":{"k":"someday"}}"#, "bad operand of a condition: \"someday\""),
        (r#""Condition":{"IpAddress":{"k":"10.0.0.0/33"}}"#, "bad operand of a condition: \"10.0.0.0/33\""),
        (r#""Condition":{"Bool":{"k":"yes"}}"#, "bad operand of a condition: \"yes\""),
        (r#""Condition":{"Null":{"k":"yes"}}"#, "bad operand of a condition: \"yes\""),
    ];
    for (element, text) in cases {
        assert_eq!(error(&with(element)), format!("statement 1: {text}"), "{element}");
    }
}

#[test]
fn elements_that_are_missing() {
    assert_eq!(
        error(r#"{"Statement":{"Effect":"Allow","Principal":"*"}}"#),
        "statement 1: Action is missing"
    );
    assert_eq!(
        error(r#"{"Statement":{"Effect":"Allow","Action":"*"}}"#),
        "statement 1: Principal is missing"
    );
    assert_eq!(error(r#"{"Statement":{"Principal":"*","Action":"*"}}"#), "statement 1: Effect is missing");
    assert_eq!(error(r#"{"Version":"2012-10-17"}"#), "Statement is missing");
    assert_eq!(error(r#"{"Statement":[]}"#), "Statement must not be empty");
}

#[test]
fn documents_that_are_wrong() {
    assert_eq!(error("[]"), "the policy must be an object");
    assert_eq!(
        error(r#"{"Version":"2020-01-01","Statement":[]}"#),
        "Version must be 2012-10-17 or 2008-10-17"
    );
    assert_eq!(error(r#"{"Id":1,"Statement":[]}"#), "Id must be a string");
    assert_eq!(error(r#"{"Statement":["x"]}"#), "statement 1: Statement must be an object");
    assert_eq!(error(r#"{"Policy":{}}"#), "unknown element \"Policy\"");
    assert!(error("{").contains("EOF"), "{}", error("{"));
    let statement = r#"{"Sid":"s","Effect":"Allow","Principal":"*","Action":"*"}"#;
    assert_eq!(
        error(&format!(r#"{{"Statement":[{statement},{statement}]}}"#)),
        "two statements have the Sid \"s\""
    );
}

#[test]
fn a_policy_of_another_service_is_known() {
    let of = |actions: &str| Policy::parse(&with(&format!(r#""Action":{actions}"#))).expect("a policy");
    assert!(of(r#"["SQS:SendMessage","sqs:Receive*"]"#).stays_within("sqs"));
    assert!(of(r#""*""#).stays_within("sqs"));
    assert!(!of(r#"["sqs:SendMessage","sns:Publish"]"#).stays_within("sqs"));
}

#[test]
fn sqs_says_the_same_of_each() {
    assert_eq!(BadPolicy::SQS_TEXT, "Invalid value for the parameter Policy.");
}
