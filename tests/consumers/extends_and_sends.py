"""Takes a message, asks for a minute more, passes its order on to the queue Out and deletes it."""

import json
import os

from plain import QUEUE, call

OUT = os.environ["HAVOQ_QUEUE_OUT_URL"]

while True:
    _, body = call("ReceiveMessage", QueueUrl=QUEUE, WaitTimeSeconds=20)
    for message in json.loads(body or b"{}").get("Messages", []):
        handle = {"QueueUrl": QUEUE, "ReceiptHandle": message["ReceiptHandle"]}
        call("ChangeMessageVisibility", VisibilityTimeout=60, **handle)
        call("SendMessage", QueueUrl=OUT, MessageBody=json.loads(message["Body"])["data"]["orderId"])
        call("DeleteMessage", **handle)
