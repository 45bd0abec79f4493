//! From a result or an error to CBOR, by the model.

use std::convert::Infallible;

use minicbor::Encoder;
use minicbor::data::IanaTag;
use serde_json::Value;

use crate::call::Head;
use crate::errors::ServiceError;
use crate::model::{MAX_DEPTH, Mismatch, Model, Shape, StructureId};
use crate::values;

/// The result; an operation without one has no body at all.
pub(crate) fn success(head: &Head, result: &Value) -> Result<Vec<u8>, Mismatch> {
    let model = head.service.model();
    let Some(output) = model.output(&head.operation) else {
        return Ok(Vec::new());
    };
    write(model, output, result)
}

pub(super) fn write(model: &'static Model, id: StructureId, value: &Value) -> Result<Vec<u8>, Mismatch> {
    let mut writer = Writer { model, encoder: Encoder::new(Vec::new()) };
    writer.structure(id, value, 0)?;
    Ok(writer.encoder.into_writer())
}

pub(crate) fn failure(error: &ServiceError) -> Vec<u8> {
    let mut encoder = Encoder::new(Vec::new());
    encoder
        .map(2)
        .and_then(|encoder| encoder.str("__type")?.str(&error.shape)?.str("message")?.str(&error.message))
        .expect("memory takes all that is written to it");
    encoder.into_writer()
}

struct Writer {
    model: &'static Model,
    encoder: Encoder<Vec<u8>>,
}

impl From<minicbor::encode::Error<Infallible>> for Mismatch {
    fn from(error: minicbor::encode::Error<Infallible>) -> Self {
        Self::new(error.to_string())
    }
}

impl Writer {
    fn structure(&mut self, id: StructureId, value: &Value, depth: usize) -> Result<(), Mismatch> {
        let values = value.as_object().ok_or_else(|| Mismatch::new("not a structure"))?;
        let members = &self.model.structure(id).members;
        let present = |name| values.get(name).filter(|value: &&Value| !value.is_null());
        let count = members.iter().filter(|member| present(member.name).is_some()).count();
        self.encoder.map(count as u64)?;
        for member in members {
            if let Some(value) = present(member.name) {
                self.encoder.str(member.name)?;
                self.value(&member.shape, value, depth).map_err(|at| at.within(member.name))?;
            }
        }
        Ok(())
    }

    fn value(&mut self, shape: &Shape, value: &Value, depth: usize) -> Result<(), Mismatch> {
        if depth > MAX_DEPTH {
            return Err(Mismatch::new("nested too deeply"));
        }
        match shape {
            Shape::Structure(id) => self.structure(*id, value, depth + 1),
            Shape::List { item, .. } => {
                let values = value.as_array().ok_or_else(|| Mismatch::new("not a list"))?;
                self.encoder.array(values.len() as u64)?;
                for (index, value) in values.iter().enumerate() {
                    self.value(item, value, depth + 1).map_err(|at| at.within(index))?;
                }
                Ok(())
            }
            Shape::Map { of, .. } => {
                let pairs = value.as_object().ok_or_else(|| Mismatch::new("not a map"))?;
                self.encoder.map(pairs.len() as u64)?;
                for (key, value) in pairs {
                    self.encoder.str(key)?;
                    self.value(of, value, depth + 1).map_err(|at| at.within(key))?;
                }
                Ok(())
            }
            scalar => {
                let mismatch = || Mismatch::new(format!("{value} is not of the type {}", scalar.name()));
                self.scalar(scalar, value)?.ok_or_else(mismatch)
            }
        }
    }

    /// Nothing when the value is of another type.
    fn scalar(&mut self, shape: &Shape, value: &Value) -> Result<Option<()>, Mismatch> {
        let encoder = &mut self.encoder;
        let written = match shape {
            Shape::Integer => match (value.as_u64(), value.as_i64()) {
                (Some(number), _) => encoder.u64(number)?,
                (None, Some(number)) => encoder.i64(number)?,
                (None, None) => return Ok(None),
            },
            Shape::Double => match values::as_double(value) {
                Some(number) => encoder.f64(number)?,
                None => return Ok(None),
            },
            Shape::Boolean => match value.as_bool() {
                Some(truth) => encoder.bool(truth)?,
                None => return Ok(None),
            },
            Shape::Timestamp => match value.as_f64() {
                Some(seconds) => encoder.tag(IanaTag::Timestamp)?.f64(seconds)?,
                None => return Ok(None),
            },
            Shape::Blob => match value.as_str().and_then(values::bytes) {
                Some(bytes) => encoder.bytes(&bytes)?,
                None => return Ok(None),
            },
            _ => match value.as_str() {
                Some(text) => encoder.str(text)?,
                None => return Ok(None),
            },
        };
        written.ok()?;
        Ok(Some(()))
    }
}
