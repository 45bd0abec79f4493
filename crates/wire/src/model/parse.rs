//! The notation of the files in `models`. A line is one of
//!
//! ```text
//! key value                     a trait of the service
//! operation Name Input Output [METHOD /path status]   `-` for none
//! structure Name                followed by its members, indented:
//!   Member shape [at place] [as WireName]
//! error Shape QueryCode status
//! ```
//!
//! and a shape is a scalar's name (lower case), a structure's (upper case), or
//!
//! ```text
//! [shape]  [item:shape]         a list below `member`, or below another name
//! {shape}  {Key,Value:shape}    a map below `entry`, its parts named `key` and `value`, or otherwise
//! ~[shape] ~{shape}             the same, flattened
//! ```

use std::collections::HashMap;

use super::types::{Binding, Layout, Member, Model, Operation, Place, Shape, Structure, StructureId};
use crate::call::Protocol;

impl Model {
    pub(crate) fn read(text: &'static str) -> Result<Self, String> {
        let mut reader = Reader::default();
        for (number, line) in text.lines().enumerate() {
            reader.line(line).map_err(|problem| format!("line {}: {problem}", number + 1))?;
        }
        match reader.ids.iter().find(|(_, id)| !reader.defined[id.0]) {
            Some((name, _)) => Err(format!("{name} is used and not described")),
            None => Ok(reader.model),
        }
    }
}

#[derive(Default)]
struct Reader {
    model: Model,
    ids: HashMap<&'static str, StructureId>,
    /// Whether the structure of each id has been described.
    defined: Vec<bool>,
    /// The structure whose members come.
    current: Option<StructureId>,
}

impl Reader {
    fn line(&mut self, line: &'static str) -> Result<(), String> {
        if line.starts_with('#') {
            return Ok(());
        }
        let words: Vec<&'static str> = line.split_ascii_whitespace().collect();
        let model = &mut self.model;
        match words[..] {
            [name, shape, ref rest @ ..] if line.starts_with(' ') => return self.member(name, shape, rest),
            ["version", version] => model.version = version,
            ["signing", signing] => model.signing = signing,
            ["namespace", namespace] => model.namespace = namespace,
            ["protocols", ref names @ ..] => {
                let named = names.iter().map(|name| protocol(name).ok_or(format!("{name} is no protocol")));
                model.protocols = named.collect::<Result<_, _>>()?;
            }
            ["target", target] => model.target = Some(target),
            ["json", "1.0"] => model.json = Some("application/x-amz-json-1.0"),
            ["json", "1.1"] => model.json = Some("application/x-amz-json-1.1"),
            ["xmlns", xmlns] => model.xmlns = xmlns,
            ["query-compatible"] => model.query_compatible = true,
            ["operation", name, input, output, ref bound @ ..] => {
                let binding = binding(bound)?;
                let (input, output) = (self.structure(input), self.structure(output));
                self.model.operations.insert(name, Operation { input, output, binding });
            }
            ["structure", name] => {
                self.current = self.structure(name);
                self.current.into_iter().for_each(|id| self.defined[id.0] = true);
            }
            ["error", shape, code, status] => {
                let status = status.parse().map_err(|_| format!("{status} is no status"))?;
                model.errors.insert(shape, (code, status));
                model.error_members.extend(self.ids.get(shape).map(|id| (shape, *id)));
            }
            _ => return Err(format!("{line:?} is not understood")),
        }
        Ok(())
    }

