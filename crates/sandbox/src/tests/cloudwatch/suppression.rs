//! Suppression of a composite alarm's actions: the examples of the CloudWatch guide, with a wait of
//! 2 and an extension of 3 units of time (semantics 4.2).

use serde_json::{Value, json};

use super::{START, World, on_custom};

const UNIT: u64 = 60;

struct Suppressed {
    world: World,
}

impl Suppressed {
    /// `c` follows `child`, and `suppressor` suppresses its actions. All are OK at t0.
    fn new() -> Self {
        let mut world = World::new();
        let topic = world.action_topic("oncall");
        for name in ["child", "suppressor"] {
            let quiet = json!({ "TreatMissingData": "ignore" });
            world.put_metric_alarm(on_custom(name, &quiet)).expect("it is put");
            world.set_state(name, "OK");
        }
        let composite = json!({
            "AlarmName": "c",
            "AlarmRule": "ALARM(child)",
            "AlarmActions": [topic],
            "OKActions": [topic],
            "ActionsEnabled": false,
            "ActionsSuppressor": "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:suppressor",
            "ActionsSuppressorWaitPeriod": 2 * UNIT,
            "ActionsSuppressorExtensionPeriod": 3 * UNIT,
        });
        world.put_composite(composite.clone()).expect("it is put");
        world.pass(10 * UNIT);
        // What waited after its creation is over.
        let enabled = json!({ "AlarmNames": ["c"] });
        let done = world.cw(enabled, |core, now, input| {
            core.switch_alarm_actions(now, crate::place::Place::HOME, input, true)
        });
        done.expect("its actions are enabled");
        Self { world }
    }

    /// At `t`, an alarm goes into a state.
    fn at(&mut self, t: u64, alarm: &str, state: &str) -> &mut Self {
        self.to(t);
        self.world.set_state(alarm, state);
        self
    }

    fn to(&mut self, t: u64) {
        let passed = self.world.now.as_secs() - START - 10 * UNIT;
        self.world.pass(t * UNIT - passed);
    }

    /// When actions were done, and for which state.
    fn actions(&mut self) -> Vec<(u64, String)> {
        self.to(20);
        let states = self.world.actions();
        let members = json!({ "AlarmTypes": ["CompositeAlarm"], "HistoryItemType": "Action",
            "ScanBy": "TimestampAscending" });
        let times = self.world.history(members);
        let unit = |item: &Value| (item["Timestamp"].as_f64().map_or(0, |at| at as u64) - START) / UNIT - 10;
        times.iter().map(unit).zip(states).collect()
    }

    fn by(&mut self) -> Value {
        self.world.alarm("c")["ActionsSuppressedBy"].clone()
    }
}

fn acted(at: u64, state: &str) -> Vec<(u64, String)> {
    vec![(at, format!("c {state}"))]
}

#[test]
fn example_1_actions_are_not_suppressed_after_the_wait() {
    let mut case = Suppressed::new();
    case.at(2, "child", "ALARM");
    assert_eq!(case.by(), "WaitPeriod");
    assert_eq!(case.world.alarm("c")["ActionsSuppressedReason"], "Actions suppressed by WaitPeriod");
    assert!(case.world.core.timers.next_delivery().is_some(), "its action may deliver something");
    assert_eq!(case.actions(), acted(4, "ALARM"));
    assert_eq!(case.by(), Value::Null);
}

#[test]
fn example_2_the_suppressor_comes_before_the_wait_is_over() {
    let mut case = Suppressed::new();
    case.at(2, "child", "ALARM").at(3, "suppressor", "ALARM");
    assert_eq!(case.by(), "Alarm");
    assert_eq!(case.actions(), []);
}

#[test]
fn example_3_a_change_of_state_in_the_wait_begins_another() {
    let mut case = Suppressed::new();
    case.at(2, "child", "ALARM").at(3, "child", "OK");
    assert_eq!(case.actions(), acted(5, "OK"));
}

#[test]
fn example_4_the_suppressor_is_there_already() {
    let mut case = Suppressed::new();
    case.at(1, "suppressor", "ALARM").at(2, "child", "ALARM");
    assert_eq!(case.by(), "Alarm");
    case.at(5, "child", "OK");
    assert_eq!(case.actions(), []);
}

#[test]
fn example_5_actions_are_not_suppressed_after_the_extension() {
    let mut case = Suppressed::new();
    case.at(2, "child", "ALARM").at(3, "suppressor", "ALARM").at(6, "suppressor", "OK");
    assert_eq!(case.by(), "ExtensionPeriod");
    assert_eq!(case.actions(), acted(9, "ALARM"));
}

#[test]
fn example_6_a_change_of_state_in_the_extension_begins_a_wait() {
    let mut case = Suppressed::new();
    case.at(2, "child", "ALARM").at(3, "suppressor", "ALARM").at(6, "suppressor", "OK").at(7, "child", "OK");
    assert_eq!(case.by(), "WaitPeriod");
    assert_eq!(case.actions(), acted(9, "OK"));
}

#[test]
fn the_suppressor_that_comes_back_in_the_extension_suppresses_on() {
    let mut case = Suppressed::new();
    case.at(2, "child", "ALARM").at(3, "suppressor", "ALARM").at(6, "suppressor", "OK");
    case.at(7, "suppressor", "ALARM");
    assert_eq!(case.by(), "Alarm");
    assert_eq!(case.actions(), []);
}

#[test]
fn a_metric_alarm_put_over_the_composite_does_not_do_what_waited() {
    let mut case = Suppressed::new();
    case.at(2, "child", "ALARM");
    let topic = case.world.action_topic("oncall");
    let members = json!({ "AlarmActions": [topic], "TreatMissingData": "ignore" });
    case.world.put_metric_alarm(on_custom("c", &members)).expect("it is put");
    case.to(20);
    assert_eq!(case.world.alarm("c")["StateValue"], "ALARM", "an update keeps the state");
    assert_eq!(case.world.actions(), [""; 0]);
}

#[test]
fn deleting_the_composite_ends_what_waits_and_its_suppressor_cannot_go_before() {
    let mut case = Suppressed::new();
    case.at(2, "child", "ALARM");
    let refused = case.world.delete_alarms(&["suppressor"]);
    assert!(super::message(refused).starts_with("Cannot delete suppressor as"));
    case.world.delete_alarms(&["c", "suppressor"]).expect("they are deleted");
    assert_eq!(case.actions(), []);
    assert_eq!(case.world.core.timers.next_delivery(), None);
}
