"""Mixed calls by way of a tap with random faults: what was lost or doubled, and what the tap has grown by.

soak.py DIRECT TAP PID CALLS: PID is the tap's. Fails if a call is lost or doubled but by a fault that the tap tells of.
"""

import http.client
import json
import os
import sys
import threading
import urllib.parse
import urllib.request

CLIENTS = 8
FAULTS = [
    {"does": {"error": {"code": "InternalFailure"}}, "call": "SendMessage", "probability": 0.0125},
    {"does": "throttle", "call": "SendMessage", "probability": 0.0125},
    {"does": "lost-response", "call": "SendMessage", "probability": 0.0125},
    {"does": "reset", "call": "SendMessage", "probability": 0.0125},
    {"does": "empty-receive", "probability": 0.05},
    {"does": "swallow", "call": "DeleteMessage", "probability": 0.05},
]


class Client:
    def __init__(self, url):
        self.host = urllib.parse.urlsplit(url).netloc
        self.connection = None

    def call(self, operation, **members):
        """The status and the body; no status where there was no answer."""
        self.connection = self.connection or http.client.HTTPConnection(self.host, timeout=60)
        headers = {"X-Amz-Target": f"AmazonSQS.{operation}", "Content-Type": "application/x-amz-json-1.0"}
        try:
            self.connection.request("POST", "/", json.dumps(members), headers)
            answer = self.connection.getresponse()
            return answer.status, json.loads(answer.read() or b"{}")
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.connection = None
            return None, {}


def own(tap, path, body=None):
    data = body and json.dumps(body).encode()
    return json.load(urllib.request.urlopen(urllib.request.Request(f"{tap}/_havoq/{path}", data)))


def shape(pid):
    status = open(f"/proc/{pid}/status").read()
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(resident.split()[1]) / 1024, len(os.listdir(f"/proc/{pid}/fd"))


def work(tap, queue, number, turns, told):
    client = Client(tap)
    for turn in range(turns):
        body = f"{number}-{turn}"
        status, _ = client.call("SendMessage", QueueUrl=queue, MessageBody=body)
        told["sent" if status == 200 else "refused" if status else "unknown"].append(body)
        status, answer = client.call("ReceiveMessage", QueueUrl=queue, VisibilityTimeout=43_200)
        for message in answer.get("Messages", []):
            told["received"].append(message["Body"])
            client.call("DeleteMessage", QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])


def main(direct, tap, pid, calls):
    queue = "http://localhost/000000000000/soak"
    straight = Client(direct)
    straight.call("CreateQueue", QueueName="soak")
    ids = own(tap, "faults", FAULTS)["ids"]
    told = {name: [] for name in ("sent", "refused", "unknown", "received")}
    shapes = []
    # A third of each turn's calls; the second half must not need more than the first.
    for half in range(2):
        turns = calls // (3 * CLIENTS * 2)
        threads = [
            threading.Thread(target=work, args=(tap, queue, f"{half}-{number}", turns, told)) for number in range(CLIENTS)
        ]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        shapes.append(shape(pid))
    while True:
        _, answer = straight.call("ReceiveMessage", QueueUrl=queue, MaxNumberOfMessages=10, VisibilityTimeout=43_200)
        if not answer.get("Messages"):
            break
        told["received"] += [message["Body"] for message in answer["Messages"]]
    fired = {fault["does"]: fault["fired"] for fault in own(tap, "faults") if fault["id"] in ids}
    sent, received = set(told["sent"]), set(told["received"])
    beyond = received - sent
    assert len(received) == len(told["received"]), "a message was received twice"
    assert sent <= received, f"{len(sent - received)} messages were lost"
    assert beyond <= set(told["unknown"]), "a refused send was done"
    assert len(beyond) == fired["lost-response"], (len(beyond), fired)
    assert len(told["unknown"]) == fired["lost-response"] + fired["reset"], fired
    assert len(told["refused"]) == fired["error"] + fired["throttle"], fired
    print(f"{len(told['sent'])} sends accepted, {len(received)} messages received once each; faults fired: {fired}.")
    (before, files), (after, files_after) = shapes
    print(f"The tap: {before:.0f} MiB and {files} descriptors half way, {after:.0f} MiB and {files_after} at the end.")


main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
