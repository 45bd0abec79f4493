//! Answers that come in pages. A token says how many items were given before it.

use havoq_wire::ServiceError;

use super::errors::invalid_token;

/// The items of the page that the token names, and the next page's token.
pub(super) fn page<T>(
    items: impl Iterator<Item = T>,
    token: Option<&str>,
    most: usize,
) -> Result<(Vec<T>, Option<String>), ServiceError> {
    let start: usize = match token {
        None => 0,
        Some(token) => token.strip_prefix(PREFIX).and_then(|n| n.parse().ok()).ok_or_else(invalid_token)?,
    };
    let mut rest = items.skip(start);
    let page: Vec<T> = rest.by_ref().take(most).collect();
    let next = rest.next().map(|_| format!("{PREFIX}{}", start + most));
    Ok((page, next))
}

const PREFIX: &str = "page-";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_follow_one_another_and_end() {
        let (first, token) = page(0..5, None, 2).expect("a page");
        assert_eq!((first, token.as_deref()), (vec![0, 1], Some("page-2")));
        let (last, token) = page(0..5, Some("page-4"), 2).expect("a page");
        assert_eq!((last, token), (vec![4], None));
        assert!(page(0..5, Some("nonsense"), 2).is_err());
    }
}
