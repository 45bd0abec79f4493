//! The socket of one connection, shared between the server that reads and writes it and those who
//! want to know whether the client is still there.
//!
//! The server itself does not look for the client's end while a request is dealt with: a request
//! that was read whole counts as sent, whatever its sender does next. Only a poll wants to know.

use std::io;
use std::net::Shutdown;
use std::os::fd::AsFd;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// The server's end. The socket is closed when this is dropped and nobody watches it.
#[derive(Debug)]
pub(super) struct Line(Arc<Socket>);

#[derive(Debug)]
struct Socket {
    stream: TcpStream,
    /// It is to end by a reset, so nothing may say goodbye before.
    reset: AtomicBool,
}

/// Watches the client's end of a line, and does not keep the socket open in between.
#[derive(Clone, Debug)]
pub(super) struct Far(Weak<Socket>);

impl Line {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self(Arc::new(Socket { stream, reset: AtomicBool::new(false) }))
    }

    pub(super) fn far(&self) -> Far {
        Far(Arc::downgrade(&self.0))
    }
}

impl Far {
    /// Has the connection end by a reset.
    pub(super) fn reset(&self) {
        let Some(socket) = self.0.upgrade() else { return };
        // Without it the client sees a connection that was closed, which is as good an end.
        socket.stream.set_zero_linger().ok();
        socket.reset.store(true, Ordering::Release);
    }

    /// Waits until the client has closed the connection or was killed. A client that only stopped
    /// writing cannot be told from one that is gone; none that is known does so.
    pub(super) async fn gone(&self) {
        let Some(socket) = self.0.upgrade() else { return };
        // More bytes are the client's next request, behind which its end cannot be seen.
        if matches!(socket.stream.peek(&mut [0]).await, Ok(1..)) {
            std::future::pending().await
        }
    }

    /// Whether our own end is closed as well.
    pub(super) fn is_closed(&self) -> bool {
        self.0.strong_count() == 0
    }

    /// Whether the client has gone by now.
    pub(super) fn is_gone(&self) -> bool {
        let Some(socket) = self.0.upgrade() else { return true };
        // Asked of the system, since what the runtime knows of the socket may be older. With no
        // descriptor left to ask by, the client counts as there.
        let Ok(copy) = copy_of(&socket.stream) else { return false };
        match copy.peek(&mut [0]) {
            Ok(bytes) => bytes == 0,
            Err(error) => error.kind() != io::ErrorKind::WouldBlock,
        }
    }
}

fn copy_of(stream: &TcpStream) -> io::Result<std::net::TcpStream> {
    Ok(stream.as_fd().try_clone_to_owned()?.into())
}

impl AsyncRead for Line {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            ready!(self.0.stream.poll_read_ready(cx))?;
            match self.0.stream.try_read(into.initialize_unfilled()) {
                Ok(bytes) => {
                    into.advance(bytes);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl Line {
    fn poll_write_with(
        &self,
        cx: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.stream.poll_write_ready(cx))?;
            match write(&self.0.stream) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                done => return Poll::Ready(done),
            }
        }
    }
}

impl AsyncWrite for Line {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_with(cx, |stream| stream.try_write(bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_with(cx, |stream| stream.try_write_vectored(pieces))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.0.reset.load(Ordering::Acquire) {
            return Poll::Ready(Ok(()));
        }
        Poll::Ready(copy_of(&self.0.stream).and_then(|copy| copy.shutdown(Shutdown::Write)))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpListener;

    use super::*;

    async fn connected() -> (TcpStream, Line) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a listener");
        let address = listener.local_addr().expect("its address");
        let client = TcpStream::connect(address).await.expect("a client");
        let (stream, _) = listener.accept().await.expect("a connection");
        (client, Line::new(stream))
    }

    /// Waits, at most so long that a client that is there would have shown it.
    async fn ends(far: &Far, millis: u64) -> bool {
        tokio::time::timeout(Duration::from_millis(millis), far.gone()).await.is_ok()
    }

    #[tokio::test]
    async fn a_client_is_gone_once_it_has_closed_the_connection() {
        let (client, line) = connected().await;
        let far = line.far();
        assert!(!far.is_gone() && !ends(&far, 20).await);
        drop(client);
        assert!(ends(&far, 10_000).await && far.is_gone());
    }

    #[tokio::test]
    async fn a_client_that_has_written_more_is_there() {
        let (mut client, line) = connected().await;
        client.write_all(b"POST").await.expect("written");
        let far = line.far();
        assert!(!ends(&far, 20).await && !far.is_gone());
    }

    #[tokio::test]
    async fn a_reset_is_seen_as_one() {
        let (client, line) = connected().await;
        line.far().reset();
        drop(line);
        client.readable().await.expect("something comes");
        let error = client.try_read(&mut [0]).expect_err("no end of file");
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    }
}
