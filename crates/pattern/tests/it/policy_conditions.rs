//! The conditions of resource policies, operator by operator.

use havoq_pattern::{AccessRequest, Decision, Policy, Principal};

type Context<'a> = &'a [(&'a str, &'a str)];

fn holds(condition: &str, context: Context<'_>) -> bool {
    let policy = format!(
        r#"{{"Statement":{{"Effect":"Allow","Principal":"*","Action":"*","Resource":"*","Condition":{condition}}}}}"#
    );
    let request = AccessRequest {
        principal: Principal::Anonymous,
        action: "sqs:SendMessage",
        resource: "arn:aws:sqs:eu-west-1:111122223333:orders",
        context,
    };
    let policy = Policy::parse(&policy).unwrap_or_else(|bad| panic!("{condition}: {bad}"));
    policy.decide(&request) == Decision::Allow
}

/// Conditions on the key `k`: the operator, the operands, a value, and whether the condition holds.
#[track_caller]
fn each(cases: &[(&str, &str, &str, bool)]) {
    for (operator, operands, value, expected) in cases {
        let condition = format!(r#"{{"{operator}":{{"k":{operands}}}}}"#);
        assert_eq!(holds(&condition, &[("k", value)]), *expected, "{condition} on {value}");
    }
}

#[test]
fn strings() {
    each(&[
        ("StringEquals", r#""a""#, "a", true),
        ("StringEquals", r#""a""#, "A", false),
        ("StringEquals", r#"["a","b"]"#, "b", true),
        ("StringEquals", r#""a*""#, "ab", false),
        ("StringEquals", "5", "5", true),
        ("StringEquals", "true", "true", true),
        ("StringNotEquals", r#""a""#, "b", true),
        ("StringNotEquals", r#"["a","b"]"#, "b", false),
        ("StringEqualsIgnoreCase", r#""Abc""#, "aBC", true),
        ("StringNotEqualsIgnoreCase", r#""Abc""#, "aBC", false),
        ("StringLike", r#""a*c?""#, "abbcd", true),
        ("StringLike", r#""a*c?""#, "abbc", false),
        ("StringLike", r#""a${*}""#, "a*", true),
        ("StringLike", r#""a${*}""#, "ab", false),
        ("StringLike", r#""*a*b*""#, "xaxbx", true),
        ("StringLike", r#""?""#, "ä", true),
        ("StringLike", r#""?""#, "", false),
        ("StringLike", r#""*""#, "", true),
        ("StringNotLike", r#""a*""#, "ab", false),
        ("StringNotLike", r#""a*""#, "b", true),
        ("BinaryEquals", r#""AAE=""#, "AAE=", true),
    ]);
}

#[test]
fn arns() {
    let topic = "arn:aws:sns:eu-west-1:111122223333:events";
    each(&[
        ("ArnEquals", r#""arn:aws:sns:eu-west-1:111122223333:events""#, topic, true),
        ("ArnEquals", r#""arn:aws:sns:*:*:ev*""#, topic, true),
        ("ArnLike", r#""arn:aws:sns:*:111122223333:*""#, topic, true),
        ("ArnLike", r#""arn:aws:sns:*:222222222222:*""#, topic, false),
        ("ArnLike", r#""arn:aws:*:events""#, topic, false),
        ("ArnLike", r#""*""#, topic, true),
        ("ArnLike", r#""arn:*:*:*:*:*""#, "arn:aws:sns", false),
        ("ArnLike", r#""arn:aws:sns:*:*:*""#, "events", false),
        ("ArnLike", r#""arn:aws:sns:*:*:a:*""#, "arn:aws:sns:eu:1:a:b:c", true),
        ("ArnNotEquals", r#""arn:aws:sns:*:*:events""#, topic, false),
        ("ArnNotLike", r#""arn:aws:sns:*:*:other""#, topic, true),
        ("ArnNotLike", r#""arn:aws:sns:*:*:other""#, "no ARN", true),
    ]);
}

#[test]
fn booleans_numbers_dates_and_addresses() {
    each(&[
        ("Bool", r#""true""#, "true", true),
        ("Bool", "true", "True", true),
        ("Bool", r#""false""#, "true", false),
        ("Bool", r#""false""#, "nonsense", false),
        ("NumericEquals", "5", "5.0", true),
        ("NumericNotEquals", "5", "6", true),
        ("NumericLessThan", r#""5""#, "4", true),
        ("NumericLessThan", "5", "5", false),
        ("NumericLessThanEquals", "5", "5", true),
        ("NumericGreaterThan", "5", "10", true),
        ("NumericGreaterThanEquals", "5", "4", false),
        ("NumericEquals", "5", "five", false),
        ("DateGreaterThan", r#""2026-01-01T00:00:00Z""#, "2026-01-01T00:00:01Z", true),
        ("DateGreaterThan", r#""2026-01-01""#, "2025-12-31T23:59:59Z", false),
        ("DateLessThan", r#""2026-01-01T00:00:00Z""#, "1767225599", true),
        ("DateLessThanEquals", "1767225600", "2026-01-01T01:00:00+01:00", true),
        ("DateEquals", r#""2026-01-01T00:00:00Z""#, "2026-01-01", true),
        ("DateNotEquals", r#""2026-01-01T00:00:00Z""#, "2026-01-01", false),
        ("DateGreaterThanEquals", r#""2026-01-01T00:00:00Z""#, "someday", false),
        ("IpAddress", r#""203.0.113.0/24""#, "203.0.113.9", true),
        ("IpAddress", r#""203.0.113.0/24""#, "203.0.114.9", false),
        ("IpAddress", r#""203.0.113.9""#, "203.0.113.9", true),
        ("IpAddress", r#""203.0.113.9/32""#, "203.0.113.8", false),
        ("IpAddress", r#"["10.0.0.0/8","2001:db8::/32"]"#, "2001:db8::1", true),
        ("NotIpAddress", r#""10.0.0.0/8""#, "10.1.1.1", false),
        ("NotIpAddress", r#""10.0.0.0/8""#, "11.1.1.1", true),
    ]);
}

#[test]
fn keys_have_no_case() {
    assert!(holds(r#"{"StringEquals":{"AWS:sourceACCOUNT":"1"}}"#, &[("aws:SourceAccount", "1")]));
}

#[test]
fn all_conditions_must_hold() {
    let both = r#"{"StringEquals":{"a":"1","b":"2"},"Bool":{"aws:SecureTransport":"true"}}"#;
    let full: Context<'_> = &[("a", "1"), ("b", "2"), ("aws:SecureTransport", "true")];
    assert!(holds(both, full));
    assert!(!holds(both, &full[..2]));
    assert!(!holds(both, &full[1..]));
    assert!(holds("{}", &[]));
}

#[test]
fn a_key_that_is_not_there() {
    let cases = [
        (r#"{"StringEquals":{"k":"a"}}"#, false),
        (r#"{"StringNotEquals":{"k":"a"}}"#, true),
        (r#"{"ArnNotLike":{"k":"arn:aws:sns:*:*:*"}}"#, true),
        (r#"{"NotIpAddress":{"k":"10.0.0.0/8"}}"#, true),
        (r#"{"StringEqualsIfExists":{"k":"a"}}"#, true),
        (r#"{"BoolIfExists":{"k":"true"}}"#, true),
        (r#"{"Bool":{"k":"false"}}"#, false),
        (r#"{"NumericLessThan":{"k":"5"}}"#, false),
        (r#"{"Null":{"k":"true"}}"#, true),
        (r#"{"Null":{"k":false}}"#, false),
        (r#"{"ForAllValues:StringEquals":{"k":"a"}}"#, true),
        (r#"{"ForAnyValue:StringEquals":{"k":"a"}}"#, false),
        (r#"{"ForAnyValue:StringNotEquals":{"k":"a"}}"#, false),
        (r#"{"ForAnyValue:StringEqualsIfExists":{"k":"a"}}"#, true),
        (r#"{"Null":{"k":["true","false"]}}"#, true),
    ];
    for (condition, expected) in cases {
        assert_eq!(holds(condition, &[]), expected, "{condition}");
    }
    assert!(!holds(r#"{"StringEqualsIfExists":{"k":"a"}}"#, &[("k", "b")]));
    assert!(!holds(r#"{"Null":{"k":"true"}}"#, &[("k", "b")]));
    assert!(holds(r#"{"Null":{"k":"false"}}"#, &[("k", "b")]));
}

#[test]
fn keys_with_several_values() {
    let values: Context<'_> = &[("k", "a"), ("k", "b")];
    let cases = [
        (r#"{"ForAllValues:StringEquals":{"k":["a","b","c"]}}"#, true),
        (r#"{"ForAllValues:StringEquals":{"k":["a"]}}"#, false),
        (r#"{"ForAnyValue:StringEquals":{"k":["a"]}}"#, true),
        (r#"{"ForAnyValue:StringEquals":{"k":["c"]}}"#, false),
        (r#"{"ForAnyValue:StringNotEquals":{"k":["a"]}}"#, true),
        (r#"{"ForAllValues:StringNotEquals":{"k":["a"]}}"#, false),
        (r#"{"ForAllValues:StringNotLike":{"k":["c*"]}}"#, true),
        (r#"{"ForAnyValue:StringLikeIfExists":{"k":"b*"}}"#, true),
    ];
    for (condition, expected) in cases {
        assert_eq!(holds(condition, values), expected, "{condition}");
    }
}
