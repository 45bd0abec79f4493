//! One event on its way through buses.

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use serde_json::{Value, json};

use super::names::RuleKey;

/// The member that only events of a replay have.
pub(super) const REPLAY_NAME: &str = "replay-name";

#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(super) id: MessageId,
    /// The envelope (semantics 3.1), which patterns look at and targets get.
    pub(super) document: Value,
    /// When it reached its bus.
    pub(super) ingested: StackTime,
    /// The rules that sent it on from one bus to the next. None of them takes it again.
    pub(super) passed: Vec<RuleKey>,
    pub(super) trace_header: Option<String>,
}

/// What an envelope is made of.
#[derive(Debug)]
pub(super) struct Contents<'a> {
    pub(super) detail_type: &'a str,
    pub(super) source: &'a str,
    /// Whose it is, wherever it goes.
    pub(super) account: &'a str,
    pub(super) region: &'a str,
    pub(super) time: StackTime,
    pub(super) resources: &'a [String],
    pub(super) detail: Value,
}

impl Event {
    pub(super) fn new(now: StackTime, id: MessageId, contents: Contents<'_>) -> Self {
        let Contents { detail_type, source, account, region, time, resources, detail } = contents;
        let document = json!({
            "version": "0",
            "id": id,
            "detail-type": detail_type,
            "source": source,
            "account": account,
            "time": time_text(time),
            "region": region,
            "resources": resources,
            "detail": detail,
        });
        Self { id, document, ingested: now, passed: Vec::new(), trace_header: None }
    }

    /// The event's own time, in whole seconds.
    pub(super) fn time(&self) -> StackTime {
        let text = self.document["time"].as_str().unwrap_or_default();
        text.parse().unwrap_or(self.ingested)
    }

    /// This event as it comes to its bus again, with the replay's name before its resources.
    pub(super) fn replayed(&self, now: StackTime, replay: &str) -> Self {
        let mut document = serde_json::Map::new();
        for (name, value) in self.document.as_object().into_iter().flatten() {
            if name == "resources" {
                document.insert(REPLAY_NAME.to_owned(), json!(replay));
            }
            document.insert(name.clone(), value.clone());
        }
        let (id, trace_header) = (self.id.clone(), self.trace_header.clone());
        Self { id, document: Value::Object(document), ingested: now, passed: Vec::new(), trace_header }
    }

    pub(super) fn account(&self) -> &str {
        self.document["account"].as_str().unwrap_or_default()
    }

    pub(super) fn region(&self) -> &str {
        self.document["region"].as_str().unwrap_or_default()
    }
}

/// RFC 3339 in UTC, in whole seconds (semantics 3.1).
pub(crate) fn time_text(time: StackTime) -> String {
    let text = time.rfc3339();
    text.split_once('.').map_or_else(|| text.clone(), |(seconds, _)| format!("{seconds}Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_whole_seconds() {
        assert_eq!(time_text(StackTime::from_micros(1_800_000_000_999_999)), "2027-01-15T08:00:00Z");
    }
}
