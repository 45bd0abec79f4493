"""A function that a topic calls: it says so in its log."""


def handle(event, context):
    for record in event["Records"]:
        print("told:", record["Sns"]["Message"], flush=True)
