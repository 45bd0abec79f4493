"""Charges the first order again for each that follows."""

from common import charge, delete, order_of, receive

first = None
while True:
    for message in receive(most=1):
        first = first or order_of(message)
        charge(first, idempotent=False)
        delete(message)
