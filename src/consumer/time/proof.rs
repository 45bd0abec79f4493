//! Whether the process at the other end of a connection has the library, from what the kernel says.
//!
//! That a pid has checked in is not enough: it may have executed another program since, as `env -u
//! LD_PRELOAD prog` does. The mapping of the shared file goes with the old program, so both count.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use super::shared::SharedFile;

/// Who polls over a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Poller {
    /// It is shown the stack's clock.
    Follows(u32),
    /// It is not: its pid, where it can be seen, and why.
    KeepsOwnTime(Option<u32>, String),
    /// It has closed the connection or ended, and nothing of the answer can reach it.
    Gone,
}

/// The process at `peer`, which is connected to our listener at `tap`.
pub(super) fn poller(shared: &SharedFile, peer: SocketAddr, tap: SocketAddr) -> Poller {
    // A socket of IPv6 may speak IPv4, as Java's do.
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|path| fs::read_to_string(path).unwrap_or_default());
    if tables.iter().all(String::is_empty) {
        return Poller::KeepsOwnTime(None, "havoq cannot read /proc/net/tcp to see who polls".to_owned());
    }
    let Some(inode) = tables.iter().find_map(|table| inode(table, peer.port(), tap.port())) else {
        return Poller::Gone;
    };
    let checked_in = shared.pids().unwrap_or_default();
    let socket = format!("socket:[{inode}]");
    let owner = checked_in.into_iter().find(|pid| owns(*pid, &socket));
    match owner {
        Some(pid) if has_mapped(pid, shared.path()) => Poller::Follows(pid),
        Some(pid) => stranger(pid),
        None => match everyone().into_iter().find(|pid| owns(*pid, &socket)) {
            Some(pid) => stranger(pid),
            None => {
                let why = "a process that havoq cannot see, such as one in a container, polls for it";
                Poller::KeepsOwnTime(None, why.to_owned())
            }
        },
    }
}

fn stranger(pid: u32) -> Poller {
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    let why = format!(
        "the process {pid} ({}), which polls for it, did not load the clock library: it is linked statically, \
         or was started without LD_PRELOAD and HAVOQ_TIME_FILE",
        name.trim()
    );
    Poller::KeepsOwnTime(Some(pid), why)
}

/// The inode of the socket from port `local` to port `remote` in a table of /proc/net; none when
/// the socket is closed.
fn inode(table: &str, local: u16, remote: u16) -> Option<u64> {
    table.lines().skip(1).find_map(|line| {
        let mut columns = line.split_ascii_whitespace();
        let here = port(columns.nth(1)?)?;
        let there = port(columns.next()?)?;
        let inode = columns.nth(6)?.parse().ok()?;
        (here == local && there == remote && inode != 0).then_some(inode)
    })
}

fn port(address: &str) -> Option<u16> {
    u16::from_str_radix(address.rsplit_once(':')?.1, 16).ok()
}

fn owns(pid: u32, socket: &str) -> bool {
    let Ok(descriptors) = fs::read_dir(format!("/proc/{pid}/fd")) else { return false };
    descriptors
        .filter_map(|descriptor| fs::read_link(descriptor.ok()?.path()).ok())
        .any(|target| target.as_os_str() == socket)
}

fn has_mapped(pid: u32, file: &Path) -> bool {
    let maps = fs::read(format!("/proc/{pid}/maps")).unwrap_or_default();
    let name = file.as_os_str().as_encoded_bytes();
    maps.split(|byte| *byte == b'\n').any(|line| line.ends_with(name))
}

fn everyone() -> Vec<u32> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    processes.filter_map(|process| process.ok()?.file_name().to_str()?.parse().ok()).collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    const TABLE: &str = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100 0 0 10 0
   1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 22 1 0 20 4 30 10 -1
   2: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 33 1 0 20 4 30 10 -1
   3: 0100007F:C351 0100007F:1F90 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0
";

    /// A connection to ourselves: we have the file mapped, and nobody else has.
    fn ourselves(connect_to: &str, check_in: bool) -> Poller {
        let folder = tempfile::tempdir().expect("a folder");
        let shared = SharedFile::create(&folder.path().join("time")).expect("a file");
        if check_in {
            shared.take_slot(std::process::id());
        }
        let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
        let tap = listener.local_addr().expect("its address");
        let _client = TcpStream::connect(format!("{connect_to}:{}", tap.port())).expect("a connection");
        let (_server, peer) = listener.accept().expect("its other end");
        poller(&shared, peer, tap)
    }

    #[test]
    fn a_process_with_the_file_mapped_follows_once_it_has_checked_in() {
        assert_eq!(ourselves("127.0.0.1", true), Poller::Follows(std::process::id()));
        let Poller::KeepsOwnTime(pid, why) = ourselves("127.0.0.1", false) else {
            panic!("no proof, no trust")
        };
        assert_eq!(pid, Some(std::process::id()));
        assert!(why.contains("did not load"), "{why}");
    }

    #[test]
    fn a_socket_of_ipv6_is_found_too() {
        assert_eq!(ourselves("[::ffff:127.0.0.1]", true), Poller::Follows(std::process::id()));
    }

    #[test]
    fn the_clients_end_of_a_connection_is_found_by_both_ports() {
        assert_eq!(inode(TABLE, 50_000, 8_080), Some(22));
        assert_eq!(inode(TABLE, 8_080, 50_000), Some(33));
        assert_eq!(inode(TABLE, 50_001, 8_080), None, "a closed socket has no owner");
        assert_eq!(inode(TABLE, 50_002, 8_080), None);
        assert_eq!(inode("", 1, 2), None);
    }
}
