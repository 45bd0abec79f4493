"""Hands each order to a thread that succeeds at its third try, while the main loop polls on."""

import threading
import time

from common import charge, delete, order_of, receive


def until_it_works(message, order):
    for _ in range(2):
        time.sleep(0.8)  # the dependency is down
    charge(order)
    delete(message)


while True:
    for message in receive():
        order = order_of(message)
        if order is not None:
            threading.Thread(target=until_it_works, args=(message, order)).start()
