//! Archives and replays (semantics 3.5). On AWS an event may take 10 min until it is archived.

use aws_sdk_eventbridge::operation::create_archive::builders::CreateArchiveFluentBuilder as CreateArchive;
use aws_sdk_eventbridge::operation::start_replay::builders::StartReplayFluentBuilder as StartReplay;
use aws_sdk_eventbridge::primitives::DateTime;
use aws_sdk_eventbridge::types::{ReplayDestination, ReplayState};
use serde_json::{Value, json};

use super::bus::{Bus, event_names, json_of};
use super::check::checks;
use super::finding::{Not, Shown, same, wrong};
use super::lab::Lab;
use super::made::Thing;
use super::queue::Queue;
use super::refusal::{not_accepted, refused};

checks! { EventBridge:
    Minutes "eb-replay-again" "3.5" "a replay puts the archived events on their bus again" again;
    Minutes "eb-replay-name" "3.5" "a replayed event has the name of its replay" name;
    Minutes "eb-replay-completed" "3.5" "a replay comes to be COMPLETED" completed;
    Minutes "eb-replay-pattern" "3.5" "an archive with a pattern keeps only what matches" pattern;
    Minutes "eb-replay-window" "3.5" "a replay takes only the events of its time" window;
    Minutes "eb-replay-rules" "3.5" "a replay for one rule runs no other" one_rule;
    Minutes "eb-replay-no-loop" "3.5" "what is replayed is not archived again" no_loop;
    Seconds "eb-replay-other-bus" "3.5" "a replay to another bus is refused" other_bus;
    Seconds "eb-replay-end-first" "3.5" "a replay that ends before it starts is refused" end_first;
    Seconds "eb-archive-again" "3.5" "an archive that is created again is refused" archive_again;
    Seconds "eb-archive-bus-missing" "3.5" "an archive of a bus that is not there is refused" bus_missing;
}

/// How long a stack may take to archive, and to replay.
const ARCHIVED: u64 = 5;
const REPLAYED: u64 = 120;

struct Archive {
    bus: Bus,
    queue: Queue,
    arn: String,
    name: String,
}

fn creating(lab: &Lab, name: &str, bus_arn: &str) -> CreateArchive {
    lab.0.made.note(Thing::Archive { name: name.to_owned() });
    lab.events().create_archive().archive_name(name).event_source_arn(bus_arn)
}

async fn archive(lab: &Lab, pattern: Option<Value>) -> Shown<Archive> {
    let (bus, _, queue) = lab.routed().await?;
    let name = lab.short_name()?;
    let create = creating(lab, &name, &bus.arn);
    let create = create.set_event_pattern(pattern.map(|pattern| pattern.to_string()));
    let arn = create.send().await?.archive_arn;
    let arn = arn.ok_or_else(|| Not::Absent("CreateArchive gave no ArchiveArn".to_owned()))?;
    Ok(Archive { bus, queue, arn, name })
}

impl Archive {
    /// Puts events of these names, which are delivered, and lets them be archived.
    async fn keep(&self, names: &[&str]) -> Shown {
        let events = names.iter().map(|name| self.bus.event(&json!({ "name": name }))).collect();
        self.bus.put_all(events).await?;
        let seen = self.queue.take(names.len()).await?;
        same("events delivered:", seen.len(), names.len())?;
        for message in &seen {
            self.queue.delete(message).await?;
        }
        self.bus.lab.pass(ARCHIVED).await;
        Ok(())
    }

    /// A replay of all, not sent yet.
    fn replaying(&self, name: &str, to: &str) -> StartReplay {
        let now = self.bus.lab.now_seconds();
        let destination = ReplayDestination::builder().arn(to).build();
        let start = self.bus.lab.events().start_replay().replay_name(name).event_source_arn(&self.arn);
        start
            .event_start_time(DateTime::from_secs(now - 600))
            .event_end_time(DateTime::from_secs(now + 1))
            .destination(destination.expect("its ARN is given"))
    }

    /// Replays, and waits for its end; the replay's name.
    async fn replay(&self, with: impl FnOnce(StartReplay) -> StartReplay) -> Shown<String> {
        let (lab, name) = (&self.bus.lab, self.bus.lab.short_name()?);
        with(self.replaying(&name, &self.bus.arn)).send().await?;
        let ended = || async {
            let state = lab.events().describe_replay().replay_name(&name).send().await?.state;
            let is_over = !matches!(
                state,
                Some(ReplayState::Starting | ReplayState::Running | ReplayState::Cancelling)
            );
            Ok(is_over.then_some(state))
        };
        match lab.until(REPLAYED, ended).await? {
            Some(Some(ReplayState::Completed)) => Ok(name),
            other => wrong(format!("COMPLETED within {REPLAYED} s"), format!("{other:?}")),
        }
    }

