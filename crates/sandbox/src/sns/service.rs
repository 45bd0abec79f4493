//! What another service publishes, such as CloudWatch on behalf of an alarm.

use havoq_base::StackTime;

use crate::core::Core;

/// A message from a service.
#[derive(Debug)]
pub(crate) struct ServicePublish<'a> {
    pub(crate) topic_arn: &'a str,
    /// The principal, such as `cloudwatch.amazonaws.com`.
    pub(crate) service: &'static str,
    /// On whose behalf: `aws:SourceArn` of the topic's policy.
    pub(crate) source_arn: &'a str,
    pub(crate) subject: Option<String>,
    pub(crate) message: String,
}

impl Core {
    /// Whether the topic took it.
    pub(crate) fn publish_as_service(&mut self, _now: StackTime, publish: &ServicePublish<'_>) -> bool {
        self.topics.contains(publish.topic_arn)
    }
}
