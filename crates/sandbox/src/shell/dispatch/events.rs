//! EventBridge's operations.

use super::{Answer, Dispatch, unknown};
use crate::core::Core;
use crate::events::TestEventPattern;
use crate::unbuilt::not_implemented;

impl Dispatch<'_> {
    pub(super) fn events(&self) -> Answer {
        let place = self.place;
        match self.head.operation.as_str() {
            "PutEvents" => {
                let trace = self.trace_header();
                self.plain(|core, now, input| core.put_events(now, place, input, trace.as_deref()))
            }
            "CreateEventBus" => self.plain(|core, now, input| core.create_event_bus(now, place, input)),
            "UpdateEventBus" => self.plain(|core, now, input| core.update_event_bus(now, place, input)),
            "DeleteEventBus" => self.plain(|core, _, input| core.delete_event_bus(place, input)),
            "DescribeEventBus" => self.plain(|core, _, input| core.describe_event_bus(place, input)),
            "ListEventBuses" => self.plain(|core, _, input| core.list_event_buses(place, input)),
            "PutPermission" => self.plain(|core, now, input| core.put_bus_permission(now, place, input)),
            "RemovePermission" => {
                self.plain(|core, now, input| core.remove_bus_permission(now, place, input))
            }
            "TagResource" => self.plain(|core, _, input| core.tag_event_resource(place, input)),
            "UntagResource" => self.plain(|core, _, input| core.untag_event_resource(place, input)),
            "ListTagsForResource" => self.plain(|core, _, input| core.list_event_tags(place, input)),
            _ => self.event_rules(),
        }
    }

    fn event_rules(&self) -> Answer {
        let place = self.place;
        match self.head.operation.as_str() {
            "PutRule" => self.plain(|core, now, input| core.put_rule(now, place, input)),
            "DescribeRule" => self.plain(|core, _, input| core.describe_rule(place, input)),
            "DeleteRule" => self.plain(|core, now, input| core.delete_rule(now, place, input)),
            "EnableRule" => self.plain(|core, now, input| core.enable_rule(now, place, input)),
            "DisableRule" => self.plain(|core, now, input| core.disable_rule(now, place, input)),
            "ListRules" => self.plain(|core, _, input| core.list_rules(place, input)),
            "ListRuleNamesByTarget" => {
                self.plain(|core, _, input| core.list_rule_names_by_target(place, input))
            }
            "PutTargets" => self.plain(|core, _, input| core.put_targets(place, input)),
            "RemoveTargets" => self.plain(|core, _, input| core.remove_targets(place, input)),
            "ListTargetsByRule" => self.plain(|core, _, input| core.list_targets_by_rule(place, input)),
            "TestEventPattern" => self.plain(|_: &mut Core, _, input: TestEventPattern| input.test()),
            _ => self.event_archives(),
        }
    }

    fn event_archives(&self) -> Answer {
        let place = self.place;
        match self.head.operation.as_str() {
            "CreateArchive" => self.plain(|core, now, input| core.create_archive(now, place, input)),
            "UpdateArchive" => self.plain(|core, now, input| core.update_archive(now, place, input)),
            "DescribeArchive" => self.plain(|core, now, input| core.describe_archive(now, place, input)),
            "ListArchives" => self.plain(|core, now, input| core.list_archives(now, place, input)),
            "DeleteArchive" => self.plain(|core, now, input| core.delete_archive(now, place, input)),
            "StartReplay" => self.plain(|core, now, input| core.start_archive_replay(now, place, input)),
            "DescribeReplay" => self.plain(|core, now, input| core.describe_replay(now, place, input)),
            "ListReplays" => self.plain(|core, now, input| core.list_replays(now, place, input)),
            "CancelReplay" => self.plain(|core, now, input| core.cancel_replay(now, place, input)),
            operation if is_known(operation) => Err(not_implemented(operation)),
            operation => Err(unknown(operation)),
        }
    }
}

/// Whether EventBridge has such an operation, which this sandbox does not.
fn is_known(operation: &str) -> bool {
    const PARTS: [&str; 5] = ["ApiDestination", "Connection", "Endpoint", "EventSource", "PartnerEvent"];
    PARTS.iter().any(|part| operation.contains(part))
}
