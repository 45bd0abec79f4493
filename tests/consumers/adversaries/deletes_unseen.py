"""Deletes whatever it gets."""

from common import delete, receive

while True:
    for message in receive():
        delete(message)
