//! The Runtime API as a small HTTP server; each environment has one of its own, so that nothing in
//! a call has to tell which environment it is from.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use havoq_base::{RealDuration, clock};
use havoq_lambda::{LARGEST_PAYLOAD, Returned};
use http::{Method, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

use super::answers::{self, Answer};
use super::exchange::{Exchange, Refusal, Started, Work};
use crate::tap::whole_body;

const VERSION: &str = "/2018-06-01/";
/// How long to wait when no connection can be accepted.
const ACCEPT_AGAIN: RealDuration = RealDuration::from_millis(5);

/// Is told who asks for work, at the first time over each connection (the process at the first address, of the server at the second).
pub(in crate::consumer::function) type Asked = Box<dyn Fn(SocketAddr, SocketAddr) + Send + Sync>;

/// The Runtime API of one environment. Dropping it closes it.
pub(in crate::consumer::function) struct Api {
    address: SocketAddr,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

struct Shared {
    exchange: Mutex<Exchange>,
    started: watch::Sender<Started>,
    /// Changes when there may be work for a runtime that has asked.
    given: watch::Sender<()>,
    asked: Asked,
    address: SocketAddr,
}

/// Whoever is at the other end of a connection.
struct Runtime {
    peer: SocketAddr,
    asked: AtomicBool,
}

impl Api {
    /// Opens it on a free port of loopback.
    pub async fn open(asked: Asked) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            exchange: Mutex::default(),
            started: watch::Sender::new(Started::Not),
            given: watch::Sender::new(()),
            asked,
            address,
        });
        let server = tokio::spawn(accept(listener, Arc::clone(&shared)));
        Ok(Self { address, shared, server })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits until the runtime has asked for work, or said that it cannot.
    pub async fn started(&self) -> Started {
        let mut started = self.shared.started.subscribe();
        let known = started.wait_for(|started| *started != Started::Not).await;
        // The sender lives as long as self.
        known.map_or(Started::Not, |started| started.clone())
    }

    /// Hands work to the runtime, as soon as it asks.
    pub fn give(&self, work: Work) {
        self.shared.exchange().give(work);
        self.shared.given.send_replace(());
    }

    /// Takes back work that the runtime has not taken. False when it has.
    pub fn take_back(&self) -> bool {
        self.shared.exchange().take_back()
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    // They end with this task.
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
        };
        let Ok((stream, peer)) = accepted else {
            clock::sleep(ACCEPT_AGAIN).await;
            continue;
        };
        stream.set_nodelay(true).ok();
        let shared = Arc::clone(&shared);
        let runtime = Arc::new(Runtime { peer, asked: AtomicBool::new(false) });
        connections.spawn(async move {
            let service = service_fn(move |request| {
                let (shared, runtime) = (Arc::clone(&shared), Arc::clone(&runtime));
                async move { Ok::<_, Infallible>(shared.answer(request, &runtime).await) }
            });
            // However it ends: by the runtime's close or by its death.
            http1::Builder::new().serve_connection(TokioIo::new(stream), service).await.ok();
        });
    }
}

impl Shared {
    fn exchange(&self) -> MutexGuard<'_, Exchange> {
        self.exchange.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn answer(&self, request: Request<Incoming>, runtime: &Runtime) -> Answer {
        let path = request.uri().path().strip_prefix(VERSION).unwrap_or_default().to_owned();
        let parts: Vec<&str> = path.split('/').collect();
        match (request.method(), parts.as_slice()) {
            (&Method::GET, ["runtime", "invocation", "next"]) => self.next(runtime).await,
            (&Method::POST, ["runtime", "invocation", id, "response"]) => {
                let Ok(payload) = whole_body(request.into_body(), LARGEST_PAYLOAD).await else {
                    return answers::truncated();
                };
                answer_of(self.exchange().respond(id, payload))
            }
            (&Method::POST, ["runtime", "invocation", id, "error"]) => {
                let error_type = error_type(&request);
                match whole_body(request.into_body(), LARGEST_PAYLOAD).await {
                    Ok(Some(payload)) => answer_of(self.exchange().fail(id, error_type, payload)),
                    Ok(None) => answers::refused(Refusal::TooLarge),
                    Err(_) => answers::truncated(),
                }
            }
            (&Method::POST, ["runtime", "init", "error"]) => {
                let error_type = error_type(&request);
                match whole_body(request.into_body(), LARGEST_PAYLOAD).await {
                    Ok(payload) => self.init_error(error_type, payload.unwrap_or_default()),
                    Err(_) => answers::truncated(),
                }
            }
            _ => answers::not_found(),
        }
    }

    /// Blocks for as long as there is no work.
    async fn next(&self, runtime: &Runtime) -> Answer {
        if !runtime.asked.swap(true, Ordering::Relaxed) {
            (self.asked)(runtime.peer, self.address);
        }
        let mut given = self.given.subscribe();
        if let Err(refusal) = self.exchange().ask() {
            return answers::refused(refusal);
        }
        self.started.send_replace(Started::Ready);
        loop {
            let taken = self.exchange().take();
            if let Some((invocation, deadline_ms)) = taken {
                return answers::invocation(&invocation, deadline_ms);
            }
            if given.changed().await.is_err() {
                return answers::not_found();
            }
        }
    }

    fn init_error(&self, error_type: Option<String>, payload: bytes::Bytes) -> Answer {
        let refused = self.exchange().init_error();
        if refused.is_ok() {
            self.started.send_replace(Started::Failed(Returned::FunctionError { error_type, payload }));
        }
        answer_of(refused)
    }
}

fn answer_of(outcome: Result<(), Refusal>) -> Answer {
    outcome.map_or_else(answers::refused, |()| answers::accepted())
}

fn error_type(request: &Request<Incoming>) -> Option<String> {
    let header = request.headers().get("Lambda-Runtime-Function-Error-Type")?;
    header.to_str().ok().map(str::to_owned)
}
