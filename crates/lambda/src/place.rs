//! What an ARN says of where something is.

/// The region that an ARN names.
pub(crate) fn region_of(arn: &str) -> &str {
    arn.split(':').nth(3).unwrap_or_default()
}
