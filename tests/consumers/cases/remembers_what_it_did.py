"""Charges each order once, as far as its own memory goes, and ignores the message when it comes again."""

import json
import os
import urllib.request

import boto3

QUEUE = os.environ["HAVOQ_QUEUE_URL"]
SINK = os.environ["HAVOQ_EFFECT_CHARGES_URL"]

sqs = boto3.client("sqs")
done = set()

while True:
    for message in sqs.receive_message(QueueUrl=QUEUE, WaitTimeSeconds=20).get("Messages", []):
        order = json.loads(message["Body"])["data"]["orderId"]
        if order in done:
            print("has been done:", order, flush=True)
            continue
        body, headers = json.dumps({"orderId": order}).encode(), {"Content-Type": "application/json"}
        urllib.request.urlopen(urllib.request.Request(SINK, data=body, headers=headers)).read()
        done.add(order)
        sqs.delete_message(QueueUrl=QUEUE, ReceiptHandle=message["ReceiptHandle"])
