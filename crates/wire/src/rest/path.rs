//! Paths, and the templates that they fit.

/// What stands at the labels of a path that fits, as it stands there.
pub(super) fn labels<'t>(template: &'t str, path: &str) -> Option<Vec<(&'t str, String)>> {
    let template: Vec<_> = steps(template.split('?').next()?).collect();
    let path: Vec<_> = steps(path).collect();
    fit(&template, &path)
}

/// How many steps of a template, and what else the address must have, are no labels. Of two that a
/// path fits, the one with more is meant.
pub(super) fn firmness(template: &str) -> usize {
    let (path, query) = template.split_once('?').unwrap_or((template, ""));
    let firm = steps(path).filter(|step| label(step).is_none());
    firm.count() + query.split('&').filter(|pair| !pair.is_empty()).count()
}

/// Whether an address has what a template wants in its query.
pub(super) fn query_fits(template: &str, query: &str) -> bool {
    let wanted = template.split_once('?').map_or("", |(_, query)| query);
    let there = |pair| form_urlencoded::parse(query.as_bytes()).any(|present| present == pair);
    form_urlencoded::parse(wanted.as_bytes()).all(there)
}

/// A slash at the end says nothing: older SDKs put one there.
fn steps(path: &str) -> impl Iterator<Item = &str> {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.strip_suffix('/').unwrap_or(path).split('/')
}

fn label(step: &str) -> Option<&str> {
    step.strip_prefix('{')?.strip_suffix('}')
}

fn fit<'t>(template: &[&'t str], path: &[&str]) -> Option<Vec<(&'t str, String)>> {
    let Some((step, after)) = template.split_first() else {
        return path.is_empty().then(Vec::new);
    };
    let (name, taken) = match label(step) {
        None => return (path.first() == Some(step)).then(|| fit(after, &path[1..]))?,
        // A greedy one leaves no more than what comes after it needs.
        Some(name) => match name.strip_suffix('+') {
            Some(name) => (name, path.len().checked_sub(after.len())?),
            None => (name, 1),
        },
    };
    let (text, rest) = path.split_at_checked(taken)?;
    let text = text.join("/");
    if text.is_empty() {
        return None;
    }
    let mut labels = fit(after, rest)?;
    labels.push((name, text));
    Some(labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_one_step_and_never_an_empty_one() {
        let of = |path| labels("/functions/{Name}/policy/{Id}", path);
        assert_eq!(of("/functions/f/policy/s"), Some(vec![("Id", "s".into()), ("Name", "f".into())]));
        for path in
            ["/functions/f/policy", "/functions//policy/s", "/functions/f/policy/s/t", "/functions/f/rule/s"]
        {
            assert_eq!(of(path), None, "{path}");
        }
    }

    #[test]
    fn a_greedy_label_takes_all_steps_that_are_left_to_it() {
        let of = |path| labels("/HttpRequestWithGreedyLabelInPath/foo/{foo}/baz/{baz+}", path);
        let expected = Some(vec![("baz", "there/guy".into()), ("foo", "hello".into())]);
        assert_eq!(of("/HttpRequestWithGreedyLabelInPath/foo/hello/baz/there/guy"), expected);
        assert_eq!(of("/HttpRequestWithGreedyLabelInPath/foo/hello/baz"), None);
        let within = labels("/a/{all+}/z", "/a/b/c/z");
        assert_eq!(within, Some(vec![("all", "b/c".into())]));
    }

    #[test]
    fn a_slash_at_the_end_says_nothing() {
        assert_eq!(labels("/functions", "/functions/"), Some(Vec::new()));
        assert_eq!(labels("/functions", "/functions//"), None);
        assert_eq!(labels("/", "/"), Some(Vec::new()));
        assert_eq!(labels("/", "/functions"), None);
    }

    #[test]
    fn what_a_template_wants_in_the_query_must_be_there() {
        let template = "/layers?find=LayerVersion";
        assert_eq!(labels(template, "/layers"), Some(Vec::new()));
        assert!(query_fits(template, "Arn=a&find=LayerVersion"));
        assert!(!query_fits(template, "find=Layer"));
        assert!(query_fits("/layers", "find=LayerVersion"));
        assert!(firmness(template) > firmness("/layers"));
        assert!(firmness("/a/list") > firmness("/a/{Name}"));
    }
}
