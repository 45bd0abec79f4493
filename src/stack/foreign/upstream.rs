//! Forwards what a tap has read to the stack's URL, as it is but for addresses.

use std::sync::Arc;

use havoq_base::RealDuration;
use havoq_wire::{Credential, Forwarding, Request, Response, Upstream, UpstreamError};
use http::header::HOST;
use tokio::sync::watch;

use super::rewrite::{QueueUrls, Way};
use crate::aws::Asker;
use crate::aws::queue_urls::{change, change_form, inward};

/// A long poll is answered within 20 s; what takes longer than this is not answered at all.
const ANSWER: RealDuration = RealDuration::from_secs(40);

pub(super) struct Proxy {
    url: String,
    asker: Asker,
    queue_urls: QueueUrls,
    gone: watch::Sender<Option<String>>,
}

/// What forwards all calls to a URL, for a tap that knows nothing of what is there.
pub fn forward_to(url: &str) -> Arc<dyn Upstream> {
    Arc::new(Proxy::new(url.trim_end_matches('/'), std::iter::empty(), watch::Sender::new(None)))
}

impl Proxy {
    pub fn new<'a>(
        url: &str,
        queue_urls: impl Iterator<Item = &'a String>,
        gone: watch::Sender<Option<String>>,
    ) -> Self {
        Self { url: url.to_owned(), asker: Asker::of(url), queue_urls: QueueUrls::new(queue_urls), gone }
    }

    async fn answer(&self, request: Request) -> Result<Response, UpstreamError> {
        let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).map(str::to_owned);
        let host = host.unwrap_or_default();
        let region = Credential::of(&request).and_then(|signed| signed.region().map(str::to_owned));
        let way = Way { tap: &host, region: region.as_deref(), stack: &self.url };
        let request = self.outward(request, way).map_err(UpstreamError::new)?;
        let answered = self.asker.ask(request, ANSWER).await;
        let mut response = answered.map_err(|reason| self.no_answer(reason))?;
        self.queue_urls.learn(response.body(), way.region);
        if let Some(body) =
            Some(&host).filter(|host| !host.is_empty()).and_then(|host| inward(response.body(), host))
        {
            *response.body_mut() = body;
        }
        Ok(response)
    }

    fn outward(&self, mut request: Request, way: Way<'_>) -> Result<Request, String> {
        let own = |url: &str| self.queue_urls.own(url, way);
        let path = request.uri().path();
        let mut url = format!("{}{}", self.url, self.queue_urls.own_path(path).as_deref().unwrap_or(path));
        if let Some(query) = request.uri().query() {
            url = format!("{url}?{}", change_form(query, own).as_deref().unwrap_or(query));
        }
        if let Some(body) = change(request.body(), own) {
            *request.body_mut() = body;
        }
        crate::aws::to(&url, request)
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
