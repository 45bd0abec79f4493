//! Answers that come in pages. A token says how many items were given before it.

use havoq_wire::ServiceError;

use super::errors::validation;
use crate::checks::Checks;

const PREFIX: &str = "page-";
const MOST: usize = 100;

/// The items of the page that the token names, and the next page's token.
pub(super) fn page<T>(
    items: impl Iterator<Item = T>,
    token: Option<&str>,
    limit: Option<i64>,
) -> Result<(Vec<T>, Option<String>), ServiceError> {
    let mut checks = Checks::default();
    checks.range("limit", limit, 1, MOST as i64);
    checks.done(validation)?;
    let most = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(MOST);
    let start: usize = match token {
        None => 0,
        Some(token) => {
            let start = token.strip_prefix(PREFIX).and_then(|start| start.parse().ok());
            start.ok_or_else(|| validation("Parameter NextToken is not valid."))?
        }
    };
    let mut rest = items.skip(start);
    let page: Vec<T> = rest.by_ref().take(most).collect();
    let next = rest.next().map(|_| format!("{PREFIX}{}", start.saturating_add(most)));
    Ok((page, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_follow_one_another_and_end() {
        let (first, token) = page(0..5, None, Some(2)).expect("a page");
        assert_eq!((first, token.as_deref()), (vec![0, 1], Some("page-2")));
        let (last, token) = page(0..5, Some("page-4"), Some(2)).expect("a page");
        assert_eq!((last, token), (vec![4], None));
        assert!(page(0..5, Some("nonsense"), None).is_err());
        assert!(page(0..5, None, Some(101)).is_err());
    }
}
