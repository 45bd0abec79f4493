//! Rules in the form of LocalStack's chaos API, which many have already.

use havoq_wire::Service;
use serde::Deserialize;

use crate::gauge::Gauge;
use crate::kinds::ERROR;
use crate::param::{Value, Values};
use crate::spec::{FaultSpec, Matching};

/// Why rules could not be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rule {at}: {why}")]
pub struct BadRules {
    /// From 1; 0 where it is not about one of them.
    pub at: usize,
    pub why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    service: Option<String>,
    region: Option<String>,
    operation: Option<String>,
    probability: Option<f64>,
    error: Option<RuleError>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RuleError {
    status_code: Option<u16>,
    code: Option<String>,
}

/// The faults that a list of rules stands for: each answers matching calls with an error, by
/// default 503 ServiceUnavailable.
pub fn chaos_rules(text: &str) -> Result<Vec<FaultSpec>, BadRules> {
    let bad = |at| move |why| BadRules { at, why };
    let rules: Vec<serde_json::Value> =
        serde_json::from_str(text).map_err(|error| bad(0)(format!("not a list of rules: {error}")))?;
    let faults = rules.into_iter().enumerate().map(|(at, rule)| {
        let rule = serde_json::from_value(rule).map_err(|error| error.to_string());
        rule.and_then(fault).map_err(bad(at + 1))
    });
    faults.collect()
}

fn fault(rule: Rule) -> Result<FaultSpec, String> {
    if let Some(region) = rule.region.filter(|region| region != "us-east-1") {
        return Err(format!("there is one region behind the tap, and it has no place for {region}"));
    }
    let probability = rule.probability.unwrap_or(1.0);
    if !(0.0..=1.0).contains(&probability) {
        return Err(format!("the probability {probability} is not from 0 to 1"));
    }
    let service = rule.service.map(|name| service_named(&name)).transpose()?;
    if let Some(operation) = &rule.operation {
        let known = |service: &Service| service.has_operation(operation);
        if !service.as_ref().map_or_else(|| Service::ALL.iter().any(known), known) {
            return Err(format!("no service that is understood has the operation {operation}"));
        }
    }
    let error = rule.error.unwrap_or(RuleError { status_code: None, code: None });
    let mut values = Values::default();
    values.set("code", Value::Text(error.code.unwrap_or_else(|| "ServiceUnavailable".to_owned())));
    values.set("status", Value::Whole(u32::from(error.status_code.unwrap_or(503))));
    let operations = rule.operation.into_iter().collect();
    let matching = Matching { service, operations, ..Matching::default() };
    let gauge = Gauge { probability: (probability < 1.0).then_some(probability), ..Gauge::default() };
    FaultSpec::new(&ERROR, values, matching, gauge)
}

fn service_named(name: &str) -> Result<Service, String> {
    Service::named(name).ok_or_else(|| format!("the service {name} is not understood"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_become_faults() {
        let faults = chaos_rules(
            r#"[{"service":"sqs","operation":"ReceiveMessage","probability":0.5,
                 "error":{"statusCode":400,"code":"RequestThrottled"}},
                {"service":"dynamodb","region":"us-east-1"}, {}]"#,
        )
        .expect("rules");
        let told: Vec<_> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "error to ReceiveMessage, with probability 0.5",
                "error to any call of DynamoDB",
                "error to any call"
            ]
        );
    }

    #[test]
    fn a_bad_rule_is_told_by_its_place() {
        let why = |text| chaos_rules(text).expect_err("bad").to_string();
        assert!(why("{}").starts_with("rule 0: not a list"));
        assert_eq!(why(r#"[{}, {"service":"s3"}]"#), "rule 2: the service s3 is not understood");
        assert!(why(r#"[{"operation":"Receive"}]"#).contains("the operation Receive"));
        assert!(why(r#"[{"probability":2}]"#).contains("from 0 to 1"));
        assert!(why(r#"[{"latency":2}]"#).contains("unknown field"));
        assert!(why(r#"[{"region":"eu-west-1"}]"#).contains("eu-west-1"));
        assert!(why(r#"[{"error":{"statusCode":200}}]"#).contains("200"));
    }
}
