"""What boto3 does with a sandbox: a topic that fans out, an alarm that notifies, FIFO queues, rules, a table.

    sandbox.py ENDPOINT
"""

import datetime
import json
import sys
import urllib.request

import boto3
from botocore.exceptions import ClientError

ENDPOINT = sys.argv[1]
HOME = dict(
    endpoint_url=ENDPOINT, region_name="eu-west-1", aws_access_key_id="111111111111", aws_secret_access_key="x"
)
NAMES = ("sqs", "sns", "cloudwatch", "sts", "events", "dynamodb", "scheduler", "pipes")
sqs, sns, cloudwatch, sts, events, dynamodb, scheduler, pipes = (boto3.client(name, **HOME) for name in NAMES)


def advance(by):
    body = json.dumps({"by": by}).encode()
    urllib.request.urlopen(urllib.request.Request(f"{ENDPOINT}/_havoq/clock/advance", body)).read()


def queue(name, **attributes):
    url = sqs.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    return url, arn


def receive(url, **more):
    return sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, **more).get("Messages", [])


def allow(url, arn, source, service="sns"):
    statement = {
        "Effect": "Allow",
        "Principal": {"Service": f"{service}.amazonaws.com"},
        "Action": "sqs:SendMessage",
        "Resource": arn,
        "Condition": {"ArnEquals": {"aws:SourceArn": source}},
    }
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": policy})


assert sts.get_caller_identity()["Account"] == "111111111111"

# A topic: who may is sent to, who may not is not, and filters hold.
topic = sns.create_topic(Name="orders")["TopicArn"]
(allowed, allowed_arn), (denied, denied_arn), (dead, dead_arn) = queue("allowed"), queue("denied"), queue("dead")
allow(allowed, allowed_arn, topic)
allow(dead, dead_arn, topic)
filtered = json.dumps({"kind": ["order"], "amount": [{"numeric": [">", 10]}]})
sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=allowed_arn, Attributes={"FilterPolicy": filtered})
redrive = json.dumps({"deadLetterTargetArn": dead_arn})
sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=denied_arn, Attributes={"RedrivePolicy": redrive})
kind = {"DataType": "String", "StringValue": "order"}
for amount in ("5", "50"):
    attributes = {"kind": kind, "amount": {"DataType": "Number", "StringValue": amount}}
    published = sns.publish(TopicArn=topic, Message=f"for {amount}", MessageAttributes=attributes)
envelopes = [json.loads(message["Body"]) for message in receive(allowed)]
assert [envelope["Message"] for envelope in envelopes] == ["for 50"], envelopes
assert envelopes[0]["MessageId"] == published["MessageId"]
assert receive(denied) == []
assert len(receive(dead)) == 2
batch = sns.publish_batch(TopicArn=topic, PublishBatchRequestEntries=[{"Id": "a", "Message": "x"}])
assert [entry["Id"] for entry in batch["Successful"]] == ["a"]

# A FIFO queue: order, and the window of deduplication.
fifo, _ = queue("orders.fifo", FifoQueue="true", ContentBasedDeduplication="true")
for body in ("one", "two", "one"):
    sqs.send_message(QueueUrl=fifo, MessageBody=body, MessageGroupId="g")
assert [message["Body"] for message in receive(fifo)] == ["one", "two"]

# An alarm on a metric of one's own notifies a topic, whose queue tells of it.
pager = sns.create_topic(Name="pager")["TopicArn"]
calls, calls_arn = queue("calls")
allow(calls, calls_arn, pager)
sns.subscribe(TopicArn=pager, Protocol="sqs", Endpoint=calls_arn)
cloudwatch.put_metric_alarm(
    AlarmName="failures",
    Namespace="Shop",
    MetricName="Failures",
    Statistic="Sum",
    Period=60,
    EvaluationPeriods=1,
    Threshold=0,
    ComparisonOperator="GreaterThanThreshold",
    TreatMissingData="notBreaching",
    AlarmActions=[pager],
)
advance("120s")
assert cloudwatch.describe_alarms(AlarmNames=["failures"])["MetricAlarms"][0]["StateValue"] == "OK"
cloudwatch.put_metric_data(Namespace="Shop", MetricData=[{"MetricName": "Failures", "Value": 3}])
advance("60s")
[call] = receive(calls)
told = json.loads(json.loads(call["Body"])["Message"])
assert (told["AlarmName"], told["NewStateValue"], told["OldStateValue"]) == ("failures", "ALARM", "OK"), told
now = datetime.datetime.now(datetime.timezone.utc)
points = cloudwatch.get_metric_statistics(
    Namespace="Shop",
    MetricName="Failures",
    StartTime=now - datetime.timedelta(hours=1),
    EndTime=now + datetime.timedelta(hours=1),
    Period=60,
    Statistics=["Sum"],
)["Datapoints"]
assert [point["Sum"] for point in points] == [3.0], points

