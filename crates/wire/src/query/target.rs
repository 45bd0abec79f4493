//! Which operation of which service a form asks for.

use std::borrow::Cow;

use http::Method;

use crate::body;
use crate::credential::Credential;
use crate::not_a_call::NotACall;
use crate::service::Service;
use crate::upstream::Request;

const FORM: &str = "application/x-www-form-urlencoded";

/// The text of the form that a request carries: its body, or the query of its address.
pub(super) fn form_text(request: &Request) -> Result<Cow<'_, [u8]>, NotACall> {
    let address = request.uri().query().unwrap_or_default().as_bytes();
    if request.method() == Method::GET || request.body().is_empty() {
        return Ok(Cow::Borrowed(address));
    }
    body::of(request)
}

/// The service and the operation, where the request is a form with an action.
pub(crate) fn target(request: &Request) -> Result<Option<(Service, String)>, NotACall> {
    if !carries_form(request) {
        return Ok(None);
    }
    let text = form_text(request)?;
    let Some(action) = field(&text, "Action") else { return Ok(None) };
    let version = field(&text, "Version").unwrap_or_default();
    match of_version(&version, request).or_else(|| of_link(&action)) {
        Some(service) => Ok(Some((service, action.into_owned()))),
        None => Err(NotACall::Action { action: action.into_owned(), version: version.into_owned() }),
    }
}

/// The service of a form without an action.
pub(crate) fn service(request: &Request) -> Option<Service> {
    let text = form_text(request).unwrap_or_default();
    of_version(&field(&text, "Version").unwrap_or_default(), request)
}

/// The service of an API version, or of the signature where the version tells of none.
fn of_version(version: &str, request: &Request) -> Option<Service> {
    Service::of_version(version).or_else(|| Credential::of(request)?.service())
}

/// The service of a link that messages carry: it has neither a version nor a signature (semantics
/// 2.1).
fn of_link(action: &str) -> Option<Service> {
    matches!(action, "ConfirmSubscription" | "Unsubscribe").then_some(Service::Sns)
}

fn carries_form(request: &Request) -> bool {
    match *request.method() {
        Method::GET => true,
        Method::POST => crate::call::header(request, "content-type")
            .is_none_or(|media| media.trim_start().to_ascii_lowercase().starts_with(FORM)),
        _ => false,
    }
}

fn field<'a>(text: &'a [u8], name: &str) -> Option<Cow<'a, str>> {
    form_urlencoded::parse(text).find(|(key, _)| key == name).map(|(_, value)| value)
}
