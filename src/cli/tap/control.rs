//! The tap's own calls, below `/_havoq/`. They are answered before anything else looks at them, so
//! they are neither recorded nor forwarded, and no fault meets them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use havoq_base::Seed;
use havoq_fault::FaultSpec;
use havoq_wire::{Request, Response};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::cli::serving::{BELOW, answer, not_allowed, not_found};
use crate::scenario::{parse_faults, render_problems};
use crate::tap::{Faults, Firing, Front, Told};

/// What is known of the tap.
pub(super) struct Control {
    /// What is behind it.
    upstream: String,
    seed: Seed,
    faults: Arc<Faults>,
    armed: AtomicU32,
}

impl Control {
    pub(super) fn new(upstream: String, seed: Seed, faults: Arc<Faults>) -> Self {
        Self { upstream, seed, faults, armed: AtomicU32::new(0) }
    }

    /// Arms a fault under the next id.
    pub(super) fn arm(&self, fault: FaultSpec) -> String {
        let id = format!("fault-{}", self.armed.fetch_add(1, Ordering::Relaxed) + 1);
        self.faults.arm(&id, fault);
        id
    }

    fn health(&self) -> Response {
        let (havoq, upstream) = (env!("CARGO_PKG_VERSION"), &self.upstream);
        answer(StatusCode::OK, &json!({ "havoq": havoq, "upstream": upstream, "seed": self.seed }))
    }

    fn add(&self, request: &Request) -> Response {
        let text = String::from_utf8_lossy(request.body());
        match parse_faults("the request", &text) {
            Ok(faults) => {
                let ids: Vec<String> = faults.into_iter().map(|fault| self.arm(fault)).collect();
                answer(StatusCode::CREATED, &json!({ "ids": ids }))
            }
            Err(problems) => {
                answer(StatusCode::BAD_REQUEST, &json!({ "message": render_problems(&problems, false) }))
            }
        }
    }

    fn remove(&self, id: &str, path: &str) -> Response {
        match self.faults.end(id, "it was removed before a call matched it") {
            Some(ended) => answer(StatusCode::OK, &json!({ "id": id, "fired": ended.fired })),
            None => not_found(path, "GET /_havoq/faults lists what is armed"),
        }
    }
}

impl Front for Control {
    fn answer(&self, request: &Request) -> Option<Response> {
        let path = request.uri().path();
        let call = path.strip_prefix(BELOW)?;
        Some(match (call, request.method()) {
            ("health", &Method::GET) => self.health(),
            ("faults", &Method::GET) => list(self.faults.list().iter().map(told)),
            ("faults", &Method::POST) => self.add(request),
            ("firings", &Method::GET) => list(self.faults.firings().iter().map(fired)),
            ("health" | "firings", _) => not_allowed(path, "GET"),
            ("faults", _) => not_allowed(path, "GET, POST"),
            (other, method) => match (other.strip_prefix("faults/"), method) {
                (Some(id), &Method::DELETE) => self.remove(id, path),
                (Some(_), _) => not_allowed(path, "DELETE"),
                (None, _) => not_found(path, "GET /_havoq/health, /_havoq/faults, /_havoq/firings"),
            },
        })
    }
}

fn list(items: impl Iterator<Item = Value>) -> Response {
    answer(StatusCode::OK, &Value::Array(items.collect()))
}

fn told(fault: &Told) -> Value {
    json!({
        "id": fault.id,
        "does": fault.spec.does,
        "description": fault.spec.to_string(),
        "fired": fault.fired,
    })
}

fn fired(firing: &Firing) -> Value {
    json!({ "fault": firing.fault, "operation": firing.operation, "at": firing.at.rfc3339() })
}
