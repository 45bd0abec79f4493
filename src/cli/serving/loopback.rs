//! Where what is served listens: on this machine only.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::str::FromStr;

use tokio::net::TcpListener;

use crate::report::Exit;

/// An address that nobody but this machine can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Loopback(SocketAddr);

impl Loopback {
    /// Listens there; says so where it cannot.
    pub(in crate::cli) async fn bind(self) -> Result<(TcpListener, SocketAddr), Exit> {
        let bound = TcpListener::bind(self.0).await;
        bound.and_then(|listener| listener.local_addr().map(|at| (listener, at))).map_err(|error| {
            eprintln!("error: cannot listen on {}: {error}{}", self.0, hint(&error));
            Exit::Error
        })
    }
}

fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            "\nhint: end what listens there, or name another port; 0 takes a free one"
        }
        _ => "",
    }
}

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
            "{} can be reached from other machines, and no credentials are checked here, so havoq listens on \
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
