// bbc/sqs-consumer, unmodified, with an idempotent handler.
import { Consumer } from "sqs-consumer";

const sink = process.env.HAVOQ_EFFECT_CHARGES_URL;

const consumer = Consumer.create({
  queueUrl: process.env.HAVOQ_QUEUE_URL,
  handleMessage: async (message) => {
    const { data } = JSON.parse(message.Body);
    if (typeof data?.orderId !== "string") throw new Error("no order id");
    const answer = await fetch(sink, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": data.orderId },
      body: JSON.stringify({ orderId: data.orderId }),
    });
    if (!answer.ok) throw new Error(`charge answered ${answer.status}`);
    return message;
  },
});
consumer.on("error", (error) => console.log("error:", error.message));
consumer.on("processing_error", (error) => console.log("left in the queue:", error.message));
consumer.start();
