//! AWS behind a tap.

use aws_sdk_sqs::config::Credentials;
use havoq_base::RealDuration;
use havoq_base::clock::wall_clock;
use havoq_wire::{Forwarding, Request, Response, Upstream, UpstreamError};
use http::header::HOST;
use tokio::sync::Mutex;

use super::account::{NotConfirmed, account_of};
use super::credentials::{Keeper, chain};
use super::endpoint::endpoint;
use super::refusal::Refusal;
use super::scope::Scope;
use super::signature::{HASH, Unsigned, sign_anew};
use crate::aws::queue_urls::{change, change_form, inward, path_at};
use crate::aws::{Asker, to};

/// A long poll is answered within 20 s; what takes longer than this is not answered at all.
const ANSWER: RealDuration = RealDuration::from_secs(40);

/// A function may run for 15 minutes, and whoever invokes it can wait for it.
const INVOCATION: RealDuration = RealDuration::from_secs(16 * 60);

/// How AWS is to be reached.
#[derive(Clone, Debug)]
pub struct SignedSettings {
    /// The one account whose credentials are used.
    pub account: String,
    /// Whose credentials, rather than those that the SDK's chain finds.
    pub profile: Option<String>,
    /// Where all calls go, rather than to AWS's own hosts.
    pub endpoint: Option<String>,
}

/// Signs each call anew and forwards it.
pub struct Signed {
    settings: SignedSettings,
    keeper: Keeper,
    /// Where STS is asked.
    region: String,
    asker: Asker,
    /// The access key whose account was asked for last, and is the one that was named.
    confirmed: Mutex<Option<String>>,
}

impl Signed {
    /// With the credentials of this machine's user, once they are known to be of the account.
    pub async fn open(settings: SignedSettings) -> Result<Self, NotConfirmed> {
        let (keeper, region) = chain(settings.profile.as_deref()).await;
        let signed = Self::new(settings, keeper, region);
        signed.credentials().await?;
        Ok(signed)
    }

    pub(super) fn new(mut settings: SignedSettings, keeper: Keeper, region: String) -> Self {
        settings.endpoint = settings.endpoint.map(|url| url.trim_end_matches('/').to_owned());
        let asker = Asker::of(settings.endpoint.as_deref().unwrap_or("https://"));
        Self { settings, keeper, region, asker, confirmed: Mutex::default() }
    }

    /// Credentials of the account. Others under a new key may be of another account: a profile can be
    /// changed at any time.
    async fn credentials(&self) -> Result<Credentials, NotConfirmed> {
        let credentials = self.keeper.credentials().await.map_err(NotConfirmed::Credentials)?;
        let mut confirmed = self.confirmed.lock().await;
        if confirmed.as_deref() == Some(credentials.access_key_id()) {
            return Ok(credentials);
        }
        if let Err(error) = self.confirm(&credentials).await {
            self.keeper.forget().await;
            return Err(error);
        }
        *confirmed = Some(credentials.access_key_id().to_owned());
        Ok(credentials)
    }

    async fn confirm(&self, credentials: &Credentials) -> Result<(), NotConfirmed> {
        let scope = Scope { region: self.region.clone(), service: "sts".to_owned() };
        let url = self.url_of(&scope).map_err(|refusal| NotConfirmed::Unanswered {
            url: format!("STS in {}", self.region),
            reason: refusal.to_string(),
        })?;
        let of = account_of(credentials, &self.region, &url, &self.asker).await?;
        if of == self.settings.account {
            return Ok(());
        }
        Err(NotConfirmed::Another { of, named: self.settings.account.clone() })
    }

    fn url_of(&self, scope: &Scope) -> Result<String, Refusal> {
        // What has no host on AWS goes nowhere else either.
        let own = endpoint(scope)?;
        Ok(self.settings.endpoint.clone().unwrap_or(own))
    }

    async fn answer(&self, request: Request) -> Result<Response, UpstreamError> {
        let (scope, url) = match Scope::of(&request).and_then(|scope| Ok((self.url_of(&scope)?, scope))) {
            Ok((url, scope)) => (scope, url),
            Err(refusal) => return Ok(refusal.answer(&request)),
        };
        let credentials = self.credentials().await;
        let credentials = credentials.map_err(|error| UpstreamError::new(error.to_string()))?;
        let tap = request.headers().get(HOST).and_then(|host| host.to_str().ok()).map(str::to_owned);
        let original = request.clone();
        let request = outward(request, &url, tap.as_deref()).map_err(UpstreamError::new)?;
        let request = match sign_anew(request, &scope, &credentials, wall_clock()) {
            Ok(request) => request,
            Err(Unsigned::Refused(refusal)) => return Ok(refusal.answer(&original)),
            Err(Unsigned::Failed(reason)) => return Err(UpstreamError::new(reason)),
        };
        let patience = if scope.service == "lambda" { INVOCATION } else { ANSWER };
        let answered = self.asker.ask(request, patience).await;
        let mut response = answered.map_err(|reason| UpstreamError::new(format!("{url}: {reason}")))?;
        if let Some(body) = tap.and_then(|tap| inward(response.body(), &tap)) {
            *response.body_mut() = body;
        }
        Ok(response)
    }
}

/// The request as it is to be signed. A body that was changed has another hash than the client says.
fn outward(mut request: Request, url: &str, tap: Option<&str>) -> Result<Request, String> {
    let own = |queue: &str| Some(format!("{url}{}", path_at(queue, tap?)?));
    let mut target = format!("{url}{}", request.uri().path());
    if let Some(query) = request.uri().query() {
        target = format!("{target}?{}", change_form(query, own).as_deref().unwrap_or(query));
    }
    if let Some(body) = change(request.body(), own) {
        *request.body_mut() = body;
        request.headers_mut().remove(HASH);
    }
    to(&target, request)
}

impl Upstream for Signed {
    fn forward(&self, request: Request) -> Forwarding<'_> {
        Box::pin(self.answer(request))
    }

    /// AWS may have given messages to a poll that was given up.
    fn takes_back_dropped_polls(&self) -> bool {
        false
    }
}
