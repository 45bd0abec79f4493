//! A server under test: a command of its own process, on a free loopback port.

use std::net::SocketAddr;
use std::process::Stdio;
use std::str::FromStr;

use havoq_base::clock::sleep;
use havoq_base::{RealDuration, RunStart};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};

use crate::connection::Connection;
use crate::{Error, Result, calls};

/// A name and how to start it: words, of which leading `NAME=value` are its environment. `{port}`
/// in a word is the port that it is to listen on.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) name: String,
    environment: Vec<(String, String)>,
    words: Vec<String>,
}

impl FromStr for Server {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, command) = text.split_once(':').ok_or("a server is NAME: COMMAND")?;
        let mut words = command.split_whitespace().map(str::to_owned).peekable();
        let mut environment = Vec::new();
        while let Some(word) = words.next_if(|word| word.contains('=')) {
            environment.extend(word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())));
        }
        Ok(Self { name: name.to_owned(), environment, words: words.collect() })
    }
}

/// A server that runs; it is killed when this is dropped.
pub(crate) struct Running {
    pub(crate) name: String,
    pub(crate) address: SocketAddr,
    /// From the start of its process.
    pub(crate) first_answer: RealDuration,
    process: Child,
}

const LONGEST_START: RealDuration = RealDuration::from_millis(60_000);
const BETWEEN_TRIES: RealDuration = RealDuration::from_micros(500);

impl Server {
    /// Starts it and waits for its first answer.
    pub(crate) async fn start(&self) -> Result<Running> {
        let address = free_address().await?;
        let with_port = |text: &String| text.replace("{port}", &address.port().to_string());
        let mut words = self.words.iter().map(with_port);
        let mut command = Command::new(words.next().ok_or("a server needs a command")?);
        command.args(words).envs(self.environment.iter().map(|(name, value)| (name, with_port(value))));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let began = RunStart::now();
        let process = command.spawn().map_err(|error| format!("cannot start {}: {error}", self.name))?;
        let mut running =
            Running { name: self.name.clone(), address, first_answer: RealDuration::ZERO, process };
        running.await_answer(&began).await?;
        Ok(running)
    }
}

impl Running {
    async fn await_answer(&mut self, began: &RunStart) -> Result<()> {
        let request = calls::list_queues(self.address);
        loop {
            let mut connection = Connection::new(self.address);
            let answered = connection.call(&request).await;
            self.first_answer = RealDuration::from_micros(began.elapsed().as_micros());
            match answered {
                Ok(_) => return Ok(()),
                Err(error) if self.first_answer > LONGEST_START => {
                    return Err(format!("{} does not answer: {error}", self.name).into());
                }
                Err(_) => {}
            }
            if let Some(status) = self.process.try_wait()? {
                return Err(format!("{} ended before it answered: {status}", self.name).into());
            }
            sleep(BETWEEN_TRIES).await;
        }
    }

    /// Resident memory, in bytes.
    pub(crate) fn memory(&self) -> Result<u64> {
        let process = self.process.id().ok_or("the server ended")?;
        let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
        let kib: u64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(kib * 1024)
    }

    /// The processor time that it took so far, over all its threads.
    pub(crate) fn processor_time(&self) -> Result<RealDuration> {
        let process = self.process.id().ok_or("the server ended")?;
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
        // Behind the command's name, which may hold anything, user and system time are fields 14 and 15.
        let (_, fields) = stat.rsplit_once(')').ok_or("no command in its stat")?;
        let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u64>);
        let ticks = ticks.sum::<std::result::Result<u64, _>>()?;
        Ok(RealDuration::from_millis(ticks * 1_000 / TICKS_A_SECOND))
    }
}

/// Linux tells processor times in this unit, whatever its own is.
const TICKS_A_SECOND: u64 = 100;

async fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind(("127.0.0.1", 0)).await?.local_addr()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_assignments_are_the_environment() {
        let server: Server = "moto: A=1 B=x=y moto_server -p {port} C=2".parse().expect("a server");
        assert_eq!(server.name, "moto");
        assert_eq!(server.environment, [("A".into(), "1".into()), ("B".into(), "x=y".into())]);
        assert_eq!(server.words, ["moto_server", "-p", "{port}", "C=2"]);
        assert!("nothing".parse::<Server>().is_err());
    }
}
