"""Runs index.handler by Lambda's Runtime API, with nothing beside Python, for havoq's own sandbox."""

import json
import os
import urllib.request

import index

API = f"http://{os.environ['AWS_LAMBDA_RUNTIME_API']}/2018-06-01/runtime/invocation/"


def post(path, value):
    urllib.request.urlopen(urllib.request.Request(API + path, json.dumps(value).encode())).read()


while True:
    with urllib.request.urlopen(API + "next") as answer:
        request_id, event = answer.headers["Lambda-Runtime-Aws-Request-Id"], json.load(answer)
    try:
        post(f"{request_id}/response", index.handler(event, None))
    except Exception as error:
        post(f"{request_id}/error", {"errorMessage": str(error), "errorType": type(error).__name__})
