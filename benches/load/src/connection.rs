//! One connection that is kept alive, as an SDK keeps it.

use std::net::SocketAddr;
use std::ops::Range;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::Result;
use crate::response::{Head, Length, chunks, head};

pub(crate) struct Connection {
    address: SocketAddr,
    stream: Option<TcpStream>,
    read: Vec<u8>,
}

impl Connection {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self { address, stream: None, read: Vec::with_capacity(64 * 1024) }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sends a rendered request and gives its answer's body; an answer that is no success is an
    /// error. A server that closed the connection after its last answer is connected to again.
    pub(crate) async fn call(&mut self, request: &[u8]) -> Result<&str> {
        let reused = self.stream.is_some();
        let (status, body) = match self.attempt(request).await {
            Err(_) if reused => self.attempt(request).await?,
            done => done?,
        };
        let body = std::str::from_utf8(&self.read[body])?;
        if status == 200 { Ok(body) } else { Err(format!("status {status}: {body}").into()) }
    }

    async fn attempt(&mut self, request: &[u8]) -> Result<(u16, Range<usize>)> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => {
                let stream = TcpStream::connect(self.address).await?;
                stream.set_nodelay(true)?;
                stream
            }
        };
        stream.write_all(request).await?;
        let (head, body) = self.answer(&mut stream).await?;
        if head.keeps_alive && head.length != Length::Rest {
            self.stream = Some(stream);
        }
        Ok((head.status, body))
    }

    /// Reads one answer, and says where in what was read its body is.
    async fn answer(&mut self, stream: &mut TcpStream) -> Result<(Head, Range<usize>)> {
        self.read.clear();
        loop {
            let closed = stream.read_buf(&mut self.read).await? == 0;
            if let Some(head) = head(&self.read) {
                let rest = &self.read[head.size..];
                let body = match head.length {
                    Length::Bytes(length) => (rest.len() >= length).then_some(head.size..head.size + length),
                    Length::Rest => closed.then_some(head.size..self.read.len()),
                    Length::Chunked => chunks(rest).map(|body| {
                        self.read = body;
                        0..self.read.len()
                    }),
                };
                if let Some(body) = body {
                    return Ok((head, body));
                }
            }
            if closed {
                return Err("the connection was closed before the answer ended".into());
            }
        }
    }
}
