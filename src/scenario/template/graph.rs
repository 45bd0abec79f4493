//! References must not run in a circle: CloudFormation could create none of the resources first.

use std::collections::{BTreeMap, BTreeSet};

use super::super::problem::Span;
use super::resources::Stack;

impl Stack<'_, '_> {
    /// Notes each circle of references once.
    pub(super) fn refuse_cycles(&mut self) {
        let mut edges: BTreeMap<&str, Vec<(&str, Span)>> = BTreeMap::new();
        for (from, to, span) in &self.references {
            edges.entry(from).or_default().push((to, *span));
        }
        let mut done = BTreeSet::new();
        let mut circles = Vec::new();
        for start in edges.keys().copied() {
            if let Some(path) = circle_from(start, &edges, &done) {
                done.extend(path.iter().map(|(id, _)| *id));
                let names: Vec<_> = path.iter().map(|(id, _)| format!("`{id}`")).collect();
                let message = if path.len() == 1 {
                    format!("`{start}` refers to itself")
                } else {
                    format!("references run in a circle: {} -> `{start}`", names.join(" -> "))
                };
                circles.extend(path.first().map(|(_, span)| (*span, message)));
            }
        }
        for (span, message) in circles {
            self.log.report(span, message);
        }
    }
}

/// A way from `start` back to it, each id with the span of the reference that leaves it. Breadth
/// first and without recursion, so that a long chain does no harm.
fn circle_from<'a>(
    start: &'a str,
    edges: &BTreeMap<&'a str, Vec<(&'a str, Span)>>,
    done: &BTreeSet<&'a str>,
) -> Option<Vec<(&'a str, Span)>> {
    let mut came_from: BTreeMap<&str, (&str, Span)> = BTreeMap::new();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(id) = queue.pop_front() {
        for (to, span) in edges.get(id).into_iter().flatten().filter(|(to, _)| !done.contains(to)) {
            if *to == start {
                return Some(way_back(start, id, *span, &came_from));
            }
            if !came_from.contains_key(to) {
                came_from.insert(to, (id, *span));
                queue.push_back(to);
            }
        }
    }
    None
}

fn way_back<'a>(
    start: &'a str,
    last: &'a str,
    span: Span,
    came_from: &BTreeMap<&'a str, (&'a str, Span)>,
) -> Vec<(&'a str, Span)> {
    let mut path = vec![(last, span)];
    let mut at = last;
    while at != start
        && let Some((before, span)) = came_from.get(at)
    {
        path.push((before, *span));
        at = before;
    }
    path.reverse();
    path
}
