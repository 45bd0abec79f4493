# What the AWS CLI does with a sandbox: sh sandbox.sh AWS ENDPOINT
set -eu
aws() { "$cli" --endpoint-url "$endpoint" --region us-east-1 --output text "$@"; }
cli=$1 endpoint=$2

url=$(aws sqs create-queue --queue-name cli --query QueueUrl)
aws sqs send-message --queue-url "$url" --message-body hello >/dev/null
[ "$(aws sqs receive-message --queue-url "$url" --query 'Messages[0].Body')" = hello ]
topic=$(aws sns create-topic --name cli --query TopicArn)
aws sns publish --topic-arn "$topic" --message hello >/dev/null
[ "$(aws sns list-topics --query 'length(Topics)')" -ge 1 ]
aws cloudwatch put-metric-data --namespace Shop --metric-name Orders --value 7
[ "$(aws cloudwatch list-metrics --namespace Shop --query 'Metrics[0].MetricName')" = Orders ]
aws cloudwatch put-metric-alarm --alarm-name cli --namespace Shop --metric-name Orders --statistic Sum \
    --period 60 --evaluation-periods 1 --threshold 1 --comparison-operator GreaterThanThreshold
aws cloudwatch set-alarm-state --alarm-name cli --state-value ALARM --state-reason drill
[ "$(aws cloudwatch describe-alarms --alarm-names cli --query 'MetricAlarms[0].StateValue')" = ALARM ]
[ "$(aws sts get-caller-identity --query Account)" = 000000000000 ]
echo all is well
