//! What a request asks for, whatever protocol it came in.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::not_a_call::NotACall;
use crate::service::Service;
use crate::upstream::Request;
use crate::{body, cbor, json, query, rest};

/// Headers that tell of a body's form, or of what it was in that form.
const OF_FORM: [&str; 8] = [
    "content-type",
    "content-length",
    "content-encoding",
    "content-md5",
    "transfer-encoding",
    "smithy-protocol",
    "x-amz-content-sha256",
    "x-amz-target",
];

/// How a call is written, and so its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// AWS JSON 1.0 or 1.1, whichever the service speaks.
    Json,
    /// AWS Query: a form, answered in XML.
    Query,
    /// Smithy RPC v2 CBOR.
    Cbor,
    /// AWS restJson1: methods and paths, with JSON in the bodies.
    Rest,
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

impl Call {
    /// The same call in AWS JSON, with its answer's head: what any part of it can be changed in.
    /// `None` where the service does not speak it. The request's own headers stay, but for those
    /// that tell of its form.
    pub fn in_json(&self, request: &Request) -> Option<(Head, Request)> {
        let model = self.head.service.model();
        let (target, media) = (model.target?, model.json?);
        let mut json = http::Request::post("/");
        for (name, value) in request.headers() {
            if !OF_FORM.contains(&name.as_str()) {
                json = json.header(name, value);
            }
        }
        let json = json
            .header("x-amz-target", format!("{target}.{}", self.head.operation))
            .header("content-type", media)
            .body(self.params.to_string().into());
        Some((Head { protocol: Protocol::Json, ..self.head.clone() }, json.ok()?))
    }
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

impl Head {
    /// Reads what a request asks for. Its input may still turn out to be unreadable.
    pub fn of(request: &Request) -> Result<Self, NotACall> {
        let (service, protocol, operation) = if let Some(target) = header(request, "x-amz-target") {
            posted(request)?;
            let (service, operation) =
                json::target(target).ok_or_else(|| NotACall::Target(target.to_owned()))?;
            (service, Protocol::Json, operation.to_owned())
        } else if is_cbor(request) {
            posted(request)?;
            let path = request.uri().path();
            let (service, operation) = cbor::target(path).ok_or_else(|| NotACall::Path(path.to_owned()))?;
            (service, Protocol::Cbor, operation.to_owned())
        } else if let Some((service, operation)) = rest::target(request)? {
            (service, Protocol::Rest, operation.to_owned())
        } else if let Some((service, operation)) = query::target(request)? {
            (service, Protocol::Query, operation)
        } else {
            posted(request)?;
            let content_type = header(request, "content-type").unwrap_or_default();
            return Err(NotACall::Protocol(content_type.to_owned()));
        };
        Ok(Self { service, protocol, operation, attempt: Attempt::of(request) })
    }

    /// The best guess at a request that is no call: it has to be told so in some form.
    pub fn guess(request: &Request) -> Self {
        let target = header(request, "x-amz-target");
        let protocol = match header(request, "content-type") {
            _ if target.is_some() => Protocol::Json,
            _ if is_cbor(request) => Protocol::Cbor,
            _ if rest::signed_for(request).is_some() => Protocol::Rest,
            Some(media) if media.contains("json") => Protocol::Json,
            Some(media) if media.contains("cbor") => Protocol::Cbor,
            _ => Protocol::Query,
        };
        let by_target = target.and_then(|target| Service::of_target(target.split('.').next()?));
        let by_path = || request.uri().path().split('/').find_map(Service::of_target);
        let by_signature = || rest::signed_for(request);
        let by_form = || query::service(request);
        let service = by_target.or_else(by_signature).or_else(by_path).or_else(by_form);
        Self {
            service: service.unwrap_or(Service::Sqs),
            protocol,
            operation: String::new(),
            attempt: Attempt::of(request),
        }
    }

    /// The input, into a type whose members are named as in the API. Timestamps are seconds since
    /// 1970 and blobs are base64 text, as AWS JSON has them, whatever the protocol.
    pub fn input<T: DeserializeOwned>(&self, request: &Request) -> Result<T, NotACall> {
        let value = match self.protocol {
            Protocol::Json => return json::input(&body::of(request)?).map_err(NotACall::Body),
            Protocol::Query => query::input(self, request)?,
            Protocol::Cbor => cbor::input(self, &body::of(request)?)
                .map_err(|mismatch| NotACall::Body(mismatch.to_string()))?,
            Protocol::Rest => rest::input(self, request)?,
        };
        T::deserialize(value).map_err(|error| NotACall::Body(error.to_string()))
    }

    /// The input but for a blob that is the whole body, such as what a function is invoked with:
    /// [`body`](crate::body()) has it without a way through base64.
    pub fn input_without_payload<T: DeserializeOwned>(&self, request: &Request) -> Result<T, NotACall> {
        if self.protocol != Protocol::Rest {
            return self.input(request);
        }
        let value = rest::input_without_payload(self, request)?;
        T::deserialize(value).map_err(|error| NotACall::Body(error.to_string()))
    }
}

/// Reads the call out of a request, but for a blob that is the whole body.
pub fn decode(request: &Request) -> Result<Call, NotACall> {
    let head = Head::of(request)?;
    let params: Map<String, Value> = head.input_without_payload(request)?;
    Ok(Call { head, params: Value::Object(params) })
}

fn posted(request: &Request) -> Result<(), NotACall> {
    match request.method() {
        &http::Method::POST => Ok(()),
        other => Err(NotACall::Method(other.clone())),
    }
}

fn is_cbor(request: &Request) -> bool {
    header(request, "smithy-protocol") == Some("rpc-v2-cbor")
}

pub(crate) fn header<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
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
    fn a_call_in_query_can_be_written_in_json() {
        let request = request(
            &[("content-type", "application/x-www-form-urlencoded"), ("amz-sdk-invocation-id", "abc")],
            "Action=ReceiveMessage&Version=2012-11-05&QueueUrl=http%3A%2F%2Fx%2FQ&MaxNumberOfMessages=7",
        );
        let call = decode(&request).expect("a call");
        let (head, json) = call.in_json(&request).expect("SQS speaks JSON");
        let again = decode(&json).expect("a call");
        assert_eq!((&again.head, &again.params), (&head, &call.params));
        assert_eq!(head.protocol, Protocol::Json);
        assert_eq!(again.params["MaxNumberOfMessages"], 7);
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
        let form = [("content-type", "application/x-www-form-urlencoded")];
        assert!(of(&form, "Version=2012-11-05").contains("urlencoded"));
        assert!(of(&form, "Action=Do&Version=1").contains("the action \"Do\" of version \"1\""));
        assert!(of(&[("smithy-protocol", "rpc-v2-cbor")], "").contains("the path \"/\""));
        assert!(of(&[("x-amz-target", "AWSBudgets.PutBudget")], "{}").contains("AWSBudgets.PutBudget"));
        assert!(of(&[("x-amz-target", "AmazonSQS.SendMessage")], "{").contains("JSON"));
        assert!(of(&[("x-amz-target", "AmazonSQS.SendMessage")], "[]").contains("JSON"));
        let get = http::Request::get("/").body(Bytes::new()).expect("a valid request");
        assert!(decode(&get).expect_err("not a call").to_string().contains("GET"));
    }
}
