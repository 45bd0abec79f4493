//! From one bus to another. An event keeps its account and its region, and within a region its id;
//! in another region it gets a new one, as AWS was seen to do.

use std::sync::Arc;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use serde_json::json;

use super::event::Event;
use super::names::RuleKey;
use crate::acting::Acting;
use crate::core::Core;
use crate::place::{account_of, region_of};
use crate::targets::{ErrorCode, TargetError};

impl Core {
    /// Puts an event that a rule took onto another bus, and gives the event's id there.
    pub(super) fn forward_event(
        &mut self,
        now: StackTime,
        rule: &RuleKey,
        bus_arn: &str,
        acting: Acting<'_>,
        event: &Event,
    ) -> Result<Option<MessageId>, TargetError> {
        self.reachable(bus_arn)?;
        self.check_hop(rule, bus_arn, event)?;
        let key = self.bus_for(bus_arn, acting)?;
        let mut next = Event { ingested: now, ..event.clone() };
        next.passed.push(rule.clone());
        if region_of(bus_arn) != &*self.places.name(rule.bus.place).region {
            next.id = self.new_message_id();
            next.document["id"] = json!(next.id);
        }
        let id = next.id.clone();
        self.put_on_bus(now, &key, Arc::new(next));
        Ok(Some(id))
    }

    /// An event that came from another account does not go on to a third one, and so with regions
    /// (EBUG:eb-cross-account).
    fn check_hop(&self, rule: &RuleKey, bus_arn: &str, event: &Event) -> Result<(), TargetError> {
        let here = self.places.name(rule.bus.place);
        if event.account() != &*here.account && account_of(bus_arn) != &*here.account {
            return Err(ErrorCode::ThirdAccountHop.with("the event would go on to a third account"));
        }
        if event.region() != &*here.region && region_of(bus_arn) != &*here.region {
            return Err(ErrorCode::ThirdRegionHop.with("the event would go on to a third Region"));
        }
        Ok(())
    }
}
