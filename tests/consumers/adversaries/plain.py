"""One at a time, without idempotency: right as long as nothing comes twice."""

from common import charge, delete, order_of, receive

while True:
    for message in receive(most=1):
        order = order_of(message)
        if order is not None:
            charge(order, idempotent=False)
            delete(message)
