"""Charges each order once an hour: its idempotency record expires by its own wall clock. It speaks
SQS with the standard library alone."""

import json
import os
import pathlib
import time
import urllib.request

QUEUE = os.environ["HAVOQ_QUEUE_URL"]
SINK = os.environ["HAVOQ_EFFECT_CHARGES_URL"]
RECORDS = pathlib.Path(os.environ["HAVOQ_STATE_DIR"]) / "records.json"
WINDOW = 3600


def post(url, body, headers):
    request = urllib.request.Request(url, data=json.dumps(body).encode(), headers=headers)
    return urllib.request.urlopen(request).read()


def sqs(operation, **parameters):
    headers = {"X-Amz-Target": "AmazonSQS." + operation, "Content-Type": "application/x-amz-json-1.0"}
    answer = post(os.environ["AWS_ENDPOINT_URL"], {"QueueUrl": QUEUE, **parameters}, headers)
    return json.loads(answer or b"{}")


def is_new(order):
    records = json.loads(RECORDS.read_text()) if RECORDS.exists() else {}
    now = time.time()
    fresh = now - records.get(order, 0) > WINDOW
    if fresh:
        RECORDS.write_text(json.dumps({**records, order: now}))
    return fresh


while True:
    for message in sqs("ReceiveMessage", MaxNumberOfMessages=10, WaitTimeSeconds=20).get("Messages", []):
        order = json.loads(message["Body"])["data"]["orderId"]
        if is_new(order):
            post(SINK, {"orderId": order}, {"Content-Type": "application/json"})
        sqs("DeleteMessage", ReceiptHandle=message["ReceiptHandle"])
