//! Semantics 4.1-4.3, over time. The table of missing data is tested where it is computed.

use super::{World, secs};
use crate::cloudwatch::{AlarmSpec, AlarmState, MissingData, dlq_alarm};
use crate::fact::Fact;

/// The states that the alarm changed to, each with the seconds since the start.
fn changes(world: &World) -> Vec<(u64, AlarmState)> {
    let facts = world.facts.lock().expect("no panic holds it");
    let changes = facts.iter().filter_map(|(at, fact)| match fact {
        Fact::AlarmChanged { to, .. } => Some((at.as_secs() - 1_800_000_000, *to)),
        _ => None,
    });
    changes.collect()
}

fn put(world: &mut World, alarm: AlarmSpec) -> String {
    world.operate(|core, now| core.put_alarm(now, alarm)).expect("the alarm is put")
}

#[test]
fn a_new_alarm_starts_with_insufficient_data_and_is_evaluated_each_full_minute() {
    let mut world = World::new();
    world.create("dlq", &[]);
    world.pass(7);
    let arn = put(&mut world, dlq_alarm("dlq"));
    assert_eq!(arn, "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:dlq");
    world.pass(60);
    assert!(matches!(
        &world.facts()[..],
        [Fact::AlarmChanged { from: AlarmState::InsufficientData, to: AlarmState::Ok, reason, .. }]
            if reason.starts_with("Threshold Crossed: 1 datapoint [0.0 (15/01/27 08:00:00)] was not greater than")
    ));
    world.send("dlq", "a");
    world.pass(50);
    assert_eq!(changes(&world), []);
    world.pass(10);
    assert_eq!(changes(&world), [(120, AlarmState::Alarm)]);
}

#[test]
fn actions_run_on_transitions_only_and_only_on_topics() {
    let mut world = World::new();
    world.create("dlq", &[]);
    let topic = world
        .operate(|core, now| core.create_topic(now, crate::place::Place::HOME, "oncall"))
        .expect("created");
    assert_eq!(topic, "arn:aws:sns:eu-central-1:123456789012:oncall");
    let alarm_actions = vec![topic.clone(), "arn:aws:sns:eu-central-1:123456789012:none".to_owned()];
    put(&mut world, AlarmSpec { alarm_actions, ..dlq_alarm("dlq") });
    world.pass(60);
    world.send("dlq", "first");
    world.pass(60);
    world.send("dlq", "second");
    world.pass(600);
    let facts = world.facts();
    let actions: Vec<_> = facts.iter().filter(|fact| matches!(fact, Fact::AlarmAction { .. })).collect();
    assert_eq!(
        actions,
        [&Fact::AlarmAction { alarm: "dlq".into(), state: AlarmState::Alarm, target_arn: topic }]
    );
}

#[test]
fn with_actions_disabled_the_state_still_moves() {
    let mut world = World::new();
    world.create("dlq", &[]);
    let topic = world
        .operate(|core, now| core.create_topic(now, crate::place::Place::HOME, "oncall"))
        .expect("created");
    put(&mut world, AlarmSpec { actions_enabled: false, ok_actions: vec![topic], ..dlq_alarm("dlq") });
    world.pass(60);
    assert_eq!(changes(&world), [(60, AlarmState::Ok)]);
    assert_eq!(world.facts().len(), 1);
}

#[test]
fn the_window_slides_so_a_long_period_alarms_at_the_next_minute_and_lasts() {
    let mut world = World::new();
    world.create("dlq", &[]);
    put(&mut world, AlarmSpec { period: secs(300), ..dlq_alarm("dlq") });
    world.pass(90);
    world.send("dlq", "a");
    world.pass(60);
    let handle = world.one("dlq").handle;
    world.delete("dlq", &handle).expect("deleted");
    world.pass(600);
    // Seen at 120 alone: the last window that holds it ends at 360.
    assert_eq!(changes(&world), [(60, AlarmState::Ok), (120, AlarmState::Alarm), (420, AlarmState::Ok)]);
}

