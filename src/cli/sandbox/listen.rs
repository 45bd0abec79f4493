//! Where the sandbox listens: on this machine only.

use std::net::{Ipv4Addr, SocketAddr};
use std::str::FromStr;

/// An address that nobody but this machine can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Loopback(pub(super) SocketAddr);

impl FromStr for Loopback {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (host, port) = text.rsplit_once(':').ok_or("expected an address such as 127.0.0.1:4566")?;
        let address = match host {
            "localhost" => {
                let port = port.parse().map_err(|_| format!("`{port}` is not a port"))?;
                SocketAddr::from((Ipv4Addr::LOCALHOST, port))
            }
            _ => text.parse().map_err(|_| "expected an address such as 127.0.0.1:4566".to_owned())?,
        };
        if address.ip().is_loopback() {
            return Ok(Self(address));
        }
        Err(format!(
            "{} can be reached from other machines, and the sandbox checks no credentials, so it listens on \
             loopback only\nhint: use 127.0.0.1:{}",
            address.ip(),
            address.port()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_addresses_are_taken() {
        for (text, address) in [
            ("127.0.0.1:4566", "127.0.0.1:4566"),
            ("localhost:0", "127.0.0.1:0"),
            ("127.1.2.3:80", "127.1.2.3:80"),
            ("[::1]:4566", "[::1]:4566"),
        ] {
            let taken: Loopback = text.parse().expect("a loopback address");
            assert_eq!(taken.0.to_string(), address);
        }
        for text in ["0.0.0.0:4566", "[::]:4566", "10.0.0.1:4566"] {
            let error = text.parse::<Loopback>().expect_err("refused");
            assert!(error.contains("loopback only") && error.contains("hint: use 127.0.0.1:4566"), "{error}");
        }
        for text in ["", "4566", "127.0.0.1", "127.0.0.1:x", "localhost:99999", "example.org:80"] {
            assert!(text.parse::<Loopback>().is_err(), "{text}");
        }
    }
}
