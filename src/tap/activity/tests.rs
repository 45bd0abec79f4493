use havoq_base::{Pace, RunStart, StackTime};

use super::*;

const QUEUE: &str = "Orders";

struct World {
    clock: Clock,
    activity: Activity,
    by: Instance,
}

fn world(sequential: bool) -> World {
    let clock = Clock::new(Pace::Virtual, StackTime::from_secs(1_000), RunStart::now());
    let activity = Activity::new(clock.clone(), Limits::default());
    let bounds =
        Bounds { processing: RealDuration::from_secs(5), start: RealDuration::from_secs(10), sequential };
    activity.set_bounds("c", bounds);
    let by = Instance { consumer: "c".into(), instance: 0, start: 1 };
    activity.started(&by, &[QUEUE.to_owned()]);
    World { clock, activity, by }
}

impl World {
    fn receive(&self, receipt: &str) {
        self.receive_message("m", receipt);
    }

    fn receive_message(&self, message_id: &str, receipt: &str) {
        let held = Held {
            message_id: message_id.into(),
            receipt: receipt.into(),
            receive_count: 1,
            marker: Some("order-1".into()),
        };
        self.activity.polled(&self.by, QUEUE);
        self.activity.received(&self.by, &held, StackDuration::from_secs(180));
    }

    fn jump(&self) {
        self.clock.jump_to(self.clock.now() + StackDuration::from_secs(60)).expect("a jump");
    }

    /// What would keep the clock, `later` from now.
    fn closing(&self, later: RealDuration) -> Closing {
        self.activity.lock().closing(0, self.clock.real_now() + later)
    }
}

#[test]
fn a_received_message_keeps_the_clock_until_its_bound_is_over() {
    let world = world(false);
    assert_eq!(world.closing(RealDuration::ZERO), Closing::Quiet);
    world.receive("r-1");
    assert!(matches!(world.closing(RealDuration::ZERO), Closing::Until(Some(_))));
    world.activity.acted(&world.by, &"r-1".into(), Act::Delete);
    assert!(matches!(world.closing(RealDuration::ZERO), Closing::Until(Some(_))), "a delete does not close");
    assert_eq!(world.closing(RealDuration::from_secs(6)), Closing::Quiet);
}

#[test]
fn a_new_poll_closes_only_for_a_sequential_consumer() {
    for (sequential, quiet) in [(false, false), (true, true)] {
        let world = world(sequential);
        world.receive("r-1");
        world.activity.polled(&world.by, QUEUE);
        assert_eq!(world.closing(RealDuration::ZERO) == Closing::Quiet, quiet);
    }
}

#[test]
fn exit_closes_everything() {
    let world = world(false);
    world.receive("r-1");
    world.activity.exited(&world.by);
    assert_eq!(world.closing(RealDuration::ZERO), Closing::Quiet);
}

#[test]
fn a_running_call_keeps_the_clock_unless_it_is_a_parked_poll() {
    let world = world(false);
    world.activity.call_began();
    let closing = |parked| world.activity.lock().closing(parked, world.clock.real_now());
    assert_eq!(closing(0), Closing::Until(None));
    assert_eq!(closing(1), Closing::Quiet);
    world.activity.call_ended();
    assert_eq!(closing(0), Closing::Quiet);
}

#[test]
fn an_act_after_a_jump_is_an_overrun() {
    let world = world(false);
    world.receive("r-1");
    assert_eq!(world.activity.acted(&world.by, &"r-1".into(), Act::Delete), None);
    world.jump();
    let overrun = world.activity.made_effect(&world.by, &"order-1".into()).expect("an overrun");
    assert_eq!(overrun.message_id, Some("m".into()));
}

#[test]
fn an_effect_belongs_to_the_latest_receive() {
    let world = world(false);
    world.receive("r-1");
    world.jump();
    world.receive("r-2");
    assert_eq!(world.activity.made_effect(&world.by, &"order-1".into()), None);
    assert!(world.activity.acted(&world.by, &"r-1".into(), Act::Delete).is_some(), "the old receipt is late");
}

