"""A function that a topic calls: it says so in its log, after WORK seconds."""

import os
import time


def handle(event, context):
    time.sleep(float(os.environ.get("WORK") or 0))
    for record in event["Records"]:
        print("told:", record["Sns"]["Message"], flush=True)
