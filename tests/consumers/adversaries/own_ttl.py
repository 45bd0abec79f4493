"""Remembers for two seconds which orders it has charged, in memory, by the monotonic clock."""

import time

from common import charge, delete, order_of, receive

charged = {}

while True:
    for message in receive():
        order = order_of(message)
        if order is None:
            continue
        if time.monotonic() - charged.get(order, -3600) > 2:
            charge(order, idempotent=False)
            charged[order] = time.monotonic()
        delete(message)
