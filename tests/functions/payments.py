"""Orders by Powertools, unmodified: its batch processor, and its idempotency layer on DynamoDB.

CONTEXT=no   the layer is not told of the invocation's context, so its marks do not lapse with it
GROUPS=skip  after a failure in a FIFO batch, only that group's messages are skipped
SLOW=label   orders of this label take some seconds
"""

import os
import time

import boto3
from aws_lambda_powertools.utilities.batch import (
    BatchProcessor,
    EventType,
    SqsFifoPartialProcessor,
    process_partial_response,
)
from aws_lambda_powertools.utilities.idempotency import (
    DynamoDBPersistenceLayer,
    IdempotencyConfig,
    idempotent_function,
)

from orders import charge, manner

TABLE = "payments"


def make_table():
    dynamodb = boto3.client("dynamodb")
    try:
        dynamodb.create_table(
            TableName=TABLE,
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            BillingMode="PAY_PER_REQUEST",
        )
    except dynamodb.exceptions.ResourceInUseException:
        pass


make_table()
CONFIG = IdempotencyConfig()
LAYER = DynamoDBPersistenceLayer(table_name=TABLE)
if os.environ["HAVOQ_QUEUE_URL"].endswith(".fifo"):
    PROCESSOR = SqsFifoPartialProcessor(skip_group_on_error=manner("GROUPS") == "skip")
else:
    PROCESSOR = BatchProcessor(event_type=EventType.SQS)


@idempotent_function(data_keyword_argument="order", config=CONFIG, persistence_store=LAYER)
def pay(order):
    charge(order)
    return order


def one(record):
    order = record.json_body["data"]["orderId"]
    if manner("SLOW") and order.startswith(manner("SLOW")):
        time.sleep(4)
    pay(order=order)


def handle(event, context):
    if manner("CONTEXT") != "no":
        CONFIG.register_lambda_context(context)
    return process_partial_response(event=event, record_handler=one, processor=PROCESSOR, context=context)
