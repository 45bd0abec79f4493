//! What a target gets: the schedule's input with its context attributes filled in, or Scheduler's own
//! notification if there is no input.

use havoq_base::StackTime;
use serde_json::json;

use crate::events::time_text;
use crate::place::PlaceName;

/// What the attributes stand for.
pub(super) struct Context<'a> {
    pub(super) schedule_arn: &'a str,
    pub(super) scheduled: StackTime,
    pub(super) execution_id: &'a str,
    /// Counted from 1.
    pub(super) attempt: u32,
}

impl Context<'_> {
    pub(super) fn fill(&self, input: &str) -> String {
        let values = [
            ("schedule-arn", self.schedule_arn.to_owned()),
            ("scheduled-time", time_text(self.scheduled)),
            ("execution-id", self.execution_id.to_owned()),
            ("attempt-number", self.attempt.to_string()),
        ];
        values.into_iter().fold(input.to_owned(), |text, (name, value)| {
            text.replace(&format!("<aws.scheduler.{name}>"), &value)
        })
    }
}

/// What AWS sends without an input, as it was seen; the detail is a text.
pub(super) fn notification(id: &str, at: StackTime, place: &PlaceName, schedule_arn: &str) -> String {
    json!({
        "version": "0",
        "id": id,
        "detail-type": "Scheduled Event",
        "source": "aws.scheduler",
        "account": &*place.account,
        "time": time_text(at),
        "region": &*place.region,
        "resources": [schedule_arn],
        "detail": "{}",
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn context_attributes_are_filled_in_wherever_they_stand() {
        let context = Context {
            schedule_arn: "arn:s",
            scheduled: StackTime::from_secs(1_647_975_583),
            execution_id: "d32c5kddcf5bb8c3",
            attempt: 2,
        };
        let input = r#"{"a":"<aws.scheduler.schedule-arn> <aws.scheduler.scheduled-time>","b":"<aws.scheduler.execution-id>","c":<aws.scheduler.attempt-number>,"d":"<aws.scheduler.other>"}"#;
        assert_eq!(
            context.fill(input),
            r#"{"a":"arn:s 2022-03-22T18:59:43Z","b":"d32c5kddcf5bb8c3","c":2,"d":"<aws.scheduler.other>"}"#
        );
    }
}
