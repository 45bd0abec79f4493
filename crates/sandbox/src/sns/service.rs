//! What another service publishes, such as CloudWatch on behalf of an alarm (semantics 4.2).

use havoq_base::StackTime;

use super::publish::Publish;
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
    pub(crate) fn publish_as_service(&mut self, now: StackTime, publish: ServicePublish<'_>) -> bool {
        let Some(id) = self.topics.find(publish.topic_arn) else { return false };
        let Ok(topic) = self.topics.get(id) else { return false };
        if topic.attributes.fifo || !topic.lets_publish(publish.service, publish.source_arn) {
            return false;
        }
        let content =
            Publish { message: Some(publish.message), subject: publish.subject, ..Publish::default() };
        let Ok(draft) = content.check(&topic.attributes, "") else { return false };
        self.accept(now, id, draft, None).is_ok()
    }
}
