//! Filter policies on message attributes, from the rules that the SNS developer guide documents (semantics 2.2).

use havoq_pattern::{AttributeValue, FilterOutcome, FilterPolicy, FilterScope, Why};

use AttributeValue::{Binary, Number, String, StringArray};

type Attributes<'a> = &'a [(&'a str, AttributeValue<'a>)];

fn outcome(policy: &str, attributes: Attributes<'_>) -> FilterOutcome {
    FilterPolicy::parse(policy, FilterScope::MessageAttributes)
        .unwrap_or_else(|bad| panic!("{policy}: {bad}"))
        .matches_attributes(attributes.iter().copied())
}

#[track_caller]
fn each(policy: &str, accepted: &[Attributes<'_>], rejected: &[Attributes<'_>]) {
    for attributes in accepted {
        assert_eq!(outcome(policy, attributes), FilterOutcome::Accepted, "{policy} on {attributes:?}");
    }
    for attributes in rejected {
        assert_ne!(outcome(policy, attributes), FilterOutcome::Accepted, "{policy} on {attributes:?}");
    }
}

#[test]
fn exact_strings() {
    each(
        r#"{"sport":["rugby","tennis"]}"#,
        &[
            &[("sport", String("rugby"))],
            &[("sport", String("tennis"))],
            &[("sport", StringArray(r#"["rugby","golf"]"#))],
            &[("sport", String("rugby")), ("other", String("x"))],
        ],
        &[
            &[("sport", String("baseball"))],
            &[("sport", String("Rugby"))],
            &[("sport", StringArray(r#"["baseball"]"#))],
            &[("sport", StringArray("[]"))],
            &[("other", String("rugby"))],
            &[("sport", Binary)],
            &[],
        ],
    );
}

#[test]
fn a_type_is_part_of_a_value() {
    each(r#"{"n":["5"]}"#, &[&[("n", String("5"))]], &[&[("n", Number("5"))]]);
    each(r#"{"n":[5]}"#, &[&[("n", Number("5"))], &[("n", Number("5.0"))]], &[&[("n", String("5"))]]);
    each(r#"{"b":[true]}"#, &[&[("b", StringArray("[true]"))]], &[&[("b", String("true"))]]);
    each(r#"{"b":[null]}"#, &[&[("b", StringArray("[null]"))]], &[&[("b", String("null"))], &[]]);
}

#[test]
fn anything_but() {
    each(
        r#"{"sport":[{"anything-but":["rugby","tennis"]}]}"#,
        &[
            &[("sport", String("baseball"))],
            &[("sport", StringArray(r#"["rugby","baseball"]"#))],
            &[("sport", Number("5"))],
        ],
        &[
            &[("sport", String("rugby"))],
            &[("sport", StringArray(r#"["rugby"]"#))],
            &[],
            &[("sport", Binary)],
        ],
    );
    each(
        r#"{"price":[{"anything-but":[100,500]}]}"#,
        &[&[("price", Number("101"))], &[("price", Number("100.1"))], &[("price", StringArray("[100,50]"))]],
        &[&[("price", Number("100"))], &[("price", Number("5e2"))], &[("price", StringArray("[100,500]"))]],
    );
}

#[test]
fn anything_but_affixes_case_and_wildcards() {
    let event = |text| [("event", String(text))];
    each(
        r#"{"event":[{"anything-but":{"prefix":"order-"}}]}"#,
        &[&event("data-entry"), &event("order_number")],
        &[&event("order-cancelled"), &[]],
    );
    each(
        r#"{"event":[{"anything-but":{"suffix":[".png",".jpg"]}}]}"#,
        &[&event("a.txt"), &event("png")],
        &[&event("a.png"), &event("b.jpg")],
    );
    each(
        r#"{"event":[{"anything-but":{"equals-ignore-case":["done","gone"]}}]}"#,
        &[&event("begun")],
        &[&event("DONE"), &event("Gone")],
    );
    each(
        r#"{"event":[{"anything-but":{"wildcard":"*/lib/*"}}]}"#,
        &[&event("lib"), &event("/src/x")],
        &[&event("/lib/"), &event("a/lib/b")],
    );
}

#[test]
fn prefix_suffix_case_and_wildcard() {
    let sport = |text| [("sport", String(text))];
    each(
        r#"{"sport":[{"prefix":"bas"}]}"#,
        &[&sport("baseball"), &sport("bas")],
        &[&sport("rugby"), &sport("Baseball")],
    );
    each(
        r#"{"sport":[{"suffix":"ball"}]}"#,
        &[&sport("baseball"), &sport("ball")],
        &[&sport("rugby"), &sport("balls")],
    );
    each(
        r#"{"sport":[{"equals-ignore-case":"tennis"}]}"#,
        &[&sport("TENNIS"), &sport("Tennis")],
        &[&sport("tennis ")],
    );
    each(r#"{"sport":[{"wildcard":"*ball"}]}"#, &[&sport("baseball"), &sport("ball")], &[&sport("rugby")]);
    each(r#"{"sport":[{"prefix":"5"}]}"#, &[&sport("55")], &[&[("sport", Number("55"))]]);
}

#[test]
fn addresses() {
    let from = |text| [("ip", String(text))];
    each(
        r#"{"ip":[{"cidr":"10.0.0.0/24"}]}"#,
        &[&from("10.0.0.0"), &from("10.0.0.255")],
        &[&from("10.1.1.0"), &from("10.0.0.256"), &from("::1"), &from("host")],
    );
}

#[test]
fn numbers() {
    let price = |text| [("price", Number(text))];
    each(
        r#"{"price":[{"numeric":["=",301.5]}]}"#,
        &[&price("301.5"), &price("3.015e2")],
        &[&price("301.51")],
    );
    each(
        r#"{"price":[{"numeric":["<",0]}]}"#,
        &[&price("-1"), &price("-0.00001")],
        &[&price("0"), &price("1")],
    );
    each(
        r#"{"price":[{"numeric":[">",0,"<=",150]}]}"#,
        &[&price("0.5"), &price("150"), &[("price", StringArray("[500,7]"))]],
        &[&price("0"), &price("150.1"), &[("price", String("5"))]],
    );
    // Five digits after the point, no more.
    each(r#"{"price":[1.00001]}"#, &[&price("1.000011")], &[&price("1.00002")]);
}

#[test]
fn keys() {
    each(
        r#"{"store":[{"exists":true}]}"#,
        &[&[("store", String("fans"))], &[("store", Number("1"))], &[("store", StringArray("[1]"))]],
        &[&[("other", String("x"))], &[], &[("store", Binary)]],
    );
    each(
        r#"{"store":[{"exists":false}]}"#,
        &[&[("other", String("x"))], &[], &[("store", Binary)]],
        &[&[("store", String("fans"))]],
    );
    each(
        r#"{"store":[{"exists":false},"fans"]}"#,
        &[&[], &[("store", String("fans"))]],
        &[&[("store", String("other"))]],
    );
    // Null in the policy is a value, and no value is not null.
    each(r#"{"a":[null,{"anything-but":"x"}]}"#, &[&[("a", String("y"))]], &[&[], &[("a", String("x"))]]);
}

#[test]
fn and_over_keys_or_inside_them() {
    let both = r#"{"sport":["rugby","golf"],"price":[{"numeric":[">",100]}]}"#;
    each(
        both,
        &[&[("sport", String("golf")), ("price", Number("101"))]],
        &[&[("sport", String("golf"))], &[("sport", String("golf")), ("price", Number("100"))]],
    );
    each(
        r#"{"source":["cw"],"$or":[{"name":["CPU"]},{"space":["EC2"],"id":[1]}]}"#,
        &[
            &[("source", String("cw")), ("name", String("CPU"))],
            &[("source", String("cw")), ("space", String("EC2")), ("id", Number("1"))],
        ],
        &[
            &[("source", String("cw"))],
            &[("name", String("CPU"))],
            &[("source", String("cw")), ("space", String("EC2"))],
        ],
    );
}

#[test]
fn or_is_a_name_unless_it_is_written_as_the_operator() {
    each(r#"{"$or":["a"]}"#, &[&[("$or", String("a"))]], &[&[("$or", String("b"))]]);
    each(
        r#"{"$or":[{"prefix":"a"},{"suffix":"b"}]}"#,
        &[&[("$or", String("ax"))]],
        &[&[("prefix", String("a"))]],
    );
}

#[test]
fn dots_in_names_are_only_dots() {
    each(r#"{"a.b":["x"]}"#, &[&[("a.b", String("x"))]], &[&[("a", String("x"))], &[("b", String("x"))]]);
}

#[test]
fn the_reason_names_the_metric() {
    let policy = r#"{"a":["x"]}"#;
    let out = FilterOutcome::FilteredOut;
    assert_eq!(outcome(policy, &[]), out(Why::NoMessageAttributes));
    assert_eq!(outcome(policy, &[("b", String("x"))]), out(Why::MessageAttributes));
    assert_eq!(outcome(policy, &[("a", Binary)]), out(Why::MessageAttributes));
    assert_eq!(outcome(policy, &[("a", StringArray("[\"x\""))]), out(Why::InvalidAttributes));
    assert_eq!(outcome(policy, &[("a", StringArray("\"x\""))]), out(Why::InvalidAttributes));
    assert_eq!(outcome(policy, &[("a", StringArray("[[\"x\"]]"))]), out(Why::InvalidAttributes));
    assert_eq!(outcome(policy, &[("a", Number("NaN"))]), out(Why::InvalidAttributes));
    // What the policy does not look at may be as it likes.
    assert_eq!(outcome(policy, &[("a", String("x")), ("b", StringArray("["))]), FilterOutcome::Accepted);
    let suffixes =
        [Why::NoMessageAttributes, Why::InvalidAttributes, Why::MessageAttributes].map(Why::suffix);
    assert_eq!(suffixes, ["NoMessageAttributes", "InvalidAttributes", "MessageAttributes"]);
}

#[test]
fn an_empty_policy_lets_everything_through() {
    each("{}", &[&[], &[("a", String("x"))], &[("a", StringArray("["))]], &[]);
}
