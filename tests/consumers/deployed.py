"""plain.py as a deployment: it is there before havoq's tap is, and outlives it. It keeps its
connection, as SDKs do.

    deployed.py PIDFILE
"""

import http.client
import os
import sys
import time
import urllib.parse

import plain

connection = None


def post(url, body, headers):
    global connection
    parts = urllib.parse.urlsplit(url)
    connection = connection or http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
    try:
        connection.request("POST", parts.path or "/", body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except Exception:
        connection.close()
        connection = None
        raise


plain.post = post

with open(sys.argv[1], "w") as pidfile:
    pidfile.write(str(os.getpid()))

while os.path.exists(sys.argv[1]):  # It ends with the test that made the file.
    try:
        plain.consume()
    except (OSError, http.client.HTTPException):
        # Nobody listens, or the connection was cut.
        time.sleep(0.02)
