//! From CBOR to the input of an operation, by the model.

use minicbor::Decoder;
use minicbor::data::{IanaTag, Type};
use serde_json::{Map, Value};

use super::error::{more, text};
use crate::call::Head;
use crate::model::{MAX_DEPTH, Mismatch, Model, Shape, StructureId};
use crate::service::Service;
use crate::values;

/// The service and the operation that a path names: `.../service/Name/operation/Name`.
pub(crate) fn target(path: &str) -> Option<(Service, &str)> {
    let mut steps = path.rsplit('/');
    let operation = steps.next().filter(|operation| !operation.is_empty())?;
    let (step, service) = (steps.next()?, steps.next()?);
    let is_call = step == "operation" && steps.next()? == "service";
    Some((Service::of_target(service).filter(|_| is_call)?, operation))
}

/// An operation's input. One that the model does not know has none.
pub(crate) fn input(head: &Head, body: &[u8]) -> Result<Value, Mismatch> {
    let model = head.service.model();
    read_any(model, model.input(&head.operation), body)
}

/// An operation's result.
pub(crate) fn read_result(head: &Head, body: &[u8]) -> Result<Value, Mismatch> {
    let model = head.service.model();
    read_any(model, model.output(&head.operation), body)
}

/// No body at all is a structure without members.
fn read_any(model: &'static Model, id: Option<StructureId>, body: &[u8]) -> Result<Value, Mismatch> {
    match id.filter(|_| !body.is_empty()) {
        Some(id) => read(model, id, body),
        None => Ok(Value::Object(Map::new())),
    }
}

/// The value of a structure, and nothing after it.
pub(super) fn read(model: &'static Model, id: StructureId, body: &[u8]) -> Result<Value, Mismatch> {
    let mut reader = Reader { model, decoder: Decoder::new(body) };
    let value = reader.structure(id, 0)?;
    match body.len() - reader.decoder.position() {
        0 => Ok(value),
        rest => Err(Mismatch::new(format!("{rest} bytes follow the value"))),
    }
}

struct Reader<'a> {
    model: &'static Model,
    decoder: Decoder<'a>,
}

impl From<minicbor::decode::Error> for Mismatch {
    fn from(error: minicbor::decode::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl Reader<'_> {
    fn value(&mut self, shape: &Shape, depth: usize) -> Result<Value, Mismatch> {
        if depth > MAX_DEPTH {
            return Err(Mismatch::new("nested too deeply"));
        }
        if matches!(self.decoder.datatype()?, Type::Null | Type::Undefined) {
            self.decoder.skip()?;
            return Ok(Value::Null);
        }
        match shape {
            Shape::String => Ok(Value::String(text(&mut self.decoder)?)),
            Shape::Integer => self.integer(),
            Shape::Double => Ok(values::double(self.number()?)),
            Shape::Boolean => Ok(Value::Bool(self.decoder.bool()?)),
            Shape::Timestamp => self.timestamp(),
            Shape::Blob => self.blob(),
            Shape::Structure(id) => self.structure(*id, depth + 1),
            Shape::List { item, .. } => self.list(item, depth + 1),
            Shape::Map { of, .. } => self.map(of, depth + 1),
        }
    }

    fn structure(&mut self, id: StructureId, depth: usize) -> Result<Value, Mismatch> {
        let members = &self.model.structure(id).members;
        let mut values = Map::new();
        let mut left = self.decoder.map()?;
        while more(&mut self.decoder, &mut left)? {
            let name = text(&mut self.decoder)?;
            match members.iter().find(|member| member.name == name) {
                Some(member) => {
                    let value = self.value(&member.shape, depth).map_err(|at| at.within(&name))?;
                    // A member that is null is one that is not there.
                    if !value.is_null() {
                        values.insert(name, value);
                    }
                }
                None => self.decoder.skip()?,
            }
        }
        Ok(Value::Object(values))
    }

    fn list(&mut self, item: &Shape, depth: usize) -> Result<Value, Mismatch> {
        // No room is made ahead: the length is only what the sender says.
        let mut values = Vec::new();
        let mut left = self.decoder.array()?;
        while more(&mut self.decoder, &mut left)? {
            values.push(self.value(item, depth).map_err(|at| at.within(values.len() + 1))?);
        }
        Ok(Value::Array(values))
    }

    fn map(&mut self, of: &Shape, depth: usize) -> Result<Value, Mismatch> {
        let mut values = Map::new();
        let mut left = self.decoder.map()?;
        while more(&mut self.decoder, &mut left)? {
            let key = text(&mut self.decoder)?;
            let value = self.value(of, depth).map_err(|at| at.within(&key))?;
            values.insert(key, value);
        }
        Ok(Value::Object(values))
    }

    fn integer(&mut self) -> Result<Value, Mismatch> {
        match self.decoder.datatype()? {
            Type::F16 | Type::F32 | Type::F64 => {
                let number = self.decoder.f64()?;
                let whole = values::seconds(number);
                let mismatch = || Mismatch::new(format!("{number} is not of the type integer"));
                Some(whole).filter(Value::is_i64).ok_or_else(mismatch)
            }
            Type::U64 => Ok(Value::from(self.decoder.u64()?)),
            _ => Ok(Value::from(self.decoder.i64()?)),
        }
    }

    /// Any number. What a language takes for whole comes as an integer.
    fn number(&mut self) -> Result<f64, Mismatch> {
        match self.decoder.datatype()? {
            Type::F16 | Type::F32 | Type::F64 => Ok(self.decoder.f64()?),
            _ => Ok(i128::from(self.decoder.int()?) as f64),
        }
    }

    fn timestamp(&mut self) -> Result<Value, Mismatch> {
        if self.decoder.datatype()? == Type::Tag {
            let tag = self.decoder.tag()?;
            if tag != IanaTag::Timestamp.tag() {
                return Err(Mismatch::new(format!("the tag {} is not that of a timestamp", tag.as_u64())));
            }
        }
        let seconds = self.number()?;
        if !seconds.is_finite() {
            return Err(Mismatch::new(format!("{seconds} is not of the type timestamp")));
        }
        Ok(values::seconds(seconds))
    }

    fn blob(&mut self) -> Result<Value, Mismatch> {
        let mut bytes = Vec::new();
        for chunk in self.decoder.bytes_iter()? {
            bytes.extend_from_slice(chunk?);
        }
        Ok(Value::String(values::base64(&bytes)))
    }
}
