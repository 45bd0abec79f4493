//! STS: who calls, as far as the sandbox believes it.

use havoq_wire::{CommonError, ServiceError};
use serde::Serialize;

use super::{Answer, Dispatch, Unread};
use crate::core::Core;
use crate::place::{Place, root_of};

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct CallerIdentity {
    user_id: String,
    account: String,
    arn: String,
}

impl Dispatch<'_> {
    pub(super) fn sts(&self) -> Answer {
        let place = self.place;
        match self.head.operation.as_str() {
            "GetCallerIdentity" => self.plain(|core, _, Unread {}| caller_identity(core, place)),
            operation => {
                let text = format!("The action {operation} is not valid for this endpoint.");
                Err(CommonError::InvalidAction.with(text))
            }
        }
    }
}

/// Every caller is its account's root: nobody has made a user.
fn caller_identity(core: &mut Core, place: Place) -> Result<CallerIdentity, ServiceError> {
    let account = &core.places.name(place).account;
    let arn = root_of(account);
    Ok(CallerIdentity { user_id: account.to_string(), account: account.to_string(), arn })
}
