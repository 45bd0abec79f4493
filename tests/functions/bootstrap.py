"""A runtime of forty lines: runs the handler that its argument names, such as orders.handle."""

import http.client
import importlib
import json
import os
import sys
import traceback

sys.path.insert(0, os.getcwd())
API = "/2018-06-01/runtime/"


class Context:
    def __init__(self, headers):
        self.aws_request_id = headers["Lambda-Runtime-Aws-Request-Id"]
        self.deadline_ms = int(headers["Lambda-Runtime-Deadline-Ms"])


def call(method, path, body=None, headers={}):
    connection = http.client.HTTPConnection(os.environ["AWS_LAMBDA_RUNTIME_API"])
    connection.request(method, API + path, body, headers)
    answer = connection.getresponse()
    return answer.headers, answer.read()


def error(path, raised):
    what = {"errorMessage": str(raised), "errorType": type(raised).__name__, "stackTrace": []}
    traceback.print_exception(raised)
    call("POST", path, json.dumps(what), {"Lambda-Runtime-Function-Error-Type": what["errorType"]})


def main():
    try:
        module, name = sys.argv[1].rsplit(".", 1)
        handler = getattr(importlib.import_module(module), name)
    except Exception as raised:
        error("init/error", raised)
        sys.exit(1)
    while True:
        headers, event = call("GET", "invocation/next")
        context = Context(headers)
        try:
            answer = json.dumps(handler(json.loads(event), context))
        except Exception as raised:
            error(f"invocation/{context.aws_request_id}/error", raised)
        else:
            call("POST", f"invocation/{context.aws_request_id}/response", answer)


main()
