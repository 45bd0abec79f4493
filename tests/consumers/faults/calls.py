"""Makes calls on boto3, and tells in a line of JSON each what came of them.

    calls.py SCENE...

A message in its first queue says that all faults are armed. The scenes then run side by side, each
on a queue of its own.
"""

import email.utils
import json
import os
import sys
import threading
import time

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError


def client(attempts, patience):
    retries = {"mode": "standard", "total_max_attempts": attempts}
    return boto3.client("sqs", config=Config(retries=retries, read_timeout=patience, max_pool_connections=50))


patient, once, hasty = client(3, 60), client(1, 60), client(1, 1)


def url(queue):
    return os.environ[f"HAVOQ_QUEUE_{queue.upper()}_URL"]


def told(call, **parameters):
    """What a caller sees: retries and the answer, or the exception."""
    try:
        answer = call(**parameters)
    except ClientError as error:
        told = error.response["ResponseMetadata"]
        code, status = error.response["Error"]["Code"], told["HTTPStatusCode"]
        return {"raised": type(error).__name__, "code": code, "status": status, "retries": told["RetryAttempts"]}
    except Exception as error:
        return {"raised": type(error).__name__}
    return {"retries": answer["ResponseMetadata"]["RetryAttempts"], "md5": answer.get("MD5OfMessageBody")}


def send(by, queue):
    return told(by.send_message, QueueUrl=url(queue), MessageBody="hello")


def look(queue, by=once):
    return told(by.get_queue_attributes, QueueUrl=url(queue), AttributeNames=["QueueArn"])


def depth(queue):
    asked = {"QueueUrl": url(queue), "AttributeNames": ["ApproximateNumberOfMessages"]}
    return int(patient.get_queue_attributes(**asked)["Attributes"]["ApproximateNumberOfMessages"])


def receive(queue, most=1, wait=0):
    answer = patient.receive_message(
        QueueUrl=url(queue), MaxNumberOfMessages=most, WaitTimeSeconds=wait, AttributeNames=["ApproximateReceiveCount"]
    )
    return answer.get("Messages", [])


def take(queue, count=1):
    """Polls until it has so many."""
    taken = []
    while len(taken) < count:
        taken += receive(queue, count, 20)
    return taken


def delete(queue, message):
    return told(patient.delete_message, QueueUrl=url(queue), ReceiptHandle=message["ReceiptHandle"])


def marker(message):
    """Without the part that is of this run."""
    return json.loads(message["Body"])["id"].rpartition("-")[0]


def shown(message):
    return [marker(message), int(message["Attributes"]["ApproximateReceiveCount"])]


# Faults of calls.


def error():
    return [look("Error"), send(patient, "Error"), depth("Error")]


def throttle():
    return [send(once, "Throttle"), send(patient, "Throttle"), depth("Throttle")]


def denied():
    return [send(patient, "Denied"), depth("Denied")]


def latency():
    began = time.monotonic()
    return [send(once, "Latency"), time.monotonic() - began]


def reset():
    return [send(once, "Reset"), depth("Reset"), send(patient, "Reset"), depth("Reset")]


def timeout():
    return [send(hasty, "Timeout"), depth("Timeout")]


def lost_response():
    return [send(patient, "Lost"), depth("Lost")]


def failed_entries():
    entries = [{"Id": name, "MessageBody": name} for name in "abc"]
    answer = once.send_message_batch(QueueUrl=url("Failed"), Entries=entries)
    failed = [[entry["Id"], entry["Code"], entry["SenderFault"]] for entry in answer["Failed"]]
    return [failed, answer.get("Successful", []), depth("Failed")]


def clock_skew():
    answer = once.get_queue_attributes(QueueUrl=url("Skew"))
    date = email.utils.parsedate_to_datetime(answer["ResponseMetadata"]["HTTPHeaders"]["date"])
    return date.timestamp() - time.time()


# How often.


def every():
    return [look("Every").get("code") for _ in range(4)]


def first():
    return [look("First").get("code") for _ in range(3)]


def chance():
    return [look("Chance").get("code") for _ in range(20)]


def window():
    began, codes = time.time(), []
    while not codes or codes[-1]:
        codes.append(told(once.receive_message, QueueUrl=url("Window")).get("code"))
        time.sleep(0.1)
    return [codes, time.time() - began]


def mine():
    return look("Mine")


def rules():
    return told(once.list_queue_tags, QueueUrl=url("Every"))


# Faults of deliveries.


def twice():
    """The second comes while the first is hidden."""
    taken = take("Twice") + take("Twice")
    deleted = [delete("Twice", message) for message in taken]
    return [[shown(message) for message in taken], deleted]


def late():
    [message] = take("Late")
    return [shown(message), delete("Late", message)]


def lost_receive():
    nothing = receive("Unseen")
    [message] = take("Unseen")
    delete("Unseen", message)
    return [nothing, shown(message)]


def empty_receive():
    nothing = receive("Empty")
    [message] = take("Empty")
    delete("Empty", message)
    return [nothing, shown(message)]


def short_batch():
    """Three are there."""
    short = receive("Short", 10)
    rest = take("Short", 3 - len(short))
    for message in short + rest:
        delete("Short", message)
    return [len(short), len({marker(message) for message in short + rest})]


def reorder():
    """Twice the same order, as they were neither deleted nor sent in another."""
    sent = [marker(message) for message in take("Order", 3)]
    again = take("Order", 3)
    for message in again:
        delete("Order", message)
    return [sent, [marker(message) for message in again]]


def swallow():
    [before] = take("Swallow")
    swallowed = delete("Swallow", before)
    [after] = take("Swallow")
    return [shown(before), swallowed, shown(after), delete("Swallow", after)]


def failed_of_a_label():
    messages = {message["MessageId"]: message for message in take("Entries", 3)}
    entries = [{"Id": key, "ReceiptHandle": message["ReceiptHandle"]} for key, message in messages.items()]
    answer = once.delete_message_batch(QueueUrl=url("Entries"), Entries=entries)
    failed = [marker(messages[entry["Id"]]) for entry in answer["Failed"]]
    [again] = take("Entries")
    delete("Entries", again)
    return [failed, len(answer["Successful"]), shown(again)]


def play(name):
    try:
        outcome = globals()[name]()
    except Exception as error:
        outcome = f"{type(error).__name__}: {error}"
    # In one piece, since others tell theirs at the same time.
    os.write(1, f"{json.dumps({name: outcome})}\n".encode())


start = os.environ["HAVOQ_QUEUE_URL"]
while not (go := patient.receive_message(QueueUrl=start, WaitTimeSeconds=20).get("Messages")):
    pass
patient.delete_message(QueueUrl=start, ReceiptHandle=go[0]["ReceiptHandle"])
scenes = [threading.Thread(target=play, args=[name]) for name in sys.argv[1:]]
for scene in scenes:
    scene.start()
for scene in scenes:
    scene.join()
