//! A test server that imitates parts of S3, a hub and a web server, and can simulate faults.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::Response;
use futures_util::StreamExt as _;

/// A fault that the server simulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Status 503 with code `SlowDown`.
    SlowDown,
    /// The body ends half way. For an upload, the response is lost.
    Cut,
    /// No response at all.
    Hang,
    /// Status 400 for an expired token.
    Expired,
}

/// Kind of requests that a fault applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultScope {
    /// Listings of objects.
    Lists,
    /// Downloads of objects.
    Objects,
    /// Uploads of objects.
    Puts,
}

#[derive(Clone, Debug)]
struct Object {
    bytes: Vec<u8>,
    version: u64,
}

/// State of the server.
#[derive(Debug, Default)]
pub struct Store {
    objects: BTreeMap<String, Object>,
    versions: u64,
    faults: Vec<(FaultScope, Fault)>,
    /// Object that is replaced after the listing, before its first download.
    replace: Option<(String, Vec<u8>)>,
    /// Every request: method, path and query, range.
    pub seen: Vec<String>,
    /// Number of bytes of objects sent.
    pub sent: u64,
    /// True to ignore ranges and send whole objects.
    pub whole_only: bool,
    /// Number of requests that are answered; all later requests are refused.
    pub refused_after: Option<usize>,
    /// Number of requests after which an object is replaced, with its path and new bytes.
    pub replaced_after: Option<(usize, String, Vec<u8>)>,
    /// Number of objects per listing page.
    pub page: usize,
    /// Status and target with which every request is redirected.
    pub leads: Option<(u16, String)>,
    /// True to refuse all uploads.
    pub refuses: bool,
}

/// Handle of a server that runs until the process ends.
#[derive(Clone, Debug)]
pub struct Server {
    /// Base address without a trailing slash.
    pub address: String,
    store: Arc<Mutex<Store>>,
}

impl Server {
    /// Starts a server.
    pub fn start() -> Self {
        let store = Arc::new(Mutex::new(Store {
            page: 1000,
            ..Store::default()
        }));
        let (sender, address) = std::sync::mpsc::channel();
        let shared = Arc::clone(&store);
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                sender.send(listener.local_addr().unwrap()).unwrap();
                let router = Router::new().fallback(answer).with_state(shared);
                axum::serve(listener, router).await.unwrap();
            });
        });
        let address = format!("http://{}", address.recv().unwrap());
        Self { address, store }
    }

    /// Changes or reads the server's state.
    pub fn with<T>(&self, work: impl FnOnce(&mut Store) -> T) -> T {
        work(&mut self.store.lock().unwrap())
    }

    /// Stores an object under `BUCKET/KEY`, replacing an existing one.
    pub fn put(&self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.with(|store| store.put(path, bytes.into()));
    }

    /// Schedules a fault for the next `times` requests.
    pub fn fail(&self, of: FaultScope, fault: Fault, times: usize) {
        self.with(|store| store.faults.extend(std::iter::repeat_n((of, fault), times)));
    }

    /// Replaces an object when it is first requested.
    pub fn replace_later(&self, path: &str, bytes: &[u8]) {
        self.with(|store| store.replace = Some((path.to_owned(), bytes.to_vec())));
    }

    /// Returns and resets the number of object bytes sent.
    pub fn sent(&self) -> u64 {
        self.with(|store| std::mem::take(&mut store.sent))
    }

    /// Returns and clears the recorded requests.
    pub fn seen(&self) -> Vec<String> {
        self.with(|store| std::mem::take(&mut store.seen))
    }
}

impl Store {
    fn put(&mut self, path: &str, bytes: Vec<u8>) {
        self.versions += 1;
        let version = self.versions;
        self.objects
            .insert(path.to_owned(), Object { bytes, version });
    }

    /// Returns the objects below a path with their bytes.
    pub fn below(&self, path: &str) -> Vec<(String, Vec<u8>)> {
        let below = self
            .objects
            .iter()
            .filter(|(name, _)| name.starts_with(path));
        below
            .map(|(name, object)| (name.clone(), object.bytes.clone()))
            .collect()
    }

    /// Deletes an object.
    pub fn remove(&mut self, path: &str) {
        self.objects.remove(path);
    }

    /// Clears all faults.
    pub fn recover(&mut self) {
        self.faults.clear();
    }

