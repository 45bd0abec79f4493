"""Metric data that the SDK compresses, to the endpoint that is given."""

import sys

import boto3
from botocore.config import Config

cloudwatch = boto3.client(
    "cloudwatch",
    endpoint_url=sys.argv[1],
    region_name="us-east-1",
    aws_access_key_id="dummy",
    aws_secret_access_key="dummy",
    config=Config(request_min_compression_size_bytes=1_000),
)
sent = []
cloudwatch.meta.events.register(
    "before-send.cloudwatch.PutMetricData", lambda request, **_: sent.append(request.headers)
)
metrics = [{"MetricName": f"metric-{number}", "Value": number} for number in range(200)]
cloudwatch.put_metric_data(Namespace="Zipped", MetricData=metrics)
assert sent[0].get("Content-Encoding") in ("gzip", b"gzip"), dict(sent[0])
listed = cloudwatch.get_paginator("list_metrics").paginate(Namespace="Zipped")
assert sum(len(page["Metrics"]) for page in listed) == 200
print("all is well")
