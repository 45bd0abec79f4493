//! The listener of one consumer process: reads requests whole, has them dealt with, answers.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use havoq_base::ids::Marker;
use havoq_base::{RealDuration, clock};
use havoq_wire::{Head, Request, Response, ServiceError, Upstream};
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
use super::front::Front;
use super::gate::Gate;
use super::line::{Far, Line};
use super::witness::{Connection, Witness};
use crate::aws::Directory;
use crate::history::{Identity, Instance, Kind, Recorder, Source, Withheld};

/// Larger than any request that a service takes: 1 MiB to a queue (semantics 1.6), and 16 MB in a
/// batch of DynamoDB's.
const LARGEST_BODY: usize = 16 << 20;

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
    /// The clients' ends of the connections so far, but for those that are known to be gone.
    pub clients: Mutex<Vec<Far>>,
    /// What is asked first, where the tap has calls of its own.
    pub front: Option<Arc<dyn Front>>,
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
        Self::open_at((Ipv4Addr::LOCALHOST, 0).into(), by, part, wiring).await
    }

    /// The same at an address that is known beforehand.
    pub async fn open_at(
        address: SocketAddr,
        by: Instance,
        part: Part,
        wiring: Arc<Wiring>,
    ) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        Self::on(listener, by, part, wiring, None)
    }

    /// Opens a tap on a listener.
    pub(super) fn on(
        listener: TcpListener,
        by: Instance,
        part: Part,
        wiring: Arc<Wiring>,
        front: Option<Arc<dyn Front>>,
    ) -> std::io::Result<Self> {
        let address = listener.local_addr()?;
        let (gate, clients) = (Gate::new(), Mutex::default());
        let session = Arc::new(Session { by, part, wiring, gate, clients, front });
        tokio::spawn(accept(listener, address, Arc::clone(&session)));
        Ok(Self { address, session })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn gate(&self) -> &Gate {
        &self.session.gate
    }

    /// Whether every client that ever connected has closed its connection or was killed.
    pub fn is_deserted(&self) -> bool {
        let mut clients = self.session.clients();
        clients.retain(|client| !client.is_gone());
        clients.is_empty()
    }
}

async fn accept(listener: TcpListener, address: SocketAddr, session: Arc<Session>) {
    loop {
        let stream = tokio::select! {
            biased;
            () = session.gate.closed() => return,
            () = session.gate.is_paused(true) => {
                tokio::select! {
                    () = session.gate.closed() => return,
                    () = session.gate.is_paused(false) => continue,
                }
            }
            accepted = listener.accept() => accepted,
        };
        match stream {
            Ok((stream, peer)) => {
                // A refusal only costs latency.
                stream.set_nodelay(true).ok();
                let line = Line::new(stream);
                session.remember(line.far());
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
    tokio::select! {
        _ = server.serve_connection(TokioIo::new(line), service) => {}
        () = session.gate.is_cut() => {}
    }
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
            let head = Head::guess(&Request::from_parts(parts, Bytes::new()));
            return Ok(too_large(&head).map(Full::new));
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

fn too_large(head: &Head) -> Response {
    let error = ServiceError {
        shape: "com.amazon.coral.service#RequestEntityTooLarge".into(),
        query_code: "RequestEntityTooLarge".into(),
        message: format!(
            "havoq: the request is larger than {} MiB, which no call of a service that is understood is; \
             it was not forwarded",
            LARGEST_BODY >> 20
        ),
        status: http::StatusCode::PAYLOAD_TOO_LARGE,
        sender: true,
        details: Vec::new(),
    };
    havoq_wire::failure(head, &error, "havoq")
}

impl Session {
    /// A request that was not read whole was not sent, as far as the stack is concerned.
    fn record_unread(&self, request: &http::request::Parts, status: http::StatusCode, error: &str) {
        let target = request.headers.get("x-amz-target").and_then(|target| target.to_str().ok());
        let operation = target.and_then(|target| target.rsplit('.').next());
        let operation =
            operation.map_or_else(|| format!("{} {}", request.method, request.uri.path()), str::to_owned);
        let (by, status, error) = (self.by.clone(), status.as_u16(), Some(error.to_owned()));
        let kind = Kind::Called { by, operation, queue: None, status, error, call: None };
        self.wiring.recorder.record(Source::Tap, kind);
    }

    fn clients(&self) -> MutexGuard<'_, Vec<Far>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets now and then those that are gone, so that there are no more than connections.
    fn remember(&self, client: Far) {
        let mut clients = self.clients();
        if clients.len() >= clients.capacity() {
            clients.retain(|client| !client.is_closed());
        }
        clients.push(client);
    }

    pub(super) fn identity(&self) -> &Identity {
        self.wiring.recorder.identity()
    }

    async fn answer(&self, request: Request) -> Answer {
        if let Some(response) = self.front.as_ref().and_then(|front| front.answer(&request)) {
            return Answer::Send(response);
        }
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
