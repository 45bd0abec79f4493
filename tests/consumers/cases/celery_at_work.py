"""A Celery worker on SQS, which acknowledges on receipt. ACKS_LATE: when its tasks are over, also when they failed.

Its tasks run in a process of their own, and take a second: the worker's loop acknowledges meanwhile.
"""

import json
import os
import time
import urllib.request

from celery import Celery

SINK = os.environ["HAVOQ_EFFECT_CHARGES_URL"]
QUEUE = {"url": os.environ["HAVOQ_QUEUE_URL"], "region": os.environ["AWS_REGION"]}

app = Celery("orders", broker="sqs://test:test@")
app.conf.update(
    task_default_queue="orders",
    broker_transport_options={"region": QUEUE["region"], "predefined_queues": {"orders": QUEUE}},
    task_acks_late="ACKS_LATE" in os.environ,
    task_ignore_result=True,
    worker_enable_remote_control=False,
    worker_prefetch_multiplier=1,
)


@app.task(name="orders.charge")
def charge(order, is_bad=False):
    if is_bad:
        raise ValueError(f"{order} cannot be charged")
    time.sleep(1)
    body, headers = json.dumps({"orderId": order}).encode(), {"Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(SINK, data=body, headers=headers)).read()


apart = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
app.worker_main(["worker", "--pool=prefork", "--concurrency=1", "--loglevel=INFO", *apart])
