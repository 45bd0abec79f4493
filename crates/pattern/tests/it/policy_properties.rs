//! What holds for any resource policy and any request.

use havoq_pattern::{AccessRequest, Decision, Policy, Principal};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Few values, so that statements apply to requests.
fn pick(values: &[&'static str]) -> impl Strategy<Value = &'static str> + Clone {
    proptest::sample::select(values.to_vec())
}

fn principal() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!("*")),
        pick(&["111122223333", "arn:aws:iam::444455556666:root"]).prop_map(|text| json!({ "AWS": text })),
        pick(&["sns.amazonaws.com", "s3.amazonaws.com"]).prop_map(|text| json!({ "Service": [text] })),
    ]
}

fn condition() -> impl Strategy<Value = Value> {
    let operators = &["StringEquals", "StringNotLike", "StringLikeIfExists", "ForAllValues:StringEquals"];
    (pick(operators), pick(&["a", "b*", "*"])).prop_map(|(operator, text)| json!({ operator: { "k": text } }))
}

fn statement() -> impl Strategy<Value = Value> {
    (
        pick(&["Allow", "Deny"]),
        (pick(&["Principal", "NotPrincipal"]), principal()),
        (pick(&["Action", "NotAction"]), pick(&["*", "sqs:*", "SQS:SendMessage", "sqs:Receive*"])),
        (pick(&["Resource", "NotResource"]), pick(&["*", "arn:aws:sqs:*:*:orders", "arn:aws:sqs:*:*:o?"])),
        proptest::option::of(condition()),
    )
        .prop_map(|(effect, who, what, which, condition)| {
            let mut statement = json!({ "Effect": effect, who.0: who.1, what.0: what.1, which.0: which.1 });
            if let Some(condition) = condition {
                statement["Condition"] = condition;
            }
            statement
        })
}

fn asks() -> impl Strategy<Value = Principal<'static>> {
    proptest::sample::select(vec![
        Principal::Anonymous,
        Principal::Service("sns.amazonaws.com"),
        Principal::Account { id: "111122223333", arn: None },
        Principal::Account { id: "444455556666", arn: Some("arn:aws:iam::444455556666:user/a") },
    ])
}

fn request() -> impl Strategy<Value = AccessRequest<'static>> {
    const CONTEXTS: [&[(&str, &str)]; 4] = [&[], &[("k", "a")], &[("K", "b1")], &[("k", "a"), ("k", "c")]];
    let actions = pick(&["sqs:SendMessage", "sqs:ReceiveMessage", "sns:Publish"]);
    let resources =
        pick(&["arn:aws:sqs:eu-west-1:111122223333:orders", "arn:aws:sqs:eu-west-1:111122223333:ox"]);
    (asks(), actions, resources, proptest::sample::select(CONTEXTS.to_vec())).prop_map(
        |(principal, action, resource, context)| AccessRequest { principal, action, resource, context },
    )
}

fn decide(statements: &[Value], request: &AccessRequest<'_>) -> Decision {
    Policy::parse(&json!({ "Statement": statements }).to_string()).expect("a policy").decide(request)
}

fn any_json() -> impl Strategy<Value = Value> {
    let words = &[
        "Version",
        "Statement",
        "Effect",
        "Allow",
        "Principal",
        "AWS",
        "Action",
        "Condition",
        "Bool",
        "*",
        "k",
    ];
    let word = pick(words).prop_map(str::to_owned);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<f64>().prop_map(|number| json!(number)),
        ".{0,8}".prop_map(Value::String),
        word.clone().prop_map(Value::String),
    ];
    leaf.prop_recursive(5, 40, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            proptest::collection::hash_map(word.clone(), inner, 0..5).prop_map(|map| json!(map)),
        ]
    })
}

/// The rule for `*` and `?` as it is said.
fn plain_glob(pattern: &[char], text: &[char]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some(('*', rest)) => (0..=text.len()).any(|at| plain_glob(rest, &text[at..])),
        Some((letter, rest)) => text
            .split_first()
            .is_some_and(|(first, left)| (first == letter || *letter == '?') && plain_glob(rest, left)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn no_json_makes_it_panic(value in any_json(), request in request()) {
        if let Ok(policy) = Policy::parse(&value.to_string()) {
            policy.decide(&request);
        }
        let statement = json!({ "Effect": "Allow", "Principal": "*", "Action": "*", "Condition": value });
        if let Ok(policy) = Policy::parse(&json!({ "Statement": statement }).to_string()) {
            policy.decide(&request);
        }
    }

    #[test]
    fn a_deny_more_allows_nothing_more(
        statements in proptest::collection::vec(statement(), 1..5),
        mut deny in statement(),
        request in request(),
    ) {
        deny["Effect"] = json!("Deny");
        let before = decide(&statements, &request);
        let alone = decide(std::slice::from_ref(&deny), &request);
        let after = decide(&[statements, vec![deny]].concat(), &request);
        prop_assert_eq!(after, if alone == Decision::NoStatement { before } else { Decision::ExplicitDeny });
    }

    #[test]
    fn an_allow_more_denies_nothing_more(
        statements in proptest::collection::vec(statement(), 1..5),
        mut allow in statement(),
        request in request(),
    ) {
        allow["Effect"] = json!("Allow");
        let before = decide(&statements, &request);
        let alone = decide(std::slice::from_ref(&allow), &request);
        let after = decide(&[statements, vec![allow]].concat(), &request);
        prop_assert_eq!(after, if before == Decision::NoStatement { alone } else { before });
    }

    #[test]
    fn the_order_of_statements_means_nothing(
        mut statements in proptest::collection::vec(statement(), 1..5),
        request in request(),
    ) {
        let forward = decide(&statements, &request);
        statements.reverse();
        prop_assert_eq!(decide(&statements, &request), forward);
    }

    #[test]
    fn wildcards_mean_what_they_say(pattern in "[ab*?]{0,8}", text in "[abä]{0,8}") {
        let condition = json!({ "StringLike": { "k": pattern } });
        let statement = json!({ "Effect": "Allow", "Principal": "*", "Action": "*", "Condition": condition });
        let context = [("k", text.as_str())];
        let request = AccessRequest {
            principal: Principal::Anonymous,
            action: "sqs:SendMessage",
            resource: "arn:aws:sqs:eu-west-1:111122223333:orders",
            context: &context,
        };
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        let allowed = decide(&[statement], &request) == Decision::Allow;
        prop_assert_eq!(allowed, plain_glob(&letters(&pattern), &letters(&text)));
    }
}
