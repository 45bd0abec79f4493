//! What SNS refuses as a filter policy and how it says so. The texts were seen on AWS, the limits are documented.

use havoq_pattern::{FilterPolicy, FilterScope};

fn error(policy: &str, scope: FilterScope) -> String {
    FilterPolicy::parse(policy, scope).expect_err(policy).to_string()
}

/// The texts that AWS was seen to answer.
const SEEN: &[(&str, &str)] = &[
    (r#"[["value"]]"#, "Match value must be String, number, true, false, or null"),
    (r#"[{"wrong-operator":true}]"#, "Unrecognized match type wrong-operator"),
    (r#"[{"suffix":"value","prefix":"value2"}]"#, "Only one key allowed in match expression"),
    ("[]", "Empty arrays are not allowed"),
    (r#"[{"suffix":100}]"#, "suffix match pattern must be a string"),
    (r#"[{"suffix":null}]"#, "suffix match pattern must be a string"),
    (r#"{"suffix":"value"}"#, r#""suffix" must be an object or an array"#),
    (r#"[{"suffix":[]}]"#, "suffix match pattern must be a string"),
    (r#"[{"suffix":["test","test2"]}]"#, "suffix match pattern must be a string"),
    (r#"{"suffix":"value","prefix":"value"}"#, r#""suffix" must be an object or an array"#),
    (r#"{"not-an-operator":"value"}"#, r#""not-an-operator" must be an object or an array"#),
    (r#"[{"cidr":["bad-filter"]}]"#, "prefix match pattern must be a string"),
    (r#"[{"cidr":"bad-filter"}]"#, "Malformed CIDR, one '/' required"),
    (r#"[{"cidr":"bad-filter/64"}]"#, "Nonstandard IP address: bad-filter"),
    (r#"[{"cidr":"bad-/64filter"}]"#, "Malformed CIDR, mask bits must be an integer"),
    (r#"[{"cidr":"xx.11.xx/8"}]"#, "Nonstandard IP address: xx.11.xx"),
    (r#"[{"cidr":"xxxx:db8:1234:1a00::/64"}]"#, "Nonstandard IP address: xxxx:db8:1234:1a00::"),
    (r#"[{"numeric":[]}]"#, "Invalid member in numeric match: ]"),
    (r#"[{"numeric":["operator"]}]"#, "Unrecognized numeric range operator: operator"),
    (r#"[{"numeric":[1,"<="]}]"#, "Invalid member in numeric match: 1"),
    (r#"[{"numeric":["=","000"]}]"#, "Value of equals must be numeric"),
    (r#"[{"numeric":[">="]}]"#, "Value of >= must be numeric"),
    (r#"[{"numeric":["<",100,">",10]}]"#, "Too many elements in numeric expression"),
    (r#"[{"numeric":[">=",1,">",2]}]"#, "Bad numeric range operator: >"),
    (r#"[{"numeric":[">",3,"<",1]}]"#, "Bottom must be less than top"),
    (r#"[{"numeric":[">",20,"<="]}]"#, "Value of <= must be numeric"),
    (r#"[{"numeric":[">",20,30]}]"#, "Bad value in numeric range: 30"),
    (r#"[{"numeric":[">",20,"test"]}]"#, "Bad numeric range operator: test"),
    (r#"[{"numeric":[">","20","<","30"]}]"#, "Value of > must be numeric"),
    (r#"[{"numeric":[">",20,"<","30"]}]"#, "Value of < must be numeric"),
    (r#"[{"numeric":[">",20,"<",30,"<",50]}]"#, "Too many terms in numeric range expression"),
    (r#"[{"exists":null}]"#, "exists match pattern must be either true or false."),
    (r#"[{"exists":"no"}]"#, "exists match pattern must be either true or false."),
    (r#"[{"anything-but":{"wrong-operator":null}}]"#, "Unsupported anything-but pattern: wrong-operator"),
    (r#"[{"anything-but":{"exists":false}}]"#, "Unsupported anything-but pattern: exists"),
    (r#"[{"anything-but":{"prefix":false}}]"#, "prefix match pattern must be a string"),
    (r#""value_one""#, r#""key" must be an object or an array"#),
];

/// The rest of what AWS's compiler of rules says.
const COMPILER: &[(&str, &str)] = &[
    ("{}", "Empty objects are not allowed"),
    ("[{}]", "Match expression name not found"),
    (r#"[{"numeric":[">",3,"<=",3]}]"#, "Bottom must be less than top"),
    (r#"[{"numeric":5}]"#, "Value of numeric must be an array."),
    (r#"[{"numeric":["=",5],"prefix":"a"}]"#, "Too many elements in numeric expression"),
    (
        r#"[{"anything-but":[]}]"#,
        "Inside anything but list, either all values are number or string, mixed type is not supported",
    ),
    (
        r#"[{"anything-but":["a",5]}]"#,
        "Inside anything but list, either all values are number or string, mixed type is not supported",
    ),
    (r#"[{"anything-but":[true]}]"#, "Inside anything but list, start|null|boolean is not supported."),
    (r#"[{"anything-but":null}]"#, "Value of anything-but must be an array or single string/number value."),
    (r#"[{"anything-but":{}}]"#, "Anything-But expression name not found"),
    (r#"[{"anything-but":{"prefix":""}}]"#, "Null prefix/suffix not allowed"),
    (r#"[{"anything-but":{"wildcard":"a**"}}]"#, "Consecutive wildcard characters at pos 2"),
    (r#"[{"wildcard":"**"}]"#, "Consecutive wildcard characters at pos 1"),
    (r#"[{"wildcard":"a\\b"}]"#, "Invalid escape character at pos 2"),
    (r#"[{"wildcard":"a\\"}]"#, "Invalid escape character at pos 2"),
    (r#"[{"wildcard":5}]"#, "wildcard match pattern must be a string"),
    (r#"[{"equals-ignore-case":["a"]}]"#, "equals-ignore-case match pattern must be a string"),
    (r#"[{"prefix":{"suffix":"a"}}]"#, "Unsupported prefix pattern: suffix"),
    (r#"[{"cidr":"10.0.0.0/32"}]"#, "IPv4 mask bits must be < 32"),
    (r#"[{"cidr":"::/128"}]"#, "IPv6 mask bits must be < 128"),
    (r#"[{"cidr":"::/-1"}]"#, "Malformed CIDR, mask bits must not be negative"),
    (r#"[{"cidr":"1.2.3.4/8/8"}]"#, "Malformed CIDR, one '/' required"),
    (r#"[{"numeric":["=",1000000001]}]"#, "Value must be between -1.0E9 and 1.0E9, inclusive"),
    (r#"[{"anything-but":[-1000000001]}]"#, "Value must be between -1.0E9 and 1.0E9, inclusive"),
];

#[test]
fn a_bad_rule_is_refused_in_the_words_of_aws() {
    for (value, text) in SEEN.iter().chain(COMPILER) {
        for scope in [FilterScope::MessageAttributes, FilterScope::MessageBody] {
            assert_eq!(
                error(&format!(r#"{{"key":{value}}}"#), scope),
                format!("FilterPolicy: {text}"),
                "{value}"
            );
        }
    }
}

#[test]
fn what_is_not_written_as_or_is_read_as_a_field() {
    let text = |value: &str| error(&format!(r#"{{"$or":{value}}}"#), FilterScope::MessageBody);
    assert_eq!(text(r#"[{"a":[1]}]"#), "FilterPolicy: Unrecognized match type a");
    assert_eq!(text(r#"[{"a":[1]},5]"#), "FilterPolicy: Unrecognized match type a");
    assert_eq!(text(r#"[{"a":[1]},{}]"#), "FilterPolicy: Empty objects are not allowed");
    assert_eq!(text("[]"), "FilterPolicy: Empty arrays are not allowed");
    assert_eq!(text("5"), "FilterPolicy: \"$or\" must be an object or an array");
}

#[test]
fn a_policy_is_a_json_object() {
    assert!(error("{", FilterScope::MessageBody).starts_with("FilterPolicy: failed to parse JSON. "));
    assert_eq!(error("[]", FilterScope::MessageBody), "FilterPolicy: Filter is not an object");
}

#[test]
fn attributes_have_no_nesting() {
    let policy = r#"{"object":{"key":[{"prefix":"auto-"}]}}"#;
    let text = "Filter policy scope MessageAttributes does not support nested filter policy";
    assert_eq!(error(policy, FilterScope::MessageAttributes), text);
    assert!(FilterPolicy::parse(policy, FilterScope::MessageBody).is_ok());
}

#[test]
fn at_most_five_keys_and_only_those_at_the_top_count() {
    let keys = |count: usize| {
        let keys: Vec<String> = (0..count).map(|key| format!(r#""k{key}":["v"]"#)).collect();
        format!("{{{}}}", keys.join(","))
    };
    assert!(FilterPolicy::parse(&keys(5), FilterScope::MessageAttributes).is_ok());
    let text = "FilterPolicy: Filter policy can not have more than 5 keys";
    assert_eq!(error(&keys(6), FilterScope::MessageAttributes), text);
    assert_eq!(error(&keys(6), FilterScope::MessageBody), text);
    let nested = format!(r#"{{"top":{}}}"#, keys(6));
    assert!(FilterPolicy::parse(&nested, FilterScope::MessageBody).is_ok());
}

fn values(count: usize) -> String {
    let values: Vec<String> = (0..count).map(|value| format!("\"v{value}\"")).collect();
    format!("[{}]", values.join(","))
}

#[test]
fn at_most_150_combinations() {
    let complex = |policy: &str, scope| {
        let text = "FilterPolicy: Filter policy is too complex";
        FilterPolicy::parse(policy, scope).is_err_and(|bad| bad.to_string() == text)
    };
    let flat = FilterScope::MessageAttributes;
    assert!(complex(&format!(r#"{{"k":{}}}"#, values(151)), flat));
    assert!(!complex(&format!(r#"{{"k":{}}}"#, values(150)), flat));
    assert!(complex(&format!(r#"{{"a":{},"b":{}}}"#, values(100), values(51)), flat));
    assert!(!complex(&format!(r#"{{"a":{},"b":{}}}"#, values(50), values(3)), flat));
    // A list of anything-but is one value.
    assert!(!complex(&format!(r#"{{"a":[{{"anything-but":{}}}]}}"#, values(500)), flat));
    // 3 x 4 x 2 x 3 x 1 x 3 = 216, and 72 without the last.
    let nested =
        |last: &str| format!(r#"{{"a":{{"b":{{"c":{}}}}},"d":{{"e":{}}}{last}}}"#, values(4), values(3));
    assert!(complex(&nested(&format!(r#","f":{}"#, values(3))), FilterScope::MessageBody));
    assert!(!complex(&nested(r#","f":["x","y"]"#), FilterScope::MessageBody));
}

#[test]
fn or_adds_combinations_up() {
    let flat = |source, name, id, space| {
        format!(
            r#"{{"source":{},"$or":[{{"name":{}}},{{"type":{},"$or":[{{"id":{}}},{{"space":{}}}]}}]}}"#,
            values(source),
            values(name),
            values(4),
            values(id),
            values(space)
        )
    };
    // 4 x 6 + 4 x 4 x 4 + 4 x 4 x 4 = 152, and 3 x 6 + 3 x 4 x 4 + 3 x 4 x 7 = 150.
    assert!(FilterPolicy::parse(&flat(4, 6, 4, 4), FilterScope::MessageAttributes).is_err());
    assert!(FilterPolicy::parse(&flat(3, 6, 4, 7), FilterScope::MessageAttributes).is_ok());
    // 3 x 4 x 2 + 3 x 4 x 6 + 2 x 4 x 2 + 2 x 4 x 6 = 160, and 144 with two types.
    let nested = |types| {
        format!(
            r#"{{"$or":[{{"name":{}}},{{"space":{}}}],"detail":{{"scope":{},"$or":[{{"source":["s"]}},{{"type":{}}}]}}}}"#,
            values(3),
            values(2),
            values(2),
            values(types)
        )
    };
    assert!(FilterPolicy::parse(&nested(3), FilterScope::MessageBody).is_err());
    assert!(FilterPolicy::parse(&nested(2), FilterScope::MessageBody).is_ok());
}

#[test]
fn wildcards_are_counted() {
    let policy = |patterns: &[&str]| {
        let patterns: Vec<String> =
            patterns.iter().map(|text| format!(r#"{{"wildcard":"{text}"}}"#)).collect();
        FilterPolicy::parse(&format!(r#"{{"a":[{}]}}"#, patterns.join(",")), FilterScope::MessageBody)
    };
    assert!(policy(&["*a*b*"]).is_ok());
    assert!(policy(&["*a*b*c*"]).is_err());
    // With one wildcard each: 10 points times 10 patterns, and 11 times 11.
    assert!(policy(&["*a"; 10]).is_ok());
    assert!(policy(&["*a"; 11]).is_err());
    // With more: 15 points times 5 patterns, and 18 times 6.
    assert!(policy(&["*a*"; 5]).is_ok());
    assert!(policy(&["*a*"; 6]).is_err());
    let one = "\"*a\",".repeat(11);
    let but = format!(r#"{{"a":[{{"anything-but":{{"wildcard":[{}]}}}}]}}"#, one.trim_end_matches(','));
    assert!(FilterPolicy::parse(&but, FilterScope::MessageBody).is_err());
}

#[test]
fn a_policy_has_256_kib_at_most() {
    let policy = |length: usize| format!(r#"{{"a":["{}"]}}"#, "x".repeat(length - 10));
    assert!(FilterPolicy::parse(&policy(256 * 1024), FilterScope::MessageBody).is_ok());
    assert!(FilterPolicy::parse(&policy(256 * 1024 + 1), FilterScope::MessageBody).is_err());
}
