//! What an error answer says, whatever its protocol and whoever sent it.

use http::header::CONTENT_TYPE;

use crate::reply::QUERY_ERROR;
use crate::rest::ERROR_TYPE;
use crate::upstream::Response;
use crate::{cbor, json, query};

/// The code and message of an error answer: the Query code where there is one, as SDKs report it,
/// else the shape's name, from its header or the body, else the status. `None` when the answer is no error.
pub fn decode_error(response: &Response) -> Option<(String, String)> {
    if response.status().is_success() {
        return None;
    }
    let (shape, message) = read(response);
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let query_code = header(QUERY_ERROR).and_then(|value| value.split(';').next()).map(str::to_owned);
    let name = || header(ERROR_TYPE).or(shape.as_deref()).map(bare);
    let code = query_code.or_else(name).unwrap_or_else(|| response.status().as_str().to_owned());
    Some((code, message.unwrap_or_default()))
}

/// A shape's name without the namespace before it, and without the address that some services put
/// behind it.
fn bare(shape: &str) -> String {
    let name = shape.split(':').next().unwrap_or_default();
    name.rsplit('#').next().unwrap_or_default().to_owned()
}

/// The name and the message, as far as there are any.
fn read(response: &Response) -> (Option<String>, Option<String>) {
    let body = response.body();
    let media = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    match media.unwrap_or_default() {
        media if media.contains("cbor") => cbor::read_error(body),
        media if media.contains("xml") => query::read_error(body),
        _ if body.trim_ascii_start().starts_with(b"<") => query::read_error(body),
        _ => json::read_error(body),
    }
}