    fn fault(&mut self, of: FaultScope) -> Option<Fault> {
        let at = self.faults.iter().position(|(known, _)| *known == of)?;
        Some(self.faults.remove(at).1)
    }
}

fn etag(object: &Object) -> String {
    format!("\"v{}\"", object.version)
}

fn error(status: u16, code: &str) -> Response {
    let body = format!(
        "<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>SECRET-WORDS</Message></Error>"
    );
    Response::builder()
        .status(status)
        .body(Body::from(body))
        .unwrap()
}

async fn answer(State(store): State<Arc<Mutex<Store>>>, request: Request) -> Response {
    let (parts, sent) = request.into_parts();
    let (method, uri, headers) = (parts.method, parts.uri, parts.headers);
    let query: BTreeMap<String, String> = query(&uri);
    let is_list = query.contains_key("list-type");
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let fault = {
        let mut store = store.lock().unwrap();
        let range = header("range").unwrap_or_default();
        store.seen.push(format!("{method} {uri} {range}"));
        if store
            .refused_after
            .is_some_and(|most| store.seen.len() > most)
        {
            return error(403, "AccessDenied");
        }
        if let Some((status, address)) = &store.leads {
            let place = format!("{address}{uri}");
            let led = Response::builder()
                .status(*status)
                .header("location", place);
            return led.body(Body::empty()).unwrap();
        }
        let seen = store.seen.len();
        if let Some((_, path, bytes)) = store.replaced_after.take_if(|(most, ..)| seen > *most) {
            store.put(&path, bytes);
        }
        let puts = (method == Method::PUT).then(|| store.fault(FaultScope::Puts));
        let puts = puts.flatten();
        puts.or_else(|| {
            store.fault(if is_list {
                FaultScope::Lists
            } else {
                FaultScope::Objects
            })
        })
    };
    match fault {
        Some(Fault::SlowDown) => return error(503, "SlowDown"),
        Some(Fault::Expired) => return error(400, "ExpiredToken"),
        Some(Fault::Hang) => tokio::time::sleep(Duration::from_hours(1)).await,
        Some(Fault::Cut) | None => {}
    }
    let signed = header("authorization");
    if signed.is_some_and(|signed| {
        !signed.contains("Credential=KEY/") && !["Bearer TOKEN", "Bearer nobody"].contains(&signed)
    }) {
        return error(403, "InvalidAccessKeyId");
    }
    let sent = match method {
        Method::PUT => axum::body::to_bytes(sent, usize::MAX).await.unwrap(),
        _ => Bytes::new(),
    };
    let mut store = store.lock().unwrap();
    let path = decoded(uri.path().trim_start_matches('/'));
    if method == Method::PUT && store.refuses {
        return error(403, "AccessDenied");
    }
    if method == Method::PUT {
        return create(&mut store, &path, &headers, &sent, fault);
    }
    let cut = fault == Some(Fault::Cut);
    if is_list {
        return whole(list(&store, &path, &query).into_bytes(), cut);
    }
    if let Some((_, bytes)) = store.replace.take_if(|(replaced, _)| *replaced == path) {
        store.put(&path, bytes);
    }
    let Some(object) = store.objects.get(&path).cloned() else {
        return error(404, "NoSuchKey");
    };
    let answer = one(&object, &method, &headers, cut, store.whole_only);
    if method != Method::HEAD && answer.status().is_success() {
        let length = answer.headers().get("content-length");
        let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        store.sent += length.unwrap_or(0);
    }
    answer
}

/// Handles an upload. With `If-None-Match: *`, the object must not exist. With a fault, the
/// response is lost.
fn create(
    store: &mut Store,
    path: &str,
    headers: &HeaderMap,
    sent: &Bytes,
    fault: Option<Fault>,
) -> Response {
    let is_new = ["if-none-match", "x-goog-if-generation-match"]
        .iter()
        .any(|name| headers.contains_key(*name));
    if is_new && store.objects.contains_key(path) {
        return error(412, "PreconditionFailed");
    }
    store.put(path, sent.to_vec());
    if fault == Some(Fault::Cut) {
        return error(503, "SlowDown");
    }
    let object = &store.objects[path];
    Response::builder()
        .header("etag", etag(object))
        .body(Body::empty())
        .unwrap()
}

