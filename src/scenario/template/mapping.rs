//! `AWS::Lambda::EventSourceMapping` of a queue. Ranges and defaults: semantics 5.1.

use havoq_base::StackDuration;
use havoq_lambda::Filters;

use super::super::lower::Kind;
use super::super::model::{Document, Fields, Mapping, Part, Text, field};
use super::identity::arn_prefix;
use super::properties::Properties;
use super::resources::Stack;
use super::shapes;

pub(super) fn read(properties: &mut Properties<'_, '_, '_>) -> Option<Mapping> {
    let Some(fields) = properties.fields(shapes::MAPPING)? else {
        properties.ignore("an event source mapping cannot be made without that".to_owned());
        return None;
    };
    let function = field(&fields, "FunctionName").and_then(Document::as_text)?;
    let Some(function) = properties.stack.owner(function, Kind::Function, &arn_prefix("lambda", "function:"))
    else {
        properties.ignore(format!("the mapping is left out: {function} is not a function of the template"));
        return None;
    };
    mapping(properties, &fields, "EventSourceArn", function)
}

/// A mapping by its settings; `queue` names the one that holds the queue's ARN.
pub(super) fn mapping(
    properties: &mut Properties<'_, '_, '_>,
    fields: &Fields,
    queue: &str,
    function: String,
) -> Option<Mapping> {
    let source = field(fields, queue).and_then(Document::as_text)?;
    let Some(queue) = properties.stack.owner(source, Kind::Queue, &arn_prefix("sqs", "")) else {
        properties.ignore(format!("the mapping is left out: {source} is not a queue of the template"));
        return None;
    };
    let filters = filters(properties, fields)?;
    let whole = |name| field(fields, name).and_then(Document::as_whole);
    let types = field(fields, "FunctionResponseTypes").map(Document::items).unwrap_or_default();
    let scaling = field(fields, "ScalingConfig").and_then(|scaling| scaling.get("MaximumConcurrency"));
    Some(Mapping {
        place: properties.span.place,
        function,
        queue,
        batch_size: whole("BatchSize").unwrap_or(10) as u32,
        window: StackDuration::from_secs(whole("MaximumBatchingWindowInSeconds").unwrap_or(0)),
        reports_item_failures: types.iter().any(|word| word.as_literal() == Some("ReportBatchItemFailures")),
        maximum_concurrency: scaling.and_then(Document::as_whole).map(|count| count as u32),
        filters,
        enabled: field(fields, "Enabled").and_then(Document::as_bool).unwrap_or(true),
    })
}

/// The patterns of FilterCriteria, which Lambda reads when the mapping is made.
fn filters(properties: &mut Properties<'_, '_, '_>, fields: &Fields) -> Option<Vec<String>> {
    let filters = field(fields, "FilterCriteria").and_then(|criteria| criteria.get("Filters"));
    let mut texts = Vec::new();
    for filter in filters.map(Document::items).unwrap_or_default() {
        let Some(pattern) = filter.get("Pattern").and_then(Document::as_text) else { continue };
        let text = match pattern.0.as_slice() {
            [Part::Literal(text)] if Filters::parse([text]).is_ok() => text.clone(),
            [Part::Literal(_)] | [] => {
                let message = format!("`{pattern}` is no filter pattern that Lambda takes");
                let hint = r#"`{"body": {"type": ["order.placed"]}}`, for example"#;
                return properties.problem(properties.span, message, Some(hint.to_owned()));
            }
            _ => {
                let message = format!("the filter pattern `{pattern}` needs a name that is chosen later");
                let hint = "write the name itself into the pattern".to_owned();
                return properties.problem(properties.span, message, Some(hint));
            }
        };
        texts.push(text);
    }
    Some(texts)
}

impl Stack<'_, '_> {
    /// The logical id of the resource of this kind that a text names, by its name or its ARN.
    pub(super) fn owner(&self, text: &Text, kind: Kind, prefix: &str) -> Option<String> {
        let is = |id: &&String| self.is(id, kind);
        match text.0.as_slice() {
            [Part::NameOf(id)] => Some(id).filter(is).cloned(),
            [Part::Literal(before), Part::NameOf(id)] if before == prefix => Some(id).filter(is).cloned(),
            [Part::Literal(name)] => {
                self.named(name.strip_prefix(prefix).unwrap_or(name), kind).map(str::to_owned)
            }
            _ => None,
        }
    }
}
