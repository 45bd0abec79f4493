"""Takes all that comes into a dead-letter queue at once, as an archiving job does."""

import json
import os
import urllib.request

ENDPOINT = os.environ["AWS_ENDPOINT_URL"]
QUEUE = os.environ["HAVOQ_QUEUE_URL"]


def call(operation, **parameters):
    headers = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": f"AmazonSQS.{operation}"}
    body = json.dumps({"QueueUrl": QUEUE, **parameters}).encode()
    with urllib.request.urlopen(urllib.request.Request(ENDPOINT, body, headers), timeout=60) as answer:
        return json.loads(answer.read() or b"{}")


while True:
    for message in call("ReceiveMessage", WaitTimeSeconds=20, MaxNumberOfMessages=10).get("Messages", []):
        call("DeleteMessage", ReceiptHandle=message["ReceiptHandle"])
