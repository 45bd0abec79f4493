//! Function policies: AddPermission and its siblings, and what they let others do.

use serde_json::{Value, json};

use super::function_arn;
use crate::place::Place;
use crate::sqs::parse;
use crate::tests::{World, text};

fn add(more: Value) -> Value {
    let mut members = json!({
        "FunctionName": "f", "StatementId": "s3", "Action": "lambda:InvokeFunction",
        "Principal": "s3.amazonaws.com",
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        members[name] = value.clone();
    }
    members
}

fn world() -> World {
    let mut world = World::new();
    world.function("f", 3);
    world
}

#[test]
fn a_permission_is_a_statement_of_the_function_s_policy() {
    let mut world = world();
    let added = world.lambda_ok("AddPermission", add(json!({ "SourceArn": "arn:aws:s3:::b" })));
    let statement: Value = serde_json::from_str(&text(&added["Statement"])).expect("JSON");
    assert_eq!(
        statement,
        json!({
            "Sid": "s3",
            "Effect": "Allow",
            "Principal": { "Service": "s3.amazonaws.com" },
            "Action": "lambda:InvokeFunction",
            "Resource": function_arn("f"),
            "Condition": { "ArnLike": { "AWS:SourceArn": "arn:aws:s3:::b" } },
        })
    );
    let policy = world.lambda_ok("GetPolicy", json!({ "FunctionName": "f" }));
    let policy: Value = serde_json::from_str(&text(&policy["Policy"])).expect("JSON");
    assert_eq!(policy, json!({ "Version": "2012-10-17", "Id": "default", "Statement": [statement] }));
}

#[test]
fn what_narrows_a_permission_becomes_its_conditions() {
    let mut world = world();
    let statement = |more: Value| {
        let mut members = add(more);
        members["Principal"] = json!("*");
        let added = world.lambda_ok("AddPermission", members);
        serde_json::from_str::<Value>(&text(&added["Statement"])).expect("JSON")["Condition"].clone()
    };
    let narrowed: Vec<_> = [
        json!({ "StatementId": "a", "PrincipalOrgID": "o-a1b2c3d4e5", "SourceAccount": "111111111111" }),
        json!({ "StatementId": "b", "FunctionUrlAuthType": "NONE", "InvokedViaFunctionUrl": true }),
        json!({ "StatementId": "c", "EventSourceToken": "t" }),
    ]
    .map(statement)
    .into();
    assert_eq!(
        narrowed,
        [
            json!({ "StringEquals": {
                "aws:PrincipalOrgID": "o-a1b2c3d4e5", "AWS:SourceAccount": "111111111111",
            } }),
            json!({
                "StringEquals": { "lambda:FunctionUrlAuthType": "NONE" },
                "Bool": { "lambda:InvokedViaFunctionUrl": "true" },
            }),
            json!({ "StringEquals": { "lambda:EventSourceToken": "t" } }),
        ]
    );
    let other = world.core.places.at("111111111111", "eu-central-1");
    let input = parse(json!({ "FunctionName": function_arn("f") })).expect("an input");
    let invoked = world.operate(|core, now| core.invoke(now, other, input, "{}".into(), None, "r"));
    assert_eq!(invoked.expect_err("it is denied").shape_name(), "AccessDeniedException");
}

#[test]
fn permissions_are_taken_back_by_their_ids() {
    let mut world = world();
    let remove = |id: &str| json!({ "FunctionName": "f", "StatementId": id });
    assert_eq!(
        world.lambda_error("RemovePermission", remove("s3")),
        "ResourceNotFoundException: No policy is associated with the given resource."
    );
    world.lambda_ok("AddPermission", add(json!({})));
    assert_eq!(
        world.lambda_error("RemovePermission", remove("non-existent")),
        "ResourceNotFoundException: Statement non-existent is not found in resource policy."
    );
    world.lambda_ok("RemovePermission", remove("s3"));
    assert_eq!(
        world.lambda_error("GetPolicy", json!({ "FunctionName": "f" })),
        "ResourceNotFoundException: The resource you requested does not exist."
    );
}

#[test]
fn what_cannot_be_a_permission_is_refused() {
    let mut world = world();
    world.lambda_ok("AddPermission", add(json!({})));
    for (more, error) in [
        (
            json!({}),
            "ResourceConflictException: The statement id (s3) provided already exists. Please provide a new statement \
             id, or remove the existing statement.",
        ),
        (
            json!({ "StatementId": "example.com" }),
            "ValidationException: 1 validation error detected: Value 'example.com' at 'statementId' failed to satisfy \
             constraint: Member must satisfy regular expression pattern: ([a-zA-Z0-9-_]+)",
        ),
        (
            json!({ "StatementId": "x", "Principal": "nobody" }),
            "InvalidParameterValueException: The provided principal was invalid. Please check the principal and try \
             again.",
        ),
        (
            json!({ "StatementId": "x", "Qualifier": "$LATEST" }),
            "InvalidParameterValueException: We currently do not support adding policies for $LATEST.",
        ),
    ] {
        assert_eq!(world.lambda_error("AddPermission", add(more)), error);
    }
}

#[test]
fn another_account_may_invoke_what_the_policy_lets_it_and_nothing_else() {
    let mut world = world();
    let other = world.core.places.at("111111111111", "eu-central-1");
    let invoke = |world: &mut World| {
        let input = parse(json!({ "FunctionName": function_arn("f") })).expect("an input");
        world.operate(|core, now| core.invoke(now, other, input, "{}".into(), None, "r"))
    };
    let denied = invoke(&mut world).expect_err("it is denied");
    assert_eq!(denied.shape_name(), "AccessDeniedException");
    world.lambda_ok("AddPermission", add(json!({ "Principal": "111111111111" })));
    assert!(invoke(&mut world).is_ok());
    let of = parse(json!({ "FunctionName": function_arn("f") })).expect("an input");
    assert!(world.operate(|core, _| core.delete_function(other, of)).is_err());
    world
        .lambda_ok("PutFunctionEventInvokeConfig", json!({ "FunctionName": "f", "MaximumRetryAttempts": 1 }));
    let of = || parse(json!({ "FunctionName": function_arn("f") })).expect("an input");
    assert!(world.operate(|core, _| core.get_event_invoke(other, of())).is_err());
    assert!(world.operate(|core, _| core.delete_event_invoke(other, of())).is_err());
    let own = parse(json!({ "FunctionName": "f" })).expect("an input");
    assert!(world.operate(|core, _| core.get_event_invoke(Place::HOME, own)).is_ok());
    let own = parse(json!({ "FunctionName": "f" })).expect("an input");
    assert!(world.operate(|core, _| core.get_function(Place::HOME, own)).is_ok());
}
