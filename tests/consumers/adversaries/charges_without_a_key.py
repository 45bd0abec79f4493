"""Takes many at a time, and charges with nothing that tells for which."""

from common import charge, delete, receive

while True:
    messages = receive()
    for message in messages:
        charge(None, idempotent=False)
    for message in messages:
        delete(message)
