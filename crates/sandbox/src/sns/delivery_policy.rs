//! How deliveries to HTTP endpoints are tried again (semantics 2.3): the policies of topics and of
//! subscriptions, and what is in force when they leave something out.

use havoq_base::StackDuration;
use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::errors::invalid;
use super::topic_attributes::Setter;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Backoff {
    Linear,
    Arithmetic,
    Geometric,
    Exponential,
}

/// A retry policy as it was given, in the order in which SNS shows its members.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct GivenRetries {
    #[serde(skip_serializing_if = "Option::is_none")]
    min_delay_target: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_delay_target: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_retries: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_max_delay_retries: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_no_delay_retries: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_min_delay_retries: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    backoff_function: Option<Backoff>,
}

/// A retry policy in force.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Retries {
    min_delay_target: u64,
    max_delay_target: u64,
    num_retries: u32,
    num_max_delay_retries: u32,
    num_no_delay_retries: u32,
    num_min_delay_retries: u32,
    backoff_function: Backoff,
}

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

/// All retries of a message together, and each delay, last an hour at most.
const LONGEST: u64 = 3_600;
const MOST_RETRIES: u32 = 100;

impl GivenRetries {
    fn in_force(given: Option<&Self>) -> Retries {
        let nothing = Self::default();
        let given = given.unwrap_or(&nothing);
        Retries {
            min_delay_target: given.min_delay_target.unwrap_or(20),
            max_delay_target: given.max_delay_target.unwrap_or(20),
            num_retries: given.num_retries.unwrap_or(3),
            num_max_delay_retries: given.num_max_delay_retries.unwrap_or(0),
            num_no_delay_retries: given.num_no_delay_retries.unwrap_or(0),
            num_min_delay_retries: given.num_min_delay_retries.unwrap_or(0),
            backoff_function: given.backoff_function.unwrap_or(Backoff::Linear),
        }
    }

    fn check(given: Option<&Self>) -> Result<(), String> {
        let Retries {
            min_delay_target: min,
            max_delay_target: max,
            num_retries,
            num_max_delay_retries,
            num_no_delay_retries,
            num_min_delay_retries,
            ..
        } = Self::in_force(given);
        if !(1..=LONGEST).contains(&min) || !(min..=LONGEST).contains(&max) {
            return Err(format!(
                "minDelayTarget must be at least 1 and at most maxDelayTarget, which must be at most {LONGEST}"
            ));
        }
        let phases = [num_max_delay_retries, num_no_delay_retries, num_min_delay_retries];
        let phased = phases.into_iter().fold(0_u32, u32::saturating_add);
        if num_retries > MOST_RETRIES || phased > num_retries {
            return Err(format!(
                "numRetries must be at least the sum of its phases and at most {MOST_RETRIES}"
            ));
        }
        Ok(())
    }
}

impl Retries {
    /// How long after the last failure the n-th retry is made, counted from 1: at once, then after
    /// the least delay, then after growing ones, then after the longest.
    pub(super) fn delay(&self, retry: u32) -> Option<StackDuration> {
        if retry > self.num_retries {
            return None;
        }
        let growing = self.num_retries
            - self.num_no_delay_retries
            - self.num_min_delay_retries
            - self.num_max_delay_retries;
        let mut nth = retry - 1;
        for (count, delay) in
            [(self.num_no_delay_retries, 0), (self.num_min_delay_retries, self.min_delay_target)]
        {
            if nth < count {
                return Some(StackDuration::from_secs(delay));
            }
            nth -= count;
        }
        let millis = if nth < growing { self.backoff(nth, growing) } else { self.max_delay_target * 1_000 };
        Some(StackDuration::from_millis(millis))
    }

    /// The n-th of some growing delays, in milliseconds. SNS shows its four functions as curves
    /// from the least to the longest delay, and gives no formulas.
    fn backoff(&self, nth: u32, of: u32) -> u64 {
        let (min, max) = (self.min_delay_target as f64, self.max_delay_target as f64);
        let along = if of > 1 { f64::from(nth) / f64::from(of - 1) } else { 0.0 };
        let secs = match self.backoff_function {
            Backoff::Linear => min + (max - min) * along,
            Backoff::Arithmetic => min + (max - min) * along * (along + 1.0) / 2.0,
            Backoff::Geometric => min * (max / min).powf(along),
            Backoff::Exponential => min + (max - min) * (f64::exp2(along * 8.0) - 1.0) / 255.0,
        };
        (secs * 1_000.0).round() as u64
    }
}

impl RequestPolicy {
    fn default_type() -> Self {
        Self { header_content_type: "text/plain; charset=UTF-8".to_owned() }
    }
}

