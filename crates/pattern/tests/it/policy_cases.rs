//! Resource policies: who may do what to which resource. The conditions have a file of their own.

use havoq_pattern::{AccessRequest, Decision, Policy, Principal};

use Decision::{Allow, ExplicitDeny, NoStatement};

const QUEUE: &str = "arn:aws:sqs:eu-west-1:111122223333:orders";
const SNS: Principal<'static> = Principal::Service("sns.amazonaws.com");
const OWNER: Principal<'static> = Principal::Account { id: "111122223333", arn: None };
const ALICE: Principal<'static> =
    Principal::Account { id: "444455556666", arn: Some("arn:aws:iam::444455556666:user/alice") };

fn decide(policy: &str, request: AccessRequest<'_>) -> Decision {
    Policy::parse(policy).unwrap_or_else(|bad| panic!("{policy}: {bad}")).decide(&request)
}

fn send(principal: Principal<'_>) -> AccessRequest<'_> {
    AccessRequest { principal, action: "sqs:SendMessage", resource: QUEUE, context: &[] }
}

/// A policy of one statement that allows.
fn allow(principal: &str, action: &str, resource: &str) -> String {
    format!(r#"{{"Version":"2012-10-17","Statement":{{"Effect":"Allow",{principal},{action},{resource}}}}}"#)
}

fn by_principal(principal: &str) -> String {
    allow(principal, r#""Action":"sqs:*""#, r#""Resource":"*""#)
}

#[test]
fn the_policy_that_lets_a_topic_send_to_a_queue() {
    let policy = format!(
        r#"{{"Version":"2012-10-17","Id":"q","Statement":[{{"Sid":"topic","Effect":"Allow",
            "Principal":{{"Service":"sns.amazonaws.com"}},"Action":"sqs:SendMessage","Resource":"{QUEUE}",
            "Condition":{{"ArnEquals":{{"aws:SourceArn":"arn:aws:sns:eu-west-1:111122223333:events"}}}}}}]}}"#
    );
    let from = |arn: &'static str| [("aws:SourceArn", arn)];
    let ask = |context: &[(&str, &str)]| decide(&policy, AccessRequest { context, ..send(SNS) });
    assert_eq!(ask(&from("arn:aws:sns:eu-west-1:111122223333:events")), Allow);
    assert_eq!(ask(&from("arn:aws:sns:eu-west-1:111122223333:other")), NoStatement);
    assert_eq!(ask(&[]), NoStatement);
    assert_eq!(decide(&policy, send(OWNER)), NoStatement);
    let receive = AccessRequest { action: "sqs:ReceiveMessage", ..send(SNS) };
    assert_eq!(decide(&policy, receive), NoStatement);
}

