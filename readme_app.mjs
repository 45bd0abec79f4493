import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";

const sqs = new SQSClient({});
const QueueUrl = process.env.HAVOQ_QUEUE_URL;
for (;;) {
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
  for (const { Body, ReceiptHandle } of Messages) {
    let orderId;
    try { orderId = JSON.parse(Body).data.orderId; } catch { continue; }
    await fetch(process.env.HAVOQ_EFFECT_CHARGES_URL, {
      method: "POST", headers: { "Idempotency-Key": orderId }, body: JSON.stringify({ orderId }),
    });
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
}
