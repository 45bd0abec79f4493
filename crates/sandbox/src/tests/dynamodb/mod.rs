//! DynamoDB: what the sandbox adds to the engine, and what idempotency rests on.

mod errors;
mod http;
mod idempotency;
mod names;
mod times;

use serde_json::{Map, Value, json};

use super::World;
use crate::place::Place;
use havoq_wire::ServiceError;

impl World {
    fn try_tables(&mut self, operation: &str, input: Value) -> Result<Value, ServiceError> {
        self.try_tables_at(Place::HOME, operation, input)
    }

    fn try_tables_at(&mut self, place: Place, operation: &str, input: Value) -> Result<Value, ServiceError> {
        self.operate(|core, now| core.on_tables(now, place, operation, members(input)))
    }

    fn tables(&mut self, operation: &str, input: Value) -> Value {
        self.try_tables(operation, input).expect("it is done")
    }

    /// With the table `t`, whose key is `id`.
    fn with_table() -> Self {
        let mut world = Self::new();
        world.tables("CreateTable", table("marks"));
        world
    }

    fn put_item(&mut self, item: Value) -> Value {
        self.tables("PutItem", json!({ "TableName": "marks", "Item": item }))
    }

    fn get_item(&mut self, id: &str) -> Option<Value> {
        let key = json!({ "TableName": "marks", "Key": { "id": { "S": id } } });
        self.tables("GetItem", key).get("Item").cloned()
    }
}

fn table(name: &str) -> Value {
    json!({
        "TableName": name,
        "KeySchema": [{ "AttributeName": "id", "KeyType": "HASH" }],
        "AttributeDefinitions": [{ "AttributeName": "id", "AttributeType": "S" }],
        "BillingMode": "PAY_PER_REQUEST",
    })
}

fn members(input: Value) -> Map<String, Value> {
    let Value::Object(members) = input else { panic!("an input is an object") };
    members
}
