//! Which error answers an SDK tries again after (semantics 8.1).

use http::StatusCode;

const TRANSIENT: [&str; 4] =
    ["RequestTimeout", "RequestTimeoutException", "InternalError", "IDPCommunicationError"];

const THROTTLING: [&str; 14] = [
    "Throttling",
    "ThrottlingException",
    "ThrottledException",
    "RequestThrottledException",
    "RequestThrottled",
    "TooManyRequestsException",
    "ProvisionedThroughputExceededException",
    "TransactionInProgressException",
    "RequestLimitExceeded",
    "BandwidthLimitExceeded",
    "LimitExceededException",
    "SlowDown",
    "PriorRequestNotComplete",
    "EC2ThrottledException",
];

/// Whether an SDK's standard retry mode owes another attempt after this answer.
pub fn is_retryable(status: StatusCode, code: &str) -> bool {
    matches!(status.as_u16(), 500 | 502 | 503 | 504)
        || TRANSIENT.contains(&code)
        || THROTTLING.contains(&code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transient_and_throttling_errors_are_tried_again() {
        assert!(is_retryable(StatusCode::SERVICE_UNAVAILABLE, "anything"));
        assert!(is_retryable(StatusCode::FORBIDDEN, "RequestThrottled"));
        assert!(is_retryable(StatusCode::BAD_REQUEST, "RequestTimeout"));
        assert!(!is_retryable(StatusCode::NOT_IMPLEMENTED, "NotImplemented"));
        assert!(!is_retryable(StatusCode::FORBIDDEN, "OverLimit"));
    }
}
