"""Forks, and lets the parent exit: the child does the work."""

import os

if os.fork():
    os._exit(0)

from common import charge, delete, order_of, receive  # the child's own client

while True:
    for message in receive(most=1):
        charge(order_of(message))
        delete(message)
