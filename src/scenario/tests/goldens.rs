//! Each bad file and all that is said about it, as pairs.

use super::super::{StackLookup, parse, render_problems};
use super::{fixtures, stem};

#[test]
fn bad_files_say_all_that_is_wrong_with_them() {
    for path in fixtures("bad") {
        let text = std::fs::read_to_string(&path).expect("a readable fixture");
        let name = format!("{}.yaml", stem(&path));
        let problems = parse(&name, &text, StackLookup::Nowhere).expect_err(&name);
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(stem(&path), render_problems(&problems, false));
        });
    }
}

#[test]
fn every_problem_points_into_its_file() {
    for path in fixtures("bad") {
        let text = std::fs::read_to_string(&path).expect("a readable fixture");
        for problem in parse("x.yaml", &text, StackLookup::Nowhere).expect_err("a bad file") {
            assert!(problem.line >= 1 && problem.column >= 1 && problem.length >= 1, "{problem:?}");
            assert!(!problem.message.ends_with('.'), "{problem:?}");
        }
    }
}

#[test]
fn colours_are_used_only_where_they_are_wanted() {
    let problems = parse("x.yaml", "name: [", StackLookup::Nowhere).expect_err("unclosed");
    assert!(!render_problems(&problems, false).contains('\u{1b}'));
    assert!(render_problems(&problems, true).contains('\u{1b}'));
}
