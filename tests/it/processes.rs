//! Nobody may be left behind: what can be found in /proc.

use std::path::Path;

/// Fails if a process is left that a run with its reports below `folder` has started: each has
/// the path in its environment (`HAVOQ_STATE_DIR`) or, a supervisor, in its command line.
pub(crate) fn assert_none_left(folder: &Path) {
    let left = mentioning(folder.to_str().expect("a path"));
    assert!(left.is_empty(), "processes are left behind: {left:?}");
}

/// The processes, by pid and command line, that have `mark` in their command line or environment.
pub(crate) fn mentioning(mark: &str) -> Vec<String> {
    let own = std::process::id().to_string();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let others = pids.filter(|pid| *pid != own && pid.bytes().all(|byte| byte.is_ascii_digit()));
    others
        .filter_map(|pid| {
            let read = |file: &str| {
                let bytes = std::fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
                String::from_utf8_lossy(&bytes).replace('\0', " ")
            };
            let command = read("cmdline");
            (command.contains(mark) || read("environ").contains(mark)).then(|| format!("{pid} {command}"))
        })
        .collect()
}
