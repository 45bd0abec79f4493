"""A function that charges each order, with manners that its environment variables choose:

POISON=raise|report   what an invalid order comes to
WORK=seconds          how long an order takes, before its charge
THEN=hang|crash       what comes after the first charge
REPORT=all            reports every message as failed
ANSWER=json           what it returns, whatever happened
"""

import json
import os
import time
import urllib.request


def manner(name):
    return os.environ.get(name, "")


def charge(order):
    body = json.dumps({"orderId": order}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["HAVOQ_EFFECT_CHARGES_URL"], body, headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        answer.read()


def handle(event, context):
    failures = []
    for record in event["Records"]:
        try:
            order = json.loads(record["body"])["data"]["orderId"]
        except (ValueError, KeyError, TypeError):
            if manner("POISON") != "report":
                raise
            failures.append({"itemIdentifier": record["messageId"]})
            continue
        time.sleep(float(manner("WORK") or 0))
        charge(order)
        if manner("THEN") == "hang":
            time.sleep(3600)
        if manner("THEN") == "crash":
            os._exit(7)
        if manner("REPORT") == "all":
            failures.append({"itemIdentifier": record["messageId"]})
    return json.loads(manner("ANSWER")) if manner("ANSWER") else {"batchItemFailures": failures}
