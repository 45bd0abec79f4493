//! Who descends from a process, read from /proc. Where there is none, nobody is found.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use nix::unistd::Pid;

struct Process {
    pid: i32,
    parent: i32,
    group: i32,
}

/// All descendants of a process.
pub(super) fn below(root: u32) -> impl Iterator<Item = Pid> {
    descendants(root, &processes()).into_iter().map(Pid::from_raw)
}

/// The descendants of a supervisor that are not in the process group of its command.
pub(crate) fn strays(supervisor: u32, group: u32) -> impl Iterator<Item = Pid> {
    let processes = processes();
    let family = descendants(supervisor, &processes);
    let strays = processes
        .into_iter()
        .filter(move |process| family.contains(&process.pid) && i64::from(process.group) != i64::from(group));
    strays.map(|process| Pid::from_raw(process.pid))
}

/// Everybody who has this in the environment, `NAME=value`.
pub(crate) fn marked(mark: &OsStr) -> Vec<Pid> {
    let has_mark = |process: &Process| {
        let environment = std::fs::read(format!("/proc/{}/environ", process.pid)).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
    };
    processes().into_iter().filter(has_mark).map(|process| Pid::from_raw(process.pid)).collect()
}

fn descendants(root: u32, processes: &[Process]) -> BTreeSet<i32> {
    let mut family = BTreeSet::new();
    // A child may be listed before its parent, so look again until nobody is added.
    loop {
        let known = family.len();
        let children = processes.iter().filter(|process| {
            i64::from(process.parent) == i64::from(root) || family.contains(&process.parent)
        });
        let children: Vec<i32> = children.map(|process| process.pid).collect();
        family.extend(children);
        if family.len() == known {
            return family;
        }
    }
}

fn processes() -> Vec<Process> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            // A name need not be UTF-8.
            let stat = std::fs::read(entry.path().join("stat")).ok()?;
            read_stat(pid, &String::from_utf8_lossy(&stat))
        })
        .collect()
}

/// `pid (name) state parent group ...`, where the name may hold anything.
fn read_stat(pid: i32, stat: &str) -> Option<Process> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace().skip(1).map(str::parse);
    Some(Process { pid, parent: fields.next()?.ok()?, group: fields.next()?.ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        let process = read_stat(7, "7 (a) S 1 (b) S 3 5 9 0").expect("a process");
        assert_eq!((process.pid, process.parent, process.group), (7, 3, 5));
        assert!(read_stat(7, "7 (a").is_none());
    }

    #[test]
    fn grandchildren_descend_too() {
        let process = |pid, parent| Process { pid, parent, group: 1 };
        let processes = [process(9, 8), process(8, 5), process(5, 1), process(6, 1)];
        assert_eq!(descendants(5, &processes), BTreeSet::from([8, 9]));
    }
}