#[test]
fn a_frozen_holder_neither_keeps_the_clock_nor_overruns() {
    let world = world(false);
    world.receive("r-1");
    world.activity.set_frozen(&world.by, true);
    assert_eq!(world.closing(RealDuration::ZERO), Closing::Quiet);
    world.jump();
    world.activity.set_frozen(&world.by, false);
    assert!(matches!(world.closing(RealDuration::ZERO), Closing::Until(Some(_))));
    assert_eq!(world.activity.acted(&world.by, &"r-1".into(), Act::Delete), None);
}

#[test]
fn an_owed_retry_keeps_the_clock_until_it_comes() {
    let world = world(false);
    world.activity.owes_retry(&world.by, "invocation");
    assert!(matches!(world.closing(RealDuration::from_secs(20)), Closing::Until(Some(_))));
    assert_eq!(world.closing(RealDuration::from_secs(26)), Closing::Quiet);
    world.activity.retried(&world.by, "invocation");
    assert_eq!(world.closing(RealDuration::ZERO), Closing::Quiet);
}

#[test]
fn what_is_held_is_neither_deleted_nor_visible_again() {
    let world = world(false);
    world.receive("r-1");
    assert_eq!(world.activity.held_by(&world.by).len(), 1);
    world.clock.jump_to(world.clock.now() + StackDuration::from_secs(180)).expect("a jump");
    assert!(world.activity.held_by(&world.by).is_empty());
    world.receive("r-2");
    world.activity.acted(&world.by, &"r-2".into(), Act::Delete);
    assert!(world.activity.held_by(&world.by).is_empty());
}

#[test]
fn patience_with_a_reader_grows_with_its_gaps_and_errors() {
    let world = world(false);
    let patience = |since| {
        let state = world.activity.lock();
        let readers = state.readers(QUEUE, since, world.activity.limits());
        readers[0].patience_ends.since(world.clock.real_now())
    };
    let now = world.clock.real_now();
    assert!(patience(now) > RealDuration::from_secs(9), "the start bound");
    assert!(world.activity.polled(&world.by, QUEUE), "the first poll");
    assert!(!world.activity.polled(&world.by, QUEUE));
    assert!(patience(now) <= RealDuration::from_secs(2));
    world.activity.poll_answered(&world.by, QUEUE, true);
    assert!(patience(now) > RealDuration::from_secs(20));
    world.activity.set_idle(&world.by, QUEUE);
    assert!(world.activity.polled(&world.by, QUEUE), "the first poll since it was idle");
}

#[test]
fn what_is_set_down_does_not_keep_the_clock_until_it_is_taken_up() {
    let world = world(false);
    world.receive("r-1");
    world.activity.set_down(&world.by, &["r-1".into()]);
    assert_eq!(world.closing(RealDuration::ZERO), Closing::Quiet);
    world.jump();
    world.activity.take_up(&world.by, &["r-1".into()]);
    assert!(matches!(world.closing(RealDuration::ZERO), Closing::Until(Some(_))));
    let overrun = world.activity.acted(&world.by, &"r-1".into(), Act::Delete);
    assert_eq!(overrun, None, "the clock jumped while nobody worked on it");
}

#[test]
fn an_act_on_what_was_set_down_before_a_jump_is_an_overrun() {
    let world = world(false);
    world.receive("r-1");
    world.activity.set_down(&world.by, &["r-1".into()]);
    world.jump();
    world.activity.begin_anew(&world.by);
    assert!(world.activity.made_effect(&world.by, &"order-1".into()).is_some());
}

#[test]
fn what_a_jump_has_passed_does_not_begin_anew() {
    let world = world(false);
    world.receive("r-1");
    world.jump();
    world.activity.begin_anew(&world.by);
    assert!(world.activity.made_effect(&world.by, &"order-1".into()).is_some());
}

#[test]
fn an_effect_belongs_to_the_copy_that_is_in_work() {
    let world = world(false);
    let (first, second) = (["r-1".into()], ["r-2".into()]);
    world.receive_message("m-1", "r-1");
    world.receive_message("m-2", "r-2");
    world.activity.set_down(&world.by, &first);
    world.activity.set_down(&world.by, &second);
    world.jump();
    world.activity.take_up(&world.by, &first);
    let overrun = world.activity.made_effect(&world.by, &"order-1".into());
    assert_eq!(overrun, None, "the second copy has lain by");
}

