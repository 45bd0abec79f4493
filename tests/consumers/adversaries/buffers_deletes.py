"""Charges at once, and deletes in batches: every two seconds, or ten at a time."""

import threading
import time

from common import QUEUE, charge, order_of, receive, sqs

done = []
lock = threading.Lock()


def flush():
    with lock:
        batch, done[:] = done[:10], done[10:]
    if batch:
        entries = [{"Id": str(at), "ReceiptHandle": receipt} for at, receipt in enumerate(batch)]
        sqs.delete_message_batch(QueueUrl=QUEUE, Entries=entries)


def flush_for_ever():
    while True:
        time.sleep(2)
        flush()


threading.Thread(target=flush_for_ever, daemon=True).start()
while True:
    for message in receive():
        order = order_of(message)
        if order is not None:
            charge(order)
            with lock:
                done.append(message["ReceiptHandle"])
                full = len(done) >= 10
            if full:
                flush()
