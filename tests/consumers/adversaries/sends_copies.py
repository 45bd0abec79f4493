"""Sends each order on to its own queue once, and charges the copy twice."""

import json

from common import QUEUE, charge, delete, receive, sqs

while True:
    for message in receive(most=1):
        body = json.loads(message["Body"])
        if body.get("copied"):
            charge(body["data"]["orderId"], idempotent=False)
            charge(body["data"]["orderId"], idempotent=False)
        else:
            sqs.send_message(QueueUrl=QUEUE, MessageBody=json.dumps({**body, "copied": True}))
        delete(message)
