//! Alarms from public reports that did not do what their owners thought: the definition is judged,
//! and the firing proven.

use serde_json::Value;

use crate::support::{Havoq, Ran, diagnoses, scenario};

const SCENARIO: &str = "
name: case
stack:
  Resources:
    Orders:
      Type: AWS::SQS::Queue
      Properties:
        VisibilityTimeout: 180
        RedrivePolicy: { deadLetterTargetArn: !GetAtt OrderDLQ.Arn, maxReceiveCount: 3 }
    OrderDLQ:
      Type: AWS::SQS::Queue
    Pager:
      Type: AWS::SNS::Topic
    Alarm:
      Type: AWS::CloudWatch::Alarm
      Properties:
        Namespace: NAMESPACE
        MetricName: METRIC
        Dimensions: [{ Name: QueueName, Value: WATCHED }]
        Statistic: STATISTIC
        Period: 300
        EvaluationPeriods: 1
        Threshold: THRESHOLD
        ComparisonOperator: GreaterThanThreshold
        TreatMissingData: notBreaching
        AlarmActions: [!Ref Pager]
consumers:
  fulfilment: { worker: { bug: none, work: 10ms }, queue: Orders }
DRAIN
effects:
  charges: { http: /charges, key: $.orderId }
steady_state:
  - send: { to: Orders, as: warmup }
  - effect: { of: warmup, in: charges, exactly: 1, within: 1m }
  - alarm: { name: Alarm, reaches: OK, within: 10m }
inject:
INJECT
expect:
EXPECT
";

const POISON: &[&str] = &["poison: { to: Orders, form: truncated-json, as: bad }"];
const FIRES: &[&str] = &[
    "dead_lettered: { of: bad, in: OrderDLQ, within: 10m }",
    "alarm: { name: Alarm, reaches: ALARM, notifies: Pager, within: 20m }",
];

struct Case {
    namespace: &'static str,
    metric: &'static str,
    watched: &'static str,
    statistic: &'static str,
    threshold: &'static str,
    drain: &'static str,
    inject: &'static [&'static str],
    expect: &'static [&'static str],
}

/// What AWS recommends: the depth of the dead-letter queue.
const RIGHT: Case = Case {
    namespace: "AWS/SQS",
    metric: "ApproximateNumberOfMessagesVisible",
    watched: "!GetAtt OrderDLQ.QueueName",
    statistic: "Maximum",
    threshold: "0",
    drain: "",
    inject: POISON,
    expect: FIRES,
};

impl Case {
    fn ran(&self) -> (Value, Ran) {
        let list = |lines: &[&str]| lines.iter().map(|line| format!("  - {line}\n")).collect::<String>();
        let text = [
            ("NAMESPACE", self.namespace),
            ("METRIC", self.metric),
            ("WATCHED", self.watched),
            ("STATISTIC", self.statistic),
            ("THRESHOLD", self.threshold),
            ("DRAIN", self.drain),
            ("INJECT", &list(self.inject)),
            ("EXPECT", &list(self.expect)),
        ];
        let text = text.iter().fold(SCENARIO.to_owned(), |text, (name, value)| text.replace(name, value));
        let ran = Havoq::on(&text, &["--timeout", "110s"]).ran();
        (scenario(&ran.report(), "case").clone(), ran)
    }

    fn never_fires(&self, diagnosis: &str, named: &str) {
        let (case, ran) = self.ran();
        assert_eq!(case["verdict"], "fail", "{}", ran.all());
        assert_eq!(diagnoses(&case), [diagnosis], "{}", ran.all());
        let reason = reason(&case, "alarm");
        assert!(reason.contains(named), "{reason}");
        assert!(ran.of_kind("alarm_action").is_empty());
    }
}

fn reason(case: &Value, kind: &str) -> String {
    let claims = case["claims"].as_array().expect("claims");
    let of_kind = claims
        .iter()
        .find(|claim| claim["id"].as_str().is_some_and(|id| id.starts_with("expect") && id.ends_with(kind)));
    of_kind.expect("the claim")["reason"].as_str().expect("a reason").to_owned()
}

#[test]
fn the_recommended_alarm_fires_once() {
    let (case, ran) = RIGHT.ran();
    assert_eq!(case["verdict"], "pass", "{}", ran.all());
    assert_eq!(ran.of_kind("alarm_action").len(), 1);
}

