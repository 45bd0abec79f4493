//! POSTs to HTTP endpoints, as the services ask for them.

use std::convert::Infallible;
use std::future::pending;

use bytes::Bytes;
use havoq_base::RealDuration;
use havoq_base::clock::sleep;
use http_body_util::Full;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use super::sandbox::Sandbox;
use crate::sns::{Answered, Outbound};

/// How long an endpoint has for its answer, in real time: the clock does not jump for it.
const PATIENCE: RealDuration = RealDuration::from_millis(15_000);

impl Sandbox {
    /// Sends a POST and tells the core how it went.
    pub(super) async fn send_out(self, outbound: Outbound) {
        let delivery = outbound.delivery;
        let answered = tokio::select! {
            answered = exchange(outbound) => answered.map_or_else(Answered::Failed, Answered::Status),
            () = sleep(PATIENCE) => Answered::Failed("the endpoint gave no answer in time".to_owned()),
        };
        self.enter(|core, now| core.http_answered(now, delivery, answered));
    }
}

/// The status of the answer, or why there is none. Each exchange has a connection of its own.
async fn exchange(outbound: Outbound) -> Result<u16, String> {
    let wrong = |error: &dyn std::error::Error| error.to_string();
    let uri: http::Uri = outbound.url.parse().map_err(|error: http::uri::InvalidUri| wrong(&error))?;
    let host = uri.host().ok_or("the URL has no host")?;
    let target = (host.trim_matches(['[', ']']), uri.port_u16().unwrap_or(80));
    let stream = TcpStream::connect(target).await.map_err(|error| wrong(&error))?;
    let (mut sender, connection) =
        http1::handshake(TokioIo::new(stream)).await.map_err(|error| wrong(&error))?;
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let mut request = http::Request::post(path).header(http::header::HOST, authority);
    for (name, value) in outbound.headers {
        request = request.header(name, value);
    }
    let request = request.body(Full::new(Bytes::from(outbound.body))).map_err(|error| wrong(&error))?;
    let driven = async {
        // How it ends, the exchange says itself.
        let _ = connection.await;
        pending::<Infallible>().await
    };
    tokio::select! {
        response = sender.send_request(request) => {
            response.map(|response| response.status().as_u16()).map_err(|error| wrong(&error))
        }
        never = driven => match never {},
    }
}
