//! QueueUrls on their way through: clients see the tap's address, the stack its own.
//!
//! Only the members that hold a QueueUrl are touched, never a message, so digests stay right.

use std::collections::HashMap;

use bytes::Bytes;
use serde_json::Value;

/// The stack's own QueueUrls by queue name.
#[derive(Debug, Default)]
pub(super) struct QueueUrls {
    by_name: HashMap<String, String>,
}

impl QueueUrls {
    pub fn new<'a>(urls: impl Iterator<Item = &'a String>) -> Self {
        let by_name = urls.filter_map(|url| Some((last_part(url)?.to_owned(), url.clone())));
        Self { by_name: by_name.collect() }
    }

    /// The request's body as the stack expects it; `None` when nothing in it is to be changed.
    pub fn outward(&self, body: &Bytes) -> Option<Bytes> {
        change(body, |url| self.by_name.get(last_part(url)?).cloned())
    }

    /// The path under which the stack has the queue that this path means.
    pub fn outward_path(&self, path: &str) -> Option<String> {
        let own = self.by_name.get(last_part(path)?)?;
        Some(own.parse::<http::Uri>().ok()?.path().to_owned())
    }
}

/// The answer's body with the client's own host in its QueueUrls.
pub(super) fn inward(body: &Bytes, host: &str) -> Option<Bytes> {
    change(body, |url| {
        let parsed: http::Uri = url.parse().ok()?;
        parsed.authority()?;
        Some(format!("http://{host}{}", parsed.path()))
    })
}

fn change(body: &Bytes, new: impl Fn(&str) -> Option<String>) -> Option<Bytes> {
    // Most bodies have none, and parsing costs more than looking.
    if !body.windows(8).any(|window| window == b"QueueUrl") {
        return None;
    }
    let mut json: Value = serde_json::from_slice(body).ok()?;
    let mut changed = false;
    let mut replace = |value: &mut Value| {
        if let Some(url) = value.as_str().and_then(&new)
            && value.as_str() != Some(&url)
        {
            *value = Value::String(url);
            changed = true;
        }
    };
    let members = json.as_object_mut()?;
    if let Some(url) = members.get_mut("QueueUrl") {
        replace(url);
    }
    for list in ["QueueUrls", "queueUrls"] {
        let urls = members.get_mut(list).and_then(Value::as_array_mut);
        urls.into_iter().flatten().for_each(&mut replace);
    }
    changed.then(|| Bytes::from(json.to_string()))
}

fn last_part(url: &str) -> Option<&str> {
    url.rsplit('/').next().filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "http://sqs.us-east-1.stack.example:4566/queue/us-east-1/000000000000/havoq-r-Orders";
    const TAPS: &str = "http://127.0.0.1:4000/000000000000/havoq-r-Orders";

    fn body(json: Value) -> Bytes {
        Bytes::from(json.to_string())
    }

    #[test]
    fn the_stack_is_asked_for_its_own_url_and_the_client_told_the_taps() {
        let urls = QueueUrls::new([OWN.to_owned()].iter());
        let asked = body(serde_json::json!({"QueueUrl": TAPS, "MessageBody": TAPS}));
        let asked = urls.outward(&asked).expect("changed");
        assert_eq!(asked, body(serde_json::json!({"QueueUrl": OWN, "MessageBody": TAPS})));
        assert_eq!(
            urls.outward_path("/000000000000/havoq-r-Orders").as_deref(),
            Some("/queue/us-east-1/000000000000/havoq-r-Orders")
        );
        let told = inward(&body(serde_json::json!({"QueueUrl": OWN})), "127.0.0.1:4000").expect("changed");
        let path = "http://127.0.0.1:4000/queue/us-east-1/000000000000/havoq-r-Orders";
        assert_eq!(told, body(serde_json::json!({"QueueUrl": path})));
        let listed = body(serde_json::json!({"QueueUrls": [OWN, OWN]}));
        let listed = inward(&listed, "127.0.0.1:4000").expect("changed");
        assert_eq!(listed, body(serde_json::json!({"QueueUrls": [path, path]})));
    }

    #[test]
    fn what_holds_no_queue_url_is_left_as_it_is() {
        let urls = QueueUrls::new([OWN.to_owned()].iter());
        for same in [
            body(serde_json::json!({"MessageBody": OWN})),
            body(serde_json::json!({"Messages": [{"Body": "{\"QueueUrl\": \"http://a/b\"}"}]})),
            body(serde_json::json!({"QueueUrl": "http://127.0.0.1:4000/1/somebody-elses"})),
            Bytes::from_static(b"QueueUrl=no-json"),
        ] {
            assert_eq!(urls.outward(&same), None);
        }
        let message = body(serde_json::json!({"Messages": [{"Body": "QueueUrl"}]}));
        assert_eq!(inward(&message, "127.0.0.1:4000"), None);
    }
}
