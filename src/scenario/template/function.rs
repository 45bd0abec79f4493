//! `AWS::Lambda::Function`, and what SAM's function has in common with it. Ranges and defaults:
//! semantics 5.1 and CloudFormation's reference.

use havoq_base::StackDuration;

use super::super::model::{DEFAULT_MEMORY, DEFAULT_TIMEOUT, Document, Fields, Function, Text, field};
use super::properties::Properties;
use super::shapes;

pub(super) fn read(properties: &mut Properties<'_, '_, '_>) -> Option<Function> {
    let fields = properties.fields(shapes::FUNCTION)??;
    Some(function(properties, &fields))
}

pub(super) fn function(properties: &Properties<'_, '_, '_>, fields: &Fields) -> Function {
    let whole = |name| field(fields, name).and_then(Document::as_whole);
    let word = |name| field(fields, name).and_then(Document::as_literal).map(str::to_owned);
    let variables = field(fields, "Environment").and_then(|environment| environment.get("Variables"));
    let variables = match variables {
        Some(Document::Map(variables)) => variables.as_slice(),
        _ => &[],
    };
    let variable = |(name, value): &(String, Document)| Some((name.clone(), value.as_text()?.clone()));
    Function {
        place: properties.span.place,
        name: properties.stack.physical.get(properties.id).cloned(),
        timeout: whole("Timeout").map_or(DEFAULT_TIMEOUT, StackDuration::from_secs),
        memory: whole("MemorySize").map_or(DEFAULT_MEMORY, |mb| mb as u32),
        handler: word("Handler"),
        runtime: word("Runtime"),
        environment: variables.iter().filter_map(variable).collect(),
        reserved_concurrency: whole("ReservedConcurrentExecutions").map(|count| count as u32),
        dead_letters: dead_letters(fields),
    }
}

fn dead_letters(fields: &Fields) -> Option<Text> {
    let config = field(fields, "DeadLetterConfig").or_else(|| field(fields, "DeadLetterQueue"))?;
    Some(config.get("TargetArn")?.as_text()?.clone())
}
