//! HTTP/1.1 in front of an upstream, such as a sandbox.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use havoq_base::RealDuration;
use havoq_base::clock::sleep;
use havoq_wire::{Request, Response, Upstream};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

const RETRY_ACCEPT: RealDuration = RealDuration::from_millis(10);

/// Serves all who connect, until it is dropped; that closes their connections.
pub async fn serve(listener: TcpListener, upstream: Arc<dyn Upstream>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                match accepted {
                    Ok((stream, _)) => {
                        connections.spawn(connection(stream, Arc::clone(&upstream)));
                    }
                    // Most often there are too many open files, which passes when some are closed.
                    Err(_) => sleep(RETRY_ACCEPT).await,
                }
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

/// When the client goes away, hyper drops the call that is under way.
async fn connection(stream: TcpStream, upstream: Arc<dyn Upstream>) {
    // Answers are small: without this, some wait for the client's delayed acknowledgement.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| answer(request, &*upstream));
    // Without a limit on the time between two requests: an SDK may find its idle connection cut
    // just as it sends, and its error would look like a fault.
    let mut http = http1::Builder::new();
    // Head and body are put together: for answers of these sizes that is cheaper than a vectored write.
    http.writev(false);
    let served = http.header_read_timeout(None).serve_connection(TokioIo::new(stream), service);
    // A broken connection is the client's to report.
    let _ = served.await;
}

async fn answer(
    request: http::Request<Incoming>,
    upstream: &dyn Upstream,
) -> Result<http::Response<Full<Bytes>>, Infallible> {
    let (parts, body) = request.into_parts();
    let answered = match body.collect().await {
        Ok(body) => match upstream.forward(Request::from_parts(parts, body.to_bytes())).await {
            Ok(response) => response,
            Err(error) => plain(http::StatusCode::BAD_GATEWAY, error.to_string()),
        },
        Err(error) => plain(http::StatusCode::BAD_REQUEST, error.to_string()),
    };
    Ok(answered.map(Full::new))
}

fn plain(status: http::StatusCode, text: String) -> Response {
    let mut response = Response::new(Bytes::from(text));
    *response.status_mut() = status;
    response
}
