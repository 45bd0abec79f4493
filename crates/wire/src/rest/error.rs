//! Error answers.

use bytes::Bytes;
use http::HeaderMap;
use http::header::{HeaderName, HeaderValue};
use serde_json::{Map, Value};

use super::output::{Written, header_value};
use crate::errors::ServiceError;
use crate::model::{Place, Structure};
use crate::service::Service;

/// The header that names the error's shape.
pub(crate) const ERROR_TYPE: HeaderName = HeaderName::from_static("x-amzn-errortype");

/// An error as its service's model has it: how its message is called differs from one to the next.
pub(crate) fn failure(service: Service, error: &ServiceError) -> Written {
    let described = service.model().error_members(error.shape_name());
    let mut headers = HeaderMap::new();
    if let Ok(name) = HeaderValue::try_from(error.shape_name()) {
        headers.insert(ERROR_TYPE, name);
    }
    let mut members = Map::new();
    if described.is_some_and(|structure| structure.members.iter().any(|member| member.name == "Type")) {
        members.insert("Type".to_owned(), Value::from(if error.sender { "User" } else { "Service" }));
    }
    members.insert(message_name(described).to_owned(), Value::from(error.message.as_str()));
    for (name, value) in &error.details {
        match header_of(described, name) {
            Some(header) => {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                header_value(&text).ok().map(|value| headers.insert(header, value));
            }
            None => {
                members.insert((*name).to_owned(), value.clone());
            }
        }
    }
    Written { status: error.status, headers, body: Bytes::from(Value::Object(members).to_string()) }
}

/// An error that the model has not says `Message`, as AWS's own front does.
fn message_name(described: Option<&'static Structure>) -> &'static str {
    let mut names = described.into_iter().flat_map(|structure| &structure.members).map(|member| member.name);
    names.find(|name| name.eq_ignore_ascii_case("message")).unwrap_or("Message")
}

/// The header that a detail stands in, where it stands in one.
fn header_of(described: Option<&Structure>, name: &str) -> Option<HeaderName> {
    let member = described?.members.iter().find(|member| member.name == name)?;
    HeaderName::try_from(member.wire).ok().filter(|_| member.place == Place::Header)
}
