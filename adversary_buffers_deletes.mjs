// Charges at once, and deletes in batches every two seconds.
import { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";

const QueueUrl = process.env.HAVOQ_QUEUE_URL;
const sink = process.env.HAVOQ_EFFECT_CHARGES_URL;
const sqs = new SQSClient({});
let done = [];

async function charge(orderId) {
  const answer = await fetch(sink, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": orderId },
    body: JSON.stringify({ orderId }),
  });
  if (!answer.ok) throw new Error(`charge answered ${answer.status}`);
}

setInterval(async () => {
  const batch = done.splice(0, 10);
  if (!batch.length) return;
  const Entries = batch.map((ReceiptHandle, at) => ({ Id: String(at), ReceiptHandle }));
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
}, 2000);

for (;;) {
  const poll = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 });
  const { Messages = [] } = await sqs.send(poll);
  for (const message of Messages) {
    try {
      await charge(JSON.parse(message.Body).data.orderId.toString());
      done.push(message.ReceiptHandle);
    } catch (error) {
      console.log("left in the queue:", error.message);
    }
  }
}
