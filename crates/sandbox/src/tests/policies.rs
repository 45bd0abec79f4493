//! Who may do what with a queue: semantics 2.3, 3.4 for services, the policy language of IAM for
//! the rest.

use serde_json::{Value, json};

use super::{World, arn};
use crate::acting::Acting;
use crate::fact::Fact;
use crate::sqs::{Refusal, SendMessage, ServiceSend};

const OTHER: &str = "668614515564";
const TOPIC: &str = "arn:aws:sns:eu-central-1:123456789012:t";

fn world(policy: Value) -> World {
    let mut world = World::new();
    world.create("q", &[("Policy", &policy.to_string())]);
    world
}

fn statement(effect: &str, principal: Value, more: Value) -> Value {
    let mut statement = json!({
        "Effect": effect, "Principal": principal, "Action": "sqs:SendMessage", "Resource": arn("q"),
    });
    let members = statement.as_object_mut().expect("an object");
    members.extend(more.as_object().expect("an object").clone());
    json!({ "Version": "2012-10-17", "Statement": [statement] })
}

fn sns(world: &mut World, topic: &str) -> Result<(), Refusal> {
    let message = SendMessage { message_body: Some("m".into()), ..SendMessage::default() };
    let queue_arn = &arn("q");
    let acting = Acting::Service { name: "sns.amazonaws.com", source_arn: topic };
    let send = ServiceSend { queue_arn, acting, message };
    world.operate(|core, now| core.send_as_service(now, send)).map(|_| ())
}

fn call(world: &mut World, account: &str, operation: &str) -> Result<(), String> {
    let id = world.id("q");
    let place = world.core.places.at(account, "eu-central-1");
    world
        .operate(|core, now| core.authorize(now, id, place, operation))
        .map_err(|error| format!("{} {}: {}", error.status.as_u16(), error.query_code, error.message))
}

