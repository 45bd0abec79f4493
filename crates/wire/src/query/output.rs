//! From a result or an error to XML, by the model.

use serde_json::Value;

use super::xml::Xml;
use crate::call::Head;
use crate::errors::ServiceError;
use crate::model::{Layout, MAX_DEPTH, Mismatch, Model, Shape, StructureId};
use crate::service::Service;

pub(crate) fn success(head: &Head, result: &Value, request_id: &str) -> Result<Vec<u8>, Mismatch> {
    let model = head.service.model();
    let (response, wrapper) = (format!("{}Response", head.operation), format!("{}Result", head.operation));
    let mut writer = Writer { model, xml: Xml::default() };
    writer.xml.root(&response, model.xmlns);
    if let Some(output) = model.output(&head.operation) {
        writer.xml.open(&wrapper);
        writer.structure(output, result, 0)?;
        writer.xml.close(&wrapper);
    }
    writer.xml.open("ResponseMetadata");
    writer.xml.leaf("RequestId", request_id);
    writer.xml.close("ResponseMetadata");
    writer.xml.close(&response);
    Ok(writer.xml.into_bytes())
}

pub(crate) fn failure(service: Service, error: &ServiceError, request_id: &str) -> Vec<u8> {
    let mut xml = Xml::default();
    xml.root("ErrorResponse", service.model().xmlns);
    xml.open("Error");
    xml.leaf("Type", if error.sender { "Sender" } else { "Receiver" });
    xml.leaf("Code", &error.query_code);
    xml.leaf("Message", &message(error));
    if service == Service::Sqs {
        xml.leaf("Detail", "");
    }
    xml.close("Error");
    xml.leaf("RequestId", request_id);
    xml.close("ErrorResponse");
    xml.into_bytes()
}

/// One text is longer in Query than it is in JSON (semantics 1.15).
fn message(error: &ServiceError) -> String {
    match error.message.strip_suffix('.') {
        Some(text) if error.query_code == "AWS.SimpleQueueService.NonExistentQueue" => {
            format!("{text} for this wsdl version.")
        }
        _ => error.message.clone(),
    }
}

struct Writer {
    model: &'static Model,
    xml: Xml,
}

impl Writer {
    fn structure(&mut self, id: StructureId, value: &Value, depth: usize) -> Result<(), Mismatch> {
        let values = value.as_object().ok_or_else(|| Mismatch::new("not a structure"))?;
        for member in &self.model.structure(id).members {
            let Some(value) = values.get(member.name).filter(|value| !value.is_null()) else { continue };
            self.element(member.wire, &member.shape, value, depth).map_err(|at| at.within(member.name))?;
        }
        Ok(())
    }

    /// A value under its name; for a flattened one, as many elements as it has entries.
    fn element(&mut self, name: &str, shape: &Shape, value: &Value, depth: usize) -> Result<(), Mismatch> {
        if depth > MAX_DEPTH {
            return Err(Mismatch::new("nested too deeply"));
        }
        match shape {
            Shape::List { layout: Layout::Flat, item } => self.items(name, item, value, depth + 1),
            Shape::Map { layout: Layout::Flat, key, value: inner, of } => {
                self.pairs(name, (key, inner), of, value, depth + 1)
            }
            shape => {
                self.xml.open(name);
                self.content(shape, value, depth + 1)?;
                self.xml.close(name);
                Ok(())
            }
        }
    }

    fn content(&mut self, shape: &Shape, value: &Value, depth: usize) -> Result<(), Mismatch> {
        match shape {
            Shape::Structure(id) => self.structure(*id, value, depth),
            Shape::List { layout: Layout::Nested(name), item } => self.items(name, item, value, depth),
            Shape::Map { layout: Layout::Nested(name), key, value: inner, of } => {
                self.pairs(name, (key, inner), of, value, depth)
            }
            // Only a list of flattened lists could be this, and no API has one.
            Shape::List { .. } | Shape::Map { .. } => Err(Mismatch::new("flattened within a list")),
            scalar => {
                self.xml.text(&scalar.to_text(value)?);
                Ok(())
            }
        }
    }

    fn items(&mut self, name: &str, item: &Shape, value: &Value, depth: usize) -> Result<(), Mismatch> {
        let values = value.as_array().ok_or_else(|| Mismatch::new("not a list"))?;
        for (index, value) in values.iter().enumerate() {
            self.element(name, item, value, depth).map_err(|at| at.within(index))?;
        }
        Ok(())
    }

    fn pairs(
        &mut self,
        name: &str,
        (key, inner): (&str, &str),
        of: &Shape,
        value: &Value,
        depth: usize,
    ) -> Result<(), Mismatch> {
        let pairs = value.as_object().ok_or_else(|| Mismatch::new("not a map"))?;
        for (of_pair, value) in pairs.iter().filter(|(_, value)| !value.is_null()) {
            self.xml.open(name);
            self.xml.leaf(key, of_pair);
            self.element(inner, of, value, depth).map_err(|at| at.within(of_pair))?;
            self.xml.close(name);
        }
        Ok(())
    }
}
