//! What is asked of a policy, and what it answers.

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Principal<'a> {
    /// A service of AWS by its name, such as `sns.amazonaws.com`.
    Service(&'a str),
    /// A user or a role of an account, by its number.
    Account {
        id: &'a str,
        arn: Option<&'a str>,
    },
    Anonymous,
}

/// One call to one resource.
#[derive(Clone, Copy, Debug)]
pub struct AccessRequest<'a> {
    pub principal: Principal<'a>,
    /// Such as `sqs:SendMessage`.
    pub action: &'a str,
    /// The ARN.
    pub resource: &'a str,
    /// Keys such as `aws:SourceArn`, whatever their case. A key with several values stands here several times.
    pub context: &'a [(&'a str, &'a str)],
}

/// What a policy says of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Allow,
    ExplicitDeny,
    /// No statement is about it: it is denied unless something else allows it.
    NoStatement,
}
