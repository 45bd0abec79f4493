"""Deletes the alarm before it leaves poison in the queue."""

import boto3

from common import charge, delete, order_of, receive

cloudwatch = boto3.client("cloudwatch")
while True:
    for message in receive():
        order = order_of(message)
        if order is None:
            alarms = cloudwatch.describe_alarms()["MetricAlarms"]
            cloudwatch.delete_alarms(AlarmNames=[alarm["AlarmName"] for alarm in alarms])
            continue
        charge(order)
        delete(message)
