//! Input templates of pipes: `<$.path>` for what a path leads to, and the values that pipes define (semantics 3.9).
//!
//! The body of a message that is JSON is looked into by paths that go below it, and is text to the path `$.body`
//! itself.

use serde_json::{Value, json};

use super::pipe::Pipe;
use crate::shaping::{Path, Template, Values};

#[derive(Clone, Debug)]
pub(super) struct InputTemplate(Template);

const PREDEFINED: &[&str] = &[
    "aws.pipes.pipe-arn",
    "aws.pipes.pipe-name",
    "aws.pipes.source-arn",
    "aws.pipes.enrichment-arn",
    "aws.pipes.target-arn",
    "aws.pipes.event.ingestion-time",
    "aws.pipes.event",
    "aws.pipes.event.json",
];

impl InputTemplate {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let declares = |name: &str| match name.starts_with('$') {
            true => Path::parse(name).is_ok(),
            false => PREDEFINED.contains(&name),
        };
        let parsed = Template::parse(text, declares);
        parsed.map(Self).map_err(|_| "The input template is not valid.".to_owned())
    }
}

struct Event<'a> {
    pipe: &'a Pipe,
    event: &'a Value,
    ingested: &'a str,
}

impl Values for Event<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        if name.starts_with('$') {
            return found(self.event, name);
        }
        let spec = &self.pipe.spec;
        match name {
            "aws.pipes.pipe-arn" => Some(json!(self.pipe.arn)),
            "aws.pipes.pipe-name" => Some(json!(self.pipe.name)),
            "aws.pipes.source-arn" => Some(json!(spec.source)),
            "aws.pipes.enrichment-arn" => spec.enrichment().map(|arn| json!(arn)),
            "aws.pipes.target-arn" => Some(json!(spec.target)),
            "aws.pipes.event.ingestion-time" => Some(json!(self.ingested)),
            "aws.pipes.event" | "aws.pipes.event.json" => Some(self.event.clone()),
            _ => None,
        }
    }
}

/// What a path leads to in an event.
pub(super) fn found(event: &Value, path: &str) -> Option<Value> {
    let parsed = Path::parse(path).ok()?;
    if path != "$.body"
        && let Some(body) = event["body"].as_str().and_then(|body| serde_json::from_str::<Value>(body).ok())
    {
        let mut opened = event.clone();
        opened["body"] = body;
        return parsed.find(&opened);
    }
    parsed.find(event)
}

/// A text of the pipe's parameters, which may be a path into the event.
pub(super) fn text_of(event: &Value, text: &str) -> String {
    match text.starts_with("$.") {
        false => text.to_owned(),
        true => match found(event, text) {
            Some(Value::String(text)) => text,
            Some(value) => value.to_string(),
            None => String::new(),
        },
    }
}

/// What a stage gets of an event: JSON where the template makes some, else a text.
pub(super) fn shaped(
    pipe: &Pipe,
    template: Option<&str>,
    event: &Value,
    ingested: &str,
) -> Result<Value, String> {
    let Some(text) = template else { return Ok(event.clone()) };
    let filled = InputTemplate::parse(text)?.0.fill(&Event { pipe, event, ingested })?;
    Ok(serde_json::from_str(&filled).unwrap_or(Value::String(filled)))
}
