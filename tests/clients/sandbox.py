"""What boto3 does with a sandbox: a topic that fans out, an alarm that notifies, FIFO queues.

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
sqs, sns, cloudwatch, sts = (boto3.client(name, **HOME) for name in ("sqs", "sns", "cloudwatch", "sts"))


def advance(by):
    body = json.dumps({"by": by}).encode()
    urllib.request.urlopen(urllib.request.Request(f"{ENDPOINT}/_havoq/clock/advance", body)).read()


def queue(name, **attributes):
    url = sqs.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    return url, arn


def receive(url, **more):
    return sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, **more).get("Messages", [])


def allow(url, arn, topic):
    statement = {
        "Effect": "Allow",
        "Principal": {"Service": "sns.amazonaws.com"},
        "Action": "sqs:SendMessage",
        "Resource": arn,
        "Condition": {"ArnEquals": {"aws:SourceArn": topic}},
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

# Errors have the codes that code for AWS catches.
for failing, code in (
    (lambda: sqs.get_queue_url(QueueName="none"), "AWS.SimpleQueueService.NonExistentQueue"),
    (lambda: sns.publish(TopicArn=f"{topic}-none", Message="x"), "NotFound"),
    (lambda: cloudwatch.set_alarm_state(AlarmName="none", StateValue="OK", StateReason="x"), "ResourceNotFound"),
):
    try:
        failing()
    except ClientError as error:
        assert error.response["Error"]["Code"] == code, error.response
    else:
        raise AssertionError(f"{code} was expected")
print("all is well")
