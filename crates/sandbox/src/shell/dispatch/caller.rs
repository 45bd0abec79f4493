//! Who calls. Signatures are not checked: what a caller says of itself is taken as true.

use havoq_wire::Request;

use crate::place::Place;
use crate::shell::sandbox::{Places, Sandbox};

/// Whose resources a call means: those of the account that a 12-digit access key names, in the
/// region of the credential scope. A sandbox of one place has no other.
pub(super) fn place(sandbox: &Sandbox, request: &Request) -> Place {
    if sandbox.0.places == Places::One {
        return Place::HOME;
    }
    let header = request.headers().get(http::header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let scope = header.and_then(|header| header.split("Credential=").nth(1)).unwrap_or_default();
    let mut parts = scope.split(['/', ',']);
    let (key, region) = (parts.next().unwrap_or_default(), parts.nth(1));
    let is_account = key.len() == 12 && key.bytes().all(|byte| byte.is_ascii_digit());
    let account = if is_account { key } else { &sandbox.0.account };
    sandbox.0.lock().places.at(account, region.unwrap_or(&sandbox.0.region))
}
