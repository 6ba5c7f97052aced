//! Tests a router with two servers, one of which dies during the run. No question is lost, and none
//! is paid for twice.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use super::log::Log;
use super::server::Server;

const SAMPLES: usize = 200;

/// Sends each request to the next server, like nginx. If a server cannot be reached, responds with
/// status 502 and a page, and skips that server from then on.
#[derive(Clone)]
struct Balancer {
    servers: [SocketAddr; 2],
    next: Arc<AtomicUsize>,
    gone: Arc<[AtomicBool; 2]>,
    client: reqwest::Client,
    /// Number of complete responses, by request.
    whole: Arc<Mutex<HashMap<String, usize>>>,
    refused: Arc<AtomicUsize>,
}

async fn pass(State(two): State<Balancer>, method: Method, uri: Uri, body: Bytes) -> Response {
    let turn = two.next.fetch_add(1, Ordering::Relaxed) % 2;
    let at = if two.gone[turn].load(Ordering::Relaxed) {
        1 - turn
    } else {
        turn
    };
    let server = two.servers[at];
    // The request that tests picture support is not a question.
    let is_question =
        method == Method::POST && !String::from_utf8_lossy(&body).contains("\"max_tokens\":1,");
    let asked = blake3::hash(&body).to_hex().to_string();
    let sent = two
        .client
        .request(method.clone(), format!("http://{server}{}", uri.path()))
        .header("content-type", "application/json")
        .body(body)
        .send()
        .await;
    let Ok(answer) = sent else {
        two.refused.fetch_add(1, Ordering::Relaxed);
        two.gone[at].store(true, Ordering::Relaxed);
        let page = "<html><head><title>502 Bad Gateway</title></head></html>";
        return (
            StatusCode::BAD_GATEWAY,
            [("content-type", "text/html")],
            page,
        )
            .into_response();
    };
    let status = answer.status();
    let kind = answer.headers()["content-type"].clone();
    match answer.bytes().await {
        Ok(bytes) => {
            if is_question {
                *two.whole.lock().unwrap().entry(asked).or_default() += 1;
            }
            (status, [("content-type", kind)], bytes).into_response()
        }
        Err(error) => {
            // If the server fails, the connection to the client is closed, too.
            let broken = futures_util::stream::iter([Err::<Bytes, _>(error)]);
            ([("content-type", kind)], Body::from_stream(broken)).into_response()
        }
    }
}

/// Starts a router on a port of its own.
fn router(servers: [SocketAddr; 2]) -> (SocketAddr, Balancer, tokio::runtime::Runtime) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let two = Balancer {
        servers,
        next: Arc::default(),
        gone: Arc::default(),
        client: reqwest::Client::builder()
            .no_proxy()
            .pool_max_idle_per_host(0)
            .build()
            .unwrap(),
        whole: Arc::default(),
        refused: Arc::default(),
    };
    let (address, runtime) = serve(Router::new().fallback(pass).with_state(two.clone()));
    (address, two, runtime)
}

/// Serves routes on a port of their own. The server stops when the returned runtime is dropped.
pub fn serve(routes: Router) -> (SocketAddr, tokio::runtime::Runtime) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let address = listener.local_addr().unwrap();
    runtime.spawn(async move { axum::serve(listener, routes).await });
    (address, runtime)
}

#[test]
fn one_of_two_servers_dies_half_way_and_nothing_is_lost_or_paid_for_twice() {
    let slow = || Server::slow(Duration::from_millis(10), "127.0.0.1:0".parse().unwrap());
    let (first, second) = (slow(), slow());
    let (address, two, _runtime) = router([first.address, second.address]);
    let log = Log::new(SAMPLES);
    log.config(
        &format!("http://{address}/fault/none/v1"),
        "concurrency = 16",
    );
    log.patient();
    let mut child = log
        .asking(&["--protocol", "vanilla"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while log.journal("done").len() < SAMPLES / 2 {
        assert!(child.try_wait().unwrap().is_none(), "ended too soon");
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(second);
    assert!(child.wait().unwrap().success());
    let done = log.journal("done");
    assert_eq!((done.len(), log.records().len()), (SAMPLES, SAMPLES));
    assert!(done.iter().all(|done| done["outcome"] == "ok"));
    assert!(
        two.refused.load(Ordering::Relaxed) > 0,
        "the router noticed"
    );
    let whole = two.whole.lock().unwrap();
    assert_eq!(whole.len(), SAMPLES, "each question was answered");
    let tries = log.journal("try");
    let failed: Vec<_> = tries.iter().filter(|one| !one["class"].is_null()).collect();
    let twice = whole.values().filter(|count| **count > 1).count();
    assert_eq!(twice, 0, "and none once more: {failed:?}");
}
