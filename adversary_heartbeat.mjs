// sqs-consumer with its own heartbeat: the work outlasts the visibility timeout.
import { setTimeout as sleep } from "node:timers/promises";
import { Consumer } from "sqs-consumer";

const sink = process.env.HAVOQ_EFFECT_CHARGES_URL;

const consumer = Consumer.create({
  queueUrl: process.env.HAVOQ_QUEUE_URL,
  visibilityTimeout: 4,
  heartbeatInterval: 1,
  handleMessage: async (message) => {
    const orderId = JSON.parse(message.Body).data.orderId.toString();
    await sleep(6000);
    const answer = await fetch(sink, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ orderId }),
    });
    if (!answer.ok) throw new Error(`charge answered ${answer.status}`);
    return message;
  },
});
consumer.on("error", (error) => console.log("error:", error.message));
consumer.on("processing_error", (error) => console.log("left in the queue:", error.message));
consumer.start();
