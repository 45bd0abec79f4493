"""What the adversaries share: a queue, a sink, and what an order is. Nothing in it knows of havoq but the two URLs."""

import json
import os
import urllib.request

import boto3

QUEUE = os.environ["HAVOQ_QUEUE_URL"]
SINK = os.environ["HAVOQ_EFFECT_CHARGES_URL"]

sqs = boto3.client("sqs")


def receive(most=10):
    answer = sqs.receive_message(QueueUrl=QUEUE, MaxNumberOfMessages=most, WaitTimeSeconds=20)
    return answer.get("Messages", [])


def order_of(message):
    """The order's id, or None when the message is no order."""
    try:
        return json.loads(message["Body"])["data"]["orderId"]
    except (ValueError, KeyError, TypeError) as error:
        print("left in the queue:", error, flush=True)
        return None


def charge(order, idempotent=True):
    headers = {"Content-Type": "application/json"}
    if idempotent:
        headers["Idempotency-Key"] = order
    body = json.dumps({"orderId": order}).encode()
    urllib.request.urlopen(urllib.request.Request(SINK, data=body, headers=headers)).read()


def delete(message):
    sqs.delete_message(QueueUrl=QUEUE, ReceiptHandle=message["ReceiptHandle"])


def extend(message, seconds):
    sqs.change_message_visibility(
        QueueUrl=QUEUE, ReceiptHandle=message["ReceiptHandle"], VisibilityTimeout=seconds
    )
