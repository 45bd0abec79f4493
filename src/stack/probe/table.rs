//! A table of a check's own, and items in it.

use std::collections::HashMap;

use aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder as CreateTable;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder as PutItem;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder as UpdateItem;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType, ScalarAttributeType,
    TableStatus,
};

use super::finding::{Not, Shown};
use super::lab::Lab;
use super::made::Thing;

/// How long a stack may take until a table is there.
const ACTIVE: u64 = 30;

/// An item, or its key.
pub(super) type Item = HashMap<String, AttributeValue>;

pub(super) struct Table {
    pub(super) lab: Lab,
    pub(super) name: String,
}

impl Lab {
    /// A table whose items have the key `id`, a text.
    pub(super) async fn table(&self) -> Shown<Table> {
        self.table_by(&["id"]).await
    }

    /// Keys are texts: one, or one and another to sort by.
    pub(super) async fn table_by(&self, keys: &[&str]) -> Shown<Table> {
        let name = self.short_name()?;
        self.creating_table(&name, keys).send().await?;
        let table = Table { lab: self.clone(), name };
        let look = || async {
            let described = self.dynamodb().describe_table().table_name(&table.name).send().await?;
            let status = described.table.and_then(|table| table.table_status);
            Ok((status == Some(TableStatus::Active)).then_some(()))
        };
        match self.until(ACTIVE, look).await? {
            Some(()) => Ok(table),
            None => Err(Not::Absent(format!("the table was not ACTIVE within {ACTIVE} s"))),
        }
    }

    pub(super) fn creating_table(&self, name: &str, keys: &[&str]) -> CreateTable {
        self.0.made.note(Thing::Table { name: name.to_owned() });
        let create = self.dynamodb().create_table().table_name(name).billing_mode(BillingMode::PayPerRequest);
        let kinds = [KeyType::Hash, KeyType::Range];
        keys.iter().zip(kinds).fold(create, |create, (key, kind)| {
            let definition =
                AttributeDefinition::builder().attribute_name(*key).attribute_type(ScalarAttributeType::S);
            let element = KeySchemaElement::builder().attribute_name(*key).key_type(kind);
            create
                .attribute_definitions(definition.build().expect("its name and its type are given"))
                .key_schema(element.build().expect("its name and its type are given"))
        })
    }
}

pub(super) fn string(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

pub(super) fn number(number: i64) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

/// An item with this key, and with more.
pub(super) fn item(id: &str, more: &[(&str, AttributeValue)]) -> Item {
    let more = more.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    more.chain([("id".to_owned(), string(id))]).collect()
}

impl Table {
    pub(super) fn putting(&self, item: Item) -> PutItem {
        self.lab.dynamodb().put_item().table_name(&self.name).set_item(Some(item))
    }

    pub(super) async fn put(&self, item: Item) -> Shown {
        self.putting(item).send().await?;
        Ok(())
    }

    /// A put that is not to replace anything.
    pub(super) fn putting_new(&self, item: Item) -> PutItem {
        self.putting(item).condition_expression("attribute_not_exists(id)")
    }

    pub(super) fn updating(&self, id: &str, expression: &str) -> UpdateItem {
        let update = self.lab.dynamodb().update_item().table_name(&self.name).key("id", string(id));
        update.update_expression(expression)
    }

    /// The item as it is now.
    pub(super) async fn get(&self, id: &str) -> Shown<Option<Item>> {
        let get = self.lab.dynamodb().get_item().table_name(&self.name).key("id", string(id));
        Ok(get.consistent_read(true).send().await?.item)
    }
}
