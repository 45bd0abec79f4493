//! Who calls. Signatures are not checked: what a caller says of itself is taken as true.

use havoq_wire::{Credential, Request};

use crate::place::{Place, is_account};
use crate::shell::sandbox::{Places, Sandbox};

/// Whose resources a call means: those of the account that a 12-digit access key names, in the
/// region of the credential scope. A sandbox of one place has no other.
pub(super) fn place(sandbox: &Sandbox, request: &Request) -> Place {
    if sandbox.0.places == Places::One {
        return Place::HOME;
    }
    let credential = Credential::of(request);
    let key = credential.as_ref().map_or("", Credential::key);
    let account = if is_account(key) { key } else { &sandbox.0.account };
    let region = credential.as_ref().and_then(Credential::region).unwrap_or(&sandbox.0.region);
    sandbox.0.lock().places.at(account, region)
}
