//! SNS's operations.

use havoq_wire::CommonError;

use super::{Answer, Dispatch};
use crate::core::Core;
use crate::sns::{Address, Signed};
use crate::unbuilt::not_implemented;

impl Dispatch<'_> {
    pub(super) fn sns(&self) -> Answer {
        let place = self.place;
        match self.head.operation.as_str() {
            "Publish" => {
                let trace = self.trace_header();
                self.plain(|core, now, input| core.publish(now, place, input, trace))
            }
            "PublishBatch" => {
                let trace = self.trace_header();
                self.plain(|core, now, input| core.publish_batch(now, place, input, trace))
            }
            "CreateTopic" => self.plain(|core, now, input| core.make_topic(now, place, input)),
            "DeleteTopic" => self.plain(|core, now, input| core.delete_topic(now, place, input)),
            "ListTopics" => self.plain(|core, _, input| core.list_topics(place, input)),
            "GetTopicAttributes" => {
                self.plain(|core, now, input| core.get_topic_attributes(now, place, input))
            }
            "SetTopicAttributes" => {
                self.plain(|core, now, input| core.set_topic_attributes(now, place, input))
            }
            "AddPermission" => self.plain(|core, now, input| core.add_topic_permission(now, place, input)),
            "RemovePermission" => {
                self.plain(|core, now, input| core.remove_topic_permission(now, place, input))
            }
            "TagResource" => self.plain(|core, _, input| core.tag_topic(input)),
            "UntagResource" => self.plain(|core, _, input| core.untag_topic(input)),
            "ListTagsForResource" => self.plain(|core, _, input| core.list_topic_tags(input)),
            _ => self.sns_subscriptions(),
        }
    }

    fn sns_subscriptions(&self) -> Answer {
        let (place, signed) = (self.place, self.signed());
        match self.head.operation.as_str() {
            "Subscribe" => {
                let address = Address(self.base_url());
                self.plain(|core, now, input| core.subscribe(now, place, input, &address))
            }
            "ConfirmSubscription" => {
                self.plain(|core, now, input| core.confirm_subscription(now, place, input, signed))
            }
            "Unsubscribe" => self.plain(|core, now, input| core.unsubscribe(now, input, signed)),
            "ListSubscriptions" => self.plain(|core, _, input| core.list_subscriptions(place, input)),
            "ListSubscriptionsByTopic" => {
                self.plain(|core, now, input| core.list_subscriptions_by_topic(now, place, input))
            }
            "GetSubscriptionAttributes" => {
                self.plain(|core: &mut Core, now, input| core.get_subscription_attributes(now, input))
            }
            "SetSubscriptionAttributes" => {
                self.plain(|core, now, input| core.set_subscription_attributes(now, input))
            }
            operation if NOT_BUILT.contains(&operation) => Err(not_implemented(operation)),
            operation => {
                let text = format!("Could not find operation {operation} for version 2010-03-31");
                Err(CommonError::InvalidAction.with(text))
            }
        }
    }

    fn signed(&self) -> Signed {
        let headers = self.request.headers();
        if headers.contains_key(http::header::AUTHORIZATION) { Signed::Yes } else { Signed::No }
    }
}

/// Mobile push, SMS and data protection.
const NOT_BUILT: [&str; 23] = [
    "CheckIfPhoneNumberIsOptedOut",
    "CreatePlatformApplication",
    "CreatePlatformEndpoint",
    "CreateSMSSandboxPhoneNumber",
    "DeleteEndpoint",
    "DeletePlatformApplication",
    "DeleteSMSSandboxPhoneNumber",
    "GetDataProtectionPolicy",
    "GetEndpointAttributes",
    "GetPlatformApplicationAttributes",
    "GetSMSAttributes",
    "GetSMSSandboxAccountStatus",
    "ListEndpointsByPlatformApplication",
    "ListOriginationNumbers",
    "ListPhoneNumbersOptedOut",
    "ListPlatformApplications",
    "ListSMSSandboxPhoneNumbers",
    "OptInPhoneNumber",
    "PutDataProtectionPolicy",
    "SetEndpointAttributes",
    "SetPlatformApplicationAttributes",
    "SetSMSAttributes",
    "VerifySMSSandboxPhoneNumber",
];
