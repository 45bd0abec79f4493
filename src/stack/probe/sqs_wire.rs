//! Requests and answers on the wire (semantics 1.15).

use serde_json::json;

use super::check::checks;
use super::finding::{Shown, ensure};
use super::lab::Lab;

checks! { Sqs:
    Seconds "sqs-wire-query" "1.15" "a call as a form is answered in XML" query;
    Seconds "sqs-wire-query-error" "1.15" "an error to a form is XML with its code" query_error;
    Seconds "sqs-wire-json-error" "1.15" "a JSON error has __type, and its old code in a header" json_error;
    Seconds "sqs-wire-queue-path" "1.15" "a call is taken at the queue's path as well" queue_path;
    Seconds "sqs-wire-url-host" "8.3" "a QueueUrl leads to where the client reaches the stack" url_host;
    Seconds "sqs-wire-unknown-action" "1.15" "an operation that does not exist is refused" unknown_action;
}

fn path(url: &str) -> String {
    url.parse::<http::Uri>().map(|uri| uri.path().to_owned()).unwrap_or_default()
}

async fn query(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let form = [("Action", "SendMessage"), ("QueueUrl", &*queue.url), ("MessageBody", "a b&c")];
    let answer = lab.form("/", &form).await?;
    let is_xml = answer.status == 200 && answer.body.contains("<MessageId>");
    ensure(is_xml, "XML with a MessageId", answer.told())?;
    let message = queue.one("the message that was sent as a form").await?;
    super::finding::same("its body", super::queue::body(&message), "a b&c")
}

async fn query_error(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let missing = queue.url.replace(&queue.name, &lab.name("")?);
    let answer = lab.form("/", &[("Action", "PurgeQueue"), ("QueueUrl", &missing)]).await?;
    let code = "<Code>AWS.SimpleQueueService.NonExistentQueue</Code>";
    ensure(answer.status == 400 && answer.body.contains(code), format!("HTTP 400 and {code}"), answer.told())
}

async fn json_error(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let missing = queue.url.replace(&queue.name, &lab.name("")?);
    let answer = lab.json("/", "PurgeQueue", &json!({ "QueueUrl": missing })).await?;
    let (shape, old) = (answer.json()["__type"].clone(), answer.header("x-amzn-query-error").to_owned());
    let expected = ("com.amazonaws.sqs#QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue;Sender");
    let is_right = answer.status == 400 && shape == expected.0 && old == expected.1;
    ensure(is_right, format!("{expected:?}"), format!("{} and the header `{old}`", answer.told()))
}

async fn queue_path(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let input = json!({ "QueueUrl": queue.url, "MessageBody": "a" });
    let answer = lab.json(&path(&queue.url), "SendMessage", &input).await?;
    ensure(answer.status == 200, "HTTP 200", answer.told())?;
    queue.one("the message that was sent to the queue's path").await?;
    Ok(())
}

async fn url_host(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let host = |url: &str| url.parse::<http::Uri>().ok().and_then(|uri| Some(uri.authority()?.to_string()));
    let (told, own) = (host(&queue.url), host(&lab.0.url));
    ensure(told == own, format!("the host {}", own.unwrap_or_default()), queue.url)
}

async fn unknown_action(lab: Lab) -> Shown {
    let answer = lab.json("/", "FoldMessage", &json!({})).await?;
    ensure((400..500).contains(&answer.status), "an error of the client's", answer.told())
}
