//! From XML to the result of an operation, by the model.

use serde_json::{Map, Value};

use super::document::Element;
use crate::call::Head;
use crate::model::{Layout, Mismatch, Model, Shape, StructureId};

/// The result in a successful answer. An operation without one has none.
pub(crate) fn read_result(head: &Head, body: &[u8]) -> Result<Value, Mismatch> {
    let model = head.service.model();
    let Some(output) = model.output(&head.operation) else {
        return Ok(Value::Object(Map::new()));
    };
    let root = Element::root(body).ok_or_else(|| Mismatch::new("the body is no XML"))?;
    let wrapper = format!("{}Result", head.operation);
    let result = root.child(&wrapper).ok_or_else(|| Mismatch::new(format!("no {wrapper} is in it")))?;
    Reader { model }.structure(output, result)
}

/// The document bounds how deep this goes.
struct Reader {
    model: &'static Model,
}

impl Reader {
    fn structure(&self, id: StructureId, element: &Element) -> Result<Value, Mismatch> {
        let mut members = Map::new();
        for member in &self.model.structure(id).members {
            if let Some(first) = element.child(member.wire) {
                let value = match &member.shape {
                    // Its entries are the structure's children.
                    Shape::List { layout: Layout::Flat, item } => self.list(item, element.all(member.wire)),
                    Shape::Map { layout: Layout::Flat, key, value, of } => {
                        self.map((key, value), of, element.all(member.wire))
                    }
                    shape => self.value(shape, first),
                };
                members.insert(member.name.to_owned(), value.map_err(|at| at.within(member.name))?);
            }
        }
        Ok(Value::Object(members))
    }

    fn value(&self, shape: &Shape, element: &Element) -> Result<Value, Mismatch> {
        match shape {
            Shape::Structure(id) => self.structure(*id, element),
            Shape::List { layout: Layout::Nested(name), item } => self.list(item, element.all(name)),
            Shape::Map { layout: Layout::Nested(name), key, value, of } => {
                self.map((key, value), of, element.all(name))
            }
            Shape::List { .. } | Shape::Map { .. } => Err(Mismatch::new("flattened within a list")),
            scalar => scalar.of_text(&element.text),
        }
    }

    fn list<'a>(&self, item: &Shape, entries: impl Iterator<Item = &'a Element>) -> Result<Value, Mismatch> {
        entries.map(|entry| self.value(item, entry)).collect::<Result<_, _>>().map(Value::Array)
    }

    fn map<'a>(
        &self,
        (key, inner): (&str, &str),
        of: &Shape,
        entries: impl Iterator<Item = &'a Element>,
    ) -> Result<Value, Mismatch> {
        let mut map = Map::new();
        for entry in entries {
            let part = |name: &str| {
                entry
                    .child(name)
                    .ok_or_else(|| Mismatch::new("an entry was expected to have it").within(name))
            };
            let value = self.value(of, part(inner)?)?;
            map.insert(part(key)?.text.clone(), value);
        }
        Ok(Value::Object(map))
    }
}
