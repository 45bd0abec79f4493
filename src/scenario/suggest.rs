//! The nearest right spelling of a wrong name.

/// The candidate that the user most likely meant; `None` when none is near.
pub(crate) fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = wrong.to_lowercase();
    let distance = |candidate: &str| strsim::damerau_levenshtein(&wrong, &candidate.to_lowercase());
    // A third of the word may be wrong: very short words would else match anything.
    let limit = (wrong.chars().count() / 3).min(4);
    // Texts far from any name would only cost time.
    if wrong.len() > 200 {
        return None;
    }
    let best = candidates.into_iter().map(|candidate| (distance(candidate), candidate)).min()?;
    (best.0 <= limit).then_some(best.1)
}

/// A hint for a wrong name: the nearest candidate, else all of them when they are few.
pub(super) fn hint_for<'a>(
    wrong: &str,
    candidates: impl IntoIterator<Item = &'a str> + Clone,
) -> Option<String> {
    if let Some(near) = nearest(wrong, candidates.clone()) {
        return Some(format!("did you mean `{near}`?"));
    }
    let all: Vec<_> = candidates.into_iter().map(|name| format!("`{name}`")).collect();
    match all.len() {
        0 => None,
        1 => Some(format!("there is only {}", all[0])),
        2..=12 => Some(format!("one of {}", all.join(", "))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_names_are_suggested() {
        let queues = ["OrderQueue", "OrderDLQ"];
        assert_eq!(nearest("OrderQueu", queues), Some("OrderQueue"));
        assert_eq!(nearest("orderdlq", queues), Some("OrderDLQ"));
        assert_eq!(nearest("Payments", queues), None);
    }
}
