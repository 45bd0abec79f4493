//! Values, the shapes of events, absence and `$or`.

use super::{Row, row};

pub(super) const VALUES: &[Row] = &[
    row(
        "a text is compared letter by letter, with case",
        r#"{"source":["shop.orders"]}"#,
        &[r#"{"source":"shop.orders"}"#, r#"{"source":"shop.orders","more":1}"#],
        &[r#"{"source":"Shop.orders"}"#, r#"{"source":"shop.orders "}"#, r#"{"source":"shop"}"#, "{}"],
    ),
    row(
        "letters beyond ASCII and spaces count",
        r#"{"name":["Größe 🚚 "]}"#,
        &[r#"{"name":"Größe 🚚 "}"#, r#"{"name":"Gr\u00f6\u00dfe \ud83d\ude9a "}"#],
        &[r#"{"name":"Größe 🚚"}"#, r#"{"name":"GRÖSSE 🚚 "}"#],
    ),
    row(
        "the alternatives of a list are joined by or",
        r#"{"state":["sent","paid"]}"#,
        &[r#"{"state":"sent"}"#, r#"{"state":"paid"}"#],
        &[r#"{"state":"open"}"#, r#"{"state":null}"#],
    ),
    row(
        "fields are joined by and",
        r#"{"source":["a"],"detail":{"state":["x"],"kind":["y"]}}"#,
        &[r#"{"source":"a","detail":{"state":"x","kind":"y"}}"#],
        &[
            r#"{"source":"a","detail":{"state":"x"}}"#,
            r#"{"source":"b","detail":{"state":"x","kind":"y"}}"#,
            r#"{"source":"a","detail":{"state":"x","kind":"z"}}"#,
        ],
    ),
    row(
        "names of fields have case",
        r#"{"State":["x"]}"#,
        &[r#"{"State":"x"}"#],
        &[r#"{"state":"x"}"#, r#"{"STATE":"x"}"#],
    ),
    row(
        "a field stands at the same nesting",
        r#"{"detail":{"state":["x"]}}"#,
        &[r#"{"detail":{"state":"x","other":{"state":"y"}}}"#],
        &[r#"{"state":"x"}"#, r#"{"detail":{"inner":{"state":"x"}}}"#, r#"{"detail":"x"}"#],
    ),
    row(
        "booleans are themselves",
        r#"{"paid":[true]}"#,
        &[r#"{"paid":true}"#],
        &[r#"{"paid":false}"#, r#"{"paid":"true"}"#, r#"{"paid":1}"#, r#"{"paid":null}"#],
    ),
    row(
        "numbers are themselves",
        r#"{"count":[300]}"#,
        &[r#"{"count":300}"#],
        &[r#"{"count":301}"#, r#"{"count":"300"}"#, r#"{"count":300.5}"#, r#"{"count":-300}"#],
    ),
    row(
        "long numbers are themselves",
        r#"{"account":[123456789012]}"#,
        &[r#"{"account":123456789012}"#],
        &[r#"{"account":123456789013}"#, r#"{"account":"123456789012"}"#],
    ),
    row(
        "null is null",
        r#"{"note":[null]}"#,
        &[r#"{"note":null}"#],
        &[r#"{"note":""}"#, r#"{"note":"null"}"#, "{}", r#"{"note":[]}"#, r#"{"note":false}"#],
    ),
    row(
        "the empty text is the empty text",
        r#"{"note":[""]}"#,
        &[r#"{"note":""}"#],
        &[r#"{"note":null}"#, "{}", r#"{"note":" "}"#],
    ),
    row(
        "wildcards mean nothing in a text",
        r#"{"star":["*"],"slash":["\\"]}"#,
        &[r#"{"star":"*","slash":"\\"}"#],
        &[r#"{"star":"x","slash":"\\"}"#],
    ),
];

pub(super) const SHAPES: &[Row] = &[
    row(
        "an array matches when it shares a value with the pattern",
        r#"{"resources":["arn:a","arn:b"]}"#,
        &[r#"{"resources":["arn:x","arn:b"]}"#, r#"{"resources":["arn:a"]}"#, r#"{"resources":"arn:a"}"#],
        &[r#"{"resources":["arn:x"]}"#, r#"{"resources":[]}"#],
    ),
    row(
        "null is looked for in an array as well",
        r#"{"resources":[null]}"#,
        &[r#"{"resources":["a",null]}"#],
        &[r#"{"resources":[]}"#, r#"{"resources":["a"]}"#],
    ),
    row(
        "arrays in arrays are looked into",
        r#"{"a":["x"]}"#,
        &[r#"{"a":[["y"],["x"]]}"#],
        &[r#"{"a":[["y"],[["z"]]]}"#],
    ),
    row(
        "fields below an array are found in its elements",
        r#"{"detail":{"lines":{"sku":["A"]}}}"#,
        &[r#"{"detail":{"lines":[{"sku":"B"},{"sku":"A"}]}}"#, r#"{"detail":{"lines":{"sku":"A"}}}"#],
        &[r#"{"detail":{"lines":[{"sku":"B"},{"id":"A"}]}}"#, r#"{"detail":{"lines":["A"]}}"#],
    ),
    row(
        "fields below an array must be true of one element",
        r#"{"lines":{"sku":["A"],"count":[2]}}"#,
        &[r#"{"lines":[{"sku":"B","count":1},{"sku":"A","count":2}]}"#],
        &[r#"{"lines":[{"sku":"A","count":1},{"sku":"B","count":2}]}"#],
    ),
    row(
        "a dotted name in a pattern is nesting",
        r#"{"detail":{"state.status":["run"]}}"#,
        &[r#"{"detail":{"state":{"status":"run"}}}"#, r#"{"detail":{"state.status":"run"}}"#],
        &[r#"{"detail":{"state":{"code":"run"}}}"#, r#"{"detail":{"state":"run"}}"#],
    ),
    row(
        "a dotted name in an event is nesting",
        r#"{"detail":{"state":{"status":["run"]}}}"#,
        &[r#"{"detail":{"state.status":"run"}}"#, r#"{"detail.state":{"status":"run"}}"#],
        &[r#"{"detail":{"state.status":{"status":"run"}}}"#, r#"{"detail":{"state.":"run"}}"#],
    ),
    row(
        "a dotted name can begin below the top",
        r#"{"detail":{"payload.inner.deep":{"list":[{"prefix":"q-"}]}}}"#,
        &[r#"{"detail":{"payload":{"inner":{"deep":{"list":["a","q-1"]}}}}}"#],
        &[r#"{"detail":{"payload":{"inner":{"list":["q-1"]}}}}"#],
    ),
    row(
        "a name may be empty",
        r#"{"":["x"],"a":{"":{"b":["y"]}}}"#,
        &[r#"{"":"x","a":{"":{"b":"y"}}}"#],
        &[r#"{"":"x","a":{"b":"y"}}"#],
    ),
    row(
        "a detail that is a text is not parsed",
        r#"{"detail":{"state":["x"]}}"#,
        &[r#"{"detail":{"state":"x"}}"#],
        &[r#"{"detail":"{\"state\":\"x\"}"}"#],
    ),
    row(
        "of two equal names the last counts",
        r#"{"detail":{"place":[{"prefix":"us-"}],"place":[{"anything-but":"us-east"}]}}"#,
        &[r#"{"detail":{"place":"eu-west"}}"#, r#"{"detail":{"place":"us-west"}}"#],
        &[r#"{"detail":{"place":"us-east"}}"#],
    ),
];

pub(super) const EXISTENCE: &[Row] = &[
    row(
        "exists true wants a leaf",
        r#"{"detail":{"state":[{"exists":true}]}}"#,
        &[r#"{"detail":{"state":"x"}}"#, r#"{"detail":{"state":null}}"#, r#"{"detail":{"state":0}}"#],
        &[
            r#"{"detail":{"count":1}}"#,
            r#"{"detail":{"state":{"code":1}}}"#,
            r#"{"detail":{"state":[]}}"#,
            "{}",
        ],
    ),
    row(
        "exists true looks into the elements of an array",
        r#"{"lines":{"id":[{"exists":true}]}}"#,
        &[r#"{"lines":[{"a":1},{"id":2}]}"#],
        &[r#"{"lines":[{"a":1},{"b":2}]}"#],
    ),
    row(
        "exists false wants no such leaf",
        r#"{"detail":{"state":[{"exists":false}]}}"#,
        &[r#"{"detail":{"count":1}}"#, r#"{"detail":{"count":{"state":1}}}"#],
        &[r#"{"detail":{"state":"x"}}"#, r#"{"detail":{"state":null}}"#, r#"{"detail":{"state":[1]}}"#],
    ),
    row(
        "exists false holds where a parent is absent",
        r#"{"detail":{"a":{"b":{"c":[{"exists":false}]}}}}"#,
        &[r#"{"detail":{"a":{"x":1}}}"#, r#"{"detail":{"x":1}}"#, r#"{"other":1}"#],
        &[r#"{"detail":{"a":{"b":{"c":1}}}}"#],
    ),
    row(
        "exists false is one alternative among others",
        r#"{"detail":{"size":[{"anything-but":["L"]},{"exists":false}]}}"#,
        &[r#"{"detail":{"size":"S"}}"#, r#"{"detail":{"colour":"red"}}"#, "{}"],
        &[r#"{"detail":{"size":"L"}}"#],
    ),
    row(
        "exists false beside another field",
        r#"{"kind":["a"],"note":[{"exists":false}]}"#,
        &[r#"{"kind":"a"}"#],
        &[r#"{"kind":"a","note":"n"}"#, r#"{"kind":"b"}"#],
    ),
];

pub(super) const OR: &[Row] = &[
    row(
        "one rule of $or holds",
        r#"{"detail":{"$or":[{"c":[{"numeric":[">",0,"<=",5]}]},{"d":[{"numeric":["<",10]}]},{"x":["y"]}]}}"#,
        &[r#"{"detail":{"c":1,"d":11}}"#, r#"{"detail":{"c":0,"d":9}}"#, r#"{"detail":{"x":"y"}}"#],
        &[r#"{"detail":{"c":0,"d":10,"x":"z"}}"#, r#"{"detail":{}}"#, r#"{"c":1}"#],
    ),
    row(
        "$or is joined to the fields beside it by and",
        r#"{"source":["s"],"$or":[{"a":[1]},{"b":[2],"c":[3]}]}"#,
        &[r#"{"source":"s","a":1}"#, r#"{"source":"s","b":2,"c":3}"#],
        &[r#"{"source":"t","a":1}"#, r#"{"source":"s","b":2}"#, r#"{"source":"s"}"#],
    ),
    row(
        "$or in $or",
        r#"{"$or":[{"a":[1]},{"b":[2],"$or":[{"c":[3]},{"d":[4]}]}]}"#,
        &[r#"{"a":1}"#, r#"{"b":2,"c":3}"#, r#"{"b":2,"d":4}"#],
        &[r#"{"b":2}"#, r#"{"c":3}"#],
    ),
    row(
        "two $ors at different depths",
        r#"{"$or":[{"a":[1]},{"b":[2]}],"detail":{"$or":[{"c":[3]},{"d":[4]}]}}"#,
        &[r#"{"a":1,"detail":{"d":4}}"#, r#"{"b":2,"detail":{"c":3}}"#],
        &[r#"{"a":1,"b":2,"detail":{"c":4}}"#, r#"{"detail":{"c":3,"d":4}}"#],
    ),
    row(
        "$or with anything-but, exists and numeric",
        r#"{"$or":[{"a":[{"anything-but":"x"}]},{"b":[{"exists":false}],"n":[{"numeric":[">",1]}]}]}"#,
        &[r#"{"a":"y"}"#, r#"{"a":"x","n":2}"#, r#"{"n":2}"#],
        &[r#"{"a":"x","n":1}"#, r#"{"a":"x","b":1,"n":2}"#],
    ),
    row(
        "operators of one list are joined by or",
        r#"{"n":[{"numeric":[">",100]},{"anything-but":"101"}]}"#,
        &[r#"{"n":"42"}"#, r#"{"n":101}"#, r#"{"n":5}"#],
        &[r#"{"n":"101"}"#, "{}"],
    ),
];
