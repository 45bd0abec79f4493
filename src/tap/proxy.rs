//! The listener of one consumer process: reads requests whole, has them dealt with, answers.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bytes::Bytes;
use havoq_base::ids::Marker;
use havoq_base::{RealDuration, clock};
use havoq_wire::{Request, Response, Upstream};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use thiserror::Error;
use tokio::net::TcpListener;

use super::activity::{Activity, Overrun};
use super::body::whole_body;
use super::crash::{CrashPoints, Held, Release, When};
use super::effect::EffectSink;
use super::faults::Faults;
use super::gate::Gate;
use super::line::Line;
use super::witness::{Connection, Witness};
use crate::aws::Directory;
use crate::history::{Identity, Instance, Kind, Recorder, Source, Withheld};

/// Larger than any request that an AWS messaging service takes (1 MiB, semantics 1.6).
const LARGEST_BODY: usize = 8 << 20;

/// How long to wait when no connection can be accepted.
const ACCEPT_AGAIN: RealDuration = RealDuration::from_millis(5);

/// What all taps of one attempt share.
pub struct Wiring {
    pub recorder: Recorder,
    pub activity: Arc<Activity>,
    pub points: Arc<CrashPoints>,
    pub faults: Arc<Faults>,
    pub upstream: Arc<dyn Upstream>,
    pub sink: Arc<dyn EffectSink>,
    pub witness: Arc<dyn Witness>,
    pub directory: Arc<Directory>,
}

/// The tap of one process.
pub struct Tap {
    address: SocketAddr,
    session: Arc<Session>,
}

/// Which part of a consumer's instance calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its one process.
    Whole,
    /// havoq itself, which polls for a function.
    Poller,
    /// An environment of a function, by its number.
    Environment(u32),
}

/// What serving one process needs.
pub(super) struct Session {
    pub by: Instance,
    pub part: Part,
    pub wiring: Arc<Wiring>,
    pub gate: Gate,
    /// Faults keep messages from it, for some time.
    pub starved: AtomicBool,
}

/// The end of a call.
pub(super) enum Answer {
    Send(Response),
    /// The connection is closed without an answer.
    Withheld,
}

/// How far a `before-*` point lets a call pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    Free,
    /// It is forwarded, and its answer kept back.
    Unanswered,
    /// It is not forwarded.
    Blocked,
}

impl Passage {
    /// Whether the answer is kept back, here or at the point behind.
    pub(super) fn withheld(self, after: Option<&Held>) -> Withheld {
        match self {
            Self::Free => after.map_or(Withheld::No, Held::withheld),
            Self::Unanswered | Self::Blocked => Withheld::Yes,
        }
    }
}

#[derive(Debug, Error)]
enum Refused {
    #[error("the answer is withheld")]
    Withheld,
    #[error("the request could not be read: {0}")]
    Unreadable(hyper::Error),
}

impl Tap {
    /// Opens a tap for the process that is about to be started as `by`, or as a part of it, on a
    /// free loopback port.
    pub async fn open(by: Instance, part: Part, wiring: Arc<Wiring>) -> std::io::Result<Self> {
        let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let session =
            Arc::new(Session { by, part, wiring, gate: Gate::new(), starved: AtomicBool::new(false) });
        tokio::spawn(accept(listener, address, Arc::clone(&session)));
        Ok(Self { address, session })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn gate(&self) -> &Gate {
        &self.session.gate
    }
}

async fn accept(listener: TcpListener, address: SocketAddr, session: Arc<Session>) {
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => accepted,
            () = session.gate.closed() => return,
        };
        match stream {
            Ok((stream, peer)) => {
                // A refusal only costs latency.
                stream.set_nodelay(true).ok();
                let line = Line::new(stream);
                let connection = Connection::new(peer, address, line.far());
                tokio::spawn(serve(line, connection, Arc::clone(&session)));
            }
            // The peer is gone already, or descriptors have run out: then one must be closed first.
            Err(_) => clock::sleep(ACCEPT_AGAIN).await,
        }
    }
}

async fn serve(line: Line, connection: Connection, session: Arc<Session>) {
    let _inside = session.gate.enter();
    let service = service_fn(|request| take(request, connection.clone(), Arc::clone(&session)));
    let mut server = hyper::server::conn::http1::Builder::new();
    // The client's end of writing says nothing about the request that it has written.
    server.half_close(true);
    // It ends by the client's close or by our withholding an answer; neither is an error of ours.
    server.serve_connection(TokioIo::new(line), service).await.ok();
}

