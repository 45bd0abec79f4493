"""Deletes, and makes the effect later in a thread, while the main loop polls on."""

import threading
import time

from common import charge, delete, order_of, receive


def later(order):
    time.sleep(1.5)
    charge(order)


while True:
    for message in receive():
        order = order_of(message)
        if order is not None:
            delete(message)
            threading.Thread(target=later, args=(order,)).start()
