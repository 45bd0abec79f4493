// sqs-consumer with a handler that works for WORK milliseconds and then charges, with no idempotency
// of its own unless IDEMPOTENT is set. With BATCHES it handles batches; with RETURNS=nothing its
// handler says nothing at its end.
import { setTimeout as sleep } from "node:timers/promises";
import { Consumer } from "sqs-consumer";

const { HAVOQ_EFFECT_CHARGES_URL: sink, HAVOQ_QUEUE_URL: queueUrl, WORK, IDEMPOTENT } = process.env;
const { BATCHES, RETURNS } = process.env;

async function handle(message) {
  const orderId = JSON.parse(message.Body).data.orderId.toString();
  await sleep(Number(WORK ?? 0));
  const headers = { "Content-Type": "application/json" };
  if (IDEMPOTENT) headers["Idempotency-Key"] = orderId;
  const answer = await fetch(sink, { method: "POST", headers, body: JSON.stringify({ orderId }) });
  if (!answer.ok) throw new Error(`charge answered ${answer.status}`);
  return RETURNS === "nothing" ? undefined : message;
}

const handleMessageBatch = (messages) => Promise.all(messages.map(handle));
const handler = BATCHES ? { handleMessageBatch, batchSize: 10 } : { handleMessage: handle };
const consumer = Consumer.create({ queueUrl, ...handler });
consumer.on("error", (error) => console.log("error:", error.message));
consumer.on("processing_error", (error) => console.log("left in the queue:", error.message));
consumer.start();
