//! Calls that are not signed anew, and why.

use havoq_wire::{CommonError, Head, Request, Response, failure};
use thiserror::Error;

/// Why a call is not forwarded.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum Refusal {
    #[error(
        "only what a client has signed is signed anew for AWS, and this request has no Authorization header; give \
         the client any credentials, such as AWS_ACCESS_KEY_ID=test and AWS_SECRET_ACCESS_KEY=test"
    )]
    Unsigned,
    #[error(
        "this request is signed in its address (X-Amz-Signature), which cannot be signed anew: whoever has the \
         address could use the credentials of the tap; have the client sign in the Authorization header"
    )]
    Presigned,
    #[error(
        "the body is signed piece by piece ({0}), which cannot be signed anew; have the client send it whole"
    )]
    Streaming(String),
    #[error("the signature is {0:?}, and only AWS4-HMAC-SHA256 can be signed anew")]
    Scheme(String),
    #[error(
        "the signature's Credential is not KEY/DATE/REGION/SERVICE/aws4_request, so it is not known where the \
         call is to go"
    )]
    Scope,
    #[error("the signature names the region {0:?}, which is none of AWS's; set the client's AWS_REGION")]
    Region(String),
    #[error(
        "the call is signed for the service {0:?}, which is not forwarded; let AWS_ENDPOINT_URL_SQS and the like \
         name the tap in the client's environment, rather than AWS_ENDPOINT_URL, and its other calls go to AWS \
         directly"
    )]
    Service(String),
    #[error(
        "the request is for the host {0:?}, which is not a name of this machine; the tap signs for clients on \
         this machine alone, so let AWS_ENDPOINT_URL name 127.0.0.1 or localhost"
    )]
    Host(String),
    #[error("the header {0} is not text, and what is signed must be")]
    Header(String),
}

impl Refusal {
    /// What the client is told, in the protocol of its call.
    pub(super) fn answer(&self, request: &Request) -> Response {
        let head = Head::of(request).unwrap_or_else(|_| Head::guess(request));
        failure(&head, &CommonError::AccessDenied.with(format!("havoq: {self}")), "havoq")
    }
}
