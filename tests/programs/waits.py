"""Waits for a span by the means named in its first argument, once it is told to on stdin, and says
by the monotonic clock how long that took, and how far the wall clock moved meanwhile."""

import asyncio
import queue
import sys
import threading
import time


def held():
    lock = threading.Lock()
    lock.acquire()
    return lock


def condition(span):
    it = threading.Condition()
    with it:
        it.wait(span)


def from_queue(span):
    try:
        queue.Queue().get(timeout=span)
    except queue.Empty:
        pass


def join(span):
    thread = threading.Thread(target=threading.Event().wait, daemon=True)
    thread.start()
    thread.join(span)


MEANS = {
    "time.sleep": time.sleep,
    "Condition.wait": condition,
    "Event.wait": lambda span: threading.Event().wait(span),
    "Lock.acquire": lambda span: held().acquire(timeout=span),
    "Queue.get": from_queue,
    "Thread.join": join,
    "asyncio.sleep": lambda span: asyncio.run(asyncio.sleep(span)),
}

means, span = MEANS[sys.argv[1]], float(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
wall, monotonic = time.time(), time.monotonic()
print("waiting", flush=True)
means(span)
print(time.monotonic() - monotonic, time.time() - wall, flush=True)
