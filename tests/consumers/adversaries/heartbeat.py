"""Works longer than the visibility timeout and extends it in time."""

import time

from common import charge, delete, extend, order_of, receive

while True:
    for message in receive(most=1):
        order = order_of(message)
        if order is None:
            continue
        for _ in range(4):
            time.sleep(1.3)
            extend(message, 4)
        charge(order, idempotent=False)
        delete(message)