impl TopicPolicy {
    /// An empty text takes the policy away.
    pub(super) fn parse(text: &str, setter: Setter) -> Result<Option<Self>, ServiceError> {
        if text.is_empty() {
            return Ok(None);
        }
        let refuse = |what: String| setter.refuse(format_args!("DeliveryPolicy: {what}"));
        let policy: Self =
            serde_json::from_str(text).map_err(|error| refuse(format!("failed to parse JSON. {error}")))?;
        GivenRetries::check(policy.http.default_healthy_retry_policy.as_ref()).map_err(refuse)?;
        Ok(Some(policy))
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
    pub(super) fn parse(text: &str, prefix: &str) -> Result<Option<Self>, ServiceError> {
        if text.is_empty() {
            return Ok(None);
        }
        let refuse = |what: String| invalid(format_args!("{prefix}DeliveryPolicy: {what}"));
        let policy: Self =
            serde_json::from_str(text).map_err(|error| refuse(format!("failed to parse JSON. {error}")))?;
        GivenRetries::check(policy.healthy_retry_policy.as_ref()).map_err(refuse)?;
        Ok(Some(policy))
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

fn text(policy: &impl Serialize) -> String {
    serde_json::to_string(policy).expect("policies have only string keys")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delays(text: &str) -> Vec<u64> {
        let policy = SubscriptionPolicy::parse(text, "").expect("valid");
        let retries = Effective::of(None, policy.as_ref()).healthy_retry_policy;
        (1..).map_while(|retry| retries.delay(retry)).map(StackDuration::as_millis).collect()
    }

    #[test]
    fn without_a_policy_there_are_3_retries_20_s_apart() {
        assert_eq!(delays(""), [20_000, 20_000, 20_000]);
    }

    #[test]
    fn a_policy_has_four_phases() {
        let policy = r#"{"healthyRetryPolicy":{"numRetries":8,"numNoDelayRetries":1,"numMinDelayRetries":2,
            "numMaxDelayRetries":2,"minDelayTarget":1,"maxDelayTarget":5}}"#;
        assert_eq!(delays(policy), [0, 1_000, 1_000, 1_000, 3_000, 5_000, 5_000, 5_000]);
    }

    #[test]
    fn each_backoff_function_grows_from_the_least_to_the_longest_delay() {
        for function in ["linear", "arithmetic", "geometric", "exponential"] {
            let delays = delays(&format!(
                r#"{{"healthyRetryPolicy":{{"numRetries":10,"minDelayTarget":1,"maxDelayTarget":100,"backoffFunction":"{function}"}}}}"#
            ));
            assert_eq!((delays[0], delays[9]), (1_000, 100_000), "{function}");
            assert!(delays.is_sorted(), "{function}");
        }
    }

    #[test]
    fn policies_are_shown_as_sns_shows_them() {
        let given = r#"{"http":{"defaultHealthyRetryPolicy":{"minDelayTarget":5,"maxDelayTarget":6,"numRetries":1}}}"#;
        let policy = TopicPolicy::parse(given, Setter::Set).expect("valid").expect("a policy");
        assert_eq!(
            policy.text(),
            r#"{"http":{"defaultHealthyRetryPolicy":{"minDelayTarget":5,"maxDelayTarget":6,"numRetries":1},"disableSubscriptionOverrides":false}}"#
        );
        assert_eq!(
            TopicPolicy::effective(Some(&policy)),
            r#"{"http":{"defaultHealthyRetryPolicy":{"minDelayTarget":5,"maxDelayTarget":6,"numRetries":1,"numMaxDelayRetries":0,"numNoDelayRetries":0,"numMinDelayRetries":0,"backoffFunction":"linear"},"disableSubscriptionOverrides":false,"defaultRequestPolicy":{"headerContentType":"text/plain; charset=UTF-8"}}}"#
        );
        let own = SubscriptionPolicy::parse(r#"{"requestPolicy":{"headerContentType":"text/csv"}}"#, "");
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
        let topic = TopicPolicy::parse(given, Setter::Set).expect("valid");
        let own = SubscriptionPolicy::parse(r#"{"healthyRetryPolicy":{"numRetries":0}}"#, "").expect("valid");
        let retries = Effective::of(topic.as_ref(), own.as_ref()).healthy_retry_policy;
        assert_eq!(retries.num_retries, 3);
        for bad in [
            "x",
            r#"{"healthyRetryPolicy":{"minDelayTarget":0}}"#,
            r#"{"healthyRetryPolicy":{"maxDelayTarget":3601}}"#,
            r#"{"healthyRetryPolicy":{"numRetries":101}}"#,
            r#"{"healthyRetryPolicy":{"numRetries":1,"numNoDelayRetries":2}}"#,
        ] {
            assert!(SubscriptionPolicy::parse(bad, "").is_err(), "{bad}");
        }
    }
}
