//! Outages of resources, as havoq itself lets them happen.

use super::sandbox::Sandbox;
use crate::targets::Outage;

impl Sandbox {
    /// Lets services get server-side errors from the resource of this ARN, or lets that end with
    /// `None`. Clients notice nothing.
    pub fn set_outage(&self, arn: &str, outage: Option<Outage>) {
        self.enter(|core, now| match outage {
            Some(outage) => core.begin_outage(arn, outage),
            None => core.end_outage(now, arn),
        });
    }
}
