//! DynamoDB's operations. The engine knows them by their names, so none is listed here.

use bytes::Bytes;
use havoq_wire::{Response, failure};
use http::header::{HeaderName, HeaderValue};

use super::{Answer, Dispatch};
use crate::dynamodb::Refusal;

/// The checksum of the body, which botocore and others compare.
const CHECKSUM: HeaderName = HeaderName::from_static("x-amz-crc32");

impl Dispatch<'_> {
    /// Errors are answered here too, since some hold more than others can.
    pub(super) fn dynamodb(&self) -> Answer {
        let (place, operation) = (self.place, self.head.operation.as_str());
        let done = self
            .input()
            .map_err(Refusal::from)
            .and_then(|input| self.sandbox.enter(|core, now| core.on_tables(now, place, operation, input)));
        let mut response = match done {
            Ok(output) => self.success(&output),
            Err(refusal) => self.refused(&refusal),
        };
        let checksum = HeaderValue::from(crc32fast::hash(response.body()));
        response.headers_mut().insert(CHECKSUM, checksum);
        Ok(response)
    }

    fn refused(&self, refusal: &Refusal) -> Response {
        let mut response = failure(&self.head, &refusal.error, &self.request_id);
        if let Some(body) = &refusal.body {
            *response.body_mut() = Bytes::from(body.to_string());
        }
        response
    }
}
