//! Signs a request anew (SigV4), with nothing left of the signature that it came with.

use std::time::{Duration, SystemTime};

use aws_sdk_sqs::config::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use bytes::Bytes;
use havoq_base::StackTime;
use havoq_wire::Request;
use http::HeaderName;
use http::header::AUTHORIZATION;

use super::refusal::Refusal;
use super::scope::Scope;

const DATE: HeaderName = HeaderName::from_static("x-amz-date");
const TOKEN: HeaderName = HeaderName::from_static("x-amz-security-token");
pub(super) const HASH: HeaderName = HeaderName::from_static("x-amz-content-sha256");

/// Why a request was not signed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unsigned {
    Refused(Refusal),
    Failed(String),
}

/// Signs a request that is directed to its host already. All headers that it has are signed, but for
/// those that a proxy may change, such as the user agent.
pub(super) fn sign_anew(
    mut request: Request,
    scope: &Scope,
    credentials: &Credentials,
    now: StackTime,
) -> Result<Request, Unsigned> {
    for name in [AUTHORIZATION, DATE, TOKEN] {
        request.headers_mut().remove(name);
    }
    let failed = |error: &dyn std::fmt::Display| Unsigned::Failed(format!("cannot sign the call: {error}"));
    let identity = credentials.clone().into();
    let params = v4::SigningParams::builder()
        .identity(&identity)
        .region(&scope.region)
        .name(&scope.service)
        .time(SystemTime::UNIX_EPOCH + Duration::from_micros(now.as_micros()))
        .settings(SigningSettings::default())
        .build()
        .map_err(|error| failed(&error))?
        .into();
    let instructions = {
        let headers = text_headers(&request).map_err(Unsigned::Refused)?;
        let uri = request.uri().to_string();
        let signable =
            SignableRequest::new(request.method().as_str(), uri, headers.into_iter(), payload(&request))
                .map_err(|error| failed(&error))?;
        sign(signable, &params).map_err(|error| failed(&error))?.into_parts().0
    };
    instructions.apply_to_request_http1x(&mut request);
    Ok(request)
}

/// The hash that the client gave goes for its body.
fn payload(request: &http::Request<Bytes>) -> SignableBody<'_> {
    match request.headers().get(HASH).and_then(|hash| hash.to_str().ok()) {
        Some("UNSIGNED-PAYLOAD") => SignableBody::UnsignedPayload,
        Some(hash) => SignableBody::Precomputed(hash.to_owned()),
        None => SignableBody::Bytes(request.body()),
    }
}

fn text_headers(request: &Request) -> Result<Vec<(&str, &str)>, Refusal> {
    let mut headers = Vec::new();
    for (name, value) in request.headers() {
        let value = std::str::from_utf8(value.as_bytes()).map_err(|_| Refusal::Header(name.to_string()))?;
        headers.push((name.as_str(), value));
    }
    Ok(headers)
}
