//! The tap's own calls, below `/_havoq/`. They are answered before anything else looks at them, so
//! they are neither recorded nor forwarded.

use havoq_wire::{Request, Response};
use http::{Method, StatusCode};
use serde_json::json;

use crate::cli::serving::{BELOW, answer, not_allowed, not_found};
use crate::tap::Front;

/// What is known of the tap.
pub(super) struct Control {
    /// What is behind it.
    pub(super) upstream: String,
}

impl Front for Control {
    fn answer(&self, request: &Request) -> Option<Response> {
        let path = request.uri().path();
        let call = path.strip_prefix(BELOW)?;
        Some(match (call, request.method()) {
            ("health", &Method::GET) => {
                let health = json!({ "havoq": env!("CARGO_PKG_VERSION"), "upstream": self.upstream });
                answer(StatusCode::OK, &health)
            }
            ("health", _) => not_allowed(path, "GET"),
            _ => not_found(path, "GET /_havoq/health"),
        })
    }
}
