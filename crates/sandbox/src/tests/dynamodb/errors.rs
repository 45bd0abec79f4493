//! Errors have the names, the texts and the members that clients read.

use serde_json::json;

use super::super::World;
use super::table;

#[test]
fn a_table_that_is_not_there_is_not_found() {
    let mut world = World::new();
    let key = json!({ "TableName": "marks", "Key": { "id": { "S": "a" } } });
    let refusal = world.try_tables("GetItem", key).expect_err("no table");
    assert_eq!(refusal.shape, "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException");
    assert_eq!((refusal.status.as_u16(), &*refusal.message), (400, "Requested resource not found"));
}

#[test]
fn a_table_that_is_there_is_in_use() {
    let mut world = World::with_table();
    let refusal = world.try_tables("CreateTable", table("marks")).expect_err("it is there");
    assert_eq!(refusal.shape_name(), "ResourceInUseException");
}

#[test]
fn a_message_speaks_of_the_caller_s_account_and_region() {
    let mut world = World::new();
    let input = json!({ "ResourceArn": "arn:aws:dynamodb:eu-central-1:123456789012:table/none" });
    let refusal = world.try_tables("ListTagsOfResource", input).expect_err("no table");
    assert!(!refusal.message.contains("dynoxide"), "{}", refusal.message);
}

#[test]
fn bad_input_is_a_matter_of_validation() {
    let mut world = World::with_table();
    for (operation, input) in [
        ("PutItem", json!({ "TableName": "marks" })),
        ("PutItem", json!({ "TableName": "marks", "Item": { "id": {} } })),
        ("PutItem", json!({ "TableName": "marks", "Item": { "id": { "N": "1" } } })),
        ("PutItem", json!({ "TableName": "marks", "Item": { "other": { "S": "1" } } })),
        ("Query", json!({ "TableName": "marks", "KeyConditionExpression": "id = :id" })),
        (
            "UpdateItem",
            json!({ "TableName": "marks", "Key": { "id": { "S": "a" } }, "UpdateExpression": "SET" }),
        ),
        (
            "PutItem",
            json!({ "TableName": "marks", "Item": { "id": { "S": "a" } }, "ReturnValues": "ALL_NEW" }),
        ),
    ] {
        let refusal = world.try_tables(operation, input.clone()).expect_err("it is bad");
        let text = format!("{operation} {input}: {}", refusal);
        assert_eq!(refusal.shape_name(), "ValidationException", "{text}");
        for mark in ["VALIDATION", "SERIALIZATION"] {
            assert!(!refusal.message.starts_with(mark), "{text}");
        }
    }
}

#[test]
fn an_operation_that_is_not_built_says_so() {
    let refusal = World::new().try_tables("ExportTableToPointInTime", json!({})).expect_err("not built");
    assert_eq!(refusal.status.as_u16(), 501);
    assert!(refusal.message.contains("ExportTableToPointInTime is not implemented"));
}
