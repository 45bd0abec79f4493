//! AddPermission and RemovePermission, with the answers that AWS gave.

use havoq_wire::ServiceError;
use serde_json::{Value, json};

use super::{World, arn, value};
use crate::sqs::parse;

fn world() -> World {
    let mut world = World::new();
    world.create("q", &[]);
    world
}

fn add(world: &mut World, label: &str, accounts: &[&str], actions: &[&str]) -> Result<(), ServiceError> {
    let input = json!({ "Label": label, "AWSAccountIds": accounts, "Actions": actions });
    let input = parse(input).expect("an input");
    world.on("q", |core, now, id| core.add_queue_permission(now, id, input))
}

fn remove(world: &mut World, label: &str) -> Result<(), ServiceError> {
    let input = parse(json!({ "Label": label })).expect("an input");
    world.on("q", |core, now, id| core.remove_queue_permission(now, id, input))
}

fn policy(world: &mut World) -> Option<Value> {
    let input = parse(json!({ "AttributeNames": ["Policy"] })).expect("an input");
    let answer =
        value(world.on("q", |core, now, id| core.get_queue_attributes(now, id, input)).expect("given"));
    let text = answer.get("Attributes")?["Policy"].as_str()?.to_owned();
    Some(serde_json::from_str(&text).expect("JSON"))
}

#[test]
fn a_permission_is_a_statement_of_the_default_policy() {
    let mut world = world();
    add(&mut world, "one", &["123456789012", "668614515564"], &["ReceiveMessage"]).expect("added");
    assert_eq!(
        policy(&mut world),
        Some(json!({
            "Version": "2008-10-17",
            "Id": format!("{}/SQSDefaultPolicy", arn("q")),
            "Statement": [{
                "Sid": "one",
                "Effect": "Allow",
                "Principal": {
                    "AWS": ["arn:aws:iam::123456789012:root", "arn:aws:iam::668614515564:root"],
                },
                "Action": "SQS:ReceiveMessage",
                "Resource": arn("q"),
            }],
        }))
    );
    remove(&mut world, "one").expect("removed");
    assert_eq!(policy(&mut world), None);
}

#[test]
fn a_label_is_unique_and_must_be_there_to_be_removed() {
    let mut world = world();
    add(&mut world, "one", &["123456789012"], &["*"]).expect("added");
    assert_eq!(
        add(&mut world, "one", &["668614515564"], &["*"]).expect_err("refused").message,
        "Value one for parameter Label is invalid. Reason: Already exists."
    );
    add(&mut world, "two", &["123456789012"], &["SendMessage", "DeleteMessage"]).expect("added");
    remove(&mut world, "one").expect("removed");
    let left = policy(&mut world).expect("a policy");
    assert_eq!(left["Statement"][0]["Action"], json!(["SQS:SendMessage", "SQS:DeleteMessage"]));
    assert_eq!(
        remove(&mut world, "one").expect_err("refused").message,
        "Value one for parameter Label is invalid. Reason: can't find label."
    );
}

#[test]
fn it_adds_to_the_policy_that_is_there() {
    let mut world = world();
    let own = json!({
        "Version": "2012-10-17",
        "Statement": { "Sid": "own", "Effect": "Deny", "Principal": "*", "Action": "sqs:*", "Resource": arn("q") },
    });
    world.set("q", "Policy", &own.to_string()).expect("set");
    add(&mut world, "one", &["668614515564"], &["SendMessage"]).expect("added");
    let policy = policy(&mut world).expect("a policy");
    assert_eq!(
        (&policy["Statement"][0]["Sid"], &policy["Statement"][1]["Sid"]),
        (&json!("own"), &json!("one"))
    );
    assert_eq!(policy["Version"], "2012-10-17");
}

#[test]
fn what_is_missing_or_wrong_is_told() {
    let mut world = world();
    let account = &["123456789012"][..];
    for (label, accounts, actions, text) in [
        ("", account, &["SendMessage"][..], "The request must contain the parameter Label."),
        ("l", &[], &["SendMessage"], "The request must contain the parameter AWSAccountIds."),
        ("l", account, &[], "The request must contain the parameter ActionName."),
        (
            "l",
            account,
            &["SendMessageBatch"],
            "Value SQS:SendMessageBatch for parameter ActionName is invalid. Reason: Please refer to the appropriate WSDL \
             for a list of valid actions.",
        ),
        (
            "l",
            account,
            &["CreateQueue"],
            "Value SQS:CreateQueue for parameter ActionName is invalid. Reason: Only the queue owner is allowed to invoke \
             this action.",
        ),
    ] {
        assert_eq!(add(&mut world, label, accounts, actions).expect_err("refused").message, text);
    }
    assert!(remove(&mut world, "").expect_err("refused").message.contains("Label"));
    for n in 0..20 {
        add(&mut world, &n.to_string(), account, &["SendMessage"]).expect("added");
    }
    let error = add(&mut world, "more", account, &["SendMessage"]).expect_err("refused");
    assert_eq!(
        (error.shape_name(), error.message.as_str()),
        ("OverLimit", "21 Statements were found, maximum allowed is 20.")
    );
}
