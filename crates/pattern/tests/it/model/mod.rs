//! The plain matcher must agree with the crate's on any rule and document.

mod naive;
mod shapes;

use havoq_pattern::{BadPattern, Dialect, EventPattern, FilterOutcome, FilterPolicy, FilterScope};
use proptest::prelude::*;
use serde_json::Value;

use naive::naive;
use shapes::{body, policy, policy_and_near_body};

fn agree(policy: &Value, body: &Value) -> Result<(), TestCaseError> {
    // Some policies are too complex.
    if let Ok(parsed) = FilterPolicy::parse(&policy.to_string(), FilterScope::MessageBody) {
        let accepted = parsed.matches_body(&body.to_string()) == FilterOutcome::Accepted;
        prop_assert_eq!(accepted, naive(policy.as_object().expect("an object"), body));
    }
    Ok(())
}

fn agree_on_events(pattern: &Value, event: &Value) -> Result<(), TestCaseError> {
    match EventPattern::parse(&pattern.to_string(), Dialect::EventBridge) {
        Ok(parsed) => {
            prop_assert_eq!(parsed.matches(event), naive(pattern.as_object().expect("an object"), event));
        }
        Err(bad) => prop_assert_eq!(bad, BadPattern::TooComplex),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn the_plain_matcher_agrees(policy in policy(), body in body()) {
        agree(&policy, &body)?;
    }

    #[test]
    fn the_plain_matcher_agrees_on_bodies_that_are_near((policy, body) in policy_and_near_body()) {
        agree(&policy, &body)?;
    }

    #[test]
    fn the_plain_matcher_agrees_on_events(pattern in policy(), event in body()) {
        agree_on_events(&pattern, &event)?;
    }

    #[test]
    fn the_plain_matcher_agrees_on_events_that_are_near((pattern, event) in policy_and_near_body()) {
        agree_on_events(&pattern, &event)?;
    }

    #[test]
    fn no_text_makes_it_panic(policy in r#"[{}\[\]":,a-z*\\0-9.$/ -]{0,60}"#, body in ".{0,40}") {
        for scope in [FilterScope::MessageAttributes, FilterScope::MessageBody] {
            if let Ok(parsed) = FilterPolicy::parse(&policy, scope) {
                parsed.matches_body(&body);
            }
        }
        for dialect in [Dialect::EventBridge, Dialect::Pipes, Dialect::Lambda] {
            if let (Ok(parsed), Ok(event)) = (EventPattern::parse(&policy, dialect), serde_json::from_str(&body)) {
                parsed.matches(&event);
            }
        }
    }
}
