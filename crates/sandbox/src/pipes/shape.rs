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

/// An event, with its body opened where that is JSON.
pub(super) struct Opened<'a> {
    event: &'a Value,
    opened: Option<Value>,
}

impl<'a> Opened<'a> {
    pub(super) fn of(event: &'a Value) -> Self {
        let body = event["body"].as_str().and_then(|body| serde_json::from_str::<Value>(body).ok());
        let opened = body.map(|body| {
            let mut opened = event.clone();
            opened["body"] = body;
            opened
        });
        Self { event, opened }
    }

    /// What a path leads to.
    fn find(&self, path: &str) -> Option<Value> {
        let parsed = Path::parse(path).ok()?;
        let opened = self.opened.as_ref().filter(|_| path != "$.body");
        parsed.find(opened.unwrap_or(self.event))
    }

    /// A text of the pipe's parameters, which may be a path into the event.
    pub(super) fn text_of(&self, text: &str) -> String {
        match text.starts_with("$.") {
            false => text.to_owned(),
            true => match self.find(text) {
                Some(Value::String(text)) => text,
                Some(value) => value.to_string(),
                None => String::new(),
            },
        }
    }
}

struct Event<'a> {
    pipe: &'a Pipe,
    event: &'a Opened<'a>,
    ingested: &'a str,
}

impl Values for Event<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        if name.starts_with('$') {
            return self.event.find(name);
        }
        let spec = &self.pipe.spec;
        match name {
            "aws.pipes.pipe-arn" => Some(json!(self.pipe.arn)),
            "aws.pipes.pipe-name" => Some(json!(self.pipe.name)),
            "aws.pipes.source-arn" => Some(json!(spec.source)),
            "aws.pipes.enrichment-arn" => spec.enrichment().map(|arn| json!(arn)),
            "aws.pipes.target-arn" => Some(json!(spec.target)),
            "aws.pipes.event.ingestion-time" => Some(json!(self.ingested)),
            "aws.pipes.event" | "aws.pipes.event.json" => Some(self.event.event.clone()),
            _ => None,
        }
    }
}

/// What a stage gets of an event: JSON where the template makes some, else a text.
pub(super) fn shaped(
    pipe: &Pipe,
    template: Option<&InputTemplate>,
    event: &Opened<'_>,
    ingested: &str,
) -> Result<Value, String> {
    let Some(template) = template else { return Ok(event.event.clone()) };
    let filled = template.0.fill(&Event { pipe, event, ingested })?;
    Ok(serde_json::from_str(&filled).unwrap_or(Value::String(filled)))
}
