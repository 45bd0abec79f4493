//! What good files mean.

use havoq_base::StackDuration;

use super::super::model::*;
use super::super::{StackLookup, load, parse};
use super::root;

fn full() -> Scenario {
    load(&root().join("good/full.yaml")).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

#[test]
fn the_full_file_means_this() {
    let Scenario { stack, consumers, effects, steady_state, inject, expect, allow_discarded, .. } = full();
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_debug_snapshot!("full_stack", stack);
        insta::assert_debug_snapshot!("full_consumers", (consumers, effects));
        insta::assert_debug_snapshot!("full_steps", (steady_state, inject));
        insta::assert_debug_snapshot!("full_expectations", (expect, allow_discarded));
    });
}

#[test]
fn stacks_of_many_services_mean_this() {
    for name in ["services", "serverless"] {
        let path = root().join(format!("good/{name}.yaml"));
        let scenario = load(&path).unwrap_or_else(|problems| panic!("{problems:#?}"));
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_debug_snapshot!(format!("{name}_stack"), scenario.stack);
        });
    }
}

#[test]
fn a_scenario_can_be_read_again_from_what_it_keeps() {
    for path in super::fixtures("good") {
        let first = load(&path).unwrap_or_else(|problems| panic!("{problems:#?}"));
        let again = parse(&first.file, &first.text, StackLookup::from(&first.stack_file))
            .unwrap_or_else(|problems| panic!("{problems:#?}"));
        assert_eq!(format!("{first:?}"), format!("{again:?}"));
    }
}

#[test]
fn a_json_file_is_read_too() {
    let text = r#"{
        "name": "json",
        "stack": { "Resources": { "Q": { "Type": "AWS::SQS::Queue", "Properties": {
            "QueueName": { "Fn::Join": ["-", ["a", { "Ref": "AWS::Region" }]] } } } } },
        "inject": [{ "send": { "to": "Q", "as": "m" } }],
        "expect": [{ "drained": { "queue": "Q" } }]
    }"#;
    let scenario = parse("x.json", text, StackLookup::Nowhere).expect("JSON is YAML");
    assert_eq!(scenario.stack.queues["Q"].name.as_deref(), Some("a-us-east-1"));
}

#[test]
fn absent_attributes_of_a_queue_have_the_defaults_of_sqs() {
    let text = "name: x\nstack: { Resources: { Q: { Type: AWS::SQS::Queue } } }\n\
                inject: [{ wait: 1s }]\nexpect: [{ drained: { queue: Q } }]\n";
    let scenario = parse("x.yaml", text, StackLookup::Nowhere).expect("valid");
    let expected = Queue {
        name: None,
        visibility_timeout: StackDuration::from_secs(30),
        delay: StackDuration::ZERO,
        retention: StackDuration::from_secs(345_600),
        receive_wait: StackDuration::ZERO,
        maximum_message_size: 1_048_576,
        redrive: None,
        fifo: None,
        redrive_allow: None,
    };
    assert_eq!(scenario.stack.queues["Q"], expected);
}

/// Anchors save repetition in large scenarios.
#[test]
fn aliases_stand_for_their_anchor() {
    let text = "name: x\nstack: { Resources: { Q: { Type: AWS::SQS::Queue } } }\n\
                inject:\n- send: { to: &q Q, as: m }\n- send: { to: *q, as: n }\nexpect: [{ drained: { queue: *q } }]\n";
    let scenario = parse("x.yaml", text, StackLookup::Nowhere).expect("valid");
    assert!(matches!(&scenario.expect[0].claim, Claim::Drained { queue, .. } if queue == "Q"));
}

#[test]
fn places_are_those_of_the_file() {
    let scenario = full();
    let line = |number: u64| scenario.text.lines().nth(number as usize - 1).unwrap_or_default();
    for step in scenario.steady_state.iter().chain(&scenario.inject) {
        let column = step.place.column as usize - 1;
        let key = line(step.place.line)[column..].split(':').next().expect("a key");
        let wanted = match &step.action {
            Action::Await(claim) if key != "wait" => claim.key(),
            action => action.key(),
        };
        assert_eq!(key, wanted);
    }
    for expectation in &scenario.expect {
        let column = expectation.place.column as usize - 1;
        assert!(line(expectation.place.line)[column..].starts_with(expectation.claim.key()));
    }
}

#[test]
fn an_identity_that_could_be_several_is_refused() {
    let text = |key: &str, id: &str| {
        format!(
            r#"{{
                "name": "paths",
                "stack": {{ "Resources": {{ "Q": {{ "Type": "AWS::SQS::Queue" }} }} }},
                "effects": {{ "charges": {{ "http": "/charges", "key": "{key}" }} }},
                "inject": [{{ "send": {{ "to": "Q", "as": "m", "body": {{ "orderId": "{{{{id}}}}" }}, "id": "{id}" }} }}],
                "expect": [{{ "drained": {{ "queue": "Q" }} }}]
            }}"#
        )
    };
    for (key, id) in [("$[*].orderId", "$.orderId"), ("$.orderId", "$..orderId")] {
        let problems = parse("x.json", &text(key, id), StackLookup::Nowhere).expect_err("several values");
        let told = super::super::render_problems(&problems, false);
        assert!(told.contains("can match several values"), "{told}");
        assert!(told.contains("one request is one effect: name the field by its path"), "{told}");
    }
}

#[test]
fn a_mapping_that_no_consumer_plays_is_told() {
    let text = "
name: x
stack:
  Resources:
    Orders: { Type: AWS::SQS::Queue }
    Mails: { Type: AWS::SQS::Queue }
    Pay:
      Type: AWS::Serverless::Function
      Properties:
        Handler: app.handle
        Runtime: python3.13
        Events:
          Orders: { Type: SQS, Properties: { Queue: !GetAtt Orders.Arn } }
          Mails: { Type: SQS, Properties: { Queue: !GetAtt Mails.Arn } }
consumers:
  pay: { lambda: { function: Pay, command: [./bootstrap] }, queue: Orders }
inject:
  - send: { to: Orders, as: m }
expect:
  - drained: { queue: Orders }
";
    let scenario =
        parse("x.yaml", text, StackLookup::Nowhere).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let told = "`PayMails`: no consumer runs `Pay` for `Mails`: the mapping is not made";
    assert_eq!(scenario.stack.ignored, [told]);
}
