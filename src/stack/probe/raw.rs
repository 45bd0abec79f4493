//! Requests that no SDK would make: what is on the wire.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

use super::finding::{Not, Shown};
use super::lab::Lab;
use crate::aws::REGION;

const ANSWER: Duration = Duration::from_secs(10);

/// An answer as it came.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: http::HeaderMap,
    pub(super) body: String,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// For a finding.
    pub(super) fn told(&self) -> String {
        let body: String = self.body.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("HTTP {} {}", self.status, body.chars().take(160).collect::<String>())
    }
}

impl Lab {
    /// An SQS call as AWS JSON, to this path.
    pub(super) async fn json(&self, path: &str, operation: &str, input: &serde_json::Value) -> Shown<Answer> {
        let request = http::Request::post(format!("{}{path}", self.0.url))
            .header("content-type", "application/x-amz-json-1.0")
            .header("x-amz-target", format!("AmazonSQS.{operation}"))
            .header("x-amzn-query-mode", "true");
        self.ask(request, input.to_string()).await
    }

    /// An SQS call as a form (semantics 1.15).
    pub(super) async fn form(&self, path: &str, form: &[(&str, &str)]) -> Shown<Answer> {
        let version = [("Version", "2012-11-05")];
        let pairs = form.iter().chain(&version).map(|(name, value)| format!("{name}={}", escaped(value)));
        let body = pairs.collect::<Vec<_>>().join("&");
        let request = http::Request::post(format!("{}{path}", self.0.url))
            .header("content-type", "application/x-www-form-urlencoded");
        self.ask(request, body).await
    }

    async fn ask(&self, request: http::request::Builder, body: String) -> Shown<Answer> {
        let authorization = format!(
            "AWS4-HMAC-SHA256 Credential=test/20260101/{REGION}/sqs/aws4_request, SignedHeaders=host, Signature=00"
        );
        let unclear = |error: &dyn std::fmt::Display| Not::Unclear(format!("no answer: {error}"));
        let request = request.header("authorization", authorization).body(Full::new(Bytes::from(body)));
        let request = request.map_err(|error| unclear(&error))?;
        if request.uri().scheme_str() == Some("https") {
            return Err(Not::Unclear("requests of its own form are made over http only".to_owned()));
        }
        let client: Client<_, Full<Bytes>> =
            Client::builder(TokioExecutor::new()).build(HttpConnector::new());
        let asked = async {
            let response = client.request(request).await.map_err(|error| unclear(&error))?;
            let (parts, body) = response.into_parts();
            let body = body.collect().await.map_err(|error| unclear(&error))?.to_bytes();
            let body = String::from_utf8_lossy(&body).into_owned();
            Ok(Answer { status: parts.status.as_u16(), headers: parts.headers, body })
        };
        tokio::time::timeout(ANSWER, asked).await.map_err(|error| unclear(&error))?
    }
}

/// Percent-encoded for a form.
fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
