//! ListSchedules and ListScheduleGroups, in pages by name.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use havoq_base::StackTime;
use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::errors::validation;
use super::group::DescribedGroup;
use super::names::{self, GroupKey};
use super::schedule::State;
use crate::checks::Checks;
use crate::cloudwatch::epoch;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ListSchedules {
    group_name: Option<String>,
    name_prefix: Option<String>,
    state: Option<String>,
    next_token: Option<String>,
    max_results: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ListScheduleGroups {
    name_prefix: Option<String>,
    next_token: Option<String>,
    max_results: Option<i64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ScheduleList {
    schedules: Vec<ScheduleSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct ScheduleSummary {
    arn: String,
    name: String,
    group_name: String,
    state: State,
    creation_date: f64,
    last_modification_date: f64,
    target: TargetSummary,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct TargetSummary {
    arn: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct GroupList {
    schedule_groups: Vec<DescribedGroup>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

const MOST: i64 = 100;

impl Core {
    pub(crate) fn list_schedules(
        &mut self,
        now: StackTime,
        place: Place,
        input: ListSchedules,
    ) -> Result<ScheduleList, ServiceError> {
        self.keep_default_group(now, place);
        let mut checks = Checks::default();
        names::check(&mut checks, "groupName", input.group_name.as_deref());
        names::check(&mut checks, "namePrefix", input.name_prefix.as_deref());
        let state = checks.one_of("state", input.state.as_deref(), &State::WORDS, State::named);
        checks.range("maxResults", input.max_results, 1, MOST);
        checks.done(validation)?;
        let group = input.group_name.map(|name| GroupKey::new(place, Some(&name)));
        if let Some(group) = &group {
            self.scheduler.group(group)?;
        }
        let prefix = input.name_prefix.unwrap_or_default();
        let all = self.scheduler.schedules_in(place).filter(|(key, schedule)| {
            group.as_ref().is_none_or(|group| key.group == *group)
                && key.name.starts_with(&prefix)
                && state.is_none_or(|state| state == schedule.spec.state)
        });
        // No name has a letter below the line break, so texts come in the order of the keys.
        let named = all.map(|(key, schedule)| (format!("{}\n{}", key.group.name, key.name), (key, schedule)));
        let (page, next_token) = page(named, input.next_token, input.max_results)?;
        let summary = |(key, schedule): (&names::ScheduleKey, &super::schedule::Scheduled)| ScheduleSummary {
            arn: schedule.arn.to_string(),
            name: key.name.to_string(),
            group_name: key.group.name.to_string(),
            state: schedule.spec.state,
            creation_date: epoch(schedule.created),
            last_modification_date: epoch(schedule.modified),
            target: TargetSummary { arn: schedule.spec.target.given.arn.clone().unwrap_or_default() },
        };
        Ok(ScheduleList { schedules: page.into_iter().map(summary).collect(), next_token })
    }

    pub(crate) fn list_schedule_groups(
        &mut self,
        now: StackTime,
        place: Place,
        input: ListScheduleGroups,
    ) -> Result<GroupList, ServiceError> {
        self.keep_default_group(now, place);
        let mut checks = Checks::default();
        names::check(&mut checks, "namePrefix", input.name_prefix.as_deref());
        checks.range("maxResults", input.max_results, 1, MOST);
        checks.done(validation)?;
        let prefix = input.name_prefix.unwrap_or_default();
        let own = |key: &GroupKey| key.place == place && key.name.starts_with(&prefix);
        let all = self.scheduler.groups.iter().filter(|(key, _)| own(key));
        let named = all.map(|(key, group)| (key.name.to_string(), (key, group)));
        let (page, next_token) = page(named, input.next_token, input.max_results)?;
        let schedule_groups = page.into_iter().map(|(key, group)| self.described_group(key, group)).collect();
        Ok(GroupList { schedule_groups, next_token })
    }
}

/// One page of what comes in the order of its names, and the token of the next one, which names the
/// last item of this one.
fn page<T>(
    named: impl Iterator<Item = (String, T)>,
    token: Option<String>,
    most: Option<i64>,
) -> Result<(Vec<T>, Option<String>), ServiceError> {
    let after = token.map(|token| {
        let name = STANDARD.decode(token).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        name.ok_or_else(|| validation("Invalid NextToken."))
    });
    let after = after.transpose()?;
    let mut rest = named.skip_while(|(name, _)| after.as_ref().is_some_and(|after| name <= after));
    let most = most.unwrap_or(MOST) as usize;
    let (names, page): (Vec<_>, Vec<_>) = rest.by_ref().take(most).unzip();
    let next = rest.next().and(names.last()).map(|last| STANDARD.encode(last));
    Ok((page, next))
}
