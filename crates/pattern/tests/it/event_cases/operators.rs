//! The operators.

use super::{Row, row};

pub(super) const ANYTHING_BUT: &[Row] = &[
    row(
        "anything-but a text",
        r#"{"state":[{"anything-but":"init"}]}"#,
        &[r#"{"state":"done"}"#, r#"{"state":"Init"}"#, r#"{"state":5}"#, r#"{"state":null}"#],
        &[r#"{"state":"init"}"#, "{}"],
    ),
    row(
        "anything-but a list of texts",
        r#"{"state":[{"anything-but":["init","off"]}]}"#,
        &[r#"{"state":"done"}"#, r#"{"state":null}"#, r#"{"state":["off","on"]}"#],
        &[r#"{"state":"off"}"#, r#"{"other":"done"}"#, r#"{"state":["off","init"]}"#],
    ),
    row(
        "anything-but a number",
        r#"{"limit":[{"anything-but":123}]}"#,
        &[r#"{"limit":124}"#, r#"{"limit":"123"}"#, r#"{"limit":0}"#],
        &[r#"{"limit":123}"#, "{}"],
    ),
    row(
        "anything-but zero",
        r#"{"limit":[{"anything-but":0}]}"#,
        &[r#"{"limit":1}"#, r#"{"limit":-1}"#],
        &[r#"{"limit":0}"#],
    ),
    row(
        "anything-but a list of numbers",
        r#"{"limit":[{"anything-but":[100,200]}]}"#,
        &[r#"{"limit":150}"#],
        &[r#"{"limit":100}"#, r#"{"limit":200}"#],
    ),
    row(
        "anything-but a prefix",
        r#"{"state":[{"anything-but":{"prefix":"init"}}]}"#,
        &[r#"{"state":"post-init"}"#, r#"{"state":12}"#, r#"{"state":null}"#, r#"{"state":"Init"}"#],
        &[r#"{"state":"initial"}"#, r#"{"state":"init"}"#, "{}"],
    ),
    row(
        "anything-but prefixes",
        r#"{"state":[{"anything-but":{"prefix":["init","post"]}}]}"#,
        &[r#"{"state":"run"}"#, r#"{"state":"pos"}"#, r#"{"state":null}"#],
        &[r#"{"state":"post-1"}"#, r#"{"state":"init"}"#, "{}"],
    ),
    row(
        "anything-but a suffix",
        r#"{"file":[{"anything-but":{"suffix":".txt"}}]}"#,
        &[r#"{"file":"a.txt.bak"}"#, r#"{"file":"a.TXT"}"#, r#"{"file":null}"#],
        &[r#"{"file":"a.txt"}"#, r#"{"file":".txt"}"#, "{}"],
    ),
    row(
        "anything-but suffixes",
        r#"{"file":[{"anything-but":{"suffix":[".txt",".jpg"]}}]}"#,
        &[r#"{"file":"a.png"}"#],
        &[r#"{"file":"a.jpg"}"#, r#"{"file":"b.txt"}"#, "{}"],
    ),
    row(
        "anything-but without case",
        r#"{"state":[{"anything-but":{"equals-ignore-case":"init"}}]}"#,
        &[r#"{"state":"initial"}"#, r#"{"state":null}"#],
        &[r#"{"state":"INIT"}"#, r#"{"state":"init"}"#, "{}"],
    ),
    row(
        "anything-but a list without case",
        r#"{"state":[{"anything-but":{"equals-ignore-case":["init","Off"]}}]}"#,
        &[r#"{"state":"on"}"#, r#"{"state":null}"#],
        &[r#"{"state":"OFF"}"#, r#"{"state":"Init"}"#, "{}"],
    ),
    row(
        "anything-but a wildcard",
        r#"{"path":[{"anything-but":{"wildcard":"*/lib/*"}}]}"#,
        &[r#"{"path":"/usr/bin/x"}"#, r#"{"path":7}"#, r#"{"path":null}"#],
        &[r#"{"path":"/usr/lib/x"}"#, "{}"],
    ),
    row(
        "anything-but wildcards",
        r#"{"path":[{"anything-but":{"wildcard":["*/lib/*","*/bin/*"]}}]}"#,
        &[r#"{"path":"/usr/share/x"}"#, r#"{"path":null}"#],
        &[r#"{"path":"/usr/bin/x"}"#, r#"{"path":"/usr/lib/x"}"#, "{}"],
    ),
    row(
        "anything-but the empty wildcard",
        r#"{"path":[{"anything-but":{"wildcard":""}}]}"#,
        &[r#"{"path":"/usr"}"#],
        &[r#"{"path":""}"#],
    ),
];

pub(super) const TEXTS: &[Row] = &[
    row(
        "prefix",
        r#"{"time":[{"prefix":"2026-11-"}]}"#,
        &[r#"{"time":"2026-11-30T00:00:00Z"}"#, r#"{"time":"2026-11-"}"#],
        &[r#"{"time":"2026-12-01"}"#, r#"{"time":"x2026-11-"}"#, r#"{"time":2026}"#, "{}"],
    ),
    row(
        "the empty prefix is any text",
        r#"{"source":[{"prefix":""}]}"#,
        &[r#"{"source":"any"}"#, r#"{"source":""}"#],
        &[r#"{"source":5}"#, r#"{"source":null}"#, "{}"],
    ),
    row(
        "prefix without case",
        r#"{"service":[{"prefix":{"equals-ignore-case":"EventB"}}]}"#,
        &[r#"{"service":"eVENTbridge"}"#, r#"{"service":"EventB"}"#],
        &[r#"{"service":"event"}"#, r#"{"service":"an EventB"}"#],
    ),
    row(
        "suffix",
        r#"{"file":[{"suffix":".png"}]}"#,
        &[r#"{"file":"a.png"}"#, r#"{"file":".png"}"#],
        &[r#"{"file":"a.PNG"}"#, r#"{"file":"a.png "}"#, r#"{"file":"png"}"#, "{}"],
    ),
    row(
        "the empty suffix is any text",
        r#"{"source":[{"suffix":""}]}"#,
        &[r#"{"source":"any"}"#],
        &[r#"{"source":true}"#, "{}"],
    ),
    row(
        "suffix without case",
        r#"{"file":[{"suffix":{"equals-ignore-case":".png"}}]}"#,
        &[r#"{"file":"a.PnG"}"#, r#"{"file":"a.png"}"#],
        &[r#"{"file":"a.jpg"}"#, r#"{"file":"a.png."}"#],
    ),
    row(
        "equals-ignore-case",
        r#"{"detail-type":[{"equals-ignore-case":"order sent"}]}"#,
        &[r#"{"detail-type":"Order SENT"}"#, r#"{"detail-type":["x","ORDER sent"]}"#],
        &[r#"{"detail-type":"order sent!"}"#, r#"{"detail-type":"order"}"#],
    ),
    row(
        "equals-ignore-case of the empty text",
        r#"{"note":[{"equals-ignore-case":""}]}"#,
        &[r#"{"note":""}"#],
        &[r#"{"note":"x"}"#, r#"{"note":null}"#],
    ),
    row(
        "a wildcard is any run of letters",
        r#"{"bus":[{"wildcard":"arn:aws:events:eu-west-1:*:event-bus/*"}]}"#,
        &[
            r#"{"bus":"arn:aws:events:eu-west-1:000000000000:event-bus/b"}"#,
            r#"{"bus":"arn:aws:events:eu-west-1::event-bus/"}"#,
        ],
        &[
            r#"{"bus":"arn:aws:events:eu-west-2:0:event-bus/b"}"#,
            r#"{"bus":"arn:aws:events:eu-west-1:0:rule/b"}"#,
        ],
    ),
    row(
        "a wildcard in the middle with what repeats behind it",
        r#"{"file":[{"wildcard":"/home/*/dir/dir/dir/doc.txt"}]}"#,
        &[r#"{"file":"/home/me/dir/dir/dir/dir/doc.txt"}"#],
        &[r#"{"file":"/home/me/dir/dir/odir/doc.txt"}"#, r#"{"file":"/home/dir/dir/dir/doc.txt"}"#],
    ),
    row(
        "a wildcard without a star is exact",
        r#"{"a":[{"wildcard":"xy"}],"b":[{"wildcard":""}]}"#,
        &[r#"{"a":"xy","b":""}"#],
        &[r#"{"a":"xyz","b":""}"#, r#"{"a":"xy","b":"x"}"#],
    ),
    row(
        "escapes in wildcards",
        r#"{"a":[{"wildcard":"\\**\\\\"}]}"#,
        &[r#"{"a":"*abc\\"}"#, r#"{"a":"*\\"}"#],
        &[r#"{"a":"abc\\"}"#, r#"{"a":"*abc"}"#],
    ),
];

pub(super) const NUMBERS: &[Row] = &[
    row(
        "numeric equals",
        r#"{"n":[{"numeric":["=",301.8]}]}"#,
        &[r#"{"n":301.8}"#, r#"{"n":3.018e2}"#],
        &[r#"{"n":301}"#],
    ),
    row(
        "numeric below",
        r#"{"n":[{"numeric":["<",10]}]}"#,
        &[r#"{"n":9.99}"#, r#"{"n":-5}"#],
        &[r#"{"n":10}"#, r#"{"n":11}"#],
    ),
    row(
        "numeric up to",
        r#"{"n":[{"numeric":["<=",10]}]}"#,
        &[r#"{"n":10}"#, r#"{"n":0}"#],
        &[r#"{"n":10.01}"#],
    ),
    row(
        "numeric above",
        r#"{"n":[{"numeric":[">",100]}]}"#,
        &[r#"{"n":101.0}"#],
        &[r#"{"n":100}"#, r#"{"n":"300"}"#, r#"{"n":null}"#],
    ),
    row(
        "numeric from",
        r#"{"n":[{"numeric":[">=",100]}]}"#,
        &[r#"{"n":100}"#],
        &[r#"{"n":99}"#, r#"{"n":true}"#, "{}"],
    ),
    row(
        "numeric between",
        r#"{"n":[{"numeric":[">",0,"<=",5]}]}"#,
        &[r#"{"n":3}"#, r#"{"n":5}"#, r#"{"n":[9,1]}"#],
        &[r#"{"n":0}"#, r#"{"n":5.1}"#, r#"{"n":[0,9]}"#],
    ),
    row(
        "numbers are exact within 2 to the power of 53",
        r#"{"n":[{"numeric":["=",9007199254740991]}]}"#,
        &[r#"{"n":9007199254740991}"#],
        &[r#"{"n":9007199254740990}"#],
    ),
    row(
        "small differences count",
        r#"{"n":[{"numeric":["<",0.0000001]}]}"#,
        &[r#"{"n":0.00000009}"#],
        &[r#"{"n":0.0000002}"#],
    ),
    row(
        "blocks of IPv4",
        r#"{"ip":[{"cidr":"10.0.0.0/24"}]}"#,
        &[r#"{"ip":"10.0.0.255"}"#, r#"{"ip":"10.0.0.0"}"#],
        &[
            r#"{"ip":"10.0.1.0"}"#,
            r#"{"ip":"10.0.0.256"}"#,
            r#"{"ip":123}"#,
            r#"{"ip":"here"}"#,
            r#"{"ip":"::1"}"#,
        ],
    ),
    row(
        "blocks of IPv6",
        r#"{"ip":[{"cidr":"2001:db8:1234:1a00::/64"}]}"#,
        &[r#"{"ip":"2001:0db8:1234:1a00:0000:0000:0000:0001"}"#, r#"{"ip":"2001:db8:1234:1a00::"}"#],
        &[r#"{"ip":"2001:db8:1234:1a01::"}"#, r#"{"ip":"10.0.0.1"}"#],
    ),
];
