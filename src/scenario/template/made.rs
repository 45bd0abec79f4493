//! Resources that are made by calls of the shape of their properties.

use super::super::model::{Made, MadeKind};
use super::properties::Properties;
use super::shape::Field;
use super::shapes;

pub(super) fn read(properties: &mut Properties<'_, '_, '_>, kind: MadeKind) -> Option<Made> {
    let Some(fields) = properties.fields(table(kind))? else {
        properties.ignore(format!("{} cannot be made without that", kind.what()));
        return None;
    };
    Some(Made { kind, name: properties.stack.physical.get(properties.id).cloned(), properties: fields })
}

fn table(kind: MadeKind) -> &'static [Field] {
    match kind {
        MadeKind::Bus => shapes::BUS,
        MadeKind::Table => shapes::TABLE,
        MadeKind::QueuePolicy => shapes::QUEUE_POLICY,
        MadeKind::TopicPolicy => shapes::TOPIC_POLICY,
        MadeKind::Permission => shapes::PERMISSION,
        MadeKind::InvokeConfig => shapes::INVOKE_CONFIG,
        MadeKind::Subscription => shapes::SUBSCRIPTION,
        MadeKind::Rule => shapes::RULE,
        MadeKind::Archive => shapes::ARCHIVE,
        MadeKind::Schedule => shapes::SCHEDULE,
        MadeKind::Pipe => shapes::PIPE,
    }
}
