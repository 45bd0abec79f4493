//! Lists in pages, with markers.

use havoq_wire::ServiceError;

use super::errors::invalid;

const MOST: usize = 50;

/// One page of what comes in the order of its names, and the marker of the next one.
pub(super) fn page<'a, T>(
    marker: Option<&str>,
    max: Option<i64>,
    all: impl Iterator<Item = &'a T>,
    name: impl Fn(&T) -> &str,
) -> Result<(Vec<&'a T>, Option<String>), ServiceError> {
    let max = max.map_or(Some(MOST), |max| usize::try_from(max).ok().filter(|max| *max > 0));
    let max = max.ok_or_else(|| invalid("MaxItems must be a positive number."))?.min(MOST);
    let mut rest = all.skip_while(|item| marker.is_some_and(|marker| name(item) <= marker));
    let page: Vec<_> = rest.by_ref().take(max).collect();
    let next = rest.next().and(page.last()).map(|last| name(last).to_owned());
    Ok((page, next))
}
