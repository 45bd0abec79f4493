"""A stack that checks signatures, and clients with dummy credentials before a tap that signs anew.

prepare STACK   makes a user and a role there, turns the checks on, and prints their credentials.
check STACK TAP asks both, with credentials that mean nothing.
"""

import json
import sys
import urllib.error
import urllib.request

import boto3
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

ALLOW = json.dumps(
    {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
)
TRUST = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}],
    }
)


def client(service, url, key="dummy", secret="dummy", token=None, region="eu-west-1"):
    return boto3.client(
        service,
        endpoint_url=url,
        region_name=region,
        aws_access_key_id=key,
        aws_secret_access_key=secret,
        aws_session_token=token,
        config=Config(retries={"total_max_attempts": 1}),
    )


def prepare(stack):
    iam = client("iam", stack)
    iam.create_user(UserName="u")
    iam.put_user_policy(UserName="u", PolicyName="p", PolicyDocument=ALLOW)
    key = iam.create_access_key(UserName="u")["AccessKey"]
    role = iam.create_role(RoleName="r", AssumeRolePolicyDocument=TRUST)["Role"]["Arn"]
    iam.put_role_policy(RoleName="r", PolicyName="p", PolicyDocument=ALLOW)
    user = {"key": key["AccessKeyId"], "secret": key["SecretAccessKey"], "token": ""}
    sts = client("sts", stack, user["key"], user["secret"])
    taken = sts.assume_role(RoleArn=role, RoleSessionName="session")["Credentials"]
    role = {"key": taken["AccessKeyId"], "secret": taken["SecretAccessKey"], "token": taken["SessionToken"]}
    checks = urllib.request.Request(stack + "/moto-api/reset-auth", b"0", {"Content-Type": "text/plain"})
    urllib.request.urlopen(checks)
    alter(stack, user)
    print(json.dumps({"user": user, "role": role}))


def alter(stack, user):
    """The stack looks at the body too, so what passes it was signed with the body that it came with."""
    for sent, status in [('{"MaxResults": 1}', 200), ('{"MaxResults": 2}', 403)]:
        headers = {"X-Amz-Target": "AmazonSQS.ListQueues", "Content-Type": "application/x-amz-json-1.0"}
        request = AWSRequest("POST", stack + "/", headers, '{"MaxResults": 1}')
        SigV4Auth(Credentials(user["key"], user["secret"]), "sqs", "us-east-1").add_auth(request)
        headers = dict(request.prepare().headers)
        headers.pop("Content-Length", None)
        try:
            got = urllib.request.urlopen(urllib.request.Request(stack + "/", sent.encode(), headers)).status
        except urllib.error.HTTPError as error:
            got = error.code
        assert got == status, (sent, got)


def refused(call, word):
    try:
        call()
    except ClientError as error:
        assert word in str(error), error
        return
    raise AssertionError("it was not refused")


def check(stack, tap):
    refused(lambda: client("sqs", stack).create_queue(QueueName="q"), "InvalidClientTokenId")
    refused(lambda: client("sns", stack).create_topic(Name="t"), "InvalidClientTokenId")
    for region in ["eu-west-1", "us-east-1"]:
        sqs = client("sqs", tap, region=region, token="dummy")
        url = sqs.create_queue(QueueName="q", tags={"where": region})["QueueUrl"]
        assert url.startswith(tap + "/"), url
        assert sqs.get_queue_url(QueueName="q")["QueueUrl"] == url
        assert sqs.list_queues()["QueueUrls"] == [url]
        body = "a \u20ac {} %s" % tap
        sqs.send_message(QueueUrl=url, MessageBody=body)
        received = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=1)["Messages"]
        assert [message["Body"] for message in received] == [body], received
        sqs.delete_message(QueueUrl=url, ReceiptHandle=received[0]["ReceiptHandle"])
        assert sqs.list_queue_tags(QueueUrl=url)["Tags"]["where"] == region, "the region is the client's"
        sns = client("sns", tap, region=region)
        topic = sns.create_topic(Name="t")["TopicArn"]
        assert region in topic, topic
        queue = topic.replace(":sns:", ":sqs:").replace(":t", ":q")
        sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=queue, Attributes={"RawMessageDelivery": "true"})
        sns.publish(TopicArn=topic, Message="+&= \u20ac")
        received = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=1)["Messages"]
        assert [message["Body"] for message in received] == ["+&= \u20ac"], received
    events = client("events", tap)
    assert events.list_event_buses()["EventBuses"], "a bus"
    presigned = client("sqs", tap).generate_presigned_url("list_queues")
    try:
        urllib.request.urlopen(presigned)
        raise AssertionError("it was not refused")
    except urllib.error.HTTPError as error:
        told = error.read().decode()
        assert error.code == 403 and "signed in its address" in told, told
    refused(lambda: client("s3", tap).list_buckets(), "AWS_ENDPOINT_URL_SQS")
    print("all is well")


{"prepare": prepare, "check": check}[sys.argv[1]](*sys.argv[2:])
