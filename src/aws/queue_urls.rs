//! QueueUrls on their way through: clients see the tap's address, the stack its own.
//!
//! Only the members that hold a QueueUrl are touched, never a message, so digests stay right; a body
//! in which nothing is to be changed is passed on byte for byte.

use std::borrow::Cow;
use std::net::IpAddr;

use bytes::Bytes;
use http::Uri;
use serde_json::Value;

const MEMBER: &str = "QueueUrl";

/// The body of a request or an answer with other QueueUrls; `None` when nothing in it is to be
/// changed.
pub fn change(body: &Bytes, new: impl Fn(&str) -> Option<String>) -> Option<Bytes> {
    // Most bodies have none, and parsing costs more than looking.
    if !body.windows(MEMBER.len()).any(|window| window == MEMBER.as_bytes()) {
        return None;
    }
    match body.trim_ascii_start().first()? {
        b'{' => change_json(body, new),
        b'<' => change_xml(std::str::from_utf8(body).ok()?, new).map(Bytes::from),
        _ => change_form(std::str::from_utf8(body).ok()?, new).map(Bytes::from),
    }
}

/// The answer's body with the client's own host in its QueueUrls.
pub fn inward(body: &Bytes, host: &str) -> Option<Bytes> {
    change(body, |url| {
        let parsed: Uri = url.parse().ok()?;
        parsed.authority()?;
        Some(format!("http://{host}{}", parsed.path()))
    })
}

/// The path of a URL that leads to whoever is asked as `host`. This machine has more than one name.
pub fn path_at(url: &str, host: &str) -> Option<String> {
    let parsed: Uri = url.parse().ok()?;
    let at = parsed.authority()?;
    let is_there = at.as_str() == host
        || host.parse::<http::uri::Authority>().is_ok_and(|host| {
            host.port_u16() == at.port_u16() && is_this_machine(host.host()) && is_this_machine(at.host())
        });
    is_there.then(|| parsed.path().to_owned())
}

/// Whether a host's name says that it is this machine.
pub fn is_this_machine(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

fn change_json(body: &Bytes, new: impl Fn(&str) -> Option<String>) -> Option<Bytes> {
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
    if let Some(url) = members.get_mut(MEMBER) {
        replace(url);
    }
    for list in ["QueueUrls", "queueUrls"] {
        let urls = members.get_mut(list).and_then(Value::as_array_mut);
        urls.into_iter().flatten().for_each(&mut replace);
    }
    changed.then(|| Bytes::from(json.to_string()))
}

/// The fields of a form, or of an address's query, all others as they were written.
pub fn change_form(form: &str, new: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut changed = false;
    let fields: Vec<Cow<'_, str>> = form
        .split('&')
        .map(|field| {
            let parsed = form_urlencoded::parse(field.as_bytes()).next();
            let Some((_, url)) = parsed.filter(|(name, _)| name == MEMBER) else { return field.into() };
            let Some(own) = new(&url).filter(|own| *own != url) else { return field.into() };
            changed = true;
            let own: String = form_urlencoded::byte_serialize(own.as_bytes()).collect();
            Cow::Owned(format!("{MEMBER}={own}"))
        })
        .collect();
    changed.then(|| fields.join("&"))
}

/// The elements of an answer. The text of a message cannot look like one, but in a CDATA section.
fn change_xml(document: &str, new: impl Fn(&str) -> Option<String>) -> Option<String> {
    const OPEN: &str = "<QueueUrl>";
    if document.contains("<![CDATA[") {
        return None;
    }
    let mut pieces = document.split(OPEN);
    let mut result = pieces.next()?.to_owned();
    for piece in pieces {
        result.push_str(OPEN);
        let own = piece.split_once('<').and_then(|(url, rest)| Some((new(url)?, rest)));
        match own {
            Some((own, rest)) => {
                result.push_str(&own);
                result.push('<');
                result.push_str(rest);
            }
            None => result.push_str(piece),
        }
    }
    (result != document).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const AWS: &str = "https://sqs.eu-west-1.amazonaws.com/123456789012/orders";
    const TAPS: &str = "http://127.0.0.1:4000/123456789012/orders";

    fn to_aws(body: &str) -> Option<String> {
        let body = Bytes::from(body.to_owned());
        let own = |url: &str| {
            Some(format!("https://sqs.eu-west-1.amazonaws.com{}", path_at(url, "127.0.0.1:4000")?))
        };
        change(&body, own).map(|body| String::from_utf8(body.into()).expect("text"))
    }

    fn to_client(body: &str) -> Option<String> {
        let body = inward(&Bytes::from(body.to_owned()), "127.0.0.1:4000")?;
        Some(String::from_utf8(body.into()).expect("text"))
    }

    #[test]
    fn a_form_has_one_field_changed_and_the_others_as_they_were() {
        let form = "Action=SendMessage&MessageBody=a%2fb+c&QueueUrl=http%3A%2F%2F127.0.0.1%3A4000%2F1%2Fq&x";
        let own = "Action=SendMessage&MessageBody=a%2fb+c&\
                   QueueUrl=https%3A%2F%2Fsqs.eu-west-1.amazonaws.com%2F1%2Fq&x";
        assert_eq!(to_aws(form).as_deref(), Some(own));
        assert_eq!(to_aws("MessageBody=QueueUrl%3Dhttp%3A%2F%2F127.0.0.1%3A4000%2F1%2Fq"), None);
    }

    #[test]
    fn an_answer_in_xml_has_its_elements_changed_and_no_message() {
        let of = |url: &str| format!("<R><QueueUrl>{url}</QueueUrl><QueueUrl>{url}</QueueUrl><a/></R>");
        assert_eq!(to_client(&of(AWS)), Some(of(TAPS)));
        assert_eq!(to_client("<R><Body>&lt;QueueUrl&gt;http://a/b&lt;/QueueUrl&gt;</Body></R>"), None);
        assert_eq!(to_client(&format!("<R><Body><![CDATA[<QueueUrl>{AWS}</QueueUrl>]]></Body></R>")), None);
        assert_eq!(to_client("<R><QueueUrl>"), None);
    }

    #[test]
    fn json_has_its_members_changed_and_no_message() {
        let of = |url: &str| json!({"QueueUrls": [url], "QueueUrl": url, "MessageBody": AWS}).to_string();
        assert_eq!(to_client(&of(AWS)), Some(of(TAPS)));
        assert_eq!(to_aws(&of(TAPS)), Some(of(AWS)));
        assert_eq!(to_aws(&json!({"QueueUrl": AWS, "MessageBody": TAPS}).to_string()), None);
        assert_eq!(to_aws("{QueueUrl"), None);
    }

    #[test]
    fn this_machine_has_more_than_one_name() {
        for (url, host, path) in [
            (TAPS, "127.0.0.1:4000", Some("/123456789012/orders")),
            (TAPS, "localhost:4000", Some("/123456789012/orders")),
            ("http://[::1]:4000/1/q", "localhost:4000", Some("/1/q")),
            (TAPS, "127.0.0.1:4001", None),
            (AWS, "127.0.0.1:4000", None),
            ("orders", "127.0.0.1:4000", None),
        ] {
            assert_eq!(path_at(url, host).as_deref(), path, "{url} at {host}");
        }
        assert!(!is_this_machine("localhost.example.org") && !is_this_machine("10.0.0.1"));
    }
}
