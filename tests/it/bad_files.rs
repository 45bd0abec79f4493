//! Files that are no scenarios: told with their place, never a panic, never for long.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

use crate::support::{Havoq, Ran};

/// A whole and good scenario, to spoil.
const GOOD: &str = r#"name: good
stack:
  Resources:
    Orders:
      Type: AWS::SQS::Queue
      Properties: { VisibilityTimeout: 30 }
consumers:
  c: { worker: {}, queue: Orders }
effects:
  charges: { http: /charges, key: $.orderId }
inject:
  - send: { to: Orders, count: 2, as: orders }
expect:
  - effect: { of: orders, in: charges, exactly: 1, within: 2m }
"#;

/// Checks a path; what is wrong with the answer, if something is.
fn check(path: &Path, place: Option<&str>) -> Result<(), String> {
    let began = havoq_base::RunStart::now();
    // With bounds from outside, so that a file that is read without end fails this test alone.
    let havoq = Havoq::new(&["check", path.to_str().expect("a path")]);
    let ran = havoq.in_shell("ulimit -v 2000000; timeout 10 havoq").ran();
    let seconds = began.elapsed().as_secs_f64();
    judge(&ran, place, seconds)
}

fn judge(ran: &Ran, place: Option<&str>, seconds: f64) -> Result<(), String> {
    let short: String = ran.all().chars().take(600).collect();
    if ran.code != Some(2) {
        return Err(format!("not exit code 2: {short}"));
    }
    if ran.all().contains("panicked") {
        return Err(format!("a panic: {short}"));
    }
    if let Some(place) = place.filter(|place| !ran.stderr.contains(place)) {
        return Err(format!("not at {place}: {short}"));
    }
    if seconds > 5.0 {
        return Err(format!("{seconds:.1} s"));
    }
    if ran.stderr.len() > 20_000 {
        return Err(format!("{} bytes of error", ran.stderr.len()));
    }
    Ok(())
}

