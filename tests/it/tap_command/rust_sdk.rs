//! Faults of a tap on its own as the SDK for Rust sees them.

use aws_sdk_sqs::error::ProvideErrorMetadata;
use aws_sdk_sqs::types::{QueueAttributeName, SendMessageBatchRequestEntry};
use havoq::aws::Clients;

use super::Tapped;
use crate::sandbox_command::Served;

const FAULTS: &str = "
- { does: throttle, call: SendMessage, queue: throttle, times: 1 }
- { does: denied, call: SendMessage, queue: denied }
- { does: { error: { code: QueueDoesNotExist } }, call: GetQueueAttributes, queue: error, times: 1 }
- { does: reset, call: SendMessage, queue: reset, times: 1 }
- { does: lost-response, call: SendMessage, queue: lost, times: 1 }
- { does: { failed-entries: { code: Busy } }, call: SendMessageBatch, queue: failed, times: 1 }
- { does: swallow, call: DeleteMessage, queue: swallow, times: 1 }
";

/// A queue by way of a tap.
struct Queue<'a> {
    sqs: &'a aws_sdk_sqs::Client,
    url: String,
}

impl<'a> Queue<'a> {
    async fn named(sqs: &'a aws_sdk_sqs::Client, name: &str) -> Self {
        let made = sqs.create_queue().queue_name(name).send().await.expect("a queue");
        Self { sqs, url: made.queue_url.expect("a URL") }
    }

    async fn send(&self) -> Result<(), aws_sdk_sqs::Error> {
        self.sqs.send_message().queue_url(&self.url).message_body("hello").send().await?;
        Ok(())
    }

    async fn depth(&self) -> Result<String, aws_sdk_sqs::Error> {
        let name = QueueAttributeName::ApproximateNumberOfMessages;
        let asked = self.sqs.get_queue_attributes().queue_url(&self.url).attribute_names(name.clone());
        Ok(asked.send().await?.attributes.expect("attributes")[&name].clone())
    }

    /// The receipt of what comes, hidden for a second.
    async fn receive(&self) -> String {
        let receive = self.sqs.receive_message().queue_url(&self.url);
        let got = receive.visibility_timeout(1).wait_time_seconds(20).send().await.expect("an answer");
        got.messages()[0].receipt_handle().expect("a receipt").to_owned()
    }

    async fn delete(&self, receipt: String) {
        let delete = self.sqs.delete_message().queue_url(&self.url).receipt_handle(receipt);
        delete.send().await.expect("it says that it is done");
    }
}

async fn sees_them_as_the_real_thing(sqs: &aws_sdk_sqs::Client) {
    // Tried again, and done once.
    for (name, depth) in [("throttle", "1"), ("reset", "1"), ("lost", "2")] {
        let queue = Queue::named(sqs, name).await;
        queue.send().await.expect("the second try is answered");
        assert_eq!(queue.depth().await.expect("a depth"), depth, "{name}");
    }
    let denied = Queue::named(sqs, "denied").await;
    assert_eq!(denied.send().await.expect_err("denied").code(), Some("AccessDenied"));
    assert_eq!(denied.depth().await.expect("a depth"), "0");
    let error = Queue::named(sqs, "error").await;
    let raised = error.depth().await.expect_err("an error");
    assert!(matches!(raised, aws_sdk_sqs::Error::QueueDoesNotExist(_)), "{raised:?}");
    let failed = Queue::named(sqs, "failed").await;
    let entry = SendMessageBatchRequestEntry::builder().id("a").message_body("a").build().expect("an entry");
    let answer = sqs.send_message_batch().queue_url(&failed.url).entries(entry).send().await.expect("200");
    let [one] = answer.failed() else { panic!("{answer:?}") };
    assert_eq!((one.id(), one.code(), one.sender_fault()), ("a", "Busy", false));
    let swallow = Queue::named(sqs, "swallow").await;
    swallow.send().await.expect("sent");
    swallow.delete(swallow.receive().await).await;
    swallow.delete(swallow.receive().await).await;
    assert_eq!(swallow.depth().await.expect("a depth"), "0");
}

#[test]
fn the_sdk_for_rust_sees_faults_as_the_real_thing() {
    let sandbox = Served::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("faults.yaml");
    std::fs::write(&file, FAULTS).expect("a file");
    let tap = Tapped::start(&["--upstream", &sandbox.url(), "--faults", &file.display().to_string()], &[]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(sees_them_as_the_real_thing(&Clients::at(&tap.url()).sqs));
    let fired = tap.events().into_iter().filter(|event| event["kind"] == "fault_fired").count();
    assert_eq!(fired, 7);
}
