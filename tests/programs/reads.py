"""Says what each way of reading the clock shows, once for each line on stdin."""

import datetime
import sys
import time

print("ready", flush=True)
for _ in sys.stdin:
    print("time.time", time.time())
    print("datetime.now", datetime.datetime.now(datetime.timezone.utc).timestamp())
    print("monotonic time.monotonic", time.monotonic())
    print("monotonic time.perf_counter", time.perf_counter())
    print("end 0", flush=True)
