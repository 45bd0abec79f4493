//! The operations on pipes.

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_lambda::Mapping;
use havoq_wire::{PipesError, ServiceError};
use serde::{Deserialize, Serialize};

use super::described::{Changed, Described, Listed};
use super::errors::{no_pipe, validation};
use super::input::Spec;
use super::metrics::Counters;
use super::pace::Pace;
use super::pipe::{Pipe, PipeId, State};
use super::tags::check_tags;
use crate::checks::Checks;
use crate::core::Core;
use crate::place::{Place, is_name_byte};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct PutPipe {
    name: String,
    desired_state: Option<String>,
    tags: BTreeMap<String, String>,
    #[serde(flatten)]
    spec: Spec,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct OfPipe {
    name: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ListPipes {
    name_prefix: Option<String>,
    source_prefix: Option<String>,
    target_prefix: Option<String>,
    desired_state: Option<String>,
    current_state: Option<String>,
    limit: Option<i64>,
    next_token: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct PipeList {
    pipes: Vec<Listed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

const STATES: [&str; 2] = ["RUNNING", "STOPPED"];
const MOST_LISTED: usize = 100;

impl PutPipe {
    fn check(&self) -> Result<Option<State>, ServiceError> {
        let mut checks = Checks::default();
        checks.length("name", Some(&self.name), 1, 64);
        if !self.name.bytes().all(|byte| is_name_byte(byte) || byte == b'.') {
            let pattern = "satisfy regular expression pattern: [\\.\\-_A-Za-z0-9]+";
            checks.fail(format_args!("'{}'", self.name), "name", pattern);
        }
        checks.among("desiredState", self.desired_state.as_deref(), &STATES);
        checks.done(validation)?;
        Ok(self.desired_state.as_deref().map(|state| match state {
            "STOPPED" => State::Stopped,
            _ => State::Running,
        }))
    }
}

impl Core {
    /// It begins to receive at once, where AWS takes up to some minutes.
    pub(crate) fn create_pipe(
        &mut self,
        now: StackTime,
        place: Place,
        input: PutPipe,
    ) -> Result<Changed, ServiceError> {
        let state = input.check()?.unwrap_or(State::Running);
        check_tags(&input.tags, 0)?;
        let settings = input.spec.settings()?;
        if self.pipes.find(place, &input.name).is_some() {
            let text = format!("Pipe {} already exists.", input.name);
            return Err(PipesError::ConflictException.with(text));
        }
        let arn = self.places.arn(place, "pipes", &format!("pipe/{}", input.name));
        let mut mapping = Mapping::new(settings);
        mapping.set_enabled(state == State::Running);
        let id = self.pipes.next_id();
        let pipe = Pipe {
            id,
            place,
            name: input.name,
            arn,
            spec: input.spec,
            mapping,
            stages: BTreeMap::new(),
            state,
            created: now,
            modified: now,
            tags: input.tags,
            timer: None,
            pace: Pace::default(),
            counters: Counters::default(),
        };
        let changed = pipe.changed(Some("CREATING"));
        self.pipes.insert(pipe);
        self.drive_pipe(now, id);
        Ok(changed)
    }

    pub(crate) fn describe_pipe(&self, place: Place, of: OfPipe) -> Result<Described, ServiceError> {
        let id = self.pipe_of(place, &of.name)?;
        self.pipes.get(id).map(Pipe::described).ok_or_else(|| no_pipe(&of.name))
    }

    /// What is not given stays as it is. The source cannot be changed.
    pub(crate) fn update_pipe(
        &mut self,
        now: StackTime,
        place: Place,
        input: PutPipe,
    ) -> Result<Changed, ServiceError> {
        let state = input.check()?;
        let id = self.pipe_of(place, &input.name)?;
        let pipe = self.pipes.get_mut(id).ok_or_else(|| no_pipe(&input.name))?;
        let spec = input.spec.over(&pipe.spec);
        pipe.mapping.set_settings(spec.settings()?);
        pipe.spec = spec;
        pipe.modified = now;
        if let Some(state) = state {
            pipe.state = state;
            pipe.mapping.set_enabled(state == State::Running);
        }
        let changed = pipe.changed(Some("UPDATING"));
        self.drive_pipe(now, id);
        Ok(changed)
    }

    /// What it has under way goes its way.
    pub(crate) fn delete_pipe(
        &mut self,
        now: StackTime,
        place: Place,
        of: OfPipe,
    ) -> Result<Changed, ServiceError> {
        self.turn_pipe(now, place, &of, State::Deleting, "DELETING")
    }

    pub(crate) fn start_pipe(
        &mut self,
        now: StackTime,
        place: Place,
        of: OfPipe,
    ) -> Result<Changed, ServiceError> {
        self.turn_pipe(now, place, &of, State::Running, "STARTING")
    }

    /// What it has under way goes its way.
    pub(crate) fn stop_pipe(
        &mut self,
        now: StackTime,
        place: Place,
        of: OfPipe,
    ) -> Result<Changed, ServiceError> {
        self.turn_pipe(now, place, &of, State::Stopped, "STOPPING")
    }

    fn turn_pipe(
        &mut self,
        now: StackTime,
        place: Place,
        of: &OfPipe,
        state: State,
        passing: &'static str,
    ) -> Result<Changed, ServiceError> {
        let id = self.pipe_of(place, &of.name)?;
        let pipe = self.pipes.get_mut(id).ok_or_else(|| no_pipe(&of.name))?;
        pipe.state = state;
        pipe.modified = now;
        pipe.mapping.set_enabled(state == State::Running);
        let changed = pipe.changed(Some(passing));
        self.drive_pipe(now, id);
        Ok(changed)
    }

    pub(crate) fn list_pipes(&self, place: Place, input: ListPipes) -> Result<PipeList, ServiceError> {
        let mut checks = Checks::default();
        checks.range("limit", input.limit, 1, MOST_LISTED as i64);
        checks.done(validation)?;
        let begins = |text: &str, prefix: &Option<String>| {
            prefix.as_deref().is_none_or(|prefix| text.starts_with(prefix))
        };
        let is =
            |state: &str, wanted: &Option<String>| wanted.as_deref().is_none_or(|wanted| wanted == state);
        let mut fitting: Vec<_> = self.pipes.of(place).collect();
        fitting.retain(|pipe| {
            begins(&pipe.name, &input.name_prefix)
                && begins(&pipe.spec.source, &input.source_prefix)
                && begins(&pipe.spec.target, &input.target_prefix)
                && is(pipe.state.name(), &input.desired_state)
                && is(pipe.state.name(), &input.current_state)
        });
        fitting.sort_unstable_by(|left, right| left.name.cmp(&right.name));
        fitting.retain(|pipe| input.next_token.as_ref().is_none_or(|after| pipe.name > *after));
        let most = input.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(MOST_LISTED);
        let more = fitting.len() > most;
        fitting.truncate(most);
        let next_token = fitting.last().filter(|_| more).map(|pipe| pipe.name.clone());
        Ok(PipeList { pipes: fitting.into_iter().map(Pipe::listed).collect(), next_token })
    }

    fn pipe_of(&self, place: Place, name: &str) -> Result<PipeId, ServiceError> {
        self.pipes.find(place, name).ok_or_else(|| no_pipe(name))
    }
}
