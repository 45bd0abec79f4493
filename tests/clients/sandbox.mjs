// What the SDK for JavaScript does with a sandbox: node sandbox.mjs ENDPOINT MODULES
import assert from "node:assert";
import { createRequire } from "node:module";

const [endpoint, modules] = process.argv.slice(2);
const load = createRequire(`${modules}/`);
const SQS = load("@aws-sdk/client-sqs");
const SNS = load("@aws-sdk/client-sns");
const CloudWatch = load("@aws-sdk/client-cloudwatch");

const home = { endpoint, region: "us-east-1", credentials: { accessKeyId: "test", secretAccessKey: "test" } };
const sqs = new SQS.SQSClient(home);
const sns = new SNS.SNSClient(home);
const cloudwatch = new CloudWatch.CloudWatchClient(home);

const { QueueUrl } = await sqs.send(new SQS.CreateQueueCommand({ QueueName: "javascript" }));
const { Attributes } = await sqs.send(
  new SQS.GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] }),
);
const { TopicArn } = await sns.send(new SNS.CreateTopicCommand({ Name: "javascript" }));
const statement = {
  Effect: "Allow",
  Principal: { Service: "sns.amazonaws.com" },
  Action: "sqs:SendMessage",
  Resource: Attributes.QueueArn,
  Condition: { ArnEquals: { "aws:SourceArn": TopicArn } },
};
await sqs.send(
  new SQS.SetQueueAttributesCommand({
    QueueUrl,
    Attributes: { Policy: JSON.stringify({ Version: "2012-10-17", Statement: [statement] }) },
  }),
);
await sns.send(
  new SNS.SubscribeCommand({
    TopicArn,
    Protocol: "sqs",
    Endpoint: Attributes.QueueArn,
    Attributes: { RawMessageDelivery: "true" },
  }),
);
await sns.send(
  new SNS.PublishCommand({
    TopicArn,
    Message: "häßlich & <schön>",
    MessageAttributes: { bytes: { DataType: "Binary", BinaryValue: Uint8Array.from([0, 255]) } },
  }),
);
const { Messages } = await sqs.send(
  new SQS.ReceiveMessageCommand({ QueueUrl, MessageAttributeNames: ["All"] }),
);
assert.equal(Messages[0].Body, "häßlich & <schön>");
assert.deepEqual([...Messages[0].MessageAttributes.bytes.BinaryValue], [0, 255]);
await sqs.send(new SQS.DeleteMessageCommand({ QueueUrl, ReceiptHandle: Messages[0].ReceiptHandle }));

const now = new Date();
await cloudwatch.send(
  new CloudWatch.PutMetricDataCommand({
    Namespace: "Shop",
    MetricData: [{ MetricName: "Orders", Timestamp: now, Values: [1, 2], Counts: [1, 2] }],
  }),
);
const { MetricDataResults } = await cloudwatch.send(
  new CloudWatch.GetMetricDataCommand({
    StartTime: new Date(now - 600_000),
    EndTime: new Date(+now + 600_000),
    MetricDataQueries: [
      { Id: "sum", MetricStat: { Metric: { Namespace: "Shop", MetricName: "Orders" }, Period: 60, Stat: "Sum" } },
    ],
  }),
);
assert.deepEqual(MetricDataResults[0].Values, [5]);
await assert.rejects(sns.send(new SNS.PublishCommand({ TopicArn: `${TopicArn}-none`, Message: "x" })), {
  name: "NotFoundException",
});
console.log("all is well");