    fn member(
        &mut self,
        name: &'static str,
        shape: &'static str,
        rest: &[&'static str],
    ) -> Result<(), String> {
        let shape = self.shape(shape)?;
        let (at, wire) = match *rest {
            [] => (None, name),
            ["as", wire] => (None, wire),
            ["at", place] => (Some(place), name),
            ["at", place, "as", wire] => (Some(place), wire),
            _ => return Err(format!("{rest:?} is not understood")),
        };
        let place = at.map_or(Ok(Place::Member), |at| place(at).ok_or(format!("{at} is no place")))?;
        let current = self.current.ok_or("a member of no structure")?;
        self.model.structures[current.0].members.push(Member { name, wire, shape, place });
        Ok(())
    }

    fn structure(&mut self, name: &'static str) -> Option<StructureId> {
        if name == "-" {
            return None;
        }
        let structures = &mut self.model.structures;
        Some(*self.ids.entry(name).or_insert_with(|| {
            structures.push(Structure::default());
            self.defined.push(false);
            StructureId(structures.len() - 1)
        }))
    }

    fn shape(&mut self, text: &'static str) -> Result<Shape, String> {
        let (flat, shape) = text.strip_prefix('~').map_or((false, text), |shape| (true, shape));
        let layout = |nested| if flat { Layout::Flat } else { Layout::Nested(nested) };
        if let Some(inner) = between(shape, '[', ']') {
            let (name, item) = named(inner);
            let item = Box::new(self.shape(item)?);
            return Ok(Shape::List { layout: layout(name.unwrap_or("member")), item });
        }
        if let Some(inner) = between(shape, '{', '}') {
            let (names, of) = named(inner);
            let (key, value) = names.unwrap_or("key,value").split_once(',').ok_or("a map has two names")?;
            let of = Box::new(self.shape(of)?);
            return Ok(Shape::Map { layout: layout("entry"), key, value, of });
        }
        match shape {
            "string" => Ok(Shape::String),
            "integer" => Ok(Shape::Integer),
            "double" => Ok(Shape::Double),
            "boolean" => Ok(Shape::Boolean),
            "timestamp" => Ok(Shape::Timestamp),
            "blob" => Ok(Shape::Blob),
            name if name.starts_with(|first: char| first.is_ascii_uppercase()) => {
                self.structure(name).map(Shape::Structure).ok_or_else(|| "a shape of no name".to_owned())
            }
            other => Err(format!("{other:?} is no shape")),
        }
    }
}

fn protocol(name: &str) -> Option<Protocol> {
    match name {
        "json" => Some(Protocol::Json),
        "query" => Some(Protocol::Query),
        "cbor" => Some(Protocol::Cbor),
        "rest" => Some(Protocol::Rest),
        _ => None,
    }
}

fn place(name: &str) -> Option<Place> {
    match name {
        "body" => Some(Place::Body),
        "path" => Some(Place::Path),
        "query" => Some(Place::Query),
        "header" => Some(Place::Header),
        "status" => Some(Place::Status),
        _ => None,
    }
}

fn binding(words: &[&'static str]) -> Result<Option<Binding>, String> {
    match *words {
        [] => Ok(None),
        [method, path, status] => {
            let method = method.parse().map_err(|_| format!("{method} is no method"))?;
            let status = status.parse().map_err(|_| format!("{status} is no status"))?;
            Ok(Some(Binding { method, path, status }))
        }
        _ => Err(format!("{words:?} is not understood")),
    }
}

fn between(text: &'static str, open: char, close: char) -> Option<&'static str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

/// The names before a shape, where there are any.
fn named(text: &'static str) -> (Option<&'static str>, &'static str) {
    match text.split_once(':') {
        Some((names, shape)) if !names.contains(['[', '{', '~']) => (Some(names), shape),
        _ => (None, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_read_with_their_layout_and_names() {
        let model = Model::read(
            "operation Do In -\nstructure In\n  A [string]\n  B ~[In] as Bs\n  C {Name,Value:[it:integer]}\n  D ~{blob}",
        )
        .expect("a model");
        let input = model.operations["Do"].input.expect("an input");
        let [a, b, c, d] = &model.structure(input).members[..] else { panic!("four members") };
        assert!(matches!(&a.shape, Shape::List { layout: Layout::Nested("member"), .. }));
        assert!(
            matches!(&b.shape, Shape::List { layout: Layout::Flat, item } if matches!(**item, Shape::Structure(id) if id == input))
        );
        assert_eq!((b.name, b.wire), ("B", "Bs"));
        assert!(
            matches!(&c.shape, Shape::Map { layout: Layout::Nested("entry"), key: "Name", value: "Value", of }
            if matches!(**of, Shape::List { layout: Layout::Nested("it"), .. }))
        );
        assert!(matches!(&d.shape, Shape::Map { layout: Layout::Flat, key: "key", value: "value", .. }));
    }

    #[test]
    fn what_is_not_the_notation_is_refused_with_its_line() {
        for (text, problem) in [
            ("operation Do In -", "In is used and not described"),
            ("\n", "line 1"),
            ("structure A\n  B text", "line 2: \"text\" is no shape"),
            ("  B string", "line 1: a member of no structure"),
            ("error A B high", "high is no status"),
        ] {
            let error = Model::read(text).expect_err("no model");
            assert!(error.contains(problem), "{error}");
        }
    }
}
