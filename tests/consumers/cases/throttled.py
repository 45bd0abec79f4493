"""Runs a consumer behind a service that throttles its first five ReceiveMessage calls."""

import http.client
import os
import subprocess
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TAP = urllib.parse.urlsplit(os.environ["AWS_ENDPOINT_URL"]).netloc
COUNT = os.path.join(os.environ["HAVOQ_STATE_DIR"], "throttled")
lock = threading.Lock()


def throttled():
    """Whether this call is one of the first five, over all starts."""
    with lock:
        so_far = os.path.getsize(COUNT) if os.path.exists(COUNT) else 0
        if so_far == 5:
            return False
        with open(COUNT, "a") as count:
            count.write(".")
        return True


class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, headers, body):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("X-Amz-Target") == "AmazonSQS.ReceiveMessage" and throttled():
            error = b'{"__type":"com.amazonaws.sqs#RequestThrottled","message":"Rate exceeded"}'
            headers = [("x-amzn-query-error", "RequestThrottled;Sender"), ("Content-Type", "application/x-amz-json-1.0")]
            return self.answer(403, headers, error)
        tap = http.client.HTTPConnection(TAP)
        tap.request("POST", self.path, body, dict(self.headers))
        answer = tap.getresponse()
        kept = [(name, value) for name, value in answer.getheaders() if name.lower() not in ("content-length", "connection")]
        self.answer(answer.status, kept, answer.read())


service = ThreadingHTTPServer(("127.0.0.1", 0), Service)
threading.Thread(target=service.serve_forever, daemon=True).start()
here = f"127.0.0.1:{service.server_port}"
# The JavaScript SDK follows the QueueUrl's host, so that leads here as well.
env = {
    name: value.replace(TAP, here) if name.startswith("AWS_ENDPOINT_URL") or name.startswith("HAVOQ_QUEUE") else value
    for name, value in os.environ.items()
}
sys.exit(subprocess.call(sys.argv[1:], env=env))