#[test]
fn the_return_of_an_invocation_is_an_act_on_all_that_it_had() {
    let world = world(false);
    let receipts = ["r-1".into()];
    world.receive("r-1");
    assert_eq!(world.activity.came_back(&world.by, &receipts), []);
    assert!(!world.activity.jumped_past(&world.by, &receipts));
    world.jump();
    assert!(world.activity.jumped_past(&world.by, &receipts));
    assert_eq!(world.activity.came_back(&world.by, &receipts).len(), 1, "the clock jumped while it ran");
    assert!(!world.activity.jumped_past(&world.by, &receipts));
    assert_eq!(world.activity.acted(&world.by, &"r-1".into(), Act::Delete), None, "it was told");
    assert!(world.activity.slowest("c") > RealDuration::ZERO);
}

#[test]
fn what_a_fault_holds_is_not_jumped_past() {
    let world = world(false);
    world.receive("r-1");
    world.activity.set_frozen(&world.by, true);
    world.jump();
    assert!(!world.activity.jumped_past(&world.by, &["r-1".into()]));
}

#[test]
fn work_on_no_message_keeps_the_clock_for_longer_than_any_short_bound() {
    let world = world(false);
    world.activity.work_began(&world.by, "w");
    assert!(matches!(world.closing(RealDuration::from_secs(9)), Closing::Until(Some(_))));
    assert_eq!(world.closing(RealDuration::from_secs(11)), Closing::Quiet);
    world.activity.work_ended(&world.by, "w");
    assert_eq!(world.closing(RealDuration::ZERO), Closing::Quiet);
}

#[test]
fn work_on_no_message_that_comes_back_after_a_jump_is_an_overrun() {
    let world = world(false);
    for (jumps, frozen) in [(false, false), (true, false), (true, true)] {
        world.activity.work_began(&world.by, "w");
        if frozen {
            world.activity.set_frozen(&world.by, true);
        }
        if jumps {
            world.jump();
        }
        if frozen {
            world.activity.set_frozen(&world.by, false);
        }
        world.activity.acted_at_all(&world.by);
        let overrun = world.activity.work_came_back(&world.by, "w");
        assert_eq!(overrun.is_some(), jumps && !frozen, "{jumps} {frozen}");
        assert_eq!(world.activity.lock().works(), 0);
    }
}

#[test]
fn the_silences_of_work_on_no_message_calibrate_and_a_start_does_not() {
    let world = world(false);
    world.activity.work_began(&world.by, "w");
    world.activity.begin_anew(&world.by);
    assert_eq!(world.activity.slowest("c"), RealDuration::ZERO);
    world.activity.acted_at_all(&world.by);
    let acted = world.activity.slowest("c");
    assert!(acted > RealDuration::ZERO);
    world.activity.work_came_back(&world.by, "w");
    assert!(world.activity.slowest("c") >= acted);
}

#[test]
fn whoever_holds_off_is_no_reader_for_now() {
    let world = world(false);
    let readers = || world.activity.lock().readers(QUEUE, RealTime::default(), Limits::default()).len();
    assert_eq!(readers(), 1);
    world.activity.set_holding_off(&world.by, true);
    assert_eq!(readers(), 0);
    world.activity.set_holding_off(&world.by, false);
    assert_eq!(readers(), 1);
}

#[test]
fn a_fault_starves_a_reader_of_one_queue_and_not_of_the_others() {
    let World { activity, by, .. } = world(false);
    let readers = |queue: &str| activity.lock().readers(queue, RealTime::default(), Limits::default()).len();
    activity.polled(&by, QUEUE);
    activity.polled(&by, "Next");
    activity.set_starved(&by, QUEUE, true);
    assert_eq!((readers(QUEUE), readers("Next")), (0, 1));
    activity.set_starved(&by, QUEUE, false);
    assert_eq!(readers(QUEUE), 1);
}
