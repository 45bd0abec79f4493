//! What services such as Scheduler and Pipes put onto a bus in a role of a customer's.

use std::sync::Arc;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use serde_json::Value;

use super::event::{Contents, Event};
use crate::acting::Acting;
use crate::core::Core;
use crate::place::{account_of, region_of};
use crate::targets::{ErrorCode, TargetError};

#[derive(Debug)]
pub(crate) struct RoleEvent<'a> {
    pub(crate) bus_arn: &'a str,
    pub(crate) acting: Acting<'a>,
    /// Whose account the event is from.
    pub(crate) from_arn: &'a str,
    pub(crate) source: &'a str,
    pub(crate) detail_type: &'a str,
    pub(crate) resources: &'a [String],
    pub(crate) detail: Value,
}

impl Core {
    pub(crate) fn put_event_as_role(
        &mut self,
        now: StackTime,
        event: RoleEvent<'_>,
    ) -> Result<MessageId, TargetError> {
        let RoleEvent { bus_arn, acting, from_arn, source, detail_type, resources, detail } = event;
        self.reachable(bus_arn)?;
        let key = self.bus_for(bus_arn, acting)?;
        if !detail.is_object() {
            return Err(ErrorCode::InvalidParameter.with("Detail is malformed."));
        }
        let id = self.new_message_id();
        let (account, region) = (account_of(from_arn), region_of(bus_arn));
        let contents = Contents { detail_type, source, account, region, time: now, resources, detail };
        self.put_on_bus(now, &key, Arc::new(Event::new(now, id.clone(), contents)));
        Ok(id)
    }
}
