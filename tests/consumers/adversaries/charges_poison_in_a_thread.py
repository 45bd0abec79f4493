"""Polls on, and works three seconds on what is no order in a thread, then charges for it."""

import threading
import time

from common import charge, delete, order_of, receive


def work():
    time.sleep(3)
    charge("no order", idempotent=False)


while True:
    for message in receive(most=1):
        order = order_of(message)
        if order is None:
            threading.Thread(target=work).start()
        else:
            charge(order)
            delete(message)
