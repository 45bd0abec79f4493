"""Holds a message by extending its visibility, and never does anything else."""

import time

from common import extend, receive

while True:
    for message in receive(most=1):
        while True:
            extend(message, 30)
            time.sleep(0.4)
