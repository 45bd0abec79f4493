//! Processes that left the process group of the consumer that started them. They are known by the
//! address of its tap, which they have inherited; only Linux shows it.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Kills every process outside of `group` that was handed this tap, and says whether there was one.
pub(super) fn end(tap: SocketAddr, group: u32) -> bool {
    let mark = format!("AWS_ENDPOINT_URL=http://{tap}");
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let strayed = processes.filter(|process| has_strayed(&process.path(), &mark, group));
    let pids = strayed.filter_map(|process| process.file_name().to_str()?.parse().ok());
    let ended = pids.filter(|pid| kill(Pid::from_raw(*pid), Signal::SIGKILL).is_ok());
    ended.count() > 0
}

/// A process that has ended shows no environment any more.
fn has_strayed(process: &Path, mark: &str, group: u32) -> bool {
    let Ok(environment) = fs::read(process.join("environ")) else { return false };
    let handed = environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes());
    handed && group_of(process).is_some_and(|own| own != group)
}

/// The fifth field of `stat`; the second one, in parentheses, may hold anything.
fn group_of(process: &Path) -> Option<u32> {
    let stat = fs::read_to_string(process.join("stat")).ok()?;
    let (_, behind_the_name) = stat.rsplit_once(')')?;
    behind_the_name.split_whitespace().nth(2)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn only_those_of_this_tap_outside_the_group_are_ended() {
        let start = |address: &str| {
            let mut command = Command::new("sleep");
            command.arg("60").env("AWS_ENDPOINT_URL", format!("http://{address}")).process_group(0);
            command.spawn().expect("sleep starts")
        };
        let tap: SocketAddr = "127.0.0.1:1".parse().expect("an address");
        let (mut strayed, mut other) = (start("127.0.0.1:1"), start("127.0.0.1:12"));
        assert!(!end(tap, strayed.id()), "it is in the group");
        assert!(end(tap, 1));
        assert!(!strayed.wait().expect("its end").success());
        assert!(other.try_wait().expect("its state").is_none(), "another tap's");
        other.kill().expect("kill");
        other.wait().expect("its end");
    }
}
