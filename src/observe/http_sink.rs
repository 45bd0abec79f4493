//! The HTTP effect sinks. They honour Idempotency-Key as payment providers do: a replay gets the
//! first answer again and is not counted.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use havoq_pattern::JsonPath;
use havoq_wire::{Request, Response};
use http::{HeaderValue, StatusCode};

/// One effect of the scenario.
#[derive(Clone, Debug)]
pub struct SinkSpec {
    /// Such as `/charges`.
    pub path: String,
    /// Where the key stands in the request's body.
    pub key: JsonPath,
}

/// All HTTP sinks of one attempt.
#[derive(Debug)]
pub struct HttpSink {
    specs: BTreeMap<String, SinkSpec>,
    /// Idempotency keys seen, per effect.
    seen: Mutex<HashSet<(String, Bytes)>>,
}

impl HttpSink {
    /// The sinks, by effect name.
    pub fn new(specs: BTreeMap<String, SinkSpec>) -> Self {
        Self { specs, seen: Mutex::default() }
    }

    /// The effect whose sink has the request's path.
    pub fn effect_at(&self, request: &Request) -> Option<&str> {
        let path = request.uri().path();
        self.specs.iter().find(|(_, spec)| spec.path == path).map(|(name, _)| name.as_str())
    }

    /// The effect's key in the request, if it has a usable one.
    pub fn key(&self, effect: &str, request: &Request) -> Option<String> {
        let body: serde_json::Value = serde_json::from_slice(request.body()).ok()?;
        self.specs.get(effect)?.key.first(&body)
    }

    /// Takes the effect; true when it is a replay.
    pub fn take(&self, effect: &str, request: &Request) -> (bool, Response) {
        let key = request.headers().get("idempotency-key").map(|key| Bytes::copy_from_slice(key.as_bytes()));
        let replay = key.is_some_and(|key| {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            !seen.insert((effect.to_owned(), key))
        });
        let mut response = Response::new(Bytes::from_static(b"{\"status\":\"ok\"}"));
        *response.status_mut() = StatusCode::OK;
        response
            .headers_mut()
            .insert(http::header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        (replay, response)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sink() -> HttpSink {
        let key = JsonPath::parse("$.orderId").expect("a path");
        HttpSink::new(BTreeMap::from([("charges".into(), SinkSpec { path: "/charges".into(), key })]))
    }

    fn charge(body: &str, key: Option<&str>) -> Request {
        let request = http::Request::post("/charges");
        let request = match key {
            Some(key) => request.header("Idempotency-Key", key),
            None => request,
        };
        request.body(Bytes::copy_from_slice(body.as_bytes())).expect("a request")
    }

    #[test]
    fn a_replay_is_told_from_a_second_effect() {
        let sink = sink();
        let with_key = charge(r#"{"orderId": "a"}"#, Some("a"));
        assert!(!sink.take("charges", &with_key).0);
        assert!(sink.take("charges", &with_key).0);
        let without = charge(r#"{"orderId": "a"}"#, None);
        assert!(!sink.take("charges", &without).0);
        assert!(!sink.take("charges", &without).0);
    }

    #[test]
    fn the_key_is_read_from_the_body() {
        let sink = sink();
        assert_eq!(sink.effect_at(&charge("", None)), Some("charges"));
        assert_eq!(sink.key("charges", &charge(r#"{"orderId": "a"}"#, None)).as_deref(), Some("a"));
        assert_eq!(sink.key("charges", &charge("not json", None)), None);
        assert_eq!(sink.key("charges", &charge(r#"{"orderId": null}"#, None)), None);
    }
}