# A rule of a bus sends what it matches to a queue; one that may not be sent to is left to another.
bus = "shop"
events.create_event_bus(Name=bus)
pattern = json.dumps({"detail": {"amount": [{"numeric": [">", 10]}]}})
rule = events.put_rule(Name="orders", EventBusName=bus, EventPattern=pattern)["RuleArn"]
(caught, caught_arn), (unmay, unmay_arn), (lost, lost_arn) = queue("caught"), queue("unmay"), queue("lost")
allow(caught, caught_arn, rule, "events")
allow(lost, lost_arn, rule, "events")
targets = [
    {"Id": "caught", "Arn": caught_arn, "InputPath": "$.detail"},
    {"Id": "unmay", "Arn": unmay_arn, "DeadLetterConfig": {"Arn": lost_arn}},
]
assert events.put_targets(Rule="orders", EventBusName=bus, Targets=targets)["FailedEntryCount"] == 0
entries = [
    {"EventBusName": bus, "Source": "shop", "DetailType": "order", "Detail": detail}
    for detail in ('{"amount":50}', '{"amount":5}', "no JSON")
]
put = events.put_events(Entries=entries)
assert put["FailedEntryCount"] == 1 and put["Entries"][2]["ErrorCode"] == "MalformedDetail", put
advance("1s")
assert [message["Body"] for message in receive(caught)] == ['{"amount":50}']
[dropped] = receive(lost, MessageAttributeNames=["All"])
assert dropped["MessageAttributes"]["TARGET_ARN"]["StringValue"] == unmay_arn, dropped
assert json.loads(dropped["Body"])["id"] == put["Entries"][0]["EventId"]

# A table tells who was first.
dynamodb.create_table(
    TableName="seen",
    KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
    AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
    BillingMode="PAY_PER_REQUEST",
)
dynamodb.get_waiter("table_exists").wait(TableName="seen")
first = dict(
    TableName="seen",
    Item={"id": {"S": "m-1"}, "bytes": {"B": b"\x00\xff"}},
    ConditionExpression="attribute_not_exists(id)",
    ReturnValuesOnConditionCheckFailure="ALL_OLD",
)
dynamodb.put_item(**first)
try:
    dynamodb.put_item(**first)
except dynamodb.exceptions.ConditionalCheckFailedException as error:
    assert error.response["Item"] == first["Item"], error.response
else:
    raise AssertionError("a failed condition was expected")
assert dynamodb.get_item(TableName="seen", Key={"id": {"S": "m-1"}})["Item"] == first["Item"]

# A schedule and a pipe put what they have into queues.
(due, due_arn), (source, source_arn), (sink, sink_arn) = queue("due"), queue("source"), queue("sink")
role = "arn:aws:iam::111111111111:role/mover"
scheduler.create_schedule(
    Name="often",
    ScheduleExpression="rate(1 minutes)",
    FlexibleTimeWindow={"Mode": "OFF"},
    Target={"Arn": due_arn, "RoleArn": role, "Input": "due"},
)
pipes.create_pipe(
    Name="mover",
    Source=source_arn,
    Target=sink_arn,
    RoleArn=role,
    SourceParameters={"FilterCriteria": {"Filters": [{"Pattern": '{"body":{"a":[1]}}'}]}},
    TargetParameters={"InputTemplate": '{"moved": <$.body.a>}'},
)
assert pipes.describe_pipe(Name="mover")["CurrentState"] in ("CREATING", "RUNNING")
sqs.send_message(QueueUrl=source, MessageBody='{"a":1}')
advance("61s")
assert [message["Body"] for message in receive(due)][0] == "due"
assert [json.loads(message["Body"]) for message in receive(sink)] == [{"moved": 1}]
scheduler.delete_schedule(Name="often")
pipes.delete_pipe(Name="mover")

# Errors have the codes that code for AWS catches.
for failing, code in (
    (lambda: sqs.get_queue_url(QueueName="none"), "AWS.SimpleQueueService.NonExistentQueue"),
    (lambda: sns.publish(TopicArn=f"{topic}-none", Message="x"), "NotFound"),
    (lambda: events.describe_rule(Name="none"), "ResourceNotFoundException"),
    (lambda: dynamodb.get_item(TableName="none", Key={"id": {"S": "x"}}), "ResourceNotFoundException"),
    (lambda: cloudwatch.set_alarm_state(AlarmName="none", StateValue="OK", StateReason="x"), "ResourceNotFound"),
):
    try:
        failing()
    except ClientError as error:
        assert error.response["Error"]["Code"] == code, error.response
    else:
        raise AssertionError(f"{code} was expected")
print("all is well")
