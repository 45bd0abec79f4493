//! What is for havoq itself, at the same address as the calls.

use havoq_wire::{Request, Response};

/// Answers what is neither a call nor an effect. Nothing of it is recorded, and no fault meets it.
pub trait Front: Send + Sync {
    /// The answer to a request that is for havoq itself.
    fn answer(&self, request: &Request) -> Option<Response>;
}
