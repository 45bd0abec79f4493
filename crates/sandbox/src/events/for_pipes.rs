//! What pipes put onto buses.

use std::sync::Arc;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use serde_json::Value;

use super::event::{Contents, Event};
use super::names::BusKey;
use crate::acting::Acting;
use crate::core::Core;
use crate::place::{account_of, region_of};
use crate::targets::{ErrorCode, TargetError};

/// An event that somebody's role puts.
#[derive(Debug)]
pub(crate) struct PipedEvent<'a> {
    pub(crate) bus_arn: &'a str,
    pub(crate) acting: Acting<'a>,
    /// Whose account it is from.
    pub(crate) from_arn: &'a str,
    pub(crate) source: &'a str,
    pub(crate) detail_type: &'a str,
    pub(crate) resources: &'a [String],
    pub(crate) detail: Value,
}

impl Core {
    pub(crate) fn put_piped_event(
        &mut self,
        now: StackTime,
        event: PipedEvent<'_>,
    ) -> Result<MessageId, TargetError> {
        let PipedEvent { bus_arn, acting, from_arn, source, detail_type, resources, detail } = event;
        self.reachable(bus_arn)?;
        let missing = || ErrorCode::NoResource.with("the event bus does not exist");
        let key = BusKey::of_arn(&self.places, bus_arn).ok_or_else(missing)?;
        if key.is_default() {
            self.keep_default_bus(key.place);
        }
        let bus = self.events.bus(&key).map_err(|_| missing())?;
        if !acting.may(bus.policy.as_ref().map(|policy| policy.parsed()), "events:PutEvents", bus_arn) {
            return Err(ErrorCode::NoPermissions.with("the event bus's policy does not allow it"));
        }
        let (account, region) = (account_of(from_arn), region_of(bus_arn));
        let contents = Contents { detail_type, source, account, region, time: now, resources, detail };
        let id = self.new_message_id();
        self.put_on_bus(now, &key, Arc::new(Event::new(now, id.clone(), contents)));
        Ok(id)
    }
}
