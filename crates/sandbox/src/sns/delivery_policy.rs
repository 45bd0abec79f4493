//! How deliveries to HTTP endpoints are tried again (semantics 2.3): the policies of topics and of
//! subscriptions, and what is in force when they leave something out.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::backoff::{GivenRetries, Retries};
use super::errors::from_json;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Throttle {
    max_receives_per_second: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RequestPolicy {
    header_content_type: String,
}

/// The DeliveryPolicy of a topic.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct TopicPolicy {
    http: HttpDefaults,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct HttpDefaults {
    #[serde(skip_serializing_if = "Option::is_none")]
    default_healthy_retry_policy: Option<GivenRetries>,
    disable_subscription_overrides: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_throttle_policy: Option<Throttle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_request_policy: Option<RequestPolicy>,
}

/// The DeliveryPolicy of a subscription. SNS shows members that it does not have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct SubscriptionPolicy {
    healthy_retry_policy: Option<GivenRetries>,
    sickly_retry_policy: Option<GivenRetries>,
    throttle_policy: Option<Throttle>,
    request_policy: Option<RequestPolicy>,
    guaranteed: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EffectiveDefaults {
    default_healthy_retry_policy: Retries,
    disable_subscription_overrides: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_throttle_policy: Option<Throttle>,
    default_request_policy: RequestPolicy,
}

/// What is in force for one subscription.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Effective {
    pub(super) healthy_retry_policy: Retries,
    sickly_retry_policy: Option<GivenRetries>,
    throttle_policy: Option<Throttle>,
    request_policy: RequestPolicy,
    guaranteed: bool,
}

/// The content type of what is posted, unless a policy says another.
pub(super) const DEFAULT_TYPE: &str = "text/plain; charset=UTF-8";

impl RequestPolicy {
    fn default_type() -> Self {
        Self { header_content_type: DEFAULT_TYPE.to_owned() }
    }
}

impl TopicPolicy {
    pub(super) fn parse(text: &str) -> Result<Option<Self>, String> {
        parsed(text, |policy: &Self| policy.http.default_healthy_retry_policy.as_ref())
    }

    pub(super) fn text(&self) -> String {
        text(self)
    }

    /// The text of what is in force for a topic.
    pub(super) fn effective(policy: Option<&Self>) -> String {
        let http = policy.map(|policy| policy.http.clone()).unwrap_or_default();
        let effective = EffectiveDefaults {
            default_healthy_retry_policy: GivenRetries::in_force(http.default_healthy_retry_policy.as_ref()),
            disable_subscription_overrides: http.disable_subscription_overrides,
            default_throttle_policy: http.default_throttle_policy,
            default_request_policy: http.default_request_policy.unwrap_or_else(RequestPolicy::default_type),
        };
        text(&std::collections::BTreeMap::from([("http", effective)]))
    }
}

impl SubscriptionPolicy {
    pub(super) fn parse(text: &str) -> Result<Option<Self>, String> {
        parsed(text, |policy: &Self| policy.healthy_retry_policy.as_ref())
    }

    pub(super) fn text(&self) -> String {
        text(self)
    }
}

impl Effective {
    /// The subscription's policy goes before the topic's, unless that one forbids it.
    pub(super) fn of(topic: Option<&TopicPolicy>, subscription: Option<&SubscriptionPolicy>) -> Self {
        let http = topic.map(|topic| topic.http.clone()).unwrap_or_default();
        let own = subscription.filter(|_| !http.disable_subscription_overrides).cloned().unwrap_or_default();
        let healthy = own.healthy_retry_policy.or(http.default_healthy_retry_policy);
        let request = own.request_policy.or(http.default_request_policy);
        Self {
            healthy_retry_policy: GivenRetries::in_force(healthy.as_ref()),
            sickly_retry_policy: own.sickly_retry_policy,
            throttle_policy: own.throttle_policy.or(http.default_throttle_policy),
            request_policy: request.unwrap_or_else(RequestPolicy::default_type),
            guaranteed: own.guaranteed,
        }
    }

    pub(super) fn content_type(&self) -> &str {
        &self.request_policy.header_content_type
    }

    pub(super) fn text(&self) -> String {
        text(self)
    }
}

/// An empty text takes the policy away. The error is without the attribute's name.
fn parsed<T: DeserializeOwned>(
    text: &str,
    retries: impl Fn(&T) -> Option<&GivenRetries>,
) -> Result<Option<T>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let policy = from_json(text)?;
    GivenRetries::check(retries(&policy))?;
    Ok(Some(policy))
}

fn text(policy: &impl Serialize) -> String {
    serde_json::to_string(policy).expect("policies have only string keys")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_shown_as_sns_shows_them() {
        let given = r#"{"http":{"defaultHealthyRetryPolicy":{"minDelayTarget":5,"maxDelayTarget":6,"numRetries":1}}}"#;
        let policy = TopicPolicy::parse(given).expect("valid").expect("a policy");
        assert_eq!(
            policy.text(),
            r#"{"http":{"defaultHealthyRetryPolicy":{"minDelayTarget":5,"maxDelayTarget":6,"numRetries":1},"disableSubscriptionOverrides":false}}"#
        );
        assert_eq!(
            TopicPolicy::effective(Some(&policy)),
            r#"{"http":{"defaultHealthyRetryPolicy":{"minDelayTarget":5,"maxDelayTarget":6,"numRetries":1,"numMaxDelayRetries":0,"numNoDelayRetries":0,"numMinDelayRetries":0,"backoffFunction":"linear"},"disableSubscriptionOverrides":false,"defaultRequestPolicy":{"headerContentType":"text/plain; charset=UTF-8"}}}"#
        );
        let own = SubscriptionPolicy::parse(r#"{"requestPolicy":{"headerContentType":"text/csv"}}"#);
        let own = own.expect("valid").expect("a policy");
        assert_eq!(
            own.text(),
            r#"{"healthyRetryPolicy":null,"sicklyRetryPolicy":null,"throttlePolicy":null,"requestPolicy":{"headerContentType":"text/csv"},"guaranteed":false}"#
        );
        assert_eq!(Effective::of(Some(&policy), Some(&own)).content_type(), "text/csv");
    }

    #[test]
    fn a_topic_can_forbid_overrides_and_bad_policies_are_refused() {
        let given = r#"{"http":{"disableSubscriptionOverrides":true}}"#;
        let topic = TopicPolicy::parse(given).expect("valid");
        let own = SubscriptionPolicy::parse(r#"{"healthyRetryPolicy":{"numRetries":0}}"#).expect("valid");
        let retries = Effective::of(topic.as_ref(), own.as_ref()).healthy_retry_policy;
        assert_eq!(retries.num_retries, 3);
        for bad in [
            "x",
            r#"{"healthyRetryPolicy":{"minDelayTarget":0}}"#,
            r#"{"healthyRetryPolicy":{"maxDelayTarget":3601}}"#,
            r#"{"healthyRetryPolicy":{"numRetries":101}}"#,
            r#"{"healthyRetryPolicy":{"numRetries":1,"numNoDelayRetries":2}}"#,
        ] {
            assert!(SubscriptionPolicy::parse(bad).is_err(), "{bad}");
        }
    }
}
