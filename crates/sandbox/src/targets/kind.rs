//! What a target is, by its ARN.

/// The kinds that the sandbox has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TargetKind {
    Queue,
    Topic,
    Function,
    Bus,
}

impl TargetKind {
    /// None for what is no ARN, or one of a service that the sandbox does not deliver to.
    pub(crate) fn of(arn: &str) -> Option<Self> {
        let mut parts = arn.strip_prefix("arn:aws:")?.splitn(4, ':');
        let (service, _region, _account, resource) =
            (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        match service {
            "sqs" => Some(Self::Queue),
            "sns" => Some(Self::Topic),
            "lambda" if resource.starts_with("function:") => Some(Self::Function),
            "events" if resource.starts_with("event-bus/") => Some(Self::Bus),
            _ => None,
        }
    }
}

/// The service that an ARN names; none when it is not an ARN.
pub(crate) fn service_of(arn: &str) -> Option<&str> {
    let mut parts = arn.splitn(6, ':');
    let (start, _partition, service) = (parts.next()?, parts.next()?, parts.next()?);
    let _region_account_and_resource = (parts.next()?, parts.next()?, parts.next()?);
    Some(service).filter(|service| start == "arn" && !service.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arn_tells_what_it_names() {
        for (arn, kind, service) in [
            ("arn:aws:sqs:us-east-1:000000000000:q", Some(TargetKind::Queue), Some("sqs")),
            ("arn:aws:sns:us-east-1:000000000000:t", Some(TargetKind::Topic), Some("sns")),
            (
                "arn:aws:lambda:us-east-1:000000000000:function:f:1",
                Some(TargetKind::Function),
                Some("lambda"),
            ),
            ("arn:aws:lambda:us-east-1:000000000000:layer:l", None, Some("lambda")),
            ("arn:aws:events:us-east-1:000000000000:event-bus/b", Some(TargetKind::Bus), Some("events")),
            ("arn:aws:states:us-east-1:000000000000:stateMachine:s", None, Some("states")),
            ("arn:aws:sqs", None, None),
            ("q", None, None),
        ] {
            assert_eq!((TargetKind::of(arn), service_of(arn)), (kind, service), "{arn}");
        }
    }
}
