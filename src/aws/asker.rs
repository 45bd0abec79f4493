//! Asks a server as a proxy does: what is about one connection only stays behind, and the answer is
//! read whole.

use std::time::Duration;

use bytes::Bytes;
use havoq_base::RealDuration;
use havoq_base::clock::sleep;
use havoq_wire::{Request, Response};
use http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE,
    TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Uri};
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::connect::{Connect, HttpConnector};
use hyper_util::client::legacy::{Client, ResponseFuture};
use hyper_util::rt::{TokioExecutor, TokioTimer};

use super::causes::told;

/// Servers close idle connections after a few seconds, and a request that meets the close is lost.
const IDLE: Duration = Duration::from_secs(2);

/// Headers that are about one connection only. What compression the client takes is none of the
/// server's business either: the answer must be readable on its way back.
const HOP: [HeaderName; 12] = [
    ACCEPT_ENCODING,
    CONNECTION,
    CONTENT_LENGTH,
    EXPECT,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

type Ask = Box<dyn Fn(http::Request<Full<Bytes>>) -> ResponseFuture + Send + Sync>;

/// A client of servers over `http`, or over `https`.
pub struct Asker(
    /// Or why nothing can be asked.
    Result<Ask, String>,
);

impl Asker {
    /// A client of the servers whose URLs begin as this one does.
    pub fn of(url: &str) -> Self {
        Self(ask(url))
    }

    /// Sends a request that is [`to`] a server, and reads the answer. Says why there is none.
    pub async fn ask(&self, request: Request, patience: RealDuration) -> Result<Response, String> {
        let asked = async {
            let ask = self.0.as_ref().map_err(String::clone)?;
            let response = ask(request.map(Full::new)).await.map_err(|error| told(&error))?;
            let (parts, body) = response.into_parts();
            let body = body.collect().await.map_err(|error| told(&error))?.to_bytes();
            let mut response = havoq_wire::unpack(Response::from_parts(parts, body))?;
            strip(response.headers_mut());
            Ok(response)
        };
        tokio::select! {
            answered = asked => answered,
            () = sleep(patience) => Err(format!("nothing came within {patience}")),
        }
    }
}

/// Directs a request to an absolute URL: its host, and none of the headers that were about the
/// connection by which it came.
pub fn to(url: &str, request: Request) -> Result<Request, String> {
    let (mut parts, body) = request.into_parts();
    let unusable = |what: &str| format!("{url} cannot be asked: {what}");
    let parsed: Uri = url.parse().map_err(|error| unusable(&format!("{error}")))?;
    let authority = parsed.authority().map_or("", |authority| authority.as_str());
    let host = HeaderValue::from_str(authority).map_err(|error| unusable(&error.to_string()))?;
    strip(&mut parts.headers);
    parts.headers.insert(HOST, host);
    parts.uri = parsed;
    parts.version = http::Version::HTTP_11;
    Ok(Request::from_parts(parts, body))
}

fn ask(url: &str) -> Result<Ask, String> {
    let mut http = HttpConnector::new();
    http.set_nodelay(true);
    http.set_connect_timeout(Some(Duration::from_secs(3)));
    if !url.starts_with("https://") {
        return Ok(pooled(http));
    }
    http.enforce_http(false);
    // Loaded for https only: a machine without certificates can do without them otherwise.
    let https = hyper_rustls::HttpsConnectorBuilder::new().with_native_roots();
    let https = https.map_err(|error| format!("this machine has no usable certificates: {error}"))?;
    Ok(pooled(https.https_only().enable_http1().wrap_connector(http)))
}

fn pooled(connector: impl Connect + Clone + Send + Sync + 'static) -> Ask {
    let mut builder = Client::builder(TokioExecutor::new());
    builder.pool_timer(TokioTimer::new()).pool_idle_timeout(IDLE);
    let client = builder.build(connector);
    Box::new(move |request| client.request(request))
}

/// The fixed ones, and those that `Connection` names (RFC 9110, section 7.6.1).
fn strip(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named.iter().chain(&HOP) {
        headers.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_about_one_connection_stays_behind() {
        let request = http::Request::post("/a?b")
            .header("host", "127.0.0.1:4000")
            .header("connection", "keep-alive, X-Mine")
            .header("x-mine", "1")
            .header("expect", "100-continue")
            .header("transfer-encoding", "chunked")
            .header("accept-encoding", "gzip")
            .header("x-amz-target", "AmazonSQS.ListQueues")
            .header("amz-sdk-invocation-id", "i");
        let request = request.body(Bytes::from_static(b"{}")).expect("a valid request");
        let request = to("https://sqs.eu-west-1.amazonaws.com/a?b", request).expect("a URL");
        let mut names: Vec<&str> = request.headers().keys().map(HeaderName::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["amz-sdk-invocation-id", "host", "x-amz-target"]);
        assert_eq!(request.headers()["host"], "sqs.eu-west-1.amazonaws.com");
        assert_eq!(request.body().as_ref(), b"{}");
    }

    #[test]
    fn what_is_no_url_is_not_asked() {
        let error = to("http://a b", Request::default()).expect_err("refused");
        assert!(error.contains("http://a b cannot be asked"), "{error}");
    }
}
