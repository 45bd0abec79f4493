//! `AWS::SNS::Topic`, and the subscriptions that it holds.

use super::super::model::{Document, Fields, Made, MadeKind, Topic};
use super::document::text;
use super::properties::Properties;
use super::shapes;
use super::value::Pieces;

/// The topic, and its subscriptions by the logical ids that are made up for them.
pub(super) fn read(properties: &mut Properties<'_, '_, '_>) -> Option<(Topic, Vec<(String, Made)>)> {
    let fields = properties.fields(shapes::TOPIC)??;
    let (inline, attributes): (Fields, Fields) =
        fields.into_iter().partition(|(name, _)| name == "Subscription");
    let fifo = attributes.iter().any(|(name, value)| name == "FifoTopic" && *value == Document::Bool(true));
    let name = properties.stack.physical.get(properties.id).cloned();
    properties.check_fifo_name("TopicName", fifo)?;
    let arn = properties.stack.reference_to(properties.id, super::super::lower::Kind::Topic);
    let items = inline.iter().flat_map(|(_, list)| list.items());
    let subscriptions = items.enumerate().map(|(index, item)| subscription(properties.id, &arn, index, item));
    let subscriptions = subscriptions.collect();
    Some((Topic { name, fifo, attributes }, subscriptions))
}

fn subscription(topic: &str, arn: &Pieces, index: usize, item: &Document) -> (String, Made) {
    let mut properties = vec![("TopicArn".to_owned(), Document::Text(text(arn)))];
    for name in ["Protocol", "Endpoint"] {
        properties.extend(item.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    let made = Made { kind: MadeKind::Subscription, name: None, properties };
    (format!("{topic}Subscription{index}"), made)
}