/// Takes a request in hand as soon as its head was read: the rest is read and dealt with in a task
/// of its own, even when its connection dies meanwhile.
fn take(
    mut request: http::Request<Incoming>,
    connection: Connection,
    session: Arc<Session>,
) -> impl Future<Output = Result<http::Response<Full<Bytes>>, Refused>> {
    request.extensions_mut().insert(connection);
    let inside = session.gate.enter();
    let task = tokio::spawn(async move {
        let answer = handle(session, request).await;
        drop(inside);
        answer
    });
    async { task.await.unwrap_or(Err(Refused::Withheld)) }
}

async fn handle(
    session: Arc<Session>,
    request: http::Request<Incoming>,
) -> Result<http::Response<Full<Bytes>>, Refused> {
    let (parts, body) = request.into_parts();
    let body = match whole_body(body, LARGEST_BODY).await {
        Ok(Some(body)) => body,
        Ok(None) => {
            session.record_unread(&parts, http::StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge");
            return Ok(too_large());
        }
        Err(error) => {
            session.record_unread(&parts, http::StatusCode::BAD_REQUEST, "IncompleteBody");
            return Err(Refused::Unreadable(error));
        }
    };
    match session.answer(Request::from_parts(parts, body)).await {
        Answer::Send(response) => Ok(response.map(Full::new)),
        Answer::Withheld => Err(Refused::Withheld),
    }
}

fn too_large() -> http::Response<Full<Bytes>> {
    let text =
        r#"{"__type":"RequestEntityTooLarge","message":"the request is larger than any service takes"}"#;
    let mut response = http::Response::new(Full::from(text));
    *response.status_mut() = http::StatusCode::PAYLOAD_TOO_LARGE;
    response
}

impl Session {
    /// A request that was not read whole was not sent, as far as the stack is concerned.
    fn record_unread(&self, request: &http::request::Parts, status: http::StatusCode, error: &str) {
        let target = request.headers.get("x-amz-target").and_then(|target| target.to_str().ok());
        let operation = target.and_then(|target| target.rsplit('.').next());
        let operation =
            operation.map_or_else(|| format!("{} {}", request.method, request.uri.path()), str::to_owned);
        let (by, status, error) = (self.by.clone(), status.as_u16(), Some(error.to_owned()));
        let kind = Kind::Called { by, operation, queue: None, status, error };
        self.wiring.recorder.record(Source::Tap, kind);
    }

    pub(super) fn identity(&self) -> &Identity {
        self.wiring.recorder.identity()
    }

    async fn answer(&self, request: Request) -> Answer {
        self.wiring.activity.call_began();
        let answer = match self.wiring.sink.look(&request) {
            Some(sighting) => self.effect(sighting, request).await,
            None => self.call(request).await,
        };
        self.wiring.activity.call_ended();
        answer
    }

    /// A call of this operation crosses a point; what is returned says that a fault wants it held
    /// there.
    pub(super) fn cross(&self, at: (&str, When), markers: &[Marker]) -> Option<Held> {
        self.wiring.points.cross(self.identity(), (&self.by, self.part), at, markers)
    }

    /// Holds the call on its way to the stack if a fault wants it there.
    pub(super) async fn hold(&self, operation: &str, markers: &[Marker]) -> Passage {
        let Some(held) = self.cross((operation, When::Before), markers) else {
            return Passage::Free;
        };
        match held.released().await {
            Release::Deliver => Passage::Free,
            Release::Forward => Passage::Unanswered,
            Release::Drop => Passage::Blocked,
        }
    }

    /// Answers a call that was done, unless a fault keeps the answer back.
    pub(super) async fn send_unless_held(
        &self,
        response: Response,
        before: Passage,
        after: Option<Held>,
    ) -> Answer {
        let released = match after {
            Some(held) => held.released().await,
            None => Release::Deliver,
        };
        match (before, released) {
            (Passage::Free, Release::Deliver) => Answer::Send(response),
            _ => Answer::Withheld,
        }
    }

    pub(super) fn report_overrun(&self, overrun: Option<Overrun>) {
        if let Some(overrun) = overrun {
            self.wiring.recorder.record(Source::Tap, overrun.told(&self.by));
        }
    }
}
