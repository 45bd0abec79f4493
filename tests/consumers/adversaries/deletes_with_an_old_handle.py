"""Does nothing at its first receive; at the next one it charges, and deletes with the first handle."""

from common import charge, delete, order_of, receive

first = None
while True:
    for message in receive(most=1):
        if first is None:
            first = message
            continue
        charge(order_of(message), idempotent=False)
        delete(first)
