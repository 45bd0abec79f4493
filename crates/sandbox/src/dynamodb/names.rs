//! Names on their way to the engine and back: it knows one account and one region, and neither is
//! the caller's.

use serde_json::{Map, Value};

/// How the engine's own ARNs begin.
const ENGINES: &str = "arn:aws:dynamodb:dynoxide:000000000000:";

/// How ARNs of one place begin.
pub(super) struct Prefix(String);

impl Prefix {
    pub(super) fn new(account: &str, region: &str) -> Self {
        Self(format!("arn:aws:dynamodb:{region}:{account}:"))
    }

    /// An input as the engine takes it: tables by their names, other resources by its own ARNs.
    pub(super) fn inward(&self, input: &mut Map<String, Value>) {
        self.table(input);
        for name in ["ResourceArn", "StreamArn"] {
            if let Some(Value::String(arn)) = input.get_mut(name)
                && let Some(rest) = arn.strip_prefix(&self.0)
            {
                *arn = format!("{ENGINES}{rest}");
            }
        }
        if let Some(Value::Object(tables)) = input.get_mut("RequestItems") {
            let renamed = std::mem::take(tables).into_iter();
            *tables = renamed.map(|(name, items)| (self.table_name(&name).to_owned(), items)).collect();
        }
        let Some(Value::Array(actions)) = input.get_mut("TransactItems") else { return };
        let members = actions.iter_mut().filter_map(Value::as_object_mut).flat_map(Map::values_mut);
        members.filter_map(Value::as_object_mut).for_each(|action| self.table(action));
    }

    fn table(&self, input: &mut Map<String, Value>) {
        if let Some(Value::String(name)) = input.get_mut("TableName") {
            let short = self.table_name(name);
            if short.len() < name.len() {
                *name = short.to_owned();
            }
        }
    }

    /// The name of a table that is given by its name or its ARN.
    pub(super) fn table_name<'a>(&self, given: &'a str) -> &'a str {
        given.strip_prefix(&self.0).and_then(|rest| rest.strip_prefix("table/")).unwrap_or(given)
    }

    /// Puts this place's ARNs for the engine's in all texts that are one. It must not see items.
    pub(super) fn outward(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(rest) = text.strip_prefix(ENGINES) {
                    *text = format!("{}{rest}", self.0);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.outward(item)),
            Value::Object(members) => members.values_mut().for_each(|member| self.outward(member)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// A message in which the engine may speak of one of its ARNs.
    pub(super) fn message(&self, text: &str) -> String {
        text.replace(ENGINES, &self.0)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn inward(input: Value) -> Value {
        let Value::Object(mut input) = input else { panic!("an object") };
        Prefix::new("111111111111", "eu-west-1").inward(&mut input);
        Value::Object(input)
    }

    #[test]
    fn tables_may_be_named_by_their_arns() {
        let arn = "arn:aws:dynamodb:eu-west-1:111111111111:table/t";
        let others = "arn:aws:dynamodb:eu-west-1:222222222222:table/t";
        for (given, taken) in [(arn, "t"), ("t", "t"), (others, others)] {
            assert_eq!(inward(json!({ "TableName": given })), json!({ "TableName": taken }));
            assert_eq!(
                inward(json!({ "RequestItems": { given: [] } })),
                json!({ "RequestItems": { taken: [] } })
            );
            let put = |name| json!({ "TransactItems": [{ "Put": { "TableName": name } }] });
            assert_eq!(inward(put(given)), put(taken));
        }
        let item = json!({ "Item": { "TableName": { "S": arn } } });
        assert_eq!(inward(item.clone()), item);
    }
}