/// Checks files with these contents; all that went wrong.
fn check_all(files: Vec<(&str, Vec<u8>, Option<&str>)>) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    for (name, bytes, place) in files {
        let path = folder.path().join(format!("{name}.yaml"));
        std::fs::write(&path, bytes).expect("a file");
        wrong.extend(check(&path, place).err().map(|error| format!("{name}: {error}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn spoiled(from: &str, to: &str) -> Vec<u8> {
    let text = GOOD.replace(from, to);
    assert_ne!(text, GOOD);
    text.into_bytes()
}

#[test]
fn the_good_one_is_good() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [
        ("plain", GOOD.to_owned()),
        ("crlf", GOOD.replace('\n', "\r\n")),
        ("bom", format!("\u{feff}{GOOD}")),
        ("marked", format!("%YAML 1.2\n---\n{GOOD}...\n")),
    ] {
        let path = folder.path().join(format!("{name}.yaml"));
        std::fs::write(&path, text).expect("a file");
        Havoq::new(&["check", path.to_str().expect("a path")]).ran().assert_code(0);
    }
}

#[test]
fn what_is_no_yaml_is_told_with_its_place() {
    check_all(vec![
        ("empty", vec![], Some("empty.yaml")),
        ("comment", b"# nothing\n\n".to_vec(), Some("comment.yaml")),
        ("document-mark", b"---\n".to_vec(), Some("document-mark.yaml")),
        ("binary", (0..=255).cycle().take(10_000).collect(), Some("binary.yaml")),
        ("zeros", vec![0; 1_000], Some("zeros.yaml")),
        (
            "latin-1",
            spoiled("name: good", "name: good\ndescription: \u{e9}")
                .iter()
                .map(|b| if *b == 0xa9 { 0xff } else { *b })
                .collect(),
            Some("latin-1.yaml:2"),
        ),
        ("utf-16", GOOD.encode_utf16().flat_map(u16::to_le_bytes).collect(), Some("utf-16.yaml")),
        ("tabs", spoiled("  Resources:", "\tResources:"), Some("tabs.yaml:3")),
        (
            "unclosed",
            spoiled("{ worker: {}, queue: Orders }", "{ worker: {}, queue: Orders"),
            Some("unclosed.yaml:"),
        ),
        ("quote", spoiled("name: good", "name: \"good"), Some("quote.yaml:")),
        ("list", b"- name: good\n".to_vec(), Some("list.yaml:1")),
        ("text", b"just text\n".to_vec(), Some("text.yaml:1")),
        ("cut", GOOD.as_bytes()[..GOOD.len() / 2].to_vec(), Some("cut.yaml")),
    ]);
}

#[test]
fn yaml_with_traps_is_told_with_its_place() {
    let bomb = {
        let mut text = String::from("name: bomb\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for n in 1..40 {
            let uses = vec![format!("*a{}", n - 1); 10].join(", ");
            text.push_str(&format!("a{n}: &a{n} [{uses}]\n"));
        }
        text.into_bytes()
    };
    check_all(vec![
        ("duplicate-key", spoiled("name: good", "name: good\nname: again"), Some("duplicate-key.yaml:2")),
        (
            "duplicate-deep",
            spoiled("queue: Orders }", "queue: Orders, queue: Orders }"),
            Some("duplicate-deep.yaml:8"),
        ),
        ("cyclic-alias", spoiled("stack:", "stack: &s\n  <<: *s"), Some("cyclic-alias.yaml:")),
        ("cyclic-list", b"name: &a [*a]\n".to_vec(), Some("cyclic-list.yaml:1")),
        ("unknown-alias", spoiled("queue: Orders", "queue: *nobody"), Some("unknown-alias.yaml:8")),
        ("alias-bomb", bomb, Some("alias-bomb.yaml:")),
        ("unknown-tag", spoiled("queue: Orders", "queue: !Fly Orders"), Some("unknown-tag.yaml:8")),
        ("two-documents", format!("{GOOD}---\n{GOOD}").into_bytes(), Some("two-documents.yaml:")),
        ("unknown-key", spoiled("inject:", "injct:"), Some("unknown-key.yaml:11")),
        ("null-name", spoiled("name: good", "name:"), Some("null-name.yaml:1")),
        ("number-name", spoiled("name: good", "name: [1]"), Some("number-name.yaml:1")),
        ("huge-count", spoiled("count: 2", "count: 99999999999999999999"), Some("huge-count.yaml:12")),
        ("negative-count", spoiled("count: 2", "count: -1"), Some("negative-count.yaml:12")),
        (
            "huge-duration",
            spoiled("within: 2m", "within: 99999999999999999999d"),
            Some("huge-duration.yaml:14"),
        ),
        ("nan", spoiled("count: 2", "count: .nan"), Some("nan.yaml:12")),
    ]);
}

#[test]
fn a_tag_of_another_language_is_told_with_its_place() {
    let tagged = spoiled("name: good", "name: !!python/object:os.system ls");
    check_all(vec![("python-tag", tagged, Some("python-tag.yaml:1"))]);
}

#[test]
fn templates_with_traps_are_told_with_their_place() {
    let timeout = |value: &str| spoiled("VisibilityTimeout: 30", &format!("VisibilityTimeout: {value}"));
    check_all(vec![
        ("missing-ref", timeout("!Ref Nothing"), Some("missing-ref.yaml:6")),
        ("missing-ref-long", timeout("{ Ref: Nothing }"), Some("missing-ref-long.yaml:6")),
        ("missing-att", timeout("!GetAtt Nothing.Arn"), Some("missing-att.yaml:6")),
        (
            "self-ref",
            spoiled(
                "Properties: { VisibilityTimeout: 30 }",
                "Properties: { RedrivePolicy: { maxReceiveCount: 2, deadLetterTargetArn: !GetAtt Orders.Arn } }",
            ),
            Some("self-ref.yaml:"),
        ),
        (
            "circular",
            spoiled(
                "      Properties: { VisibilityTimeout: 30 }",
                "      Properties: { RedrivePolicy: { maxReceiveCount: 2, deadLetterTargetArn: !GetAtt Other.Arn } }\n    Other:\n      Type: AWS::SQS::Queue\n      Properties: { RedrivePolicy: { maxReceiveCount: 2, deadLetterTargetArn: !GetAtt Orders.Arn } }",
            ),
            Some("circular.yaml:"),
        ),
        (
            "circular-names",
            spoiled(
                "      Properties: { VisibilityTimeout: 30 }",
                "      Properties: { QueueName: !Sub \"${Other.QueueName}-x\" }\n    Other:\n      Type: AWS::SQS::Queue\n      Properties: { QueueName: !Sub \"${Orders.QueueName}-x\" }",
            ),
            Some("circular-names.yaml:"),
        ),
        ("intrinsic", timeout("!Cidr [ \"10.0.0.0/16\", 6, 5 ]"), Some("intrinsic.yaml:6")),
        ("intrinsic-long", timeout("{ \"Fn::Transform\": { Name: x } }"), Some("intrinsic-long.yaml:6")),
        ("bad-sub", timeout("!Sub \"${Nothing}\""), Some("bad-sub.yaml:6")),
        ("open-sub", timeout("!Sub \"${Orders\""), Some("open-sub.yaml:6")),
        ("no-type", spoiled("      Type: AWS::SQS::Queue\n", ""), Some("no-type.yaml:4")),
        (
            "list-of-resources",
            spoiled(
                "    Orders:\n      Type: AWS::SQS::Queue\n      Properties: { VisibilityTimeout: 30 }\n",
                "    - Orders\n",
            ),
            Some("list-of-resources.yaml:4"),
        ),
    ]);
}

#[test]
fn sizes_beyond_sense_are_told_in_time() {
    let nested = |open: &str, close: &str, count: usize| {
        format!("name: {}{}\n", open.repeat(count), close.repeat(count)).into_bytes()
    };
    let indented =
        |count: usize| (0..count).map(|n| format!("{}a:\n", " ".repeat(n))).collect::<String>().into_bytes();
    check_all(vec![
        (
            "ten-megabytes",
            format!("{GOOD}# {}\nname: again\n", "x".repeat(10 << 20)).into_bytes(),
            Some("ten-megabytes.yaml"),
        ),
        (
            "ten-megabytes-of-lines",
            format!("{GOOD}{}", "unknown: x\n".repeat(1 << 20)).into_bytes(),
            Some("ten-megabytes-of-lines.yaml"),
        ),
        (
            "ten-megabytes-of-steps",
            format!("{GOOD}{}", "  - fly: { to: Orders }\n".repeat(400_000)).into_bytes(),
            Some("ten-megabytes-of-steps.yaml"),
        ),
        ("brackets", nested("[", "]", 100_000), Some("brackets.yaml:1")),
        ("open-brackets", nested("[", "", 100_000), Some("open-brackets.yaml")),
        ("braces", nested("{a: ", "}", 100_000), Some("braces.yaml:1")),
        ("dashes", nested("- ", "", 100_000), Some("dashes.yaml")),
        ("indented", indented(3_000), Some("indented.yaml")),
        (
            "long-line",
            spoiled("name: good", &format!("name: {}", "x".repeat(900_000))),
            Some("long-line.yaml:1"),
        ),
        ("long-key", spoiled("name: good", &format!("{}: good", "x".repeat(1 << 20))), Some("long-key.yaml")),
    ]);
}

/// What a path can lead to that is no file.
#[test]
fn paths_that_are_no_files_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("folder.yaml")).expect("a folder");
    std::os::unix::fs::symlink(path("loop.yaml"), path("loop.yaml")).expect("a link");
    std::os::unix::fs::symlink(path("nowhere"), path("dangling.yaml")).expect("a link");
    assert!(Command::new("mkfifo").arg(path("pipe.yaml")).status().expect("mkfifo").success());
    drop(std::os::unix::net::UnixListener::bind(path("socket.yaml")).expect("a socket"));
    let mut wrong = Vec::new();
    let names = ["folder.yaml", "loop.yaml", "dangling.yaml", "pipe.yaml", "socket.yaml", "none.yaml"];
    for name in names {
        wrong.extend(check(&path(name), Some(name)).err().map(|error| format!("{name}: {error}")));
    }
    for device in ["/dev/zero", "/dev/null", "/dev/urandom", "/proc/self/mem", ""] {
        wrong.extend(check(Path::new(device), None).err().map(|error| format!("{device}: {error}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A folder is searched for scenarios; what is no file in it must not hang the search.
#[test]
fn a_folder_with_traps_is_searched_in_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("good.yaml"), GOOD).expect("a file");
    std::os::unix::fs::symlink(folder.path(), path("again")).expect("a link");
    std::fs::create_dir(path("folder.yaml")).expect("a folder");
    std::fs::write(path(".hidden.yaml"), "{").expect("a file");
    std::fs::write(folder.path().join(OsStr::from_bytes(b"\xff.txt")), "").expect("a file");
    assert!(Command::new("mkfifo").arg(path("pipe.yaml")).status().expect("mkfifo").success());
    let began = havoq_base::RunStart::now();
    let ran = Havoq::new(&["check", folder.path().to_str().expect("a path")]).ran();
    assert!(began.elapsed().as_secs_f64() < 5.0);
    assert!(matches!(ran.code, Some(0 | 2)) && !ran.all().contains("panicked"), "{}", ran.all());
}

/// The template in a file of its own is read with the same care.
#[test]
fn a_stack_file_with_traps_is_told_with_its_own_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let head = GOOD.split("stack:").next().expect("a head");
    let tail = GOOD.split_once("consumers:").expect("a tail").1;
    let file = folder.path().join("scenario.yaml");
    let text = format!("{head}stack: stack.yaml\nconsumers:{tail}");
    std::fs::write(&file, text).expect("a file");
    let stack = folder.path().join("stack.yaml");
    let mut wrong = Vec::new();
    let mut look = |name: &str, place: &str| {
        wrong.extend(check(&file, Some(place)).err().map(|error| format!("{name}: {error}")));
    };
    look("missing", "scenario.yaml:2");
    std::fs::write(&stack, "Resources: [").expect("a file");
    look("broken", "stack.yaml:1");
    std::fs::write(&stack, "").expect("a file");
    look("empty", "stack.yaml");
    std::fs::write(&stack, [0xff, 0xfe, 0x00]).expect("a file");
    look("binary", "stack.yaml");
    std::fs::remove_file(&stack).expect("its removal");
    std::os::unix::fs::symlink("/dev/zero", &stack).expect("a link");
    look("device", "scenario.yaml:2");
    std::fs::remove_file(&stack).expect("its removal");
    std::fs::create_dir(&stack).expect("a folder");
    look("folder", "scenario.yaml:2");
    std::fs::remove_dir(&stack).expect("its removal");
    assert!(Command::new("mkfifo").arg(&stack).status().expect("mkfifo").success());
    look("pipe", "scenario.yaml:2");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
