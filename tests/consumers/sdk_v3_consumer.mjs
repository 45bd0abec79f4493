// An idempotent consumer on the AWS SDK for JavaScript v3: it knows two URLs and nothing of havoq.
import {
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";

const QueueUrl = process.env.HAVOQ_QUEUE_URL;
const sink = process.env.HAVOQ_EFFECT_CHARGES_URL;
const sqs = new SQSClient({});

async function charge(orderId) {
  const answer = await fetch(sink, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": orderId },
    body: JSON.stringify({ orderId }),
  });
  if (!answer.ok) throw new Error(`charge answered ${answer.status}`);
}

for (;;) {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 }),
  );
  const done = [];
  for (const message of Messages) {
    try {
      const { data } = JSON.parse(message.Body);
      if (typeof data?.orderId !== "string") throw new Error("no order id");
      await charge(data.orderId);
      done.push({ Id: message.MessageId, ReceiptHandle: message.ReceiptHandle });
    } catch (error) {
      console.log("left in the queue:", error.message);
    }
  }
  if (done.length) await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: done }));
}
