//! EventBridge Scheduler's operations.

use super::{Answer, Dispatch, unknown};

impl Dispatch<'_> {
    pub(super) fn scheduler(&self) -> Answer {
        let place = self.place;
        match self.head.operation.as_str() {
            "CreateSchedule" => self.plain(|core, now, input| core.create_schedule(now, place, input)),
            "UpdateSchedule" => self.plain(|core, now, input| core.update_schedule(now, place, input)),
            "GetSchedule" => self.plain(|core, now, input| core.get_schedule(now, place, input)),
            "DeleteSchedule" => self.plain(|core, now, input| core.delete_schedule(now, place, input)),
            "ListSchedules" => self.plain(|core, now, input| core.list_schedules(now, place, input)),
            "CreateScheduleGroup" => {
                self.plain(|core, now, input| core.create_schedule_group(now, place, input))
            }
            "GetScheduleGroup" => self.plain(|core, now, input| core.get_schedule_group(now, place, input)),
            "DeleteScheduleGroup" => self.plain(|core, _, input| core.delete_schedule_group(place, input)),
            "ListScheduleGroups" => {
                self.plain(|core, now, input| core.list_schedule_groups(now, place, input))
            }
            "TagResource" => self.plain(|core, now, input| core.tag_schedule_group(now, place, input)),
            "UntagResource" => self.plain(|core, now, input| core.untag_schedule_group(now, place, input)),
            "ListTagsForResource" => {
                self.plain(|core, now, input| core.list_schedule_group_tags(now, place, input))
            }
            operation => Err(unknown(operation)),
        }
    }
}
