//! The idempotency tokens of transactions, good for ten minutes of the stack's time (semantics 6.2).
//! The engine remembers a token for ten minutes of the machine's time, which is never longer ago. So
//! it is shown the caller's token with the number of its use, and a use that is over has no other.

use std::collections::BTreeMap;

use havoq_base::{StackDuration, StackTime};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

const LASTS: StackDuration = StackDuration::from_secs(600);
/// A longer token is refused, and so it is shown as it is.
const LONGEST: usize = 36;

/// When each token was first used, and in which of its lives.
#[derive(Debug, Default)]
pub(super) struct Tokens(BTreeMap<String, (StackTime, u64)>);

impl Tokens {
    /// Puts the token that the engine knows in the place of the caller's.
    pub(super) fn inward(&mut self, now: StackTime, operation: &str, input: &mut Map<String, Value>) {
        if !matches!(operation, "TransactWriteItems" | "ExecuteTransaction") {
            return;
        }
        let Some(Value::String(token)) = input.get_mut("ClientRequestToken") else { return };
        if token.len() > LONGEST || token.is_empty() {
            return;
        }
        let (since, life) = self.0.entry(format!("{operation} {token}")).or_insert((now, 0));
        if now.since(*since) >= LASTS {
            (*since, *life) = (now, *life + 1);
        }
        if *life > 0 {
            let digest = Sha256::digest(format!("{life} {token}"));
            *token = digest.iter().take(LONGEST / 2).map(|byte| format!("{byte:02x}")).collect();
        }
    }
}
