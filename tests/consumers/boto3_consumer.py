"""An idempotent consumer on boto3: nothing in it knows of havoq but the two URLs."""

import json
import os
import urllib.request

import boto3

QUEUE = os.environ["HAVOQ_QUEUE_URL"]
SINK = os.environ["HAVOQ_EFFECT_CHARGES_URL"]

sqs = boto3.client("sqs")


def charge(order_id):
    request = urllib.request.Request(
        SINK,
        data=json.dumps({"orderId": order_id}).encode(),
        headers={"Content-Type": "application/json", "Idempotency-Key": order_id},
    )
    urllib.request.urlopen(request).read()


while True:
    answer = sqs.receive_message(QueueUrl=QUEUE, MaxNumberOfMessages=10, WaitTimeSeconds=20)
    for message in answer.get("Messages", []):
        try:
            charge(json.loads(message["Body"])["data"]["orderId"])
        except (ValueError, KeyError, TypeError) as error:
            print("left in the queue:", error, flush=True)
            continue
        sqs.delete_message(QueueUrl=QUEUE, ReceiptHandle=message["ReceiptHandle"])
