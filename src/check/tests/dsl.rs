//! Drills: a scenario on one queue `Q` with its dead-letter queue `DLQ` (three receives, 30 s), a
//! depth alarm `A` on it that tells topic `T`, and a sink `charges`.

use std::collections::BTreeMap;

use havoq_base::StackDuration;

pub(super) use super::tape::{START, Tape, attempts, claim, instance};
use crate::scenario::*;

pub(super) fn secs(seconds: u64) -> StackDuration {
    StackDuration::from_secs(seconds)
}

fn queue(redrive: Option<Redrive>) -> Queue {
    Queue {
        name: None,
        visibility_timeout: secs(30),
        delay: secs(0),
        retention: secs(345_600),
        receive_wait: secs(20),
        maximum_message_size: 1_048_576,
        redrive,
        fifo: None,
        redrive_allow: None,
    }
}

pub(super) fn alarm_on(dimension: DimensionValue) -> Alarm {
    Alarm {
        name: None,
        namespace: "AWS/SQS".into(),
        metric: "ApproximateNumberOfMessagesVisible".into(),
        dimensions: vec![("QueueName".into(), dimension)],
        statistic: Statistic::Maximum,
        period: secs(60),
        evaluation_periods: 1,
        datapoints_to_alarm: 1,
        comparison: Comparison::GreaterThanThreshold,
        threshold: 0.0,
        missing_data: MissingData::NotBreaching,
        actions_enabled: true,
        alarm_actions: vec!["T".into()],
        ok_actions: Vec::new(),
        insufficient_data_actions: Vec::new(),
    }
}

fn stack() -> Template {
    let redrive = Redrive { to: "DLQ".into(), max_receive_count: 3 };
    Template {
        queues: [("Q".to_owned(), queue(Some(redrive))), ("DLQ".to_owned(), queue(None))].into(),
        alarms: [("A".to_owned(), alarm_on(DimensionValue::QueueNameOf("DLQ".into())))].into(),
        topics: [("T".to_owned(), Topic::default())].into(),
        ..Template::default()
    }
}

fn consumer(queue: &str) -> Consumer {
    Consumer {
        place: Place::default(),
        runs: Program::Worker(Worker::default()),
        fixed: None,
        queues: vec![At { value: queue.to_owned(), place: Place::default() }],
        instances: 1,
        restart: Restart::AtOnce,
        ready: Ready::default(),
        sequential: false,
        bound: None,
        time: ConsumerTime::Unset,
        keeps_no_wall_clock_state: false,
        env: BTreeMap::new(),
    }
}

pub(super) fn step(action: Action) -> Step {
    Step { place: Place { line: 5, column: 3 }, action }
}

pub(super) fn send(label: &str, count: u32) -> Action {
    Action::Send(Send {
        to: "Q".into(),
        count,
        label: label.into(),
        body: None,
        id: None,
        delay: None,
        group: None,
    })
}

/// A scenario on the standard stack. Its injected steps are one send a label.
pub(super) fn drill(labels: &[(&str, u32)], expect: Vec<Claim>) -> Scenario {
    Scenario {
        file: "drill.yaml".into(),
        text: String::new(),
        stack_file: None,
        name: At { value: "drill".into(), place: Place::default() },
        description: None,
        stack: stack(),
        consumers: [("w".to_owned(), consumer("Q"))].into(),
        effects: [(
            "charges".to_owned(),
            Effect { place: Place::default(), path: "/charges".into(), key: "$.orderId".into() },
        )]
        .into(),
        steady_state: Vec::new(),
        inject: labels.iter().map(|(label, count)| step(send(label, *count))).collect(),
        expect: expect
            .into_iter()
            .map(|claim| Expectation { place: Place { line: 9, column: 5 }, claim })
            .collect(),
        allow_discarded: false,
        scaled: None,
        swept: None,
    }
}

pub(super) fn drain_dlq(scenario: &mut Scenario) {
    scenario.consumers.insert("d".to_owned(), consumer("DLQ"));
}
