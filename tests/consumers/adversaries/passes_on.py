"""Acknowledges each order once it is in a queue of its own, and takes eight seconds over it there, in a
thread that forgets what it has charged."""

import threading
import time

from common import charge, delete, order_of, receive, sqs

OWN = sqs.create_queue(QueueName="own", Attributes={"VisibilityTimeout": "10"})["QueueUrl"]


def work():
    while True:
        answer = sqs.receive_message(QueueUrl=OWN, WaitTimeSeconds=20)
        for message in answer.get("Messages", []):
            time.sleep(8)
            charge(order_of(message), idempotent=False)
            sqs.delete_message(QueueUrl=OWN, ReceiptHandle=message["ReceiptHandle"])


for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
while True:
    for message in receive():
        sqs.send_message(QueueUrl=OWN, MessageBody=message["Body"])
        delete(message)
