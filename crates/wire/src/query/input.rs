//! From a form to the input of an operation, by the model.

use serde_json::{Map, Value};

use super::form::{Form, Node};
use super::queue_url;
use super::target::form_text;
use crate::call::Head;
use crate::model::{Layout, MAX_DEPTH, Mismatch, Model, Shape, StructureId};
use crate::not_a_call::NotACall;
use crate::upstream::Request;

/// An operation's input. One that the model does not know has none.
pub(crate) fn input(head: &Head, request: &Request) -> Result<Value, NotACall> {
    let model = head.service.model();
    let Some(input) = model.input(&head.operation) else {
        return Ok(Value::Object(Map::new()));
    };
    let text = form_text(request)?;
    let form = Form::new(&text);
    let members = Reader { model }.structure(input, form.root(), 0);
    let mut members = members.map_err(|mismatch| NotACall::Body(mismatch.to_string()))?;
    queue_url::fill(&mut members, model.structure(input), request);
    Ok(Value::Object(members))
}

struct Reader {
    model: &'static Model,
}

impl Reader {
    fn structure(
        &self,
        id: StructureId,
        node: Node<'_>,
        depth: usize,
    ) -> Result<Map<String, Value>, Mismatch> {
        let mut members = Map::new();
        for member in &self.model.structure(id).members {
            let node = node.child(member.wire);
            if !node.is_absent() {
                let value = self.value(&member.shape, node, depth).map_err(|at| at.within(member.wire))?;
                members.insert(member.name.to_owned(), value);
            }
        }
        Ok(members)
    }

    fn value(&self, shape: &Shape, node: Node<'_>, depth: usize) -> Result<Value, Mismatch> {
        if depth > MAX_DEPTH {
            return Err(Mismatch::new("nested too deeply"));
        }
        match shape {
            Shape::Structure(id) => self.structure(*id, node, depth + 1).map(Value::Object),
            Shape::List { layout, item } => self.list(item, entries(node, *layout), depth + 1),
            Shape::Map { layout, key, value, of } => {
                self.map((key, value), of, entries(node, *layout), depth + 1)
            }
            scalar => scalar.of_text(node.value.ok_or_else(|| Mismatch::new("a value was expected"))?),
        }
    }

    fn list(&self, item: &Shape, entries: Vec<Node<'_>>, depth: usize) -> Result<Value, Mismatch> {
        let values = entries.into_iter().enumerate();
        let value = |(index, node)| self.value(item, node, depth).map_err(|at| at.within(index + 1));
        values.map(value).collect::<Result<_, _>>().map(Value::Array)
    }

    fn map(
        &self,
        (key, value): (&str, &str),
        of: &Shape,
        entries: Vec<Node<'_>>,
        depth: usize,
    ) -> Result<Value, Mismatch> {
        let mut map = Map::new();
        for (index, entry) in entries.into_iter().enumerate() {
            let missing = || Mismatch::new("a value was expected").within(key);
            let name = entry.child(key).value.ok_or_else(missing).map_err(|at| at.within(index + 1))?;
            let value = self.value(of, entry.child(value), depth).map_err(|at| at.within(value));
            map.insert(name.to_owned(), value.map_err(|at| at.within(index + 1))?);
        }
        Ok(Value::Object(map))
    }
}

fn entries(node: Node<'_>, layout: Layout) -> Vec<Node<'_>> {
    match layout {
        Layout::Flat => node.numbered(),
        Layout::Nested(name) => node.child(name).numbered(),
    }
}
