//! What a client's own signature says: for which service and region it is meant. The signature
//! itself is not verified, since the client's credentials need not be real.

use havoq_wire::{Credential, Request};
use http::header::{AUTHORIZATION, HOST};
use http::uri::Authority;

use super::refusal::Refusal;
use crate::aws::queue_urls::is_this_machine;

const SCHEME: &str = "AWS4-HMAC-SHA256";
const HASH: &str = "x-amz-content-sha256";

/// Where a call is to go, and how its body counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    pub(super) region: String,
    pub(super) service: String,
}

impl Scope {
    pub(super) fn of(request: &Request) -> Result<Self, Refusal> {
        is_local(request)?;
        let query = request.uri().query().unwrap_or_default();
        let mut names = form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name);
        if names.any(|name| name.eq_ignore_ascii_case("x-amz-signature")) {
            return Err(Refusal::Presigned);
        }
        let signature = request.headers().get(AUTHORIZATION).ok_or(Refusal::Unsigned)?;
        let signature = signature.to_str().map_err(|_| Refusal::Header("authorization".to_owned()))?;
        let scheme = signature.split(' ').next().unwrap_or_default();
        if scheme != SCHEME {
            return Err(Refusal::Scheme(scheme.to_owned()));
        }
        let hash = request.headers().get(HASH).and_then(|hash| hash.to_str().ok()).unwrap_or_default();
        if hash.starts_with("STREAMING-") {
            return Err(Refusal::Streaming(hash.to_owned()));
        }
        let credential = Credential::of(request).filter(|credential| !credential.key().is_empty());
        let credential = credential.ok_or(Refusal::Scope)?;
        match (credential.region(), credential.signing_name()) {
            (Some(region), Some(service)) => {
                Ok(Self { region: region.to_owned(), service: service.to_owned() })
            }
            _ => Err(Refusal::Scope),
        }
    }
}

/// A page in a browser can be made to believe that a name of its own is this machine, and its
/// requests come with that name.
fn is_local(request: &Request) -> Result<(), Refusal> {
    let Some(host) = request.headers().get(HOST) else { return Ok(()) };
    let name = host.to_str().ok().and_then(|host| host.parse::<Authority>().ok());
    match name {
        Some(name) if is_this_machine(name.host()) => Ok(()),
        _ => Err(Refusal::Host(String::from_utf8_lossy(host.as_bytes()).into_owned())),
    }
}
