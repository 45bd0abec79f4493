//! Bodies: the default envelope, templates, and what is made of them to poison them.

use havoq_base::StackTime;
use havoq_base::ids::Marker;
use serde_json::{Value, json};

use crate::scenario::PoisonForm;

/// The default body of marker `marker`.
pub(super) fn envelope(marker: &Marker, now: StackTime) -> Value {
    json!({
        "id": marker,
        "source": "havoq",
        "type": "order.placed",
        "version": 1,
        "time": now.rfc3339(),
        "correlationId": marker,
        "data": { "orderId": marker },
    })
}

/// What the placeholders of a template stand for.
pub(super) struct Filling {
    pub marker: Marker,
    pub n: u32,
    pub now: StackTime,
    pub uuid: String,
}

/// Fills the placeholders in all strings of a template.
pub(super) fn fill(template: &Value, filling: &Filling) -> Value {
    match template {
        Value::String(text) => Value::String(fill_text(text, filling)),
        Value::Array(items) => items.iter().map(|item| fill(item, filling)).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| (key.clone(), fill(value, filling)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

fn fill_text(text: &str, filling: &Filling) -> String {
    text.replace("{{id}}", filling.marker.as_str())
        .replace("{{n}}", &filling.n.to_string())
        .replace("{{now}}", &filling.now.rfc3339())
        .replace("{{uuid}}", &filling.uuid)
}

/// A body as text: a string is sent as it is, anything else as JSON.
pub(super) fn text(body: &Value) -> String {
    match body {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The envelope, poisoned.
pub(super) fn poisoned(form: PoisonForm, marker: &Marker, now: StackTime) -> String {
    let mut body = envelope(marker, now);
    match form {
        PoisonForm::TruncatedJson => {
            let whole = body.to_string();
            // Inside the first member, so that no id can be read from it.
            whole[..whole.len().min(7)].to_owned()
        }
        PoisonForm::NotJson => "this is not JSON".to_owned(),
        PoisonForm::WrongType => {
            body["data"] = json!(["not", "an", "object"]);
            body.to_string()
        }
        PoisonForm::MissingId => {
            if let Some(members) = body.as_object_mut() {
                members.shift_remove("id");
                members["data"] = json!({});
            }
            body.to_string()
        }
        PoisonForm::NextVersion => {
            body["version"] = json!(2);
            body["data"]["channel"] = json!("a field of the next version");
            body.to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marker() -> Marker {
        Marker::new("bad-1-00c0ffee")
    }

    #[test]
    fn only_a_next_version_still_has_an_order() {
        let order = |form| {
            let body = poisoned(form, &marker(), StackTime::from_secs(0));
            let body: Result<Value, _> = serde_json::from_str(&body);
            body.ok().and_then(|body| body["data"]["orderId"].as_str().map(str::to_owned))
        };
        for form in
            [PoisonForm::TruncatedJson, PoisonForm::NotJson, PoisonForm::WrongType, PoisonForm::MissingId]
        {
            assert_eq!(order(form), None, "{form:?}");
        }
        assert_eq!(order(PoisonForm::NextVersion).as_deref(), Some("bad-1-00c0ffee"));
    }

    #[test]
    fn placeholders_are_filled_at_any_depth() {
        let filling = Filling { marker: marker(), n: 3, now: StackTime::from_secs(0), uuid: "u".into() };
        let filled = fill(&json!({"a": ["{{id}}-{{n}}"], "b": {"c": "{{now}} {{uuid}}"}, "d": 1}), &filling);
        assert_eq!(filled["a"][0], "bad-1-00c0ffee-3");
        assert_eq!(filled["b"]["c"], "1970-01-01T00:00:00.000000Z u");
        assert_eq!(text(&json!("plain")), "plain");
    }
}
