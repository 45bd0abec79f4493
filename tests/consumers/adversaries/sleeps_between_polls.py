"""Correct, and sleeps three seconds between polls, as a cron-like worker does."""

import time

from common import charge, delete, order_of, receive

while True:
    for message in receive():
        order = order_of(message)
        if order is not None:
            charge(order)
            delete(message)
    time.sleep(3)
