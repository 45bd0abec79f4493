//! The sandbox's own calls, below `/_havoq/`; all others go on to its services.

use havoq_base::StackDuration;
use havoq_sandbox::Sandbox;
use havoq_wire::{Forwarding, Request, Response, Upstream};
use http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::json;

use crate::cli::serving::{BELOW, answer, not_allowed, not_found};
use crate::scenario::real_duration;

/// A sandbox that can be told to move its clock on and to forget everything.
pub(super) struct Controlled(pub(super) Sandbox);

impl Upstream for Controlled {
    fn forward(&self, request: Request) -> Forwarding<'_> {
        if request.uri().path().starts_with(BELOW) {
            return Box::pin(async move { Ok(self.control(&request).await) });
        }
        self.0.forward(request)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Advance {
    by: String,
}

impl Controlled {
    async fn control(&self, request: &Request) -> Response {
        let (path, method) = (request.uri().path(), request.method());
        match (&path[BELOW.len()..], method) {
            ("clock/advance", &Method::POST) => match span(request.body()) {
                Ok(span) => {
                    let now = self.0.advance_clock(span).await;
                    answer(StatusCode::OK, &json!({ "now": now }))
                }
                Err(error) => answer(StatusCode::BAD_REQUEST, &json!({ "error": error })),
            },
            ("reset", &Method::POST) => {
                self.0.reset();
                answer(StatusCode::OK, &json!({}))
            }
            ("health", &Method::GET) => {
                answer(StatusCode::OK, &json!({ "havoq": env!("CARGO_PKG_VERSION"), "now": self.0.now() }))
            }
            ("clock/advance" | "reset", _) => not_allowed(path, "POST"),
            ("health", _) => not_allowed(path, "GET"),
            _ => not_found(path, "POST /_havoq/clock/advance, POST /_havoq/reset and GET /_havoq/health"),
        }
    }
}

/// How far the clock is to be moved.
fn span(body: &[u8]) -> Result<StackDuration, String> {
    let Advance { by } = serde_json::from_slice(body)
        .map_err(|error| format!("expected a body such as {{\"by\": \"180s\"}}: {error}"))?;
    let span = real_duration(&by).map_err(|error| format!("by: {error}"))?;
    Ok(StackDuration::from_micros(span.as_micros()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_a_duration_under_its_one_name() {
        assert_eq!(span(br#"{"by": "180s"}"#), Ok(StackDuration::from_secs(180)));
        assert_eq!(span(br#"{"by": "1h30m"}"#), Ok(StackDuration::from_secs(5_400)));
        for (body, told) in [
            (&b""[..], "expected a body such as {\"by\": \"180s\"}"),
            (b"{}", "missing field `by`"),
            (br#"{"by": 180}"#, "invalid type"),
            (br#"{"by": "180s", "to": "x"}"#, "unknown field `to`"),
            (br#"{"by": "180"}"#, "by: `180` is not a duration\nhint: `180s`?"),
            (br#"{"by": "-5s"}"#, "cannot be negative"),
            (br#"{"by": "4000d"}"#, "at most 3650d"),
        ] {
            let error = span(body).expect_err("refused");
            assert!(error.contains(told), "{error}");
        }
    }
}
