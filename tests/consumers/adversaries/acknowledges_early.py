"""Deletes on receipt, then works. A death in between loses the order."""

import time

from common import charge, delete, order_of, receive

while True:
    for message in receive(most=1):
        order = order_of(message)
        if order is not None:
            delete(message)
            time.sleep(1.5)
            charge(order)
