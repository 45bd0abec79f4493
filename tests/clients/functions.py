"""What boto3 does with functions of a sandbox.

    functions.py ENDPOINT FOLDER
"""

import io
import json
import pathlib
import sys
import time
import zipfile

import boto3

ENDPOINT, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
HOME = dict(endpoint_url=ENDPOINT, region_name="eu-west-1")
functions, sqs = (boto3.client(name, **HOME) for name in ("lambda", "sqs"))

CODE = """
import os, time
import boto3


def handle(event, context):
    if event.get("raise"):
        raise ValueError("no")
    if event.get("exit"):
        os._exit(3)
    if event.get("hang"):
        time.sleep(60)
    if event.get("send"):
        boto3.client("sqs").send_message(QueueUrl=event["send"], MessageBody="from the function")
    return {"event": event, "name": os.environ["AWS_LAMBDA_FUNCTION_NAME"], "mine": os.environ["MINE"],
            "pid": os.getpid(), "left": context.get_remaining_time_in_millis()}
"""


def archive(files):
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, text in files.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = 0o755 << 16
            zipped.writestr(info, text)
    return whole.getvalue()


def invoke(**event):
    answer = functions.invoke(FunctionName="f", Payload=json.dumps(event))
    return answer.get("FunctionError"), json.loads(answer["Payload"].read())


functions.create_function(
    FunctionName="f",
    Runtime="python3.11",
    Role="arn:aws:iam::000000000000:role/f",
    Handler="app.handle",
    Timeout=5,
    Code={"ZipFile": archive({"app.py": CODE})},
    Environment={
        "Variables": {"MINE": "yes", "HAVOQ_FUNCTION_COMMAND": f"{sys.executable} -m awslambdaric app.handle"}
    },
)
functions.get_waiter("function_active_v2").wait(FunctionName="f")
error, first = invoke(a=1)
assert error is None and first["event"] == {"a": 1}, (error, first)
assert (first["name"], first["mine"]) == ("f", "yes") and 0 < first["left"] <= 5000, first
_, second = invoke(a=2)
assert second["pid"] == first["pid"], "a warm environment is used again"

error, raised = invoke(**{"raise": True})
assert error == "Unhandled" and raised["errorType"] == "ValueError", (error, raised)
_, third = invoke()
assert third["pid"] == first["pid"], "an error does not end the environment"

error, ended = invoke(exit=True)
assert error == "Unhandled" and ended["errorType"] == "Runtime.ExitError", (error, ended)
assert ended["errorMessage"].endswith("Runtime exited with error: exit status 3"), ended
functions.update_function_configuration(FunctionName="f", Timeout=1)
error, hung = invoke(hang=True)
assert error == "Unhandled" and hung["errorMessage"].endswith("Task timed out after 1.00 seconds"), hung

functions.update_function_configuration(FunctionName="f", Timeout=5)
url = sqs.create_queue(QueueName="out")["QueueUrl"]
functions.invoke(FunctionName="f", InvocationType="Event", Payload=json.dumps({"send": url}))
sent = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=20).get("Messages", [])
assert [message["Body"] for message in sent] == ["from the function"], sent

source = sqs.create_queue(QueueName="in", Attributes={"VisibilityTimeout": "30"})["QueueUrl"]
arn = sqs.get_queue_attributes(QueueUrl=source, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
functions.create_function(
    FunctionName="plain",
    Runtime="provided.al2023",
    Role="arn:aws:iam::000000000000:role/f",
    Handler="app.handle",
    Code={
        "ZipFile": archive({
            "bootstrap": f"#!/bin/sh\nexec {sys.executable} {FOLDER}/bootstrap.py app.handle\n",
            "app.py": "def handle(event, context):\n    return {}\n",
        })
    },
)
functions.create_event_source_mapping(FunctionName="plain", EventSourceArn=arn)
sqs.send_message(QueueUrl=source, MessageBody="work")
for _ in range(200):
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    left = sqs.get_queue_attributes(QueueUrl=source, AttributeNames=names)["Attributes"]
    if set(left.values()) == {"0"}:
        break
    time.sleep(0.1)
assert set(left.values()) == {"0"}, left
print("all is well")
