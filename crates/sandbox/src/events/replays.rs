//! StartReplay, DescribeReplay, ListReplays and CancelReplay (semantics 3.5).

use std::sync::Arc;

use havoq_base::StackTime;
use havoq_wire::{EventBridgeError, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::archive::ArchiveKey;
use super::archives::one_filter;
use super::errors::{over_limit, validation};
use super::names::{RuleKey, check_name};
use super::pages::page;
use super::replay::{PAUSE, Replay, ReplayId, ReplayKey, ReplayState};
use crate::checks::Checks;
use crate::cloudwatch::{epoch, from_epoch};
use crate::core::Core;
use crate::place::Place;
use crate::timers::Timer;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct StartReplay {
    replay_name: Option<String>,
    description: Option<String>,
    event_source_arn: Option<String>,
    event_start_time: Option<f64>,
    event_end_time: Option<f64>,
    destination: Option<Destination>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Destination {
    arn: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    filter_arns: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct OfReplay {
    replay_name: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ListReplays {
    name_prefix: Option<String>,
    event_source_arn: Option<String>,
    state: Option<String>,
    next_token: Option<String>,
    limit: Option<i64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ReplayStarted {
    replay_arn: String,
    state: &'static str,
    replay_start_time: f64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ReplayCancelled {
    replay_arn: String,
    state: &'static str,
}

/// How many may be starting or running at a time.
const MOST_ACTIVE: usize = 10;

impl StartReplay {
    fn check(&self) -> Result<(), ServiceError> {
        let mut checks = Checks::default();
        check_name(&mut checks, "replayName", &self.replay_name, 64);
        checks.length("description", self.description.as_deref(), 0, 512);
        checks.required_text("eventSourceArn", &self.event_source_arn, 1, 1_600);
        checks.required("eventStartTime", &self.event_start_time);
        checks.required("eventEndTime", &self.event_end_time);
        checks.required("destination", &self.destination);
        if let Some(destination) = &self.destination {
            checks.required_text("destination.arn", &destination.arn, 1, 1_600);
        }
        checks.done(validation)
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ReplayList {
    replays: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

impl Core {
    pub(crate) fn start_archive_replay(
        &mut self,
        now: StackTime,
        place: Place,
        input: StartReplay,
    ) -> Result<ReplayStarted, ServiceError> {
        self.keep_default_bus(place);
        self.forget_replays(now);
        input.check()?;
        let Destination { arn, filter_arns } = input.destination.unwrap_or_default();
        let bus = self.source_of_archive(place, &arn.unwrap_or_default())?;
        let [from, until] =
            [input.event_start_time, input.event_end_time].map(|time| from_epoch(time.unwrap_or_default()));
        if from >= until {
            return Err(invalid("EventEndTime", "EventStartTime must be before EventEndTime."));
        }
        let archive_arn = input.event_source_arn.unwrap_or_default();
        let name = archive_arn.split_once(":archive/").map_or(&*archive_arn, |(_, name)| name);
        let archive = self.events.archives.get_mut(&ArchiveKey { place, name: Arc::from(name) });
        let archive = archive
            .filter(|archive| archive.arn == archive_arn)
            .ok_or_else(|| invalid("EventSourceArn", &format!("Archive {name} does not exist.")))?;
        if archive.bus != bus {
            return Err(invalid("Destination.Arn", "Cross event bus replay is not permitted."));
        }
        archive.prune(now);
        let events = archive.between(from, until);
        let is_foreign =
            |arn: &&String| RuleKey::of_arn(&self.places, arn).is_none_or(|rule| rule.bus != bus);
        if let Some(arn) = filter_arns.iter().find(is_foreign) {
            let reason = format!("{arn} is not a rule of the event bus.");
            return Err(invalid("Destination.FilterArns", &reason));
        }
        let key = ReplayKey { place, name: Arc::from(input.replay_name.unwrap_or_default()) };
        if self.events.replays.contains_key(&key) {
            let text = format!("Replay {} already exists.", key.name);
            return Err(EventBridgeError::ResourceAlreadyExistsException.with(text));
        }
        let of_place = self.events.replays.iter().filter(|(key, _)| key.place == place);
        if of_place.filter(|(_, replay)| replay.state.is_active()).count() >= MOST_ACTIVE {
            return Err(over_limit());
        }
        self.events.replays_so_far += 1;
        let id = ReplayId(self.events.replays_so_far);
        let replay_arn = self.places.arn(place, "events", &format!("replay/{}", key.name));
        let mut replay = Replay::new(id, replay_arn.clone(), archive_arn, bus, now);
        (replay.from, replay.until) = (from, until);
        (replay.description, replay.filter_arns) = (input.description, filter_arns);
        replay.set_events(events);
        self.events.replays.insert(key, replay);
        self.timers.set(now + PAUSE, Timer::Replay { replay: id });
        let state = ReplayState::Starting.as_str();
        Ok(ReplayStarted { replay_arn, state, replay_start_time: epoch(now) })
    }

    pub(crate) fn describe_replay(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfReplay,
    ) -> Result<Value, ServiceError> {
        let key = self.replay_meant(now, place, input)?;
        let replay = &self.events.replays[&key];
        let mut described = listed(&key, replay);
        described["ReplayArn"] = json!(replay.arn);
        let (arn, filter_arns) = (Some(replay.bus.arn(&self.places)), replay.filter_arns.clone());
        described["Destination"] = json!(Destination { arn, filter_arns });
        if let Some(description) = &replay.description {
            described["Description"] = json!(description);
        }
        Ok(described)
    }

    pub(crate) fn list_replays(
        &mut self,
        now: StackTime,
        place: Place,
        input: ListReplays,
    ) -> Result<ReplayList, ServiceError> {
        self.forget_replays(now);
        let mut checks = Checks::default();
        checks.among("state", input.state.as_deref(), &ReplayState::WORDS);
        checks.done(validation)?;
        let ListReplays { name_prefix, event_source_arn, state, next_token, limit } = input;
        let given = [name_prefix.is_some(), event_source_arn.is_some(), state.is_some()];
        one_filter("ListReplays", given)?;
        let prefix = name_prefix.unwrap_or_default();
        let all = self.events.replays.iter().filter(|(key, replay)| {
            key.place == place
                && key.name.starts_with(&prefix)
                && event_source_arn.as_ref().is_none_or(|arn| replay.archive_arn == *arn)
                && state.as_deref().is_none_or(|state| state == replay.state.as_str())
        });
        let (replays, next_token) = page(all, next_token.as_deref(), limit)?;
        let shown = replays.into_iter().map(|(key, replay)| listed(key, replay));
        Ok(ReplayList { replays: shown.collect(), next_token })
    }

    /// What was replayed already stays so.
    pub(crate) fn cancel_replay(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfReplay,
    ) -> Result<ReplayCancelled, ServiceError> {
        let key = self.replay_meant(now, place, input)?;
        let Some(replay) = self.events.replays.get_mut(&key).filter(|replay| replay.state.is_active()) else {
            let text = format!("Replay {} is not in a valid state for this operation.", key.name);
            return Err(EventBridgeError::IllegalStatusException.with(text));
        };
        replay.state = ReplayState::Cancelling;
        Ok(ReplayCancelled { replay_arn: replay.arn.clone(), state: replay.state.as_str() })
    }

    /// The replay that a call is on, which is there.
    fn replay_meant(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfReplay,
    ) -> Result<ReplayKey, ServiceError> {
        self.forget_replays(now);
        let mut checks = Checks::default();
        check_name(&mut checks, "replayName", &input.replay_name, 64);
        checks.done(validation)?;
        let key = ReplayKey { place, name: Arc::from(input.replay_name.unwrap_or_default()) };
        if self.events.replays.contains_key(&key) {
            return Ok(key);
        }
        let text = format!("Replay {} does not exist.", key.name);
        Err(EventBridgeError::ResourceNotFoundException.with(text))
    }

    fn forget_replays(&mut self, now: StackTime) {
        self.events.replays.retain(|_, replay| !replay.is_forgotten(now));
    }
}

fn invalid(parameter: &str, reason: &str) -> ServiceError {
    validation(format!("Parameter {parameter} is not valid. Reason: {reason}"))
}

fn listed(key: &ReplayKey, replay: &Replay) -> Value {
    let mut listed = json!({
        "ReplayName": &*key.name,
        "EventSourceArn": replay.archive_arn,
        "State": replay.state.as_str(),
        "EventStartTime": epoch(replay.from),
        "EventEndTime": epoch(replay.until),
        "ReplayStartTime": epoch(replay.started),
    });
    for (name, time) in [("EventLastReplayedTime", replay.last), ("ReplayEndTime", replay.ended)] {
        if let Some(time) = time {
            listed[name] = json!(epoch(time));
        }
    }
    listed
}
