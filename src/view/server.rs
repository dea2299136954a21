//! The server of the viewer: its socket, and the protection of the socket against other users and web pages.
//!
//! - The server listens only on the loopback address. The address of every page contains a random token. Any other
//!   address gives 404 and reveals nothing.
//! - A request must name this host. If it names its origin, the origin must be this host. If the browser reports a
//!   request from another site (`Sec-Fetch-Site`), the server answers only a plain visit. So pages of other sites get
//!   nothing, even if their name points at the loopback address.
//! - The answers forbid the browser to fetch anything from another site, or to show a page in another site's frame.
//! - The body and the time of a request are limited. Analyses run on a few separate threads. A request that waits too
//!   long gets an error.

use super::request::{Reply, Request};
use super::site::Site;
use anyhow::Context as _;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::Response;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// The most bytes of a request's body.
const BODY: usize = 512 * 1024;
/// The time limit of a request.
const PATIENCE: Duration = Duration::from_secs(60);
/// The time limit of the body of a request.
const BODY_PATIENCE: Duration = Duration::from_secs(10);
/// Threads that think; the World is one, so more would only wait.
const THINKERS: usize = 8;

struct ServerState {
    site: Site,
    token: String,
    port: u16,
}

/// Serves until the process ends. `ready` gets the address as soon as a browser can open it.
///
/// # Errors
/// If the port is taken, or the system gives no random numbers or threads.
pub fn serve(site: Site, port: u16, ready: impl FnOnce(&str) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .max_blocking_threads(THINKERS)
        .enable_all()
        .build()
        .context("can't start the server's threads")?;
    let token = token()?;
    runtime.block_on(async {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener = tokio::net::TcpListener::bind(address)
            .await
            .with_context(|| format!("can't listen on {address}; --port 0 takes a free port"))?;
        let port = listener.local_addr()?.port();
        ready(&format!("http://127.0.0.1:{port}/{token}/"))?;
        let server = Arc::new(ServerState { site, token, port });
        let router = Router::new().fallback(answer).with_state(server);
        axum::serve(listener, router).await.context("the server stopped")
    })
}

/// 128 random bits.
fn token() -> anyhow::Result<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|e| anyhow::anyhow!("the system gives no random numbers: {e}"))?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

async fn answer(
    State(server): State<Arc<ServerState>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Response {
    if !is_from_here(&method, &headers, server.port) {
        return response(Reply::text(403, "only pages of this program may ask here"));
    }
    let path = uri.path().strip_prefix('/').unwrap_or_default();
    let (token, page) = path.split_once('/').unwrap_or((path, ""));
    if !is_same(token, &server.token) {
        return response(Reply::text(
            404,
            "there is nothing here; open the address that `tengen view` printed",
        ));
    }
    if method != Method::GET && method != Method::POST {
        return response(Reply::text(405, "only GET and POST are answered"));
    }
    let body = match read(&headers, body).await {
        Ok(body) => body,
        Err(reply) => return closing(response(reply)),
    };
    let Ok(body) = String::from_utf8(body) else {
        return response(Reply::text(400, "the request is not UTF-8 text"));
    };
    let is_post = method == Method::POST;
    let request = Request::new(page, uri.query().unwrap_or_default(), is_post.then_some(body.as_str()));
    let thinker = server.clone();
    let work = tokio::task::spawn_blocking(move || thinker.site.answer(&request));
    response(match tokio::time::timeout(PATIENCE, work).await {
        Ok(Ok(reply)) => reply,
        Ok(Err(_)) => Reply::text(500, "this page failed; the others go on"),
        Err(_) => Reply::text(503, "too much was asked at once; try again"),
    })
}

/// The body of a request, if it is short enough and comes in time. A promise of too much is not waited for.
async fn read(headers: &HeaderMap, body: Body) -> Result<Vec<u8>, Reply> {
    let promised = headers.get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse::<u64>().ok());
    if promised.is_some_and(|bytes| bytes > BODY as u64) {
        return Err(Reply::text(413, "the request is too long"));
    }
    match tokio::time::timeout(BODY_PATIENCE, to_bytes(body, BODY)).await {
        Ok(Ok(bytes)) => Ok(bytes.to_vec()),
        Ok(Err(_)) => Err(Reply::text(413, "the request is too long, or broke off")),
        Err(_) => Err(Reply::text(408, "the request did not come in time")),
    }
}

/// An answer after which the connection is closed: the rest of its request is not waited for.
fn closing(mut response: Response) -> Response {
    response.headers_mut().insert(header::CONNECTION, header::HeaderValue::from_static("close"));
    response
}

/// Compares all bytes in constant time, so that the time reveals nothing about the token.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |x, (a, b)| x | (a ^ b)) == 0
}

fn is_from_here(method: &Method, headers: &HeaderMap, port: u16) -> bool {
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let text = |name: header::HeaderName| headers.get(name).map(|v| v.to_str().unwrap_or("?"));
    let host = text(header::HOST).is_some_and(|host| hosts.iter().any(|h| h == host));
    let origin = text(header::ORIGIN)
        .is_none_or(|origin| origin.strip_prefix("http://").is_some_and(|o| hosts.iter().any(|h| h == o)));
    // Whoever opens the printed address by a link comes from another site, and reads it in a window of his own.
    let site = text(header::HeaderName::from_static("sec-fetch-site"));
    let mode = text(header::HeaderName::from_static("sec-fetch-mode"));
    let is_visit = method == Method::GET && mode == Some("navigate");
    let site = site.is_none_or(|site| matches!(site, "none" | "same-origin") || is_visit);
    host && origin && site
}

fn response(reply: Reply) -> Response {
    let mut response = Response::new(Body::from(reply.body));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; \
                  form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
    for (name, value) in [
        (header::CONTENT_TYPE, reply.kind),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // With `no-referrer` a form of ours would be sent without its origin.
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        response.headers_mut().insert(name, header::HeaderValue::from_static(value));
    }
    if let Some(to) = reply.location.and_then(|to| header::HeaderValue::from_str(&to).ok()) {
        response.headers_mut().insert(header::LOCATION, to);
    }
    response
}
