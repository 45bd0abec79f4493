//! A queue's address is where its calls may be posted to, and then it is the QueueUrl that they name
//! (semantics 1.15).

use serde_json::{Map, Value};

use crate::call::header;
use crate::model::Structure;
use crate::upstream::Request;

const MEMBER: &str = "QueueUrl";

/// Puts the address in where the input has a QueueUrl and the form had none.
pub(super) fn fill(members: &mut Map<String, Value>, input: &Structure, request: &Request) {
    let takes_one = input.members.iter().any(|member| member.name == MEMBER);
    if takes_one
        && !members.contains_key(MEMBER)
        && let Some(url) = address(request)
    {
        members.insert(MEMBER.to_owned(), Value::String(url));
    }
}

/// The address of the queue that a request was posted to.
fn address(request: &Request) -> Option<String> {
    let path = request.uri().path();
    let steps = path.split('/').filter(|step| !step.is_empty()).count();
    if steps < 2 {
        return None;
    }
    let authority = request.uri().authority().map(|authority| authority.as_str());
    let host = header(request, "host").or(authority)?;
    let scheme = request.uri().scheme_str().unwrap_or("http");
    Some(format!("{scheme}://{host}{path}"))
}
