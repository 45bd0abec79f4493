"""What the functions of havoq's probe do: src/stack/probe/script.rs does the same on the sandbox."""

import json
import os
import time


def handler(event, context):
    if event == {"havoq": "there?"}:
        return {"havoq": "here"}
    script = os.environ["HAVOQ_PROBE"]
    records = event.get("Records", [])
    bad = [record for record in records if record["body"] == "bad"]
    if script == "raise" or (script == "raise-on-bad" and bad):
        raise ValueError("the probe said so")
    if script == "report-bad":
        return {"batchItemFailures": [{"itemIdentifier": record["messageId"]} for record in bad]}
    if script == "says":
        return json.loads(os.environ["HAVOQ_PROBE_SAYS"])
    if script == "sleep":
        time.sleep(30)
    if script == "exit":
        os._exit(1)
    if script.startswith("judge-") and not all(sound(script, record) for record in records):
        raise ValueError("the event is not as it should be")
    return event


ATTRIBUTES = ("ApproximateReceiveCount", "SentTimestamp", "SenderId", "ApproximateFirstReceiveTimestamp")
COLOUR = {"stringValue": "red", "stringListValues": [], "binaryListValues": [], "dataType": "String"}


def sound(script, record):
    if script == "judge-source":
        text = ("messageId", "receiptHandle", "body", "md5OfBody", "eventSourceARN", "awsRegion")
        return record.get("eventSource") == "aws:sqs" and all(isinstance(record.get(name), str) for name in text)
    if script == "judge-attributes":
        return all(isinstance(record["attributes"].get(name), str) for name in ATTRIBUTES)
    return record["messageAttributes"].get("colour") == COLOUR and "md5OfMessageAttributes" in record
