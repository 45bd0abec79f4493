//! How a resource is spoken of: what `Ref` gives, its attributes, its ARN.

use super::super::lower::Kind;
use super::super::model::MadeKind;
use super::super::problem::Span;
use super::super::suggest::hint_for;
use super::resources::Stack;
use super::value::{Piece, Pieces};
use super::{ACCOUNT, REGION};

impl Stack<'_, '_> {
    /// What `Ref` gives.
    pub(super) fn reference_to(&self, id: &str, kind: Kind) -> Pieces {
        match kind {
            Kind::Queue => queue_url(id),
            Kind::Topic => arn("sns", "", id),
            Kind::Alarm | Kind::Function => name(id),
            Kind::Made(kind) if kind.is_named() => name(id),
            Kind::Other if self.is_role(id) => Pieces::text(id),
            // Their ids are made up by the stack when it makes them.
            Kind::Mapping | Kind::Made(_) | Kind::Other => foreign(id),
        }
    }

    /// What `GetAtt` gives.
    pub(super) fn attribute_of(&mut self, id: &str, attribute: &str, span: Span) -> Option<Pieces> {
        let kind = self.resource(id, span)?;
        let known = attributes(kind);
        Some(match (kind, attribute) {
            (Kind::Queue, "QueueUrl") => queue_url(id),
            (Kind::Queue, "QueueName") | (Kind::Topic, "TopicName") => name(id),
            (Kind::Made(MadeKind::Bus), "Name") | (Kind::Made(MadeKind::Archive), "ArchiveName") => name(id),
            (Kind::Topic, "TopicArn") => arn("sns", "", id),
            (_, "Arn") if known.contains(&"Arn") => self.arn_of(id, kind)?,
            (Kind::Other, "Arn") if self.is_role(id) => Pieces::text(role_arn(id)),
            (Kind::Other | Kind::Mapping, _) | (Kind::Made(_), "Id" | "StreamArn") => foreign(id),
            _ => {
                self.log
                    .report(span, format!("`{id}` has no attribute `{attribute}`"))
                    .hint_if(hint_for(attribute, known.iter().copied()));
                return None;
            }
        })
    }

    fn arn_of(&mut self, id: &str, kind: Kind) -> Option<Pieces> {
        Some(match kind {
            Kind::Queue => arn("sqs", "", id),
            Kind::Topic => arn("sns", "", id),
            Kind::Alarm => arn("cloudwatch", "alarm:", id),
            Kind::Function => arn("lambda", "function:", id),
            Kind::Made(MadeKind::Bus) => arn("events", "event-bus/", id),
            Kind::Made(MadeKind::Archive) => arn("events", "archive/", id),
            Kind::Made(MadeKind::Table) => arn("dynamodb", "table/", id),
            Kind::Made(MadeKind::Pipe) => arn("pipes", "pipe/", id),
            Kind::Made(MadeKind::Rule) => rule_arn(self.property(id, "EventBusName")?.as_ref(), id),
            Kind::Made(MadeKind::Schedule) => {
                let group = self.property(id, "GroupName")?;
                let mut arn = Pieces::text(arn_prefix("scheduler", "schedule/"));
                arn.append(group.unwrap_or_else(|| Pieces::text("default")));
                arn.push(Piece::Text("/".to_owned()));
                arn.push(Piece::NameOf(id.to_owned()));
                arn
            }
            Kind::Made(_) | Kind::Mapping | Kind::Other => foreign(id),
        })
    }

    /// A text property of a resource; the outer `None` says that a problem was noted.
    fn property(&mut self, id: &str, name: &str) -> Option<Option<Pieces>> {
        let node = self.resources.get(id).and_then(|resource| resource.node.entry("Properties"));
        let Some(entry) = node.and_then(|node| node.value.entry(name)) else { return Some(None) };
        Some(self.evaluate(&entry.value)?.value.into_pieces())
    }

    fn is_role(&self, id: &str) -> bool {
        self.resources.get(id).is_some_and(|resource| resource.of_type == "AWS::IAM::Role")
    }
}

fn attributes(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Queue => &["Arn", "QueueName", "QueueUrl"],
        Kind::Topic => &["TopicArn", "TopicName"],
        Kind::Made(MadeKind::Bus) => &["Arn", "Name"],
        Kind::Made(MadeKind::Archive) => &["Arn", "ArchiveName"],
        Kind::Alarm | Kind::Function => &["Arn"],
        Kind::Made(kind) if kind.is_named() => &["Arn"],
        Kind::Made(_) | Kind::Mapping | Kind::Other => &[],
    }
}

/// How the ARN of a resource of this kind begins.
pub(super) fn arn_prefix(service: &str, before: &str) -> String {
    format!("arn:aws:{service}:{REGION}:{ACCOUNT}:{before}")
}

fn arn(service: &str, before: &str, id: &str) -> Pieces {
    Pieces::name_after(arn_prefix(service, before), id)
}

/// The ARN of a rule on a bus that is given by name or ARN; on the default bus when none is.
pub(super) fn rule_arn(bus: Option<&Pieces>, id: &str) -> Pieces {
    let buses = arn_prefix("events", "event-bus/");
    let mut name = Pieces::default();
    for piece in bus.into_iter().flat_map(Pieces::parts) {
        name.push(match piece {
            Piece::Text(text) => Piece::Text(text.strip_prefix(&buses).unwrap_or(text).to_owned()),
            other => other.clone(),
        });
    }
    let mut arn = Pieces::text(arn_prefix("events", "rule/"));
    if !name.parts().is_empty() && name != Pieces::text("default") {
        arn.append(name);
        arn.push(Piece::Text("/".to_owned()));
    }
    arn.push(Piece::NameOf(id.to_owned()));
    arn
}

/// Roles are not made, but much cannot be written without one.
pub(super) fn role_arn(id: &str) -> String {
    format!("arn:aws:iam::{ACCOUNT}:role/{id}")
}

fn queue_url(id: &str) -> Pieces {
    Pieces::name_after(format!("https://sqs.{REGION}.amazonaws.com/{ACCOUNT}/"), id)
}

fn name(id: &str) -> Pieces {
    Pieces::name_after(String::new(), id)
}

fn foreign(id: &str) -> Pieces {
    let mut pieces = Pieces::default();
    pieces.push(Piece::Foreign(id.to_owned()));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_of_the_default_bus_are_named_without_it() {
        let rule = |bus: &str| rule_arn(Some(&Pieces::text(bus)), "R");
        let default = rule_arn(None, "R");
        assert_eq!(default, arn("events", "rule/", "R"));
        assert_eq!(rule("default"), default);
        assert_eq!(rule(&arn_prefix("events", "event-bus/default")), default);
        assert_eq!(rule("b"), arn("events", "rule/b/", "R"));
        assert_eq!(rule(&arn_prefix("events", "event-bus/b")), rule("b"));
    }
}
