"""A consumer on the standard library alone, with manners to choose from.

    plain.py [manner]...

It takes one message at a time, makes its effect and deletes it. A manner comes before that.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

ENDPOINT = os.environ["AWS_ENDPOINT_URL"]
QUEUE = os.environ["HAVOQ_QUEUE_URL"]
EFFECT = os.environ.get("HAVOQ_EFFECT_CHARGES_URL")
TAP = (urllib.parse.urlsplit(ENDPOINT).hostname, urllib.parse.urlsplit(ENDPOINT).port)
ending = threading.Event()


def say(*words):
    print(*words, flush=True)


def post(url, body, headers):
    request = urllib.request.Request(url, body, headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def call(operation, service="AmazonSQS", **parameters):
    headers = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": f"{service}.{operation}"}
    return post(ENDPOINT, json.dumps(parameters).encode(), headers)


def consume():
    while not ending.is_set():
        status, body = call("ReceiveMessage", QueueUrl=QUEUE, WaitTimeSeconds=1)
        for message in json.loads(body or b"{}").get("Messages", []):
            order = json.loads(message["Body"])["data"]["orderId"]
            effect = json.dumps({"orderId": order}).encode()
            if EFFECT:
                post(EFFECT, effect, {"Content-Type": "application/json", "Idempotency-Key": order})
            call("DeleteMessage", QueueUrl=QUEUE, ReceiptHandle=message["ReceiptHandle"])


def raw(*pieces):
    tap = socket.create_connection(TAP)
    for piece in pieces:
        tap.sendall(piece)
    return tap


def request(path, body, *headers):
    lines = [f"POST {path} HTTP/1.1", "Host: tap", "Content-Type: application/x-amz-json-1.0", *headers]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode(), body


def aws(operation, **parameters):
    return request("/", json.dumps(parameters).encode(), f"X-Amz-Target: AmazonSQS.{operation}")


def effects_and_away():
    """Each request is written whole, and nobody waits for its answer."""
    path = urllib.parse.urlsplit(EFFECT).path
    for number in range(50):
        raw(*request(path, json.dumps({"orderId": f"away-{number}"}).encode())).close()


def deletes_and_away():
    for number in range(50):
        raw(*aws("DeleteMessage", QueueUrl=QUEUE, ReceiptHandle=f"away-{number}")).close()


def parked_polls():
    global held
    held = [raw(*aws("ReceiveMessage", QueueUrl=QUEUE, WaitTimeSeconds=20)) for _ in range(9)]


def slow_bodies():
    head, body = request("/", b"{}", "X-Amz-Target: AmazonSQS.ListQueues", "Expect: 100-continue")
    tap = raw(head)
    say("continue", tap.recv(4096).split()[1].decode())
    tap.sendall(body)
    say("expected", tap.recv(4096).split()[1].decode())
    lines = b"POST / HTTP/1.1\r\nHost: tap\r\nX-Amz-Target: AmazonSQS.ListQueues\r\nTransfer-Encoding: chunked\r\n"
    tap.sendall(lines + b"\r\n1\r\n{\r\n")
    tap.sendall(b"1\r\n}\r\n0\r\n\r\n")
    say("chunked", tap.recv(4096).split()[1].decode())


def graceful():
    signal.signal(signal.SIGTERM, lambda *_: ending.set())


def deaf():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def half_body():
    raw(b"POST / HTTP/1.1\r\nHost: tap\r\nX-Amz-Target: AmazonSQS.SendMessage\r\nContent-Length: 1000\r\n\r\n", b"{")
    # The tap must have it before the process dies.
    time.sleep(0.2)
    os._exit(7)


def connections():
    global held
    held = [raw() for _ in range(500)]
    say("connections", len(held))


def garbage():
    for bytes_ in (b"\x16\x03\x01\x02\x00\xff\xfe" * 50, b"GET\r\n\r\n", b"POST / HTTP/9.9\r\n\r\n", b"\r\n" * 99):
        tap = raw(bytes_)
        tap.shutdown(socket.SHUT_WR)
        while tap.recv(4096):
            pass
    say("garbage sent")


def huge():
    status, body = call("SendMessage", QueueUrl=QUEUE, MessageBody="x" * (20 << 20))
    say("huge", status, body.decode())


def unknown():
    say("service", call("PutItem", service="DynamoDB_20120810", TableName="t", Item={})[0])
    say("operation", call("FlyAway", QueueUrl=QUEUE)[0])
    say("nonsense", post(ENDPOINT, b"hello", {"X-Amz-Target": "..", "Content-Type": "text/odd"})[0])
    say("query", post(ENDPOINT, b"Action=Fly&Version=1", {"Content-Type": "application/x-www-form-urlencoded"})[0])
    say("path", post(ENDPOINT + "/no/such/path", b"", {})[0])


def batches():
    """Looks now and then, takes ten at a time, and deletes what it has done all at once."""
    while True:
        time.sleep(0.3)
        _, body = call("ReceiveMessage", QueueUrl=QUEUE, MaxNumberOfMessages=10)
        messages = json.loads(body or b"{}").get("Messages", [])
        for message in messages:
            order = json.loads(message["Body"])["data"]["orderId"]
            post(EFFECT, json.dumps({"orderId": order}).encode(), {"Idempotency-Key": order})
        if messages:
            entries = [{"Id": str(at), "ReceiptHandle": one["ReceiptHandle"]} for at, one in enumerate(messages)]
            call("DeleteMessageBatch", QueueUrl=QUEUE, Entries=entries)


def daemon():
    """The work is done by a process that has left group, session and parent."""
    command = [sys.executable, os.path.abspath(__file__)]
    subprocess.run(["sh", "-c", "setsid \"$@\" & exit 0", "sh", *command], check=True)
    while True:
        signal.pause()


MANNERS = {name.replace("_", "-"): manner for name, manner in list(globals().items()) if callable(manner)}

if __name__ == "__main__":
    for name in sys.argv[1:]:
        MANNERS[name]()
    consume()
