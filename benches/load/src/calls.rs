//! The calls, rendered to bytes ahead of the time that is measured, in AWS JSON 1.0.

use std::net::SocketAddr;

use crate::Result;
use crate::connection::Connection;
use crate::response::members;

/// How many messages the batch operations carry.
pub(crate) const BATCH: usize = 10;

/// A queue of a server under load.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    address: SocketAddr,
    url: String,
}

impl Queue {
    /// Creates a queue; one whose name ends in `.fifo` is a FIFO queue.
    pub(crate) async fn create(connection: &mut Connection, name: &str) -> Result<Self> {
        let address = connection.address();
        let attributes = if name.ends_with(".fifo") { r#"{"FifoQueue":"true"}"# } else { "{}" };
        let body = format!(r#"{{"QueueName":"{name}","Attributes":{attributes}}}"#);
        let answer = connection.call(&render(address, "CreateQueue", &body)).await?;
        let url = members(answer, "QueueUrl").next().ok_or("CreateQueue gave no QueueUrl")?.to_owned();
        Ok(Self { address, url })
    }

    pub(crate) fn delete(&self) -> Vec<u8> {
        self.render("DeleteQueue", "")
    }

    pub(crate) fn send(&self, body: usize) -> Vec<u8> {
        self.render("SendMessage", &format!(r#","MessageBody":"{}""#, text(body)))
    }

    pub(crate) fn send_batch(&self, body: usize) -> Vec<u8> {
        let body = text(body);
        self.batch(
            "SendMessageBatch",
            (0..BATCH).map(|n| format!(r#"{{"Id":"{n}","MessageBody":"{body}"}}"#)),
        )
    }

    /// A batch for a FIFO queue, whose messages take turns in `groups`. They count from `first`.
    pub(crate) fn send_fifo_batch(&self, body: usize, first: usize, groups: usize) -> Vec<u8> {
        let body = text(body);
        let entries = (first..first + BATCH).map(|n| {
            let group = n % groups;
            format!(
                r#"{{"Id":"{n}","MessageBody":"{body}","MessageGroupId":"g{group}","MessageDeduplicationId":"d{n}"}}"#
            )
        });
        self.batch("SendMessageBatch", entries)
    }

    pub(crate) fn receive(&self) -> Vec<u8> {
        self.render("ReceiveMessage", &format!(r#","MaxNumberOfMessages":{BATCH}"#))
    }

    /// Deletes all that a receive answered; `None` when that is nothing.
    pub(crate) fn delete_batch(&self, received: &str) -> Option<(usize, Vec<u8>)> {
        let handles: Vec<_> = members(received, "ReceiptHandle").collect();
        let entries = handles.iter().enumerate();
        let entries = entries.map(|(n, handle)| format!(r#"{{"Id":"{n}","ReceiptHandle":"{handle}"}}"#));
        (!handles.is_empty()).then(|| (handles.len(), self.batch("DeleteMessageBatch", entries)))
    }

    fn batch(&self, operation: &str, entries: impl Iterator<Item = String>) -> Vec<u8> {
        let entries: Vec<_> = entries.collect();
        self.render(operation, &format!(r#","Entries":[{}]"#, entries.join(",")))
    }

    fn render(&self, operation: &str, members: &str) -> Vec<u8> {
        render(self.address, operation, &format!(r#"{{"QueueUrl":"{}"{members}}}"#, self.url))
    }
}

/// The cheapest call that any server answers.
pub(crate) fn list_queues(address: SocketAddr) -> Vec<u8> {
    render(address, "ListQueues", "{}")
}

/// Nobody checks the signature, but some look for the region in it.
fn render(address: SocketAddr, operation: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "POST / HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/x-amz-json-1.0\r\n\
         X-Amz-Target: AmazonSQS.{operation}\r\nX-Amz-Date: 20260101T000000Z\r\n\
         Authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/sqs/aws4_request, \
         SignedHeaders=host;x-amz-date;x-amz-target, Signature=00\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), body.as_bytes()].concat()
}

fn text(length: usize) -> String {
    "havoq".chars().cycle().take(length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue() -> Queue {
        Queue { address: ([127, 0, 0, 1], 1).into(), url: "http://q".into() }
    }

    #[test]
    fn what_was_received_is_deleted_by_its_handles() {
        let received = r#"{"Messages":[{"ReceiptHandle":"a"},{"ReceiptHandle":"b"}]}"#;
        let (count, call) = queue().delete_batch(received).expect("two messages");
        assert_eq!(count, 2);
        let body = r#"{"QueueUrl":"http://q","Entries":[{"Id":"0","ReceiptHandle":"a"},{"Id":"1","ReceiptHandle":"b"}]}"#;
        assert!(call.ends_with(body.as_bytes()));
        assert!(queue().delete_batch("{}").is_none());
    }

    #[test]
    fn a_call_tells_its_own_length() {
        let call = String::from_utf8(queue().send(100)).expect("text");
        let (head, body) = call.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.ends_with(&format!("Content-Length: {}", body.len())));
    }
}
