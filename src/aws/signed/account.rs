//! Whose account the credentials are of: nothing is forwarded to any but the one that was named.

use aws_sdk_sqs::config::Credentials;
use bytes::Bytes;
use havoq_base::RealDuration;
use havoq_base::clock::wall_clock;
use havoq_wire::{Attempt, Head, Protocol, Request, Service, decode_error, decode_result};
use http::header::CONTENT_TYPE;
use thiserror::Error;

use super::scope::Scope;
use super::signature::{Unsigned, sign_anew};
use crate::aws::{Asker, to};

const PATIENCE: RealDuration = RealDuration::from_secs(15);

/// Why it is not known that the credentials are of the account that was named.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotConfirmed {
    #[error("{0}\nhint: see that `aws sts get-caller-identity` works, or name a profile with --profile")]
    Credentials(String),
    #[error("the account of the credentials cannot be asked for at {url}: {reason}")]
    Unanswered { url: String, reason: String },
    #[error(
        "{url} does not take the credentials: {code}: {message}\n\
         hint: see that `aws sts get-caller-identity` works, or name a profile with --profile"
    )]
    Refused { url: String, code: String, message: String },
    #[error(
        "the credentials are of the account {of}, and --account names {named}\n\
         hint: name the account that may be used, or the profile of that account with --profile"
    )]
    Another { of: String, named: String },
}

/// Asks STS at `url` whose account this is.
pub(super) async fn account_of(
    credentials: &Credentials,
    region: &str,
    url: &str,
    asker: &Asker,
) -> Result<String, NotConfirmed> {
    let unanswered = |reason: String| NotConfirmed::Unanswered { url: url.to_owned(), reason };
    let scope = Scope { region: region.to_owned(), service: "sts".to_owned() };
    let request = to(&format!("{url}/"), question()).map_err(unanswered)?;
    let request =
        sign_anew(request, &scope, credentials, wall_clock()).map_err(|unsigned| match unsigned {
            Unsigned::Refused(refusal) => unanswered(refusal.to_string()),
            Unsigned::Failed(reason) => unanswered(reason),
        })?;
    let response = asker.ask(request, PATIENCE).await.map_err(unanswered)?;
    if let Some((code, message)) = decode_error(&response) {
        return Err(NotConfirmed::Refused { url: url.to_owned(), code, message });
    }
    let head = Head {
        service: Service::Sts,
        protocol: Protocol::Query,
        operation: "GetCallerIdentity".to_owned(),
        attempt: Attempt::default(),
    };
    let result = decode_result(&head, &response).unwrap_or_default();
    let account = result["Account"].as_str().map(str::to_owned);
    account.ok_or_else(|| unanswered("the answer names no account".to_owned()))
}

fn question() -> Request {
    let mut request = Request::new(Bytes::from_static(b"Action=GetCallerIdentity&Version=2011-06-15"));
    *request.method_mut() = http::Method::POST;
    let form = http::HeaderValue::from_static("application/x-www-form-urlencoded");
    request.headers_mut().insert(CONTENT_TYPE, form);
    request
}
