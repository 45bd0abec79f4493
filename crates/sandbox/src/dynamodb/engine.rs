//! The operations of the engine by their names, from an input in JSON to an output in JSON.

use dynoxide::{Database, DynoxideError};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The operations that the engine does.
macro_rules! operations {
    ($($name:literal => $method:ident,)+) => {
        /// Does an operation; `None` when the engine has none of this name.
        pub(super) fn operate(database: &Database, operation: &str, input: Value) -> Option<Result<Value, DynoxideError>> {
            Some(match operation {
                $($name => read(input).and_then(|request| write(database.$method(request)?)),)+
                _ => return None,
            })
        }
    };
}

operations! {
    "BatchExecuteStatement" => batch_execute_statement,
    "BatchGetItem" => batch_get_item,
    "BatchWriteItem" => batch_write_item,
    "CreateTable" => create_table,
    "DeleteItem" => delete_item,
    "DeleteTable" => delete_table,
    "DescribeTable" => describe_table,
    "DescribeTimeToLive" => describe_time_to_live,
    "ExecuteStatement" => execute_statement,
    "ExecuteTransaction" => execute_transaction,
    "GetItem" => get_item,
    "ListTables" => list_tables,
    "ListTagsOfResource" => list_tags_of_resource,
    "PutItem" => put_item,
    "Query" => query,
    "Scan" => scan,
    "TagResource" => tag_resource,
    "TransactGetItems" => transact_get_items,
    "TransactWriteItems" => transact_write_items,
    "UntagResource" => untag_resource,
    "UpdateItem" => update_item,
    "UpdateTable" => update_table,
    "UpdateTimeToLive" => update_time_to_live,
}

/// Makes an error of a text.
type Kind = fn(String) -> DynoxideError;

/// Marks that the engine puts before the text of what it finds wrong while it reads, and the kinds
/// of error that they stand for.
const MARKS: [(&str, Kind); 5] = [
    ("SERIALIZATION_AS_READ:", DynoxideError::SerializationException),
    ("VALIDATION_AS_READ:", DynoxideError::ValidationException),
    ("SERIALIZATION:", DynoxideError::SerializationException),
    ("VALIDATION_REQUEST:", DynoxideError::EnvelopedValidation),
    ("VALIDATION:", DynoxideError::ValidationException),
];

/// What the engine says of a value without a type, and how DynamoDB says it.
const EMPTY: (&str, &str) = (
    "empty AttributeValue",
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
);

/// What is missing is a matter of validation; what is of a wrong type, of reading.
const INVALID: [&str; 4] =
    ["missing field", "unknown variant", "invalid type: null", "Supplied AttributeValue"];

fn read<T: DeserializeOwned>(input: Value) -> Result<T, DynoxideError> {
    serde_json::from_value(input).map_err(|error| unreadable(error.to_string()))
}

fn unreadable(text: String) -> DynoxideError {
    let marked = |(mark, kind): &(&str, Kind)| Some(kind(text.strip_prefix(mark)?.to_owned()));
    if let Some(error) = MARKS.iter().find_map(marked) {
        error
    } else if text.contains(EMPTY.0) {
        DynoxideError::ValidationException(EMPTY.1.to_owned())
    } else if INVALID.iter().any(|part| text.contains(part)) {
        DynoxideError::ValidationException(text)
    } else {
        DynoxideError::SerializationException(text)
    }
}

fn write(output: impl serde::Serialize) -> Result<Value, DynoxideError> {
    serde_json::to_value(output)
        .map_err(|error| DynoxideError::InternalServerError(format!("cannot write the result: {error}")))
}
