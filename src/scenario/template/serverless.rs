//! `AWS::Serverless::Function`: a function and what its events stand for, as SAM writes it out.

use super::super::decode::Sp;
use super::super::model::{Document, Fields, Function, Made, MadeKind, Mapping, Text, field};
use super::document::text;
use super::function::function;
use super::identity::{arn_prefix, rule_arn};
use super::mapping::mapping;
use super::properties::Properties;
use super::shapes;
use super::value::{Pieces, Value};

/// All that one stands for, by logical ids.
pub(super) struct Expanded {
    pub(super) function: Function,
    pub(super) mappings: Vec<(String, Mapping)>,
    pub(super) others: Vec<(String, Made)>,
}

/// `globals` are the settings of all functions of the template.
pub(super) fn read(properties: &mut Properties<'_, '_, '_>, globals: &Fields) -> Option<Expanded> {
    let fields = properties.fields(shapes::SERVERLESS_FUNCTION)??;
    let fields = merged(fields, globals);
    let function = function(properties, &fields);
    let mut expanded = Expanded { function, mappings: Vec::new(), others: Vec::new() };
    if let Some(config) = field(&fields, "EventInvokeConfig") {
        expanded.others.push(invoke_config(properties.id, config));
    }
    expanded.add_events(properties)?;
    Some(expanded)
}

/// The settings of one function over those of all: maps are put together, and of all else its own
/// counts (SAM's rules for Globals).
fn merged(own: Fields, all: &Fields) -> Fields {
    let mut merged = own;
    for (name, value) in all {
        match merged.iter_mut().find(|(known, _)| known == name) {
            None => merged.push((name.clone(), value.clone())),
            Some((_, Document::Map(fields))) => {
                if let Document::Map(others) = value {
                    *fields = self::merged(std::mem::take(fields), others);
                }
            }
            Some(_) => {}
        }
    }
    merged
}

fn invoke_config(function: &str, config: &Document) -> (String, Made) {
    let mut properties = vec![("FunctionName".to_owned(), name_of(function))];
    if let Document::Map(fields) = config {
        properties.extend(fields.iter().cloned());
    }
    (format!("{function}EventInvokeConfig"), made(MadeKind::InvokeConfig, properties))
}

impl Expanded {
    fn add_events(&mut self, properties: &mut Properties<'_, '_, '_>) -> Option<()> {
        let Some(events) = properties.get("Events")? else { return Some(()) };
        let Value::Map(events) = events.value else {
            return properties.problem(events.span, "Events must be a mapping".to_owned(), None);
        };
        for (name, event) in events {
            self.add_event(properties, &name, event)?;
        }
        Some(())
    }

    fn add_event(
        &mut self,
        properties: &mut Properties<'_, '_, '_>,
        name: &Sp<String>,
        event: Sp<Value>,
    ) -> Option<()> {
        let (mut of_type, mut settings) = (None, None);
        let span = event.span;
        if let Value::Map(entries) = event.value {
            for (key, value) in entries {
                match key.as_str() {
                    "Type" => of_type = super::properties::plain_text(properties.stack, value),
                    "Properties" => settings = Some(value),
                    other => properties.ignore(format!("Events.{}.{other} is not known", name.value)),
                }
            }
        }
        let Some(of_type) = of_type else {
            return properties.problem(name.span, format!("the event `{}` needs a `Type`", name.value), None);
        };
        let settings = settings.unwrap_or(Sp { value: Value::Map(Vec::new()), span });
        let table = match of_type.as_str() {
            "SQS" => shapes::SQS_EVENT,
            "SNS" => shapes::SNS_EVENT,
            "EventBridgeRule" | "CloudWatchEvent" => shapes::RULE_EVENT,
            "Schedule" => shapes::SCHEDULE_EVENT,
            other => {
                properties.ignore(format!("the event `{}` of type {other} is not implemented", name.value));
                return Some(());
            }
        };
        let Some(fields) = properties.part(&format!("Events.{}", name.value), settings, table)? else {
            properties.ignore(format!("the event `{}` is left out for that", name.value));
            return Some(());
        };
        let id = format!("{}{}", properties.id, name.value);
        let function = properties.id.to_owned();
        match of_type.as_str() {
            "SQS" => {
                let mapping = mapping(properties, &fields, "Queue", function);
                self.mappings.extend(mapping.map(|mapping| (id, mapping)));
            }
            "SNS" => self.add_subscription(&function, id, fields),
            _ => self.add_rule(&function, id, fields),
        }
        Some(())
    }

    fn add_subscription(&mut self, function: &str, id: String, fields: Fields) {
        let topic = field(&fields, "Topic").cloned().unwrap_or(Document::Null);
        let mut properties = vec![
            ("TopicArn".to_owned(), topic.clone()),
            ("Protocol".to_owned(), Document::text("lambda")),
            ("Endpoint".to_owned(), arn_of(function)),
        ];
        properties.extend(fields.into_iter().filter(|(name, _)| name != "Topic"));
        self.add_permission(function, &id, "sns.amazonaws.com", topic);
        self.others.push((id, made(MadeKind::Subscription, properties)));
    }

    fn add_rule(&mut self, function: &str, id: String, fields: Fields) {
        let mut target = vec![("Arn".to_owned(), arn_of(function))];
        let mut rule = Fields::new();
        let (mut name, mut target_id) = (None, format!("{id}LambdaTarget"));
        for (key, value) in fields {
            match key.as_str() {
                "Pattern" => rule.push(("EventPattern".to_owned(), value)),
                "Schedule" => rule.push(("ScheduleExpression".to_owned(), value)),
                "EventBusName" | "State" => rule.push((key, value)),
                "Enabled" => {
                    let state = if value == Document::Bool(false) { "DISABLED" } else { "ENABLED" };
                    rule.push(("State".to_owned(), Document::text(state)));
                }
                "RuleName" | "Name" => name = value.as_literal().map(str::to_owned),
                "Target" => {
                    let given = value.get("Id").and_then(Document::as_literal).map(str::to_owned);
                    target_id = given.unwrap_or(target_id);
                }
                _ => target.push((key, value)),
            }
        }
        target.push(("Id".to_owned(), Document::text(target_id)));
        let bus = field(&rule, "EventBusName").and_then(Document::as_text).map(Pieces::of);
        self.add_permission(function, &id, "events.amazonaws.com", document(&rule_arn(bus.as_ref(), &id)));
        rule.push(("Targets".to_owned(), Document::List(vec![Document::Map(target)])));
        self.others.push((id, Made { name, ..made(MadeKind::Rule, rule) }));
    }

    fn add_permission(&mut self, function: &str, id: &str, principal: &str, source: Document) {
        let properties = vec![
            ("FunctionName".to_owned(), name_of(function)),
            ("Action".to_owned(), Document::text("lambda:InvokeFunction")),
            ("Principal".to_owned(), Document::text(principal)),
            ("SourceArn".to_owned(), source),
        ];
        self.others.push((format!("{id}Permission"), made(MadeKind::Permission, properties)));
    }
}

fn made(kind: MadeKind, properties: Fields) -> Made {
    Made { kind, name: None, properties }
}

fn name_of(id: &str) -> Document {
    Document::Text(Text::name_after("", id))
}

fn arn_of(function: &str) -> Document {
    Document::Text(Text::name_after(arn_prefix("lambda", "function:"), function))
}

fn document(pieces: &Pieces) -> Document {
    Document::Text(text(pieces))
}
