"""plain.py as a deployment: it is there before havoq's tap is, and outlives it.

    deployed.py PIDFILE
"""

import http.client
import os
import sys
import time

import plain

with open(sys.argv[1], "w") as pidfile:
    pidfile.write(str(os.getpid()))

while True:
    try:
        plain.consume()
    except (OSError, http.client.HTTPException):
        # Nobody listens, or the connection was cut.
        time.sleep(0.02)
