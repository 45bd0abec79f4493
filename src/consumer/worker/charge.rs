//! The side effect: one POST.

use bytes::Bytes;
use http::{Request, Uri, header};
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use thiserror::Error;
use tokio::net::TcpStream;

#[derive(Debug, Error)]
pub(super) enum ChargeError {
    #[error("no connection: {0}")]
    Connection(#[from] std::io::Error),
    #[error("no answer: {0}")]
    Http(#[from] hyper::Error),
    #[error("not a request: {0}")]
    Request(#[from] http::Error),
    #[error("answered {0}")]
    Status(http::StatusCode),
    #[error("the address has no host")]
    NoHost,
}

/// POSTs `{"orderId": ...}`; null where there is no order.
pub(super) async fn charge(
    url: &str,
    order_id: Option<&str>,
    idempotency_key: Option<&str>,
) -> Result<(), ChargeError> {
    let uri: Uri = url.parse().map_err(http::Error::from)?;
    let authority = uri.authority().ok_or(ChargeError::NoHost)?.clone();
    let stream = TcpStream::connect((authority.host(), authority.port_u16().unwrap_or(80))).await?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let body = serde_json::json!({ "orderId": order_id }).to_string();
    let mut request = Request::post(uri.path_and_query().map_or("/", |path| path.as_str()))
        .header(header::HOST, authority.as_str())
        .header(header::CONTENT_TYPE, "application/json");
    if let Some(key) = idempotency_key {
        request = request.header("Idempotency-Key", key);
    }
    let answer = sender.send_request(request.body(Full::new(Bytes::from(body)))?).await?;
    let status = answer.status();
    answer.into_body().collect().await?;
    if status.is_success() { Ok(()) } else { Err(ChargeError::Status(status)) }
}
