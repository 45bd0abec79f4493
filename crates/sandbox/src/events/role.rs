//! What a service puts onto a bus in a role of a customer's, such as Scheduler.

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

#[derive(Debug)]
pub(crate) struct RoleEvent<'a> {
    pub(crate) bus_arn: &'a str,
    /// A role: the event is its account's.
    pub(crate) acting: Acting<'a>,
    pub(crate) source: &'a str,
    pub(crate) detail_type: &'a str,
    pub(crate) resource: String,
    /// JSON.
    pub(crate) detail: String,
}

impl Core {
    pub(crate) fn put_event_as_role(
        &mut self,
        now: StackTime,
        event: RoleEvent<'_>,
    ) -> Result<MessageId, TargetError> {
        let RoleEvent { bus_arn, acting, source, detail_type, resource, detail } = event;
        let missing = || ErrorCode::NoResource.with("the event bus does not exist");
        let key = BusKey::of_arn(&self.places, bus_arn).ok_or_else(missing)?;
        if key.is_default() {
            self.keep_default_bus(key.place);
        }
        let bus = self.events.bus(&key).map_err(|_| missing())?;
        let policy = bus.policy.as_ref().map(|policy| policy.parsed());
        if !acting.may(policy, "events:PutEvents", bus_arn) {
            return Err(ErrorCode::NoPermissions.with("the event bus's policy does not allow it"));
        }
        let detail = serde_json::from_str(&detail).ok().filter(Value::is_object);
        let detail = detail.ok_or_else(|| ErrorCode::InvalidParameter.with("Detail is malformed."))?;
        let id = self.new_message_id();
        let contents = Contents {
            detail_type,
            source,
            account: account_of(acting.principal()),
            region: region_of(bus_arn),
            time: now,
            resources: &[resource],
            detail,
        };
        self.put_on_bus(now, &key, Arc::new(Event::new(now, id.clone(), contents)));
        Ok(id)
    }
}
