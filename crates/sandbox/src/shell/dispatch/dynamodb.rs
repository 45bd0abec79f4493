//! DynamoDB's operations. The engine knows them by their names, so none is listed here.

use havoq_wire::failure;
use http::header::{HeaderName, HeaderValue};

use super::{Answer, Dispatch};

/// The checksum of the body, which botocore and others compare.
const CHECKSUM: HeaderName = HeaderName::from_static("x-amz-crc32");

impl Dispatch<'_> {
    /// Errors are answered here too, since they have a checksum as well.
    pub(super) fn dynamodb(&self) -> Answer {
        let (place, operation) = (self.place, self.head.operation.as_str());
        let done = self
            .input()
            .and_then(|input| self.sandbox.enter(|core, now| core.on_tables(now, place, operation, input)));
        let mut response = match done {
            Ok(output) => self.success(&output),
            Err(error) => failure(&self.head, &error, &self.request_id),
        };
        let checksum = HeaderValue::from(crc32fast::hash(response.body()));
        response.headers_mut().insert(CHECKSUM, checksum);
        Ok(response)
    }
}