#[test]
fn principals() {
    let cases: &[(&str, &[Principal<'_>], &[Principal<'_>])] = &[
        (r#""Principal":"*""#, &[SNS, OWNER, ALICE, Principal::Anonymous], &[]),
        (r#""Principal":{"AWS":"*"}"#, &[SNS, OWNER, ALICE, Principal::Anonymous], &[]),
        (r#""Principal":{"AWS":"111122223333"}"#, &[OWNER], &[SNS, ALICE, Principal::Anonymous]),
        (r#""Principal":{"AWS":["arn:aws:iam::111122223333:root"]}"#, &[OWNER], &[SNS, ALICE]),
        (r#""Principal":{"AWS":"arn:aws:iam::444455556666:user/alice"}"#, &[ALICE], &[OWNER, SNS]),
        (r#""Principal":{"AWS":"arn:aws:iam::444455556666:user/bob"}"#, &[], &[ALICE]),
        (r#""Principal":{"AWS":"444455556666"}"#, &[ALICE], &[OWNER]),
        (
            r#""Principal":{"Service":"sns.amazonaws.com"}"#,
            &[SNS],
            &[OWNER, Principal::Service("s3.amazonaws.com")],
        ),
        (r#""Principal":{"Service":"*"}"#, &[SNS], &[OWNER, Principal::Anonymous]),
        (r#""Principal":{"Service":["events.amazonaws.com"],"AWS":"111122223333"}"#, &[OWNER], &[SNS]),
        (r#""Principal":{"Federated":"cognito-identity.amazonaws.com"}"#, &[], &[SNS, OWNER]),
        (r#""NotPrincipal":{"AWS":"444455556666"}"#, &[OWNER, SNS], &[ALICE]),
    ];
    for (principal, in_it, out) in cases {
        for principal_in in *in_it {
            assert_eq!(
                decide(&by_principal(principal), send(*principal_in)),
                Allow,
                "{principal} {principal_in:?}"
            );
        }
        for principal_out in *out {
            let decision = decide(&by_principal(principal), send(*principal_out));
            assert_eq!(decision, NoStatement, "{principal} {principal_out:?}");
        }
    }
}

#[test]
fn actions_have_no_case_and_may_have_wildcards() {
    let cases = [
        (r#""Action":"sqs:SendMessage""#, true),
        (r#""Action":"SQS:SendMessage""#, true),
        (r#""Action":"sqs:sendmessage""#, true),
        (r#""Action":"SQS:*""#, true),
        (r#""Action":"*""#, true),
        (r#""Action":"sqs:Send*""#, true),
        (r#""Action":"sqs:?endMessage""#, true),
        (r#""Action":["sqs:ReceiveMessage","sqs:SendMessage"]"#, true),
        (r#""Action":"sqs:Receive*""#, false),
        (r#""Action":"sqs:Send""#, false),
        (r#""Action":"sns:*""#, false),
        (r#""NotAction":"sqs:DeleteQueue""#, true),
        (r#""NotAction":["sqs:Send*","sqs:DeleteQueue"]"#, false),
    ];
    for (action, allowed) in cases {
        let policy = allow(r#""Principal":"*""#, action, r#""Resource":"*""#);
        assert_eq!(decide(&policy, send(OWNER)) == Allow, allowed, "{action}");
    }
}

#[test]
fn resources_are_matched_part_by_part() {
    let cases = [
        (r#""Resource":"arn:aws:sqs:eu-west-1:111122223333:orders""#, true),
        (r#""Resource":"arn:aws:sqs:*:111122223333:ord*""#, true),
        (r#""Resource":"arn:aws:sqs:eu-west-?:111122223333:order?""#, true),
        (r#""Resource":"*""#, true),
        // The parts that are missing are any.
        (r#""Resource":"arn:aws:sqs""#, true),
        (r#""Resource":"arn:aws:sqs:eu-west-1:*""#, true),
        (r#""Resource":"arn:aws:sqs:us-*""#, false),
        (r#""Resource":"orders""#, false),
        (r#""Resource":"arn:aws:sqs:eu-west-1:111122223333:Orders""#, false),
        (r#""Resource":"arn:aws:s*orders:*:*:x""#, false),
        (r#""Resource":["arn:aws:sqs:*:*:other","arn:aws:sqs:*:*:orders"]"#, true),
        (r#""NotResource":"arn:aws:sqs:*:*:other""#, true),
        (r#""NotResource":"arn:aws:sqs:*:*:orders""#, false),
        (r#""Sid":"none""#, true),
    ];
    for (resource, allowed) in cases {
        let policy = allow(r#""Principal":"*""#, r#""Action":"*""#, resource);
        assert_eq!(decide(&policy, send(OWNER)) == Allow, allowed, "{resource}");
    }
}

#[test]
fn a_deny_wins_wherever_it_stands() {
    let allow = r#"{"Effect":"Allow","Principal":"*","Action":"sqs:*","Resource":"*"}"#;
    let deny =
        r#"{"Effect":"Deny","Principal":{"AWS":"444455556666"},"Action":"sqs:SendMessage","Resource":"*"}"#;
    for policy in
        [format!(r#"{{"Statement":[{allow},{deny}]}}"#), format!(r#"{{"Statement":[{deny},{allow}]}}"#)]
    {
        assert_eq!(decide(&policy, send(ALICE)), ExplicitDeny);
        assert_eq!(decide(&policy, send(OWNER)), Allow);
        assert_eq!(decide(&policy, AccessRequest { action: "sqs:ReceiveMessage", ..send(ALICE) }), Allow);
    }
    let alone = format!(r#"{{"Statement":{deny}}}"#);
    assert_eq!(decide(&alone, send(ALICE)), ExplicitDeny);
    assert_eq!(decide(&alone, send(OWNER)), NoStatement);
}

#[test]
fn a_topic_and_a_bus_have_policies_of_the_same_kind() {
    let topic = r#"{"Version":"2008-10-17","Id":"__default_policy_ID","Statement":[{"Sid":"__default_statement_ID",
        "Effect":"Allow","Principal":{"AWS":"*"},"Action":["SNS:Publish","SNS:Subscribe"],
        "Resource":"arn:aws:sns:eu-west-1:111122223333:events",
        "Condition":{"StringEquals":{"AWS:SourceOwner":"111122223333"}}}]}"#;
    let publish = |owner: &'static str| AccessRequest {
        principal: OWNER,
        action: "sns:Publish",
        resource: "arn:aws:sns:eu-west-1:111122223333:events",
        context: if owner == "111122223333" { &[("aws:SourceOwner", "111122223333")] } else { &[] },
    };
    assert_eq!(decide(topic, publish("111122223333")), Allow);
    assert_eq!(decide(topic, publish("nobody")), NoStatement);
    let bus = allow(
        r#""Principal":{"AWS":"444455556666"}"#,
        r#""Action":"events:PutEvents""#,
        r#""Resource":"arn:aws:events:eu-west-1:111122223333:event-bus/default""#,
    );
    let put = AccessRequest {
        principal: ALICE,
        action: "events:PutEvents",
        resource: "arn:aws:events:eu-west-1:111122223333:event-bus/default",
        context: &[],
    };
    assert_eq!(decide(&bus, put), Allow);
    assert!(
        Policy::parse(&bus).is_ok_and(|policy| policy.stays_within("events") && !policy.stays_within("sqs"))
    );
}
