"""A consumer that speaks the Query protocol, as SDKs did before SQS had JSON."""

import json
import os
import urllib.parse
import urllib.request
import xml.etree.ElementTree as xml

QUEUE = os.environ["HAVOQ_QUEUE_URL"]
SINK = os.environ["HAVOQ_EFFECT_CHARGES_URL"]
SPACE = "{http://queue.amazonaws.com/doc/2012-11-05/}"


def post(url, body, content_type, **headers):
    headers = {"Content-Type": content_type, **headers}
    with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=60) as answer:
        return answer.read()


def call(action, **parameters):
    form = urllib.parse.urlencode({"Action": action, "Version": "2012-11-05", **parameters})
    return xml.fromstring(post(QUEUE, form.encode(), "application/x-www-form-urlencoded"))


def charge(order):
    body = json.dumps({"orderId": order}).encode()
    post(SINK, body, "application/json", **{"Idempotency-Key": order})


while True:
    answer = call("ReceiveMessage", MaxNumberOfMessages=10, WaitTimeSeconds=20)
    done = {}
    for number, message in enumerate(answer.iter(f"{SPACE}Message"), start=1):
        try:
            charge(json.loads(message.find(f"{SPACE}Body").text)["data"]["orderId"])
        except (ValueError, KeyError, TypeError) as error:
            print("left in the queue:", error, flush=True)
            continue
        entry = f"DeleteMessageBatchRequestEntry.{number}"
        done[f"{entry}.Id"] = f"m{number}"
        done[f"{entry}.ReceiptHandle"] = message.find(f"{SPACE}ReceiptHandle").text
    if done:
        call("DeleteMessageBatch", **done)