/// Depth is sampled once a minute; a consumer of the dead-letter queue leaves nothing to see.
#[test]
fn a_depth_alarm_on_a_drained_dead_letter_queue_never_fires() {
    let drained = Case {
        drain: "  archive: { command: [python3, tests/consumers/cases/drain.py], queue: OrderDLQ, \
                wall_clock: none }",
        inject: &["poison: { to: Orders, form: truncated-json, as: bad, count: 54 }"],
        expect: &["alarm: { name: Alarm, reaches: ALARM, notifies: Pager, within: 20m }"],
        ..RIGHT
    };
    let (case, ran) = drained.ran();
    assert_eq!(case["verdict"], "fail", "{}", ran.all());
    assert!(diagnoses(&case).contains(&"alarm-on-drained-dlq"), "{}", ran.all());
    let moved = ran.of_kind("moved");
    let last = moved.iter().filter(|event| event["attempt"] == moved[moved.len() - 1]["attempt"]);
    assert_eq!(last.count(), 54);
    assert!(ran.of_kind("alarm_action").is_empty());
}

/// Semantics 4.3: each sample counts, so one message shows as five over 300 s.
#[test]
fn a_sum_over_a_gauge_multiplies() {
    let (case, ran) = Case { statistic: "Sum", threshold: "4", ..RIGHT }.ran();
    assert_eq!(case["verdict"], "pass", "{}", ran.all());
    let (case, ran) = Case { statistic: "Sum", threshold: "5", ..RIGHT }.ran();
    assert_eq!(case["verdict"], "fail", "{}", ran.all());
}

#[test]
fn an_alarm_in_a_namespace_where_queues_do_not_publish_never_fires() {
    Case { namespace: "SQS", ..RIGHT }.never_fires("alarm-cannot-fire", "the namespace `SQS`");
}

#[test]
fn an_alarm_on_a_queue_that_is_not_there_never_fires() {
    Case { watched: "OrderDlq", ..RIGHT }.never_fires("alarm-cannot-fire", "a queue named `OrderDlq`");
}

/// Semantics 1.16.
#[test]
fn an_alarm_on_messages_sent_does_not_see_dead_letters() {
    Case { metric: "NumberOfMessagesSent", ..RIGHT }
        .never_fires("alarm-cannot-fire", "which does not count dead-lettering");
}

/// Semantics 4.2: that is no fault of the alarm, but its owner should know.
#[test]
fn a_second_dead_letter_while_in_alarm_is_told_of_and_fails_nothing() {
    let twice = Case {
        inject: &[
            "poison: { to: Orders, form: truncated-json, as: bad }",
            "wait: { alarm: { name: Alarm, reaches: ALARM, within: 30m } }",
            "poison: { to: Orders, form: not-json, as: second }",
            "wait: 20m",
        ],
        ..RIGHT
    };
    let (case, ran) = twice.ran();
    assert_eq!(case["verdict"], "pass", "{}", ran.all());
    assert_eq!(ran.of_kind("alarm_action").len(), 1);
    assert_eq!(ran.of_kind("moved").len(), 2);
    let reason = reason(&case, "alarm");
    assert!(reason.contains("1 more dead letter came while it was in ALARM"), "{reason}");
}

/// Messages that are being worked on, or wait for their next try, are no failure.
#[test]
fn an_alarm_on_messages_in_flight_fires_on_healthy_ones() {
    let at_work = Case {
        metric: "ApproximateNumberOfMessagesNotVisible",
        watched: "!GetAtt Orders.QueueName",
        inject: &[
            "kill: { consumer: fulfilment, at: before-effect, of: healthy, restart: at-once }",
            "send: { to: Orders, as: healthy, count: 20 }",
            "wait: 10m",
        ],
        expect: &[
            "effect: { of: healthy, in: charges, exactly: 1 }",
            "stays: { alarm: { name: Alarm, is: OK } }",
        ],
        ..RIGHT
    };
    let (case, ran) = at_work.ran();
    assert_eq!(case["verdict"], "fail", "{}", ran.all());
    let reason = reason(&case, "stays");
    assert!(reason.contains("ALARM"), "{reason}");
}
