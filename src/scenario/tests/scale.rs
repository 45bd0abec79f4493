//! What `--scale` makes of durations.

use havoq_base::StackDuration;

use super::super::{Action, Claim, Scale, Scenario, StackLookup, parse};

const TEXT: &str = r#"
name: scaled
stack:
  Resources:
    Q:
      Type: AWS::SQS::Queue
      Properties:
        VisibilityTimeout: 180
        DelaySeconds: 60
        RedrivePolicy: { deadLetterTargetArn: !GetAtt DLQ.Arn, maxReceiveCount: 3 }
    DLQ: { Type: AWS::SQS::Queue }
    A:
      Type: AWS::CloudWatch::Alarm
      Properties:
        Namespace: AWS/SQS
        MetricName: ApproximateNumberOfMessagesVisible
        Statistic: Maximum
        Period: 300
        EvaluationPeriods: 1
        Threshold: 0
        ComparisonOperator: GreaterThanThreshold
consumers:
  w: { worker: { work: 5ms }, queue: Q, bound: 2s }
effects:
  charges: { http: /charges, key: $.orderId }
inject:
  - send: { to: Q, as: a }
  - wait: 10m
expect:
  - redelivered: { of: a, not_before: 180s, within: 4m }
  - effect: { of: a, in: charges, exactly: 1, within: 30s }
"#;

fn scaled(scale: &str) -> Scenario {
    let scenario = parse("scaled.yaml", TEXT, StackLookup::Nowhere).expect("a scenario");
    scenario.scaled_by(scale.parse().expect("a scale"))
}

const fn secs(secs: u64) -> StackDuration {
    StackDuration::from_secs(secs)
}

#[test]
fn stack_and_scenario_are_scaled_and_real_work_is_not() {
    let scenario = scaled("1/60");
    let (queue, dead) = (&scenario.stack.queues["Q"], &scenario.stack.queues["DLQ"]);
    assert_eq!((queue.visibility_timeout, queue.delay), (secs(3), secs(1)));
    assert_eq!(queue.retention, secs(345_600 / 60));
    assert_eq!(dead.visibility_timeout, secs(1), "0.5 s is none, and nobody reads there");
    assert_eq!(scenario.stack.alarms["A"].period, secs(10), "5 s is none");
    assert_eq!(scenario.consumers["w"].bound.map(|bound| bound.as_secs()), Some(2));
    assert!(matches!(scenario.inject[1].action, Action::Wait(span) if span == secs(10)));
    let Claim::Redelivered { not_before, within, .. } = &scenario.expect[0].claim else { panic!() };
    assert_eq!((*not_before, *within), (Some(secs(3)), Some(secs(4))));
    let Claim::Effect { within, .. } = &scenario.expect[1].claim else { panic!() };
    assert_eq!(*within, Some(secs(30)), "no timeout of the stack fits into 30 s, so it is real work");
    assert_eq!(scenario.scaled.expect("noted").unfit, Vec::<String>::new());
}

#[test]
fn what_does_not_fit_is_told() {
    let unfit = scaled("1/100").scaled.expect("noted").unfit;
    assert_eq!(
        unfit,
        [
            "the visibility timeout of Q would be 1800ms, and SQS takes whole seconds from 1s",
            "the delay of Q would be 600ms, and SQS takes whole seconds from 1s",
        ]
    );
}

#[test]
fn a_scale_is_above_zero_and_at_most_one() {
    for (text, shown) in [("1/60", "1/60"), ("0.1", "1/10"), ("1", "1/1"), ("0.25", "25/100")] {
        assert_eq!(text.parse::<Scale>().expect(text).to_string(), shown);
    }
    for wrong in ["0", "2", "60/1", "1/0", "-1", "a", "", "1/", "/2", "0.0", "1e-2", "+1/2"] {
        assert!(wrong.parse::<Scale>().is_err(), "{wrong}");
    }
}
