//! What a stack says of itself, so that findings about one are not taken for another's.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

/// Where stacks tell their version. What is not there is an answer too.
const PLACES: [&str; 3] = ["/_havoq/health", "/_localstack/health", "/"];

const ANSWER: Duration = Duration::from_secs(2);

/// A text that changes when another stack, or another version of one, stands behind the URL. `None`
/// where nothing of the kind can be had; then nothing is kept of it.
pub(super) async fn identity(url: &str) -> Option<String> {
    let mut parts = Vec::new();
    for place in PLACES {
        let (status, server, version) =
            tokio::time::timeout(ANSWER, ask(&format!("{url}{place}"))).await.ok()??;
        parts.push(format!("{place} {status} {server} {version}"));
    }
    Some(parts.join("; "))
}

/// Status, server and version.
async fn ask(url: &str) -> Option<(u16, String, String)> {
    let client: Client<_, Empty<Bytes>> = Client::builder(TokioExecutor::new()).build(HttpConnector::new());
    let response = client.get(url.parse().ok()?).await.ok()?;
    let status = response.status().as_u16();
    let server = response.headers().get(http::header::SERVER).and_then(|value| value.to_str().ok());
    let server = server.unwrap_or("-").to_owned();
    let body = response.into_body().collect().await.ok()?.to_bytes();
    let told: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
    let version =
        ["edition", "version", "havoq"].map(|member| told[member].as_str().unwrap_or("-").to_owned());
    Some((status, server, version.join(" ")))
}
