//! Forwards what a tap has read to the stack's URL, as it is but for addresses.

use std::time::Duration;

use bytes::Bytes;
use havoq_base::RealDuration;
use havoq_base::clock::sleep;
use havoq_wire::{Forwarding, Request, Response, Upstream, UpstreamError};
use http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, TE, TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Uri};
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::connect::{Connect, HttpConnector};
use hyper_util::client::legacy::{Client, ResponseFuture};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::sync::watch;

use super::rewrite::{QueueUrls, inward};
use crate::stack::errors::told;

/// A long poll is answered within 20 s; what takes longer than this is not answered at all.
const ANSWER: RealDuration = RealDuration::from_secs(40);

/// Servers close idle connections after a few seconds, and a request that meets the close is lost.
const IDLE: Duration = Duration::from_secs(2);

/// Headers that are about one connection only. What compression the client takes is none of the
/// stack's business either: the answer must be readable on its way back.
const HOP: [HeaderName; 7] =
    [ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, EXPECT, TE, TRANSFER_ENCODING, UPGRADE];

type Ask = Box<dyn Fn(http::Request<Full<Bytes>>) -> ResponseFuture + Send + Sync>;

pub(super) struct Proxy {
    url: String,
    /// Or why nothing can be asked.
    ask: Result<Ask, String>,
    queue_urls: QueueUrls,
    gone: watch::Sender<Option<String>>,
}

impl Proxy {
    pub fn new<'a>(
        url: &str,
        queue_urls: impl Iterator<Item = &'a String>,
        gone: watch::Sender<Option<String>>,
    ) -> Self {
        Self { url: url.to_owned(), ask: ask(url), queue_urls: QueueUrls::new(queue_urls), gone }
    }

    async fn answer(&self, request: Request) -> Result<Response, UpstreamError> {
        let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).map(str::to_owned);
        let request = self.outward(request)?;
        let asked = async {
            let ask = self.ask.as_ref().map_err(String::clone)?;
            let response = ask(request).await.map_err(|error| told(&error))?;
            let (parts, body) = response.into_parts();
            let body = body.collect().await.map_err(|error| told(&error))?.to_bytes();
            Ok(Response::from_parts(parts, body))
        };
        let answered = tokio::select! {
            answered = asked => answered,
            () = sleep(ANSWER) => Err(format!("nothing came within {ANSWER}")),
        };
        let mut response = answered.map_err(|reason| self.no_answer(reason))?;
        strip(response.headers_mut());
        if let Some(body) = host.and_then(|host| inward(response.body(), &host)) {
            *response.body_mut() = body;
        }
        Ok(response)
    }

    fn outward(&self, request: Request) -> Result<http::Request<Full<Bytes>>, UpstreamError> {
        let (mut parts, body) = request.into_parts();
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        let own = self.queue_urls.outward_path(path);
        let uri = format!("{}{}", self.url, own.as_deref().unwrap_or(path));
        let unusable = |what: &str| UpstreamError::new(format!("{uri} cannot be asked: {what}"));
        let parsed: Uri = uri.parse().map_err(|error| unusable(&format!("{error}")))?;
        let authority = parsed.authority().map_or("", |authority| authority.as_str());
        let host = HeaderValue::from_str(authority).map_err(|error| unusable(&error.to_string()))?;
        strip(&mut parts.headers);
        parts.headers.insert(HOST, host);
        parts.uri = parsed;
        let body = self.queue_urls.outward(&body).unwrap_or(body);
        Ok(http::Request::from_parts(parts, Full::new(body)))
    }

    fn no_answer(&self, reason: String) -> UpstreamError {
        let told = format!(
            "the stack at {} did not answer a consumer's call: {reason}\nhint: see that it runs there",
            self.url
        );
        self.gone.send_if_modified(|gone| {
            let first = gone.is_none();
            gone.get_or_insert(told);
            first
        });
        UpstreamError::new(reason)
    }
}

impl Upstream for Proxy {
    fn forward(&self, request: Request) -> Forwarding<'_> {
        Box::pin(self.answer(request))
    }

    /// Whether a stack that we do not know notices that a poll was given up is not known either.
    fn takes_back_dropped_polls(&self) -> bool {
        false
    }
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

fn strip(headers: &mut HeaderMap) {
    for name in &HOP {
        headers.remove(name);
    }
}