    async fn expect(&self, names: &[&str]) -> Shown {
        let seen = event_names(&self.queue.take(names.len() + 1).await?)?;
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        same("replayed:", seen, names)
    }
}

async fn again(lab: Lab) -> Shown {
    let archive = archive(&lab, None).await?;
    archive.keep(&["a", "b"]).await?;
    archive.replay(|start| start).await?;
    archive.expect(&["a", "b"]).await
}

async fn name(lab: Lab) -> Shown {
    let archive = archive(&lab, None).await?;
    archive.keep(&["a"]).await?;
    let name = archive.replay(|start| start).await?;
    let event = json_of(&archive.queue.one("the replayed event").await?)?;
    same("replay-name", event["replay-name"].as_str(), Some(name.as_str()))
}

async fn completed(lab: Lab) -> Shown {
    let archive = archive(&lab, None).await?;
    archive.keep(&["a"]).await?;
    archive.replay(|start| start).await?;
    Ok(())
}

async fn pattern(lab: Lab) -> Shown {
    let archive = archive(&lab, Some(json!({ "detail": { "name": ["a"] } }))).await?;
    archive.keep(&["a", "b"]).await?;
    archive.replay(|start| start).await?;
    archive.expect(&["a"]).await
}

async fn window(lab: Lab) -> Shown {
    let archive = archive(&lab, None).await?;
    let now = lab.now_seconds();
    let events = [("old", now - 300), ("new", now)].map(|(name, time)| {
        let mut event = archive.bus.event(&json!({ "name": name }));
        event.time = Some(DateTime::from_secs(time));
        event
    });
    archive.bus.put_all(events.to_vec()).await?;
    for message in archive.queue.take(2).await? {
        archive.queue.delete(&message).await?;
    }
    lab.pass(ARCHIVED).await;
    archive.replay(|start| start.event_start_time(DateTime::from_secs(now - 60))).await?;
    archive.expect(&["new"]).await
}

async fn one_rule(lab: Lab) -> Shown {
    let archive = archive(&lab, None).await?;
    let other = lab.queue(&[]).await?;
    let rule = archive.bus.rule(&super::bus::everything()).await?;
    rule.to("1", &other).await?;
    archive.keep(&["a"]).await?;
    let first = other.one("the event at the other rule").await?;
    other.delete(&first).await?;
    let destination = ReplayDestination::builder().arn(&archive.bus.arn).filter_arns(&rule.arn).build();
    archive.replay(|start| start.destination(destination.expect("its ARN is given"))).await?;
    let seen = other.take(1).await?;
    same("replayed to the rule that was named:", event_names(&seen)?, vec!["a".to_owned()])?;
    archive.queue.none("nothing for a rule that was not named").await
}

async fn no_loop(lab: Lab) -> Shown {
    let archive = archive(&lab, None).await?;
    archive.keep(&["a"]).await?;
    archive.replay(|start| start).await?;
    let first = archive.queue.one("the replayed event").await?;
    archive.queue.delete(&first).await?;
    lab.pass(ARCHIVED).await;
    archive.replay(|start| start).await?;
    archive.expect(&["a"]).await
}

async fn other_bus(lab: Lab) -> Shown {
    let (archive, other) = (archive(&lab, None).await?, lab.bus().await?);
    let start = archive.replaying(&lab.short_name()?, &other.arn);
    not_accepted(start.send().await, "its destination is not the archive's bus")
}

async fn end_first(lab: Lab) -> Shown {
    let archive = archive(&lab, None).await?;
    let start = archive.replaying(&lab.short_name()?, &archive.bus.arn);
    let end = DateTime::from_secs(lab.now_seconds() - 3_600);
    not_accepted(start.event_end_time(end).send().await, "its end is before its start")
}

async fn archive_again(lab: Lab) -> Shown {
    let archive = archive(&lab, None).await?;
    let again = creating(&lab, &archive.name, &archive.bus.arn).send().await;
    refused(again, &["ResourceAlreadyExistsException"])
}

async fn bus_missing(lab: Lab) -> Shown {
    let archive = archive(&lab, None).await?;
    let missing = format!("{}-no", archive.bus.arn);
    refused(creating(&lab, &lab.short_name()?, &missing).send().await, &["ResourceNotFoundException"])
}