#[test]
fn a_service_needs_a_statement_that_allows_it() {
    let mut world = World::new();
    world.create("q", &[]);
    assert_eq!(sns(&mut world, TOPIC), Err(Refusal::Denied));
    assert_eq!(
        world.facts(),
        [Fact::Denied {
            queue: "q".into(),
            principal: "sns.amazonaws.com".into(),
            action: "SendMessage".into()
        }]
    );
    assert_eq!(world.depth("q"), (0, 0, 0));
    let allowed = statement("Allow", json!({ "Service": "sns.amazonaws.com" }), json!({}));
    world.set("q", "Policy", &allowed.to_string()).expect("set");
    assert_eq!(sns(&mut world, TOPIC), Ok(()));
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn conditions_tell_services_from_accounts() {
    let user = format!("arn:aws:iam::{OTHER}:root");
    for (key, value, is_service) in [
        ("aws:PrincipalIsAWSService", "true", true),
        ("aws:PrincipalIsAWSService", "false", false),
        ("aws:PrincipalServiceName", "sns.amazonaws.com", true),
        ("aws:PrincipalServiceNamesList", "sns.amazonaws.com", true),
        ("aws:SourceOwner", "123456789012", true),
        ("aws:PrincipalArn", &user, false),
    ] {
        let condition = json!({ "Condition": { "StringEquals": { key: value } } });
        let mut world = world(statement("Allow", json!("*"), condition));
        assert_eq!(sns(&mut world, TOPIC).is_ok(), is_service, "{key}");
        assert_eq!(call(&mut world, OTHER, "SendMessage").is_ok(), !is_service, "{key}");
    }
}

#[test]
fn a_condition_on_the_source_arn_is_kept() {
    let condition = json!({ "Condition": { "ArnEquals": { "aws:SourceArn": TOPIC } } });
    let mut world = world(statement("Allow", json!({ "Service": "sns.amazonaws.com" }), condition));
    assert_eq!(sns(&mut world, TOPIC), Ok(()));
    assert_eq!(sns(&mut world, "arn:aws:sns:eu-central-1:123456789012:other"), Err(Refusal::Denied));
}

#[test]
fn a_queue_that_is_not_there_is_told_apart_from_one_that_denies() {
    let mut world = World::new();
    assert_eq!(sns(&mut world, TOPIC), Err(Refusal::NoQueue));
}

#[test]
fn the_owner_may_do_everything_that_is_not_denied() {
    let mut world = World::new();
    world.create("q", &[]);
    assert_eq!(call(&mut world, "123456789012", "SendMessage"), Ok(()));
    let denied = statement("Deny", json!("*"), json!({}));
    world.set("q", "Policy", &denied.to_string()).expect("set");
    assert_eq!(call(&mut world, "123456789012", "ReceiveMessage"), Ok(()));
    assert_eq!(
        call(&mut world, "123456789012", "SendMessageBatch"),
        Err("403 AccessDenied: User: arn:aws:iam::123456789012:root is not authorized to perform: sqs:sendmessage on \
             resource: arn:aws:sqs:eu-central-1:123456789012:q with an explicit deny in a resource-based policy"
            .into())
    );
}

#[test]
fn another_account_needs_a_statement_that_allows_it() {
    let mut world = World::new();
    world.create("q", &[]);
    assert_eq!(
        call(&mut world, OTHER, "SendMessage"),
        Err(format!(
            "403 AccessDenied: User: arn:aws:iam::{OTHER}:root is not authorized to perform: sqs:sendmessage on resource: \
             arn:aws:sqs:eu-central-1:123456789012:q because no resource-based policy allows the sqs:sendmessage action"
        ))
    );
    let allowed = statement("Allow", json!({ "AWS": OTHER }), json!({ "Action": "sqs:*" }));
    world.set("q", "Policy", &allowed.to_string()).expect("set");
    assert_eq!(call(&mut world, OTHER, "SendMessageBatch"), Ok(()));
    assert_eq!(call(&mut world, "111111111111", "SendMessage").map_err(|text| text.len() > 20), Err(true));
    // Some operations are the owner's alone.
    assert!(call(&mut world, OTHER, "DeleteQueue").is_err());
}

#[test]
fn a_deny_of_calls_in_the_clear_locks_nobody_out_of_a_sandbox() {
    let condition = json!({ "Condition": { "Bool": { "aws:SecureTransport": "false" } } });
    let mut world = world(statement("Deny", json!("*"), condition));
    assert_eq!(call(&mut world, "123456789012", "SendMessage"), Ok(()));
}

#[test]
fn what_is_no_policy_is_refused_and_the_empty_one_removes() {
    let mut world = world(statement("Allow", json!("*"), json!({})));
    for text in ["x", "[]", "{}", r#"{"Statement":[]}"#] {
        let error = world.set("q", "Policy", text).expect_err("refused");
        assert_eq!(
            (error.shape_name(), error.message.as_str()),
            ("InvalidAttributeValue", "Invalid value for the parameter Policy.")
        );
    }
    let many: Vec<_> = (0..21)
        .map(|n| json!({ "Sid": n.to_string(), "Effect": "Allow", "Principal": "*", "Action": "sqs:*", "Resource": "*" }))
        .collect();
    let error = world.set("q", "Policy", &json!({ "Version": "2012-10-17", "Statement": many }).to_string());
    assert_eq!(
        error.expect_err("refused").message,
        "21 statements were found in the submitted policy, max allowed is 20"
    );
    // A resource that is no ARN is taken, as AWS does.
    let odd = statement("Allow", json!({ "AWS": "*" }), json!({ "Resource": "'$sqs_queue_arn'" }));
    world.set("q", "Policy", &odd.to_string()).expect("set");
    world.set("q", "Policy", "").expect("set");
    let names = crate::sqs::parse(json!({ "AttributeNames": ["All"] })).expect("an input");
    let attributes = super::value(
        world.on("q", |core, now, id| core.get_queue_attributes(now, id, names)).expect("given"),
    );
    assert!(attributes["Attributes"].get("Policy").is_none());
}
