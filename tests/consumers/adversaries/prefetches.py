"""Takes ten at a time and works on them one after the other, PER_ORDER seconds each."""

import os
import time

from common import charge, delete, order_of, receive

PER_ORDER = float(os.environ["PER_ORDER"])

while True:
    for message in receive():
        order = order_of(message)
        if order is not None:
            time.sleep(PER_ORDER)
            charge(order, idempotent=False)
            delete(message)
