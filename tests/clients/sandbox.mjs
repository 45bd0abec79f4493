// What the SDK for JavaScript does with a sandbox: node sandbox.mjs ENDPOINT MODULES
import assert from "node:assert";
import { createRequire } from "node:module";

const [endpoint, modules] = process.argv.slice(2);
const load = createRequire(`${modules}/`);
const SQS = load("@aws-sdk/client-sqs");
const SNS = load("@aws-sdk/client-sns");
const CloudWatch = load("@aws-sdk/client-cloudwatch");
const DynamoDB = load("@aws-sdk/client-dynamodb");
const EventBridge = load("@aws-sdk/client-eventbridge");
const Lambda = load("@aws-sdk/client-lambda");
const Pipes = load("@aws-sdk/client-pipes");
const Scheduler = load("@aws-sdk/client-scheduler");

const home = { endpoint, region: "us-east-1", credentials: { accessKeyId: "test", secretAccessKey: "test" } };
const sqs = new SQS.SQSClient(home);
const sns = new SNS.SNSClient(home);
const cloudwatch = new CloudWatch.CloudWatchClient(home);
const dynamodb = new DynamoDB.DynamoDBClient(home);
const eventbridge = new EventBridge.EventBridgeClient(home);
const lambda = new Lambda.LambdaClient(home);
const pipes = new Pipes.PipesClient(home);
const scheduler = new Scheduler.SchedulerClient(home);

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

// A rule of a bus sends what it matches to a queue; what is no event is told entry by entry.
const { QueueUrl: caught } = await sqs.send(new SQS.CreateQueueCommand({ QueueName: "caught" }));
const { Attributes: of } = await sqs.send(
  new SQS.GetQueueAttributesCommand({ QueueUrl: caught, AttributeNames: ["QueueArn"] }),
);
const { RuleArn } = await eventbridge.send(
  new EventBridge.PutRuleCommand({
    Name: "orders",
    EventPattern: JSON.stringify({ detail: { amount: [{ numeric: [">", 10] }] } }),
  }),
);
const may = {
  Effect: "Allow",
  Principal: { Service: "events.amazonaws.com" },
  Action: "sqs:SendMessage",
  Resource: of.QueueArn,
  Condition: { ArnEquals: { "aws:SourceArn": RuleArn } },
};
await sqs.send(
  new SQS.SetQueueAttributesCommand({
    QueueUrl: caught,
    Attributes: { Policy: JSON.stringify({ Version: "2012-10-17", Statement: [may] }) },
  }),
);
await eventbridge.send(new EventBridge.PutTargetsCommand({ Rule: "orders", Targets: [{ Id: "queue", Arn: of.QueueArn }] }));
const put = await eventbridge.send(
  new EventBridge.PutEventsCommand({
    Entries: [
      { Source: "shop", DetailType: "häßlich", Detail: '{"amount":50}', Time: new Date(1_767_323_045_000) },
      { Source: "shop", DetailType: "order", Detail: '{"amount":5}' },
      { Source: "shop", DetailType: "order", Detail: "no JSON" },
    ],
  }),
);
assert.equal(put.FailedEntryCount, 1);
assert.equal(put.Entries[2].ErrorCode, "MalformedDetail");
const told = await sqs.send(
  new SQS.ReceiveMessageCommand({ QueueUrl: caught, MaxNumberOfMessages: 10, WaitTimeSeconds: 5 }),
);
const events = told.Messages.map((message) => JSON.parse(message.Body));
assert.deepEqual(events.map((event) => [event.id, event["detail-type"], event.time]), [
  [put.Entries[0].EventId, "häßlich", "2026-01-02T03:04:05Z"],
]);
await assert.rejects(eventbridge.send(new EventBridge.DescribeRuleCommand({ Name: "none" })), {
  name: "ResourceNotFoundException",
  message: "Rule none does not exist on EventBus default.",
});

// A table tells who was first.
await dynamodb.send(
  new DynamoDB.CreateTableCommand({
    TableName: "seen",
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    BillingMode: "PAY_PER_REQUEST",
  }),
);
const first = {
  TableName: "seen",
  Item: { id: { S: "häßlich" }, bytes: { B: Uint8Array.from([0, 255]) } },
  ConditionExpression: "attribute_not_exists(id)",
  ReturnValuesOnConditionCheckFailure: "ALL_OLD",
};
await dynamodb.send(new DynamoDB.PutItemCommand(first));
await assert.rejects(dynamodb.send(new DynamoDB.PutItemCommand(first)), (error) => {
  assert.equal(error.name, "ConditionalCheckFailedException");
  assert.equal(error.Item.id.S, "häßlich");
  return true;
});
const { Item } = await dynamodb.send(
  new DynamoDB.GetItemCommand({ TableName: "seen", Key: { id: { S: "häßlich" } }, ConsistentRead: true }),
);
assert.deepEqual([...Item.bytes.B], [0, 255]);

// A schedule and a pipe put what they have into a queue.
const RoleArn = "arn:aws:iam::000000000000:role/mover";
const made = async (name) => {
  const { QueueUrl } = await sqs.send(new SQS.CreateQueueCommand({ QueueName: name }));
  const { Attributes } = await sqs.send(
    new SQS.GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] }),
  );
  return { url: QueueUrl, arn: Attributes.QueueArn };
};
const [source, sink] = [await made("source"), await made("sink")];
await pipes.send(
  new Pipes.CreatePipeCommand({ Name: "mover", Source: source.arn, Target: sink.arn, RoleArn }),
);
const { ScheduleArn } = await scheduler.send(
  new Scheduler.CreateScheduleCommand({
    Name: "once",
    ScheduleExpression: "at(2020-01-01T00:00:00)",
    FlexibleTimeWindow: { Mode: "OFF" },
    Target: { Arn: source.arn, RoleArn, Input: "due" },
  }),
);
assert.match(ScheduleArn, /:schedule\/default\/once$/);
const moved = await sqs.send(new SQS.ReceiveMessageCommand({ QueueUrl: sink.url, WaitTimeSeconds: 20 }));
assert.equal(JSON.parse(moved.Messages[0].Body).body, "due");
await pipes.send(new Pipes.DeletePipeCommand({ Name: "mover" }));
await assert.rejects(scheduler.send(new Scheduler.GetScheduleCommand({ Name: "none" })), {
  name: "ResourceNotFoundException",
});

// A function takes its events from a queue.
await lambda.send(
  new Lambda.CreateFunctionCommand({
    FunctionName: "f",
    Runtime: "provided.al2023",
    Handler: "bootstrap",
    Role: RoleArn,
    Code: { ZipFile: Uint8Array.from([80, 75, 5, 6, ...Array(18).fill(0)]) },
  }),
);
const { UUID } = await lambda.send(
  new Lambda.CreateEventSourceMappingCommand({ FunctionName: "f", EventSourceArn: source.arn, Enabled: false }),
);
assert.ok(UUID);
await lambda.send(new Lambda.DeleteEventSourceMappingCommand({ UUID }));
await lambda.send(new Lambda.DeleteFunctionCommand({ FunctionName: "f" }));
await assert.rejects(lambda.send(new Lambda.GetFunctionCommand({ FunctionName: "f" })), {
  name: "ResourceNotFoundException",
});
console.log("all is well");
