//! Intrinsics, short and long: which one a node is, and what it is applied to.

use super::super::decode::Sp;
use super::super::lower::Kind;
use super::super::problem::Span;
use super::super::suggest::hint_for;
use super::super::yaml::{Data, Node, Scalar};
use super::resources::Stack;
use super::value::Value;
use super::{ACCOUNT, REGION};

const BUILT: [&str; 4] = ["Ref", "GetAtt", "Sub", "Join"];
const NOT_BUILT: [&str; 18] = [
    "If",
    "Select",
    "Split",
    "FindInMap",
    "ImportValue",
    "Base64",
    "Cidr",
    "GetAZs",
    "Transform",
    "Condition",
    "And",
    "Or",
    "Not",
    "Equals",
    "Length",
    "ToJsonString",
    "ForEach",
    "GetStackOutput",
];
const STACK_NAME: &str = "havoq";

impl Stack<'_, '_> {
    /// The value of a node; `None` when a problem was noted.
    pub(super) fn evaluate(&mut self, node: &Node) -> Option<Sp<Value>> {
        let span = node.span;
        let value = if let Some((name, argument)) = intrinsic(node) {
            self.call(&name, argument, span)?
        } else {
            self.literal(node)?
        };
        Some(Sp { value, span })
    }

    /// A node's value without regard to its tag.
    pub(super) fn literal(&mut self, node: &Node) -> Option<Value> {
        match &node.data {
            Data::Scalar { .. } => scalar(node),
            Data::List(items) => self.list(items),
            Data::Map(_) => self.map(node),
        }
    }

    fn list(&mut self, items: &[Node]) -> Option<Value> {
        let values: Vec<_> = items.iter().map(|item| self.evaluate(item)).collect();
        let values: Option<Vec<_>> = values.into_iter().collect();
        Some(Value::List(values?.into_iter().filter(|item| !matches!(item.value, Value::Absent)).collect()))
    }

    fn map(&mut self, node: &Node) -> Option<Value> {
        let entries = node.entries().unwrap_or_default();
        let values: Vec<_> = entries
            .iter()
            .map(|entry| {
                let key = Sp { value: entry.key.clone(), span: entry.key_span };
                self.evaluate(&entry.value).map(|value| (key, value))
            })
            .collect();
        let values: Option<Vec<_>> = values.into_iter().collect();
        Some(Value::Map(
            values?.into_iter().filter(|(_, value)| !matches!(value.value, Value::Absent)).collect(),
        ))
    }

    fn call(&mut self, name: &str, argument: Argument<'_>, span: Span) -> Option<Value> {
        match name {
            "Ref" => {
                let name = argument.text(self, span)?;
                self.reference(name, span)
            }
            "GetAtt" => self.attribute(argument, span),
            "Sub" => self.substitute(argument, span).map(Value::Text),
            "Join" => self.join(argument, span).map(Value::Text),
            other if NOT_BUILT.contains(&other) => {
                self.log.report(span, format!("the intrinsic `{other}` is not built yet"));
                None
            }
            other => {
                self.log.report(span, format!("unknown intrinsic `{other}`")).hint_if(
                    hint_for(other, BUILT.iter().chain(&NOT_BUILT).copied())
                        .or(Some(format!("one of {}", BUILT.join(", ")))),
                );
                None
            }
        }
    }

    pub(super) fn reference(&mut self, name: &str, span: Span) -> Option<Value> {
        if name == "AWS::NoValue" {
            return Some(Value::Absent);
        }
        if let Some(text) = pseudo(name) {
            return Some(Value::text(text));
        }
        if let Some(parameter) = self.parameters.get(name) {
            // A parameter with a problem was reported where it stands.
            return parameter.clone().map(Value::Text);
        }
        let kind = self.resource(name, span)?;
        Some(Value::Text(self.reference_to(name, kind)))
    }

    fn attribute(&mut self, argument: Argument<'_>, span: Span) -> Option<Value> {
        let (id, attribute) = match (&argument.0.data, argument.0.text()) {
            (Data::List(items), _) => match items.as_slice() {
                [id, attribute] => (id.text(), attribute.text()),
                _ => (None, None),
            },
            (_, Some(text)) => {
                text.split_once('.').map_or((None, None), |(id, attribute)| (Some(id), Some(attribute)))
            }
            _ => (None, None),
        };
        let (Some(id), Some(attribute)) = (id, attribute) else {
            self.log
                .report(span, "`GetAtt` needs a logical id and an attribute")
                .hint("`!GetAtt OrderQueue.Arn`, for example");
            return None;
        };
        self.attribute_of(id, attribute, span).map(Value::Text)
    }

    /// The kind of a resource that must exist; the reference is kept for the graph.
    pub(super) fn resource(&mut self, name: &str, span: Span) -> Option<Kind> {
        if let Some(resource) = self.resources.get(name) {
            let kind = resource.kind;
            if let Some(current) = self.current.clone() {
                self.references.push((current, name.to_owned(), span));
            }
            return Some(kind);
        }
        if self.complete {
            let known = self.resources.keys().chain(self.parameters.keys()).map(String::as_str);
            self.log
                .report(span, format!("the template has no resource or parameter `{name}`"))
                .hint_if(hint_for(name, known));
        }
        None
    }
}

/// What an intrinsic is applied to.
#[derive(Clone, Copy)]
pub(super) struct Argument<'a>(pub(super) &'a Node);

impl<'a> Argument<'a> {
    fn text(self, stack: &mut Stack<'_, '_>, span: Span) -> Option<&'a str> {
        let text = self.0.text().filter(|text| !text.is_empty());
        if text.is_none() {
            stack.log.report(span, format!("expected a name, found {}", self.0.kind()));
        }
        text
    }
}

/// The intrinsic that a node is: a local tag, or a mapping with a single key `Ref` or `Fn::...`.
fn intrinsic(node: &Node) -> Option<(String, Argument<'_>)> {
    if let Some(tag) = &node.tag {
        return Some((tag.clone(), Argument(node)));
    }
    let [entry] = node.entries()? else { return None };
    let name = match entry.key.strip_prefix("Fn::") {
        Some(name) => name,
        None if entry.key == "Ref" => "Ref",
        None => return None,
    };
    Some((name.to_owned(), Argument(&entry.value)))
}

fn scalar(node: &Node) -> Option<Value> {
    Some(match node.scalar()? {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(value),
        Scalar::Whole(_) | Scalar::Real(_) => Value::Number(node.text()?.to_owned()),
        Scalar::Text(text) => Value::text(text),
    })
}

fn pseudo(name: &str) -> Option<String> {
    Some(match name {
        "AWS::Region" => REGION.to_owned(),
        "AWS::AccountId" => ACCOUNT.to_owned(),
        "AWS::StackName" => STACK_NAME.to_owned(),
        "AWS::Partition" => "aws".to_owned(),
        "AWS::URLSuffix" => "amazonaws.com".to_owned(),
        "AWS::StackId" => format!("arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/{STACK_NAME}/0"),
        _ => return None,
    })
}
