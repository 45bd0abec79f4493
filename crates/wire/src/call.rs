//! What a request asks for, whatever protocol it came in.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::json;
use crate::upstream::Request;

/// The services whose calls can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Service {
    Sqs,
    Sns,
    CloudWatch,
    Sts,
}

/// How a call is written, and so its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// AWS JSON.
    Json,
}

/// What a request asks for, its input aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub service: Service,
    pub protocol: Protocol,
    /// As the API names it, such as `ReceiveMessage`.
    pub operation: String,
    pub attempt: Attempt,
}

/// One call of one operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub head: Head,
    /// The input's members, named as in the API.
    pub params: Value,
}

/// Which try this is; all attempts of one call share the invocation id (semantics 8.1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    pub invocation_id: Option<String>,
    /// From 1.
    pub number: Option<u32>,
    /// After how many the caller gives up.
    pub max: Option<u32>,
}

impl Attempt {
    fn of(request: &Request) -> Self {
        let counts = header(request, "amz-sdk-request").unwrap_or_default();
        let count = |key: &str| {
            let mut pairs = counts.split(';').filter_map(|pair| pair.trim().split_once('='));
            pairs.find(|(name, _)| *name == key).and_then(|(_, value)| value.parse().ok())
        };
        Self {
            invocation_id: header(request, "amz-sdk-invocation-id").map(str::to_owned),
            number: count("attempt"),
            max: count("max"),
        }
    }
}

/// Why a request is not a call that can be read.
#[derive(Debug, thiserror::Error)]
pub enum NotACall {
    #[error("a call is a POST, and this is a {0}")]
    Method(http::Method),
    #[error(
        "it has no X-Amz-Target header, and calls in other protocols than JSON are not understood yet (content type {0:?})"
    )]
    Protocol(String),
    #[error("X-Amz-Target {0:?} names no operation of a service that is understood")]
    Target(String),
    #[error("{0}")]
    Body(String),
}

impl Head {
    /// Reads what a request asks for. Its input may still turn out to be unreadable.
    pub fn of(request: &Request) -> Result<Self, NotACall> {
        if request.method() != http::Method::POST {
            return Err(NotACall::Method(request.method().clone()));
        }
        let Some(target) = header(request, "x-amz-target") else {
            let content_type = header(request, "content-type").unwrap_or_default();
            return Err(NotACall::Protocol(content_type.to_owned()));
        };
        let (service, operation) = json::target(target).ok_or_else(|| NotACall::Target(target.to_owned()))?;
        Ok(Self {
            service,
            protocol: Protocol::Json,
            operation: operation.to_owned(),
            attempt: Attempt::of(request),
        })
    }

    /// The best guess at a request that is no call: it has to be told so in some form.
    pub fn guess(request: &Request) -> Self {
        Self {
            service: Service::Sqs,
            protocol: Protocol::Json,
            operation: String::new(),
            attempt: Attempt::of(request),
        }
    }

    /// The input, straight into a type whose members are named as in the API.
    pub fn input<T: DeserializeOwned>(&self, request: &Request) -> Result<T, NotACall> {
        match self.protocol {
            Protocol::Json => json::input(request.body()).map_err(NotACall::Body),
        }
    }
}

/// Reads the call out of a request.
pub fn decode(request: &Request) -> Result<Call, NotACall> {
    let head = Head::of(request)?;
    let params: Map<String, Value> = head.input(request)?;
    Ok(Call { head, params: Value::Object(params) })
}

fn header<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    request.headers().get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    fn request(headers: &[(&str, &str)], body: &'static str) -> Request {
        let builder = http::Request::post("http://127.0.0.1/");
        let builder = headers.iter().fold(builder, |builder, (name, value)| builder.header(*name, *value));
        builder.body(Bytes::from_static(body.as_bytes())).expect("a valid request")
    }

    #[test]
    fn a_json_call_is_read_with_its_attempt() {
        let call = decode(&request(
            &[
                ("x-amz-target", "AmazonSQS.SendMessage"),
                ("amz-sdk-invocation-id", "abc"),
                ("amz-sdk-request", "ttl=20261105T000000Z; attempt=2; max=3"),
            ],
            r#"{"MessageBody":"x"}"#,
        ))
        .expect("a call");
        assert_eq!(call.head.service, Service::Sqs);
        assert_eq!(call.head.operation, "SendMessage");
        assert_eq!(call.params["MessageBody"], "x");
        let attempt = Attempt { invocation_id: Some("abc".into()), number: Some(2), max: Some(3) };
        assert_eq!(call.head.attempt, attempt);
    }

    #[test]
    fn an_empty_body_is_an_input_without_members() {
        let call = decode(&request(&[("x-amz-target", "AmazonSQS.ListQueues")], "")).expect("a call");
        assert_eq!(call.params, serde_json::json!({}));
        assert_eq!(call.head.attempt, Attempt::default());
    }

    #[test]
    fn what_is_not_a_call_says_what_it_is_not() {
        let of = |headers, body| decode(&request(headers, body)).expect_err("not a call").to_string();
        assert!(
            of(&[("content-type", "application/x-www-form-urlencoded")], "Action=X").contains("urlencoded")
        );
        assert!(of(&[("x-amz-target", "AWSEvents.PutEvents")], "{}").contains("AWSEvents.PutEvents"));
        assert!(of(&[("x-amz-target", "AmazonSQS.SendMessage")], "{").contains("JSON"));
        assert!(of(&[("x-amz-target", "AmazonSQS.SendMessage")], "[]").contains("JSON"));
        let get = http::Request::get("/").body(Bytes::new()).expect("a valid request");
        assert!(decode(&get).expect_err("not a call").to_string().contains("GET"));
    }
}
