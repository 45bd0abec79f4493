//! Policies, and what they are matched against. A NUL parts the two in the bytes of a target.

use havoq_pattern::{
    AccessRequest, AttributeValue, Dialect, EventPattern, FilterPolicy, FilterScope, Policy, Principal,
};

pub fn filter_policy(data: &[u8]) {
    let Some((policy, message)) = parts(data) else { return };
    if let Ok(policy) = FilterPolicy::parse(policy, FilterScope::MessageBody) {
        policy.matches_body(message);
    }
    if let Ok(policy) = FilterPolicy::parse(policy, FilterScope::MessageAttributes) {
        let values =
            [AttributeValue::String(message), AttributeValue::Number(message), AttributeValue::Binary];
        policy.matches_attributes(["a", "b", "c"].into_iter().zip(values));
    }
}

pub fn event_pattern(data: &[u8]) {
    let Some((pattern, event)) = parts(data) else { return };
    for dialect in [Dialect::EventBridge, Dialect::Pipes, Dialect::Lambda] {
        match (EventPattern::parse(pattern, dialect), serde_json::from_str(event).ok()) {
            (Ok(pattern), Some(event)) => drop(pattern.matches(&event)),
            (Ok(_), None) => {}
            (Err(bad), _) => drop(bad.to_string()),
        }
    }
}

pub fn resource_policy(data: &[u8]) {
    let Some((policy, resource)) = parts(data) else { return };
    let Ok(policy) = Policy::parse(policy) else { return };
    policy.stays_within("sqs");
    let context = [("aws:SourceArn", resource), ("aws:SourceIp", resource), ("aws:CurrentTime", resource)];
    for principal in [
        Principal::Service("sns.amazonaws.com"),
        Principal::Account { id: "000000000000", arn: Some(resource) },
        Principal::Anonymous,
    ] {
        policy.decide(&AccessRequest { principal, action: "sqs:SendMessage", resource, context: &context });
    }
}

fn parts(data: &[u8]) -> Option<(&str, &str)> {
    let text = std::str::from_utf8(data).ok()?;
    Some(text.split_once('\0').unwrap_or((text, "")))
}
