"""Works three seconds without a sign of life, and charges even for what is no order."""

import time

from common import charge, delete, order_of, receive

while True:
    for message in receive(most=1):
        order = order_of(message)
        time.sleep(0 if order and order.startswith("warmup") else 3)
        charge(order or "no order", idempotent=False)
        delete(message)
