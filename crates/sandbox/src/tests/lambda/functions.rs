//! The operations on functions.

use serde_json::{Value, json};

use super::{ROLE, ZIP, function_arn};
use crate::tests::{World, text};

fn create(more: Value) -> Value {
    let mut members = json!({
        "FunctionName": "f", "Role": ROLE, "Runtime": "python3.13", "Handler": "h.h", "Code": { "ZipFile": ZIP },
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        members[name] = value.clone();
    }
    members
}

fn refused(more: Value) -> String {
    World::new().lambda_error("CreateFunction", create(more))
}

#[test]
fn a_function_is_told_with_the_defaults() {
    let mut world = World::new();
    let mut created = world.lambda_ok("CreateFunction", create(json!({})));
    let revision = text(&created["RevisionId"].take());
    let expected = json!({
        "FunctionName": "f",
        "FunctionArn": function_arn("f"),
        "Runtime": "python3.13",
        "Role": ROLE,
        "Handler": "h.h",
        "CodeSize": 22,
        "CodeSha256": "jzl/PHDJ23VMrsC92g6wMiX0qtqeTzaVUsLWkSGxXPA=",
        "Description": "",
        "Timeout": 3,
        "MemorySize": 128,
        "LastModified": "2027-01-15T08:00:00.000+0000",
        "Version": "$LATEST",
        "Environment": { "Variables": {} },
        "TracingConfig": { "Mode": "PassThrough" },
        "RevisionId": null,
        "State": "Active",
        "LastUpdateStatus": "Successful",
        "PackageType": "Zip",
        "Architectures": ["x86_64"],
        "EphemeralStorage": { "Size": 512 },
        "LoggingConfig": { "LogFormat": "Text", "LogGroup": "/aws/lambda/f" },
    });
    created["CodeSha256"] = expected["CodeSha256"].clone();
    assert_eq!(created, expected);
    for name in ["f", "f:$LATEST", &function_arn("f"), "123456789012:function:f"] {
        let got = world.lambda_ok("GetFunctionConfiguration", json!({ "FunctionName": name }));
        assert_eq!(got["RevisionId"], *revision);
    }
}

#[test]
fn a_function_s_settings_can_be_changed() {
    let mut world = World::new();
    world.lambda_ok("CreateFunction", create(json!({ "Tags": { "a": "b" } })));
    let before = world.lambda_ok("GetFunction", json!({ "FunctionName": "f" }));
    assert_eq!(before["Tags"], json!({ "a": "b" }));
    world.pass(60);
    let change = json!({
        "FunctionName": "f", "Timeout": 10, "MemorySize": 512, "Environment": { "Variables": { "A": "a" } },
        "Description": "d", "Handler": "other.h",
    });
    let changed = world.lambda_ok("UpdateFunctionConfiguration", change);
    assert_eq!((&changed["Timeout"], &changed["MemorySize"]), (&json!(10), &json!(512)));
    assert_eq!(changed["Environment"], json!({ "Variables": { "A": "a" } }));
    assert_eq!(changed["Runtime"], "python3.13", "what is not given stays");
    assert_ne!(changed["RevisionId"], before["Configuration"]["RevisionId"]);
    assert_eq!(changed["LastModified"], "2027-01-15T08:01:00.000+0000");
    let stale =
        json!({ "FunctionName": "f", "RevisionId": before["Configuration"]["RevisionId"], "Timeout": 3 });
    assert!(
        world.lambda_error("UpdateFunctionConfiguration", stale).starts_with("PreconditionFailedException")
    );
}

#[test]
fn code_can_be_changed_and_must_be_an_archive() {
    let mut world = World::new();
    world.lambda_ok("CreateFunction", create(json!({})));
    let same = world.lambda_ok("UpdateFunctionCode", json!({ "FunctionName": "f", "ZipFile": ZIP }));
    assert_eq!(same["CodeSize"], 22);
    assert_eq!(
        world.lambda_error("UpdateFunctionCode", json!({ "FunctionName": "f", "ZipFile": "eA==" })),
        "InvalidParameterValueException: Could not unzip uploaded file. Please check your file, then try to upload \
         again."
    );
}

#[test]
fn functions_are_listed_by_name_in_pages() {
    let mut world = World::new();
    for name in ["b", "a", "c"] {
        world.function(name, 3);
    }
    let page = |listed: &Value| -> Vec<String> {
        listed["Functions"].as_array().into_iter().flatten().map(|one| text(&one["FunctionName"])).collect()
    };
    let first = world.lambda_ok("ListFunctions", json!({ "MaxItems": 2 }));
    assert_eq!(page(&first), ["a", "b"]);
    let second = world.lambda_ok("ListFunctions", json!({ "Marker": first["NextMarker"] }));
    assert_eq!((page(&second), second.get("NextMarker")), (vec!["c".to_owned()], None));
}

#[test]
fn a_deleted_function_is_not_found() {
    let mut world = World::new();
    world.function("f", 3);
    let of = json!({ "FunctionName": "f" });
    assert_eq!(
        world.lambda_error("DeleteFunction", json!({ "FunctionName": "f", "Qualifier": "$LATEST" })),
        "InvalidParameterValueException: $LATEST version cannot be deleted without deleting the function."
    );
    world.lambda_ok("DeleteFunction", of.clone());
    let text = format!("ResourceNotFoundException: Function not found: {}", function_arn("f"));
    for operation in ["DeleteFunction", "GetFunction", "GetFunctionConfiguration", "GetFunctionConcurrency"] {
        assert_eq!(world.lambda_error(operation, of.clone()), text, "{operation}");
    }
    let version = json!({ "FunctionName": "f", "Qualifier": "1221" });
    assert_eq!(world.lambda_error("GetFunction", version), format!("{text}:1221"));
}

#[test]
fn what_cannot_be_a_function_is_refused() {
    assert!(refused(json!({ "FunctionName": "a b" })).starts_with("ValidationException: 1 validation error"));
    assert_eq!(
        refused(json!({ "Timeout": 901 })),
        "ValidationException: 1 validation error detected: Value '901' at 'timeout' failed to satisfy constraint: \
         Member must have value less than or equal to 900"
    );
    assert!(refused(json!({ "Role": "r" })).contains("at 'role'"));
    assert_eq!(
        refused(json!({ "Runtime": null })),
        "InvalidParameterValueException: Runtime is required for functions with deployment package type Zip."
    );
    assert_eq!(
        refused(json!({ "Code": {} })),
        "InvalidParameterValueException: Please provide a source for function code."
    );
    let large = refused(json!({ "Environment": { "Variables": { "A": "x".repeat(4_096) } } }));
    assert!(large.contains("exceeded the 4KB limit. String measured: {\"A\":\"xxx"), "{large}");
    let fifo = json!({ "DeadLetterConfig": { "TargetArn": "arn:aws:sqs:eu-central-1:123456789012:q.fifo" } });
    assert!(refused(fifo).starts_with("InvalidParameterValueException"));
    let mut world = World::new();
    world.function("f", 3);
    assert_eq!(
        world.lambda_error("CreateFunction", create(json!({}))),
        "ResourceConflictException: Function already exist: f"
    );
}

#[test]
fn tags_are_kept() {
    let mut world = World::new();
    world.function("f", 3);
    let resource = function_arn("f");
    world.lambda_ok("TagResource", json!({ "Resource": resource, "Tags": { "A": "1", "B": "2" } }));
    world.lambda_ok("UntagResource", json!({ "Resource": resource, "TagKeys": ["A", "C"] }));
    assert_eq!(world.lambda_ok("ListTags", json!({ "Resource": resource }))["Tags"], json!({ "B": "2" }));
    assert_eq!(
        world.lambda_error("ListTags", json!({ "Resource": format!("{resource}:1") })),
        "InvalidParameterValueException: Tags on function aliases and versions are not supported. Please specify a \
         function ARN."
    );
}

#[test]
fn reserved_concurrency_is_kept_and_leaves_100_for_others() {
    let mut world = World::new();
    world.function("f", 3);
    world.function("g", 3);
    let put =
        |name: &str, reserved: u32| json!({ "FunctionName": name, "ReservedConcurrentExecutions": reserved });
    assert_eq!(
        world.lambda_ok("PutFunctionConcurrency", put("f", 899)),
        json!({ "ReservedConcurrentExecutions": 899 })
    );
    assert_eq!(
        world.lambda_error("PutFunctionConcurrency", put("g", 2)),
        "InvalidParameterValueException: Specified ReservedConcurrentExecutions for function decreases account's \
         UnreservedConcurrentExecution below its minimum value of [100]."
    );
    let of = json!({ "FunctionName": "f" });
    world.lambda_ok("DeleteFunctionConcurrency", of.clone());
    assert_eq!(world.lambda_ok("GetFunctionConcurrency", of), json!({}));
    assert_eq!(
        world.lambda_error("PutFunctionConcurrency", put("f:1", 1)),
        "InvalidParameterValueException: This operation is permitted on Lambda functions only. Aliases and versions do \
         not support this operation. Please specify either a function name or an unqualified function ARN."
    );
    assert_eq!(
        world.lambda_error("PutFunctionConcurrency", put("h", 1)),
        format!("ResourceNotFoundException: Function not found: {}:$LATEST", function_arn("h"))
    );
}

#[test]
fn how_events_are_tried_again_is_configured_and_told() {
    let mut world = World::new();
    world.function("f", 3);
    let of = json!({ "FunctionName": "f" });
    let none = format!(
        "ResourceNotFoundException: The function {}:$LATEST doesn't have an EventInvokeConfig",
        function_arn("f")
    );
    assert_eq!(world.lambda_error("GetFunctionEventInvokeConfig", of.clone()), none);
    let put = json!({ "FunctionName": "f", "MaximumEventAgeInSeconds": 60 });
    let put = world.lambda_ok("PutFunctionEventInvokeConfig", put);
    assert_eq!(
        put,
        json!({
            "FunctionArn": format!("{}:$LATEST", function_arn("f")),
            "LastModified": 1_800_000_000.0,
            "MaximumEventAgeInSeconds": 60,
            "DestinationConfig": { "OnSuccess": {}, "OnFailure": {} },
        })
    );
    let update = json!({ "FunctionName": "f", "MaximumRetryAttempts": 1 });
    let updated = world.lambda_ok("UpdateFunctionEventInvokeConfig", update);
    assert_eq!(
        (&updated["MaximumRetryAttempts"], &updated["MaximumEventAgeInSeconds"]),
        (&json!(1), &json!(60))
    );
    let listed = world.lambda_ok("ListFunctionEventInvokeConfigs", of.clone());
    assert_eq!(listed["FunctionEventInvokeConfigs"], json!([updated]));
    world.lambda_ok("DeleteFunctionEventInvokeConfig", of.clone());
    assert_eq!(world.lambda_error("DeleteFunctionEventInvokeConfig", of), none);
}

#[test]
fn what_cannot_be_a_destination_is_refused() {
    let mut world = World::new();
    world.function("f", 3);
    let mut refused = |arn: &str| {
        let config =
            json!({ "FunctionName": "f", "DestinationConfig": { "OnFailure": { "Destination": arn } } });
        world.lambda_error("PutFunctionEventInvokeConfig", config)
    };
    let gone = function_arn("gone");
    assert_eq!(
        refused(&gone),
        format!("InvalidParameterValueException: The destination ARN {gone} is invalid.")
    );
    assert_eq!(
        refused(&function_arn("f")),
        "InvalidParameterValueException: You can't specify the function as a destination for itself."
    );
    assert!(refused("arn:aws:sqs:eu-central-1:123456789012:q.fifo").contains("is invalid"));
    let nothing = world.lambda_error("PutFunctionEventInvokeConfig", json!({ "FunctionName": "f" }));
    assert_eq!(
        nothing,
        "InvalidParameterValueException: You must specify at least one of error handling or destination setting."
    );
    let unknown = json!({ "FunctionName": "g", "MaximumRetryAttempts": 1 });
    assert_eq!(
        world.lambda_error("PutFunctionEventInvokeConfig", unknown),
        "ResourceNotFoundException: The function doesn't exist."
    );
}
