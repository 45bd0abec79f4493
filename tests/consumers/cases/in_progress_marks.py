"""Marks each order as in progress, in wall-clock time, charges it and marks it as done.

Another try of an order in progress is refused until the mark lapses, IN_PROGRESS seconds later.
"""

import json
import os
import pathlib
import time
import urllib.request

import boto3

QUEUE = os.environ["HAVOQ_QUEUE_URL"]
SINK = os.environ["HAVOQ_EFFECT_CHARGES_URL"]
MARKS = pathlib.Path(os.environ["HAVOQ_STATE_DIR"])
LAPSES = float(os.environ["IN_PROGRESS"])

sqs = boto3.client("sqs")


def charge(order):
    body = json.dumps({"orderId": order}).encode()
    headers = {"Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(SINK, data=body, headers=headers)).read()


def handle(order):
    file = MARKS / order
    mark = json.loads(file.read_text()) if file.exists() else None
    if mark and mark["status"] == "done":
        return
    if mark and mark["lapses"] > time.time():
        raise RuntimeError(f"{order} is already in progress")
    file.write_text(json.dumps({"status": "in progress", "lapses": time.time() + LAPSES}))
    charge(order)
    file.write_text(json.dumps({"status": "done"}))


while True:
    answer = sqs.receive_message(QueueUrl=QUEUE, MaxNumberOfMessages=1, WaitTimeSeconds=20)
    for message in answer.get("Messages", []):
        try:
            handle(json.loads(message["Body"])["data"]["orderId"])
        except (RuntimeError, ValueError, KeyError, TypeError) as error:
            print("left in the queue:", error, flush=True)
            continue
        sqs.delete_message(QueueUrl=QUEUE, ReceiptHandle=message["ReceiptHandle"])