fn one(
    object: &Object,
    method: &Method,
    headers: &HeaderMap,
    cut: bool,
    whole_only: bool,
) -> Response {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if header("if-match").is_some_and(|wanted| wanted != etag(object)) {
        return error(412, "PreconditionFailed");
    }
    let modified = format!("Wed, 21 Oct 2015 07:{:02}:00 GMT", object.version % 60);
    let answer = Response::builder()
        .header("etag", etag(object))
        .header("last-modified", modified);
    if header("if-none-match").is_some_and(|known| known == etag(object)) {
        return answer.status(304).body(Body::empty()).unwrap();
    }
    let length = object.bytes.len();
    if method == Method::HEAD {
        return answer
            .header("content-length", length)
            .body(Body::empty())
            .unwrap();
    }
    let range = header("range").filter(|_| !whole_only).map(|range| {
        let (from, last) = range.trim_start_matches("bytes=").split_once('-').unwrap();
        let from: usize = from.parse().unwrap();
        let end = last.parse().map_or(length, |last: usize| last + 1);
        (from, end.min(length))
    });
    let Some((from, end)) = range else {
        return body(answer, object.bytes.clone(), cut);
    };
    if from >= length {
        return error(416, "InvalidRange");
    }
    let answer = answer.status(StatusCode::PARTIAL_CONTENT).header(
        "content-range",
        format!("bytes {from}-{}/{length}", end - 1),
    );
    body(answer, object.bytes[from..end].to_vec(), cut)
}

fn whole(bytes: Vec<u8>, cut: bool) -> Response {
    body(Response::builder(), bytes, cut)
}

/// Builds a response body. With `cut`, only half of the promised length is sent.
fn body(answer: axum::http::response::Builder, bytes: Vec<u8>, cut: bool) -> Response {
    let answer = answer.header("content-length", bytes.len());
    if !cut {
        return answer.body(Body::from(bytes)).unwrap();
    }
    let half = Bytes::copy_from_slice(&bytes[..bytes.len() / 2]);
    let begun = futures_util::stream::once(async { Ok(half) });
    let ended = futures_util::stream::once(async {
        // Wait, because data written just before an error may not be sent.
        tokio::time::sleep(Duration::from_millis(100)).await;
        Err(std::io::Error::other("cut"))
    });
    let parts = begun.chain(ended);
    answer.body(Body::from_stream(parts)).unwrap()
}

fn list(store: &Store, bucket: &str, query: &BTreeMap<String, String>) -> String {
    let bucket = bucket.trim_end_matches('/');
    let text = |name: &str| query.get(name).map_or("", String::as_str);
    let after = [text("start-after"), text("continuation-token")]
        .into_iter()
        .max()
        .unwrap();
    let below = store.objects.iter().filter_map(|(path, object)| {
        let key = path.strip_prefix(bucket)?.strip_prefix('/')?;
        (key.starts_with(text("prefix")) && key > after).then_some((key, object))
    });
    let page = text("max-keys")
        .parse()
        .unwrap_or(store.page)
        .min(store.page);
    let mut found: Vec<_> = below.take(page + 1).collect();
    let more = found.len() > page;
    found.truncate(page);
    let contents = found.iter().map(|(key, object)| {
        format!(
            "<Contents><Key>{}</Key><LastModified>2015-10-21T07:{:02}:00.000Z</LastModified><ETag>&quot;v{}&quot;</ETag><Size>{}</Size></Contents>",
            key.replace('&', "&amp;"),
            object.version % 60,
            object.version,
            object.bytes.len(),
        )
    });
    let contents: String = contents.collect();
    let next = match found.last() {
        Some((key, _)) if more => format!("<NextContinuationToken>{key}</NextContinuationToken>"),
        _ => String::new(),
    };
    format!(
        "<?xml version=\"1.0\"?><ListBucketResult><Name>b</Name><IsTruncated>{more}</IsTruncated>{next}{contents}</ListBucketResult>"
    )
}

fn query(uri: &Uri) -> BTreeMap<String, String> {
    let pairs = uri.query().unwrap_or_default().split('&');
    pairs
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), decoded(value)))
        .collect()
}

/// Decodes `%` escapes.
pub fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, more @ ..] = rest {
        let code = (*first == b'%').then(|| std::str::from_utf8(&more[..2]).unwrap());
        bytes.push(code.map_or(*first, |code| u8::from_str_radix(code, 16).unwrap()));
        rest = if code.is_some() { &more[2..] } else { more };
    }
    String::from_utf8(bytes).unwrap()
}
