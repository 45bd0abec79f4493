"""Forks a child that leaves the process group and works, and exits once it has begun."""

import os
import time

reads, writes = os.pipe()
if os.fork():
    os.read(reads, 1)
    os._exit(0)
os.setsid()

from common import charge, delete, order_of, receive  # the child's own client

begun = False
while True:
    for message in receive(most=1):
        if not begun:
            os.write(writes, b"x")
            begun = True
        time.sleep(0.3)
        charge(order_of(message))
        delete(message)
