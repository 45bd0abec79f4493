// Makes calls on the AWS SDK for JavaScript v3, and tells in a line of JSON each what came of them.
// A message in its first queue says that all faults are armed.
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";

const sqs = new SQSClient({});
const url = (queue) => process.env[`HAVOQ_QUEUE_${queue.toUpperCase()}_URL`];

async function told(command) {
  try {
    return { attempts: (await sqs.send(command)).$metadata.attempts };
  } catch (error) {
    const modelled = error instanceof QueueDoesNotExist;
    return { raised: error.name, modelled, status: error.$metadata?.httpStatusCode, attempts: error.$metadata?.attempts };
  }
}

const look = (queue) => told(new GetQueueAttributesCommand({ QueueUrl: url(queue) }));
const send = (queue) => told(new SendMessageCommand({ QueueUrl: url(queue), MessageBody: "hello" }));
async function depth(queue) {
  const AttributeNames = ["ApproximateNumberOfMessages"];
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: url(queue), AttributeNames }));
  return Number(Attributes.ApproximateNumberOfMessages);
}

const scenes = {
  error: async () => [await look("Error"), await send("Error"), await depth("Error")],
  throttle: async () => [await send("Throttle"), await depth("Throttle")],
  denied: async () => [await send("Denied"), await depth("Denied")],
  reset: async () => [await send("Reset"), await depth("Reset")],
  lost_response: async () => [await send("Lost"), await depth("Lost")],
  failed_entries: async () => {
    const Entries = ["a", "b", "c"].map((Id) => ({ Id, MessageBody: Id }));
    const { Failed } = await sqs.send(new SendMessageBatchCommand({ QueueUrl: url("Failed"), Entries }));
    return Failed.map(({ Id, Code, SenderFault }) => [Id, Code, SenderFault]);
  },
};

const QueueUrl = process.env.HAVOQ_QUEUE_URL;
let go = [];
while (!go.length) {
  ({ Messages: go = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 })));
}
await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: go[0].ReceiptHandle }));
for (const [name, scene] of Object.entries(scenes)) console.log(JSON.stringify({ [name]: await scene() }));
