"""The latency that a tap adds to one call at a time, and polls that wait side by side.

polls.py DIRECT TAP POLLS: prints the medians, leaves POLLS polls of 10 s waiting at the tap, and ends.
The sockets are handed to a child that sleeps, so that the polls wait on.
"""

import json
import os
import socket
import statistics
import sys
import time
import urllib.parse

ROUNDS = 2_000


def request(operation, **members):
    body = json.dumps(members)
    return (
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n"
        f"X-Amz-Target: AmazonSQS.{operation}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


class Client:
    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((parts.hostname, parts.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def call(self, asked):
        self.socket.sendall(asked)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.socket.recv(65_536)
        head, body = answer.split(b"\r\n\r\n", 1)
        length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
        while len(body) < length:
            body += self.socket.recv(65_536)
        return body


def main(direct, tap, polls):
    clients = [Client(direct), Client(tap)]
    clients[0].call(request("CreateQueue", QueueName="latency"))
    queue = f"http://localhost/000000000000/latency"
    send = request("SendMessage", QueueUrl=queue, MessageBody="x" * 100)
    took = [[], []]
    for round in range(ROUNDS):
        # In turns, so that what else the machine does meets both.
        for client, times in zip(clients, took):
            began = time.perf_counter()
            client.call(send)
            times.append(time.perf_counter() - began)
    direct_us, tap_us = (statistics.median(times) * 1e6 for times in took)
    print(f"SendMessage, one at a time, medians: direct {direct_us:.0f} us, by way of the tap {tap_us:.0f} us.")
    clients[0].call(request("CreateQueue", QueueName="empty"))
    poll = request("ReceiveMessage", QueueUrl="http://localhost/000000000000/empty", WaitTimeSeconds=10)
    waiting = [Client(tap) for _ in range(polls)]
    for client in waiting:
        client.socket.sendall(poll)
    time.sleep(2)
    if os.fork() == 0:
        # Nobody waits for the child's output.
        for stream in range(3):
            os.close(stream)
        time.sleep(12)
        os._exit(0)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
