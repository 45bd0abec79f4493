//! `AWS::SNS::Topic`, so far only as a target of alarm actions.

use super::super::model::Topic;
use super::properties::Properties;

pub(super) fn read(properties: &mut Properties<'_, '_, '_>) -> Option<Topic> {
    if properties.boolean("FifoTopic")? == Some(true) {
        let span = properties.given("FifoTopic").unwrap_or(properties.span);
        return properties.problem(span, "FIFO topics are not built yet".to_owned(), None);
    }
    Some(Topic { name: properties.stack.physical.get(properties.id).cloned() })
}