#[test]
fn m_of_n_needs_not_be_consecutive() {
    let mut world = World::new();
    world.create("dlq", &[]);
    put(&mut world, AlarmSpec { evaluation_periods: 3, datapoints_to_alarm: 2, ..dlq_alarm("dlq") });
    world.pass(180);
    world.send("dlq", "a");
    world.pass(60);
    let first = world.one("dlq");
    world.delete("dlq", &first.handle).expect("deleted");
    world.pass(60);
    world.send("dlq", "b");
    world.pass(60);
    assert_eq!(changes(&world), [(60, AlarmState::Ok), (360, AlarmState::Alarm)]);
}

#[test]
fn a_quiet_queue_has_no_data_after_6_hours() {
    for (missing_data, last) in [
        (MissingData::Missing, (21_780, AlarmState::InsufficientData)),
        (MissingData::Breaching, (21_780, AlarmState::Alarm)),
        (MissingData::NotBreaching, (60, AlarmState::Ok)),
        (MissingData::Ignore, (60, AlarmState::Ok)),
    ] {
        let mut world = World::new();
        world.create("dlq", &[]);
        put(&mut world, AlarmSpec { missing_data, ..dlq_alarm("dlq") });
        world.pass(7 * 3_600);
        // The last datapoint is of 6 h; it leaves the range of three periods three minutes later.
        assert_eq!(changes(&world).last(), Some(&last), "{missing_data:?}");
    }
}

#[test]
fn an_update_keeps_the_state() {
    let mut world = World::new();
    world.create("dlq", &[]);
    put(&mut world, dlq_alarm("dlq"));
    world.pass(60);
    put(&mut world, AlarmSpec { threshold: 5.0, ..dlq_alarm("dlq") });
    world.pass(60);
    assert_eq!(changes(&world), [(60, AlarmState::Ok)]);
}

#[test]
fn an_alarm_on_a_metric_that_nothing_emits_has_missing_data() {
    let mut world = World::new();
    world.create("dlq", &[]);
    put(&mut world, AlarmSpec { namespace: "Custom".into(), ..dlq_alarm("dlq") });
    world.pass(60);
    assert!(matches!(
        &world.facts()[..],
        [Fact::AlarmChanged { to: AlarmState::Ok, reason, .. }]
            if reason == "Threshold Crossed: no datapoints were received for 1 period and 1 missing datapoint was \
                          treated as [NonBreaching]."
    ));
}

#[test]
fn a_short_period_is_evaluated_every_10_s() {
    let mut world = World::new();
    world.create("dlq", &[]);
    let short = AlarmSpec { period: secs(10), missing_data: MissingData::Breaching, ..dlq_alarm("dlq") };
    put(&mut world, short);
    world.pass(100);
    // Real data comes at full minutes only; it is in the range for 30 s.
    assert_eq!(changes(&world), [(10, AlarmState::Alarm), (60, AlarmState::Ok), (90, AlarmState::Alarm)]);
}

#[test]
fn nobody_wakes_up_for_a_tick_unless_there_is_an_alarm() {
    let mut world = World::new();
    world.create("dlq", &[]);
    world.pass(600);
    assert_eq!(world.core.timers.next(), None);
    put(&mut world, dlq_alarm("dlq"));
    assert_eq!(world.core.timers.next(), Some(world.now + secs(60)));
    assert_eq!(world.core.timers.next_delivery(), None);
}

#[test]
fn two_weeks_of_ticks_are_an_ordinary_test() {
    let mut world = World::new();
    world.create("dlq", &[("MessageRetentionPeriod", "1209600")]);
    put(&mut world, AlarmSpec { evaluation_periods: 15, datapoints_to_alarm: 15, ..dlq_alarm("dlq") });
    world.send("dlq", "a");
    world.pass(1_209_600 + 600);
    // The expiry clears it without anyone acting (semantics 4.3), two minutes late: an empty queue
    // that nobody called for 6 h emits nothing, and the range holds two periods more than it needs.
    let expected = [(60, AlarmState::Ok), (900, AlarmState::Alarm), (1_209_600 + 120, AlarmState::Ok)];
    assert_eq!(changes(&world), expected);
}
