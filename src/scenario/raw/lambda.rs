//! Lambda functions as consumers.

use havoq_base::StackDuration;

use super::super::decode::{AnyText, Id, Json, LongDuration, Need, Several, TimeSpan, Whole, record};

record! {
    /// A Lambda function behind an event source mapping. havoq polls the queue for it and runs its
    /// environments, which speak the Runtime API.
    LambdaRaw {
        /// Program and arguments, such as a runtime interface client.
        "command" => command: Several<AnyText>, Need::Required, "[python3, -m, awslambdaric, orders.handle]";
        /// The function of the stack that this runs, by logical id. Its settings and its mapping are
        /// the template's then, and only `command` and `code` are said here.
        "function" => function: Id, Need::Optional, "OrderFunction";
        /// `_HANDLER`, for runtimes that read it.
        "handler" => handler: AnyText, Need::Optional, "orders.handle";
        /// The folder of its code, relative to this file: where the command runs, and
        /// `LAMBDA_TASK_ROOT`. The folder of this file when absent.
        "code" => code: AnyText, Need::Optional, "functions/orders";
        /// How long an invocation may take, from `1s` to `15m`, on the stack's clock.
        "timeout" => timeout: LongDuration<StackDuration>, Need::Default("3s"), "30s";
        /// The most messages of an invocation.
        "batch_size" => batch_size: Whole<1, 10_000>, Need::Default("10"), "1";
        /// How long messages are gathered for one invocation, up to `5m`.
        "window" => window: TimeSpan<StackDuration>, Need::Default("0s"), "5s";
        /// Whether the function's report of the messages that failed counts
        /// (ReportBatchItemFailures). Without it, what the function returns means nothing.
        "report_batch_item_failures" => report_batch_item_failures: bool, Need::Default("false"), "true";
        /// The most invocations of the mapping at a time.
        "maximum_concurrency" => maximum_concurrency: Whole<2, 1000>, Need::Optional, "2";
        /// The most invocations of the function at a time; what is beyond is throttled.
        "reserved_concurrency" => reserved_concurrency: Whole<0, 1000>, Need::Optional, "1";
        /// Filter patterns, of which a message must match one; what matches none is deleted.
        "filter" => filter: Several<Json>, Need::Optional, "[{ body: { type: [order.placed] } }]";
    }
}
