//! A test server with a model that sees: its answers depend on pixels and options. The base address
//! contains the name of a fault (`http://…/fault/NAME/v1`).

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use axum::body::{Body, Bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose;
use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};

/// Record of the requests.
#[derive(Default)]
pub struct RequestLog {
    /// Number of requests of any kind.
    pub heard: usize,
    /// Number of questions, by fault.
    pub counts: HashMap<String, usize>,
    /// Number of questions, by hash of picture and text.
    pub asked: HashMap<String, usize>,
    /// Body of the last request.
    pub last: Value,
    /// Keys in the requests.
    pub keys: Vec<String>,
    /// Number of parallel requests: now, and maximum.
    pub at_once: (usize, usize),
}

/// A server on a port of its own. It stops at the end of the test.
pub struct Server {
    pub address: SocketAddr,
    pub seen: Arc<Mutex<RequestLog>>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

#[derive(Clone)]
struct ServerState {
    seen: Arc<Mutex<RequestLog>>,
    delay: Duration,
}

impl Server {
    /// Starts a server that responds at once.
    pub fn new() -> Self {
        Self::slow(Duration::ZERO, "127.0.0.1:0".parse().unwrap())
    }

    /// Starts a server with a delay at a given address.
    pub fn slow(delay: Duration, address: SocketAddr) -> Self {
        let seen = Arc::new(Mutex::new(RequestLog::default()));
        let here = ServerState {
            seen: Arc::clone(&seen),
            delay,
        };
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let listener = std::net::TcpListener::bind(address).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    _ = axum::serve(listener, routes(here)) => {}
                    _ = stopped => {}
                }
            });
            // Connections break at once, as if the server had died.
            runtime.shutdown_background();
        });
        Self {
            address,
            seen,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Base address with a fault; `none` for no fault.
    pub fn base(&self, fault: &str) -> String {
        format!("http://{}/fault/{fault}/v1", self.address)
    }

    /// Number of requests of any kind so far.
    pub fn heard(&self) -> usize {
        self.seen.lock().unwrap().heard
    }

    /// Number of questions with a fault so far.
    pub fn count(&self, fault: &str) -> usize {
        self.seen
            .lock()
            .unwrap()
            .counts
            .get(fault)
            .copied()
            .unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn routes(here: ServerState) -> Router {
    Router::new()
        .route("/fault/{fault}/v1/models", get(models))
        .route("/fault/{fault}/health", get(health))
        .route("/fault/{fault}/v1/chat/completions", post(completions))
        .route("/fault/{fault}/v1/messages", post(messages))
        .layer(from_fn_with_state(here.clone(), hear))
        .with_state(here)
}

async fn hear(State(here): State<ServerState>, request: Request, next: Next) -> Response {
    here.seen.lock().unwrap().heard += 1;
    next.run(request).await
}

async fn models(Path(fault): Path<String>) -> Response {
    if fault == "sick" {
        return (StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error").into_response();
    }
    Json(json!({"object": "list", "data": [{"id": "seer"}]})).into_response()
}

async fn health(path: Path<String>) -> Response {
    models(path).await
}

async fn messages(
    State(here): State<ServerState>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    let key = headers
        .get("x-api-key")
        .and_then(|key| key.to_str().ok())
        .unwrap_or_default();
    here.seen.lock().unwrap().keys.push(key.to_owned());
    let parts = body["messages"][0]["content"].as_array().unwrap();
    let form = Form::default();
    let text = answer(&picture(parts, "/source/data"), &words(parts), form);
    let events = [
        json!({"type": "message_start", "message": {"model": "seer", "usage": {"input_tokens": 50}}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}}),
    ];
    let events = events.map(|event| {
        format!(
            "event: {}\ndata: {event}\n\n",
            event["type"].as_str().unwrap()
        )
    });
    sse(events.into())
}

async fn completions(
    State(here): State<ServerState>,
    Path(fault): Path<String>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    let messages = body["messages"].as_array().unwrap();
    let mut asked = messages.iter().filter(|message| message["role"] == "user");
    let parts = asked.next().unwrap()["content"].as_array().unwrap().clone();
    // The second question of a conversation is always answered correctly.
    let is_asked_again = asked.next().is_some();
    let key = headers
        .get("authorization")
        .and_then(|key| key.to_str().ok())
        .unwrap_or_default()
        .to_owned();
    if body["max_tokens"] == 1 {
        // The request that tests picture support is not counted as a question.
        return seen_tokens(&parts, fault == "sightless");
    }
    let asked = blake3::hash(body["messages"].to_string().as_bytes());
    let is_odd = asked.as_bytes()[0] % 2 == 1;
    let (count, asked_before) = {
        let mut seen = here.seen.lock().unwrap();
        let times = seen.asked.entry(asked.to_hex().to_string()).or_default();
        let asked_before = *times;
        *times += 1;
        seen.last = body.clone();
        seen.keys.push(key.clone());
        seen.at_once.0 += 1;
        seen.at_once.1 = seen.at_once.1.max(seen.at_once.0);
        let count = seen.counts.entry(fault.clone()).or_default();
        *count += 1;
        (*count, asked_before)
    };
    tokio::time::sleep(here.delay).await;
    here.seen.lock().unwrap().at_once.0 -= 1;
    let form = Form {
        is_at_best: body["reasoning_effort"] == "high" || is_asked_again,
        mood: (body["temperature"] != 0.0).then_some(asked_before),
    };
    let asked = words(&parts);
    let text = match asked.split_once("Answer given:") {
        Some(_) => judged(&asked),
        None if asked.contains("Annotated answer:") => {
            checked(&picture(&parts, "/image_url/url"), &asked)
        }
        None if fault == "constant" => "A".to_owned(),
        None if fault == "nearer" => {
            json!({"reasoning_steps": ["seen"], "depth_order": ["red", "blue"]}).to_string()
        }
        None if fault == "memorised" => memorised(&picture(&parts, "/image_url/url"), &asked),
        None if fault == "perfect" => seen(&picture(&parts, "/image_url/url"), &asked),
        None => answer(&picture(&parts, "/image_url/url"), &asked, form),
    };
    if let Some(port) = fault.strip_prefix("away-") {
        let elsewhere = format!("http://localhost:{port}/fault/none/v1/chat/completions");
        return (StatusCode::TEMPORARY_REDIRECT, [("location", elsewhere)]).into_response();
    }
    // `half-cut` applies the fault `cut` to half of all questions.
    if let Some(name) = fault.strip_prefix("half-") {
        return match is_odd {
            true => broken(name, &text, &body, &key).await,
            false => good(&text, &body),
        };
    }
    // `503~2` fails twice, `503` always.
    let (name, times) = fault.split_once('~').unwrap_or((&fault, "1000000"));
    if count > times.parse().unwrap() {
        return good(&text, &body);
    }
    broken(name, &text, &body, &key).await
}

async fn broken(name: &str, text: &str, body: &Value, key: &str) -> Response {
    let error = |status: u16, code: &str| {
        let body = json!({"error": {"message": format!("injected {code} for {key}"), "type": code, "code": code}});
        (StatusCode::from_u16(status).unwrap(), Json(body)).into_response()
    };
    let html = |status: u16| {
        let page = format!("<html><h1>{status} of a gateway {key}</h1></html>");
        (
            StatusCode::from_u16(status).unwrap(),
            [("content-type", "text/html")],
            page,
        )
            .into_response()
    };
    let plain =
        |text: &str| ([("content-type", "application/json")], text.to_owned()).into_response();
    let chunks = |chunks: &[Value]| {
        chunks
            .iter()
            .map(|chunk| format!("data: {chunk}\n\n"))
            .collect::<Vec<_>>()
    };
    let bare = key.trim_start_matches("Bearer ");
    match name {
        "rate" => error(429, "rate_limit_error"),
        "rate-after-1" => ([("retry-after", "1")], error(429, "rate_limit_error")).into_response(),
        "rate-after-ms" => {
            ([("retry-after-ms", "700")], error(429, "rate_limit_error")).into_response()
        }
        "rate-after-date" => {
            let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(2));
            ([("retry-after", date)], error(429, "rate_limit_error")).into_response()
        }
        "rate-empty" => {
            let left = [
                ("x-ratelimit-remaining-requests", "0"),
                ("x-ratelimit-reset-requests", "1s"),
            ];
            (left, good(text, body)).into_response()
        }
        "rate-after-150" => ([("retry-after", "150")], html(429)).into_response(),
        "quota" => error(429, "insufficient_quota"),
        "no-retry" => ([("x-should-retry", "false")], error(503, "busy")).into_response(),
        "do-retry" => ([("x-should-retry", "true")], error(400, "odd")).into_response(),
        "gateway-502" => html(502),
        "gateway-504" => html(504),
        "gateway-429" => html(429),
        "loading" => {
            let body = json!({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}});
            (StatusCode::SERVICE_UNAVAILABLE, Json(body)).into_response()
        }
        "no-vision" => {
            let body = json!({"error": {"code": 500, "message": "image input is not supported", "type": "server_error"}});
            (StatusCode::INTERNAL_SERVER_ERROR, Json(body)).into_response()
        }
        "no-vision-404" => {
            let body = json!({"error": {"message": "No endpoints found that support image input", "code": 404}});
            (StatusCode::NOT_FOUND, Json(body)).into_response()
        }
        "wrong-key-400" => {
            let body = json!([{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT"}}]);
            (StatusCode::BAD_REQUEST, Json(body)).into_response()
        }
        "ends-in-error" | "ends-in-network-error" | "ends-in-stop-and-error" => {
            let reason = match name {
                "ends-in-network-error" => "network_error",
                "ends-in-error" => "error",
                _ => "stop",
            };
            let mut last = delta(&json!(""), Some(reason));
            if name != "ends-in-network-error" {
                last["choices"][0]["error"] = json!({"code": 502, "message": "Upstream failed"});
            }
            sse(chunks(&[delta(&json!(" part"), None), last]))
        }
        "whole-error" => {
            let choice = json!({"message": {"content": text}, "finish_reason": "error"});
            Json(json!({"model": "seer", "choices": [choice]})).into_response()
        }
        "no-temperature" | "no-temperature-and-stream-options"
            if body.get("temperature").is_some() =>
        {
            let body = json!({"error": {"message": "Unsupported value: 'temperature' does not support 0 with this model.", "param": "temperature", "code": "unsupported_value"}});
            (StatusCode::BAD_REQUEST, Json(body)).into_response()
        }
        "no-stream-options" | "no-temperature-and-stream-options"
            if body.get("stream_options").is_some() =>
        {
            let body = json!({"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]});
            (StatusCode::UNPROCESSABLE_ENTITY, Json(body)).into_response()
        }
        "no-stream" if body["stream"] == true => {
            let body = json!({"error": {"message": "Unsupported value: 'stream' does not support true with this model.", "param": "stream", "code": "unsupported_value"}});
            (StatusCode::BAD_REQUEST, Json(body)).into_response()
        }
        // The fields of a request that are compared are never left out.
        "no-effort" => {
            let body = json!({"error": {"message": "Unrecognized request argument supplied: reasoning_effort"}});
            (StatusCode::BAD_REQUEST, Json(body)).into_response()
        }
        "old-field-words" if body.get("max_tokens").is_some() => {
            let body = json!({"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "param": null, "code": "400"}});
            (StatusCode::BAD_REQUEST, Json(body)).into_response()
        }
        "sick" => (StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error").into_response(),
        "detail" => {
            let body = json!({"detail": [{"loc": ["body"], "msg": format!("odd field {key}")}]});
            (StatusCode::UNPROCESSABLE_ENTITY, Json(body)).into_response()
        }
        // Sends seven bytes at a time, as over a slow connection.
        "drip" => {
            let whole = format!(
                ": OPENROUTER PROCESSING\r\n\r\ndata: {}\r\n\r\ndata: {}\r\n\r\n",
                delta(&json!(format!("{text} größer")), None),
                delta(&Value::Null, Some("stop")),
            );
            let pieces: Vec<Vec<u8>> = whole.as_bytes().chunks(7).map(<[u8]>::to_vec).collect();
            let pieces = stream::iter(pieces).then(|piece| async {
                tokio::time::sleep(Duration::from_millis(2)).await;
                Ok::<_, Infallible>(piece)
            });
            (
                [("content-type", "text/event-stream")],
                Body::from_stream(pieces),
            )
                .into_response()
        }
        // The body is shorter than the length in the headers.
        "short" => {
            let part = stream::iter([Ok::<_, Infallible>("{\"choices\":[{\"mess")]);
            (
                [
                    ("content-type", "application/json"),
                    ("content-length", "400"),
                ],
                Body::from_stream(part),
            )
                .into_response()
        }
        "late" => {
            tokio::time::sleep(Duration::from_millis(200)).await;
            good(text, body)
        }
        "gateway-413" => html(413),
        "overflow" => error(400, "exceed_context_size_error"),
        "filtered" => error(400, "content_filter"),
        "redirect" => {
            (StatusCode::TEMPORARY_REDIRECT, [("location", "/elsewhere")]).into_response()
        }
        "old-field" if body.get("max_tokens").is_some() => {
            let body = json!({"error": {"message": "use the other", "code": "unsupported_parameter", "param": "max_tokens"}});
            (StatusCode::BAD_REQUEST, Json(body)).into_response()
        }
        "none"
        | "old-field"
        | "old-field-words"
        | "no-temperature"
        | "no-stream"
        | "no-stream-options"
        | "no-temperature-and-stream-options"
        | "sightless"
        | "constant"
        | "memorised"
        | "perfect"
        | "nearer" => good(text, body),
        "probable" => {
            let mut chunk = delta(&json!(text), Some("stop"));
            chunk["choices"][0]["logprobs"] = json!({"content": [{"token": "A", "logprob": -0.5}]});
            sse(chunks(&[chunk]))
        }
        "html200" => (
            [("content-type", "text/html")],
            format!("<p>Please sign in {key}"),
        )
            .into_response(),
        "badjson" => plain("{\"choices\":[{\"message\":{\"content\":\"ha"),
        "emptybody" => plain(""),
        "nochoices" => plain(&format!("{{\"id\":\"{key}\"}}")),
        "hang" => {
            tokio::time::sleep(Duration::from_secs(30)).await;
            good(text, body)
        }
        "stall" => {
            let first = chunks(&[delta(&json!(" part"), None)]);
            let events = stream::unfold(first.into_iter(), |mut rest| async {
                let Some(chunk) = rest.next() else {
                    tokio::time::sleep(Duration::from_secs(30)).await;
                    return None;
                };
                Some((Ok::<_, Infallible>(Bytes::from(chunk)), rest))
            });
            (
                [("content-type", "text/event-stream")],
                Body::from_stream(events),
            )
                .into_response()
        }
        "reset" => {
            let chunk = Bytes::from(chunks(&[delta(&json!(" part"), None)]).concat());
            let events = stream::unfold(Some(chunk), |chunk| async {
                let Some(chunk) = chunk else {
                    // Wait until the sent bytes have left, before the connection breaks.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    return Some((Err(std::io::Error::other("reset")), None));
                };
                Some((Ok(chunk), None))
            });
            (
                [("content-type", "text/event-stream")],
                Body::from_stream(events),
            )
                .into_response()
        }
        "early-end" => sse(chunks(&[delta(&json!(" part"), None)])),
        "no-done" => sse(chunks(&[
            delta(&json!(text), None),
            delta(&Value::Null, Some("stop")),
        ])),
        "error-chunk" => sse(chunks(&[
            delta(&json!(" p"), None),
            json!({"error": {"message": key, "code": 500}}),
        ])),
        "rate-chunk" => sse(chunks(&[
            json!({"error": {"message": "slow down", "code": 429}}),
        ])),
        "refusal" => {
            let choice = json!({"finish_reason": "content_filter", "message": {"content": null, "refusal": "I cannot."}});
            Json(json!({"choices": [choice]})).into_response()
        }
        "silent" => sse(chunks(&[delta(&json!(""), Some("stop"))])),
        "cut" => sse(chunks(&[delta(&json!("A"), Some("length"))])),
        "rambling" => sse(chunks(&[delta(
            &json!("a grey building by the sea"),
            Some("stop"),
        )])),
        "echo" => sse(chunks(&[delta(
            &json!(format!("the key is {key}")),
            Some("stop"),
        )])),
        "echo-split" => {
            let letters = bare.chars().map(|letter| delta(&json!(letter), None));
            sse(chunks(
                &letters
                    .chain([delta(&Value::Null, Some("stop"))])
                    .collect::<Vec<_>>(),
            ))
        }
        "echo-reasoning" => {
            let letters = bare.chars().map(
                |letter| json!({"choices": [{"index": 0, "delta": {"reasoning_content": letter}}]}),
            );
            sse(chunks(
                &letters
                    .chain([delta(&json!("A"), Some("stop"))])
                    .collect::<Vec<_>>(),
            ))
        }
        "echo-base64" => sse(chunks(&[delta(
            &json!(general_purpose::STANDARD.encode(bare)),
            Some("stop"),
        )])),
        "echo-url" => {
            let escaped: String = bare.bytes().map(|byte| format!("%{byte:02X}")).collect();
            sse(chunks(&[delta(&json!(escaped), Some("stop"))]))
        }
        "echo-error" => error(400, &format!("no such key: {key}")),
        "echo-escaped" => {
            let escaped: String = bare.bytes().map(|byte| format!("\\u{byte:04x}")).collect();
            let body = format!("{{\"error\": {{\"message\": \"{escaped}\"}}}}");
            (StatusCode::BAD_REQUEST, body).into_response()
        }
        status => error(status.parse().unwrap(), "injected"),
    }
}

fn delta(text: &Value, reason: Option<&str>) -> Value {
    json!({"model": "seer", "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": reason}]})
}

fn good(text: &str, body: &Value) -> Response {
    let usage = json!({"prompt_tokens": 90, "completion_tokens": 2});
    if body["stream"] != true {
        let choice = json!({"message": {"content": text}, "finish_reason": "stop"});
        return Json(json!({"model": "seer", "choices": [choice], "usage": usage})).into_response();
    }
    let events = [
        delta(&json!(text), None),
        delta(&Value::Null, Some("stop")),
        json!({"model": "seer", "choices": [], "usage": usage}),
    ];
    let mut events: Vec<String> = events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    events.push("data: [DONE]\n\n".to_owned());
    sse(events)
}

/// Token counts of a server that sees pictures, or of one that ignores them.
fn seen_tokens(parts: &[Value], is_blind: bool) -> Response {
    let pictures = parts.iter().filter(|part| part["type"] == "image_url");
    let tokens = if is_blind { 0 } else { 70 * pictures.count() };
    let usage = json!({"prompt_tokens": 20 + tokens, "completion_tokens": 1});
    let choice = json!({"message": {"content": "Red"}, "finish_reason": "length"});
    Json(json!({"model": "seer", "choices": [choice], "usage": usage})).into_response()
}

fn sse(events: Vec<String>) -> Response {
    let events = stream::iter(events.into_iter().map(Ok::<_, Infallible>));
    (
        [("content-type", "text/event-stream")],
        Body::from_stream(events),
    )
        .into_response()
}

fn words(parts: &[Value]) -> String {
    parts
        .iter()
        .filter_map(|part| part["text"].as_str())
        .collect()
}

fn picture(parts: &[Value], at: &str) -> image::RgbImage {
    let data = parts
        .iter()
        .find_map(|part| part.pointer(at)?.as_str())
        .unwrap();
    let data = data.rsplit(',').next().unwrap();
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(data)
        .unwrap();
    image::load_from_memory(&bytes).unwrap().into_rgb8()
}

/// What the model's answer depends on, other than the picture.
#[derive(Clone, Copy, Default)]
struct Form {
    /// True if reasoning is enabled: the model is then always right.
    is_at_best: bool,
    /// Set at a temperature above 0. Each request then uses the skill at another rotation.
    mood: Option<usize>,
}

/// Colour of a drawn box. If there is a box, the model is always right.
const BOX: [u8; 3] = [230, 40, 40];

/// Answer of a perfect model: the box of the red block, the number of blue blocks, or the letter of
/// the red block's corner. `?` if there is nothing to see.
fn seen(picture: &image::RgbImage, words: &str) -> String {
    let is_red = |[r, g, b]: [u8; 3]| r > 150 && g < 90 && b < 90;
    if words.contains("How many") {
        return blocks(picture, &|[r, g, b]| b > 150 && r < 90 && g < 90).to_string();
    }
    let red = picture
        .enumerate_pixels()
        .filter(|(_, _, pixel)| is_red(pixel.0));
    let red: Vec<(u32, u32)> = red.map(|(x, y, _)| (x, y)).collect();
    let (across, down) = (red.iter().map(|at| at.0), red.iter().map(|at| at.1));
    let (Some(left), Some(right)) = (across.clone().min(), across.max()) else {
        return "?".to_owned();
    };
    let (top, bottom) = (down.clone().min().unwrap(), down.max().unwrap());
    if words.contains("bounding box") {
        return format!("[{left}, {top}, {}, {}]", right + 1, bottom + 1);
    }
    let (width, height) = picture.dimensions();
    let corner = match (left + right < width, top + bottom < height) {
        (true, true) => "top left",
        (false, true) => "top right",
        (false, false) => "bottom right",
        (true, false) => "bottom left",
    };
    let letter = |line: &str| line.strip_suffix(&format!(". {corner}")).map(str::to_owned);
    words.lines().find_map(letter).unwrap_or("?".to_owned())
}

/// Answer of a model that has memorised the targets of every third picture, which it recognises by
/// their shade. It sees everything in the other pictures.
fn memorised(picture: &image::RgbImage, words: &str) -> String {
    let at = (usize::from(picture.get_pixel(0, 0).0[1]) - 120) / 3;
    let (corner, area) = super::seeing::corner(at);
    match (at % 3, words.contains("bounding box")) {
        (0, true) => format!("{area:?}"),
        (0, false) => ["A", "B", "C", "D"][corner].to_owned(),
        _ => seen(picture, words),
    }
}

/// Number of patches of a colour.
fn blocks(picture: &image::RgbImage, is: &dyn Fn([u8; 3]) -> bool) -> usize {
    let (width, height) = picture.dimensions();
    let mut open: std::collections::HashSet<(u32, u32)> = picture
        .enumerate_pixels()
        .filter(|(_, _, pixel)| is(pixel.0))
        .map(|(x, y, _)| (x, y))
        .collect();
    let mut count = 0;
    while let Some(&first) = open.iter().next() {
        count += 1;
        let mut reached = vec![first];
        while let Some((x, y)) = reached.pop() {
            if open.remove(&(x, y)) {
                let across = [(x.wrapping_sub(1), y), (x + 1, y)];
                let down = [(x, y.wrapping_sub(1)), (x, y + 1)];
                let near = across.into_iter().chain(down);
                reached.extend(near.filter(|(x, y)| *x < width && *y < height));
            }
        }
    }
    count
}

/// Verdict of a judge of labels that sees the corner of the block.
fn checked(picture: &image::RgbImage, asked: &str) -> String {
    let form = Form {
        is_at_best: true,
        mood: None,
    };
    let seen = answer(picture, &asked.replace("> ", ""), form);
    let line = |start: &str| asked.lines().find_map(|line| line.strip_prefix(start));
    let annotated = line("Annotated answer: ").unwrap();
    let word = if seen.contains(&format!("is {annotated}.")) {
        "A"
    } else {
        "B"
    };
    word.to_owned()
}

/// Verdict of a judge that accepts an answer if it contains the target.
fn judged(asked: &str) -> String {
    let line = |start: &str| asked.lines().find_map(|line| line.strip_prefix(start));
    let (right, given) = (line("Right answer: ").unwrap(), line("> ").unwrap());
    let word = if given.to_lowercase().contains(&right.to_lowercase()) {
        "A"
    } else {
        "B"
    };
    word.to_owned()
}

/// Letter of the corner in the picture if the model is right at this rotation, otherwise the next
/// letter. `A` if there is nothing to see.
fn answer(picture: &image::RgbImage, words: &str, form: Form) -> String {
    let (width, height) = picture.dimensions();
    let find = |is: &dyn Fn([u8; 3]) -> bool| {
        picture
            .enumerate_pixels()
            .find(|(_, _, pixel)| is(pixel.0))
            .map(|(x, y, pixel)| (x, y, pixel.0[2]))
    };
    let Some((x, y, blue)) = find(&|[red, green, _]| red == 255 && green == 0) else {
        return "A".to_owned();
    };
    let corner = match (x < width / 2, y < height / 2) {
        (true, true) => "top left",
        (false, true) => "top right",
        (false, false) => "bottom right",
        (true, false) => "bottom left",
    };
    let turned = match find(&|pixel| pixel == [0, 255, 0]) {
        Some((_, 0, _)) => 0,
        Some((x, _, _)) if x == width - 1 => 1,
        Some((_, y, _)) if y == height - 1 => 2,
        _ => 3,
    };
    let right = words
        .lines()
        .find_map(|line| line.strip_suffix(&format!(". {corner}")));
    let right = right.unwrap_or("?");
    let is_sure = form.is_at_best || find(&|pixel| pixel == BOX).is_some();
    let quarter = form.mood.map_or(turned, |times| times % 4);
    if is_sure || ((blue / 16) >> quarter) & 1 == 1 {
        return format!("The answer is {right}.");
    }
    let letters = ["A", "B", "C", "D"];
    let at = letters
        .iter()
        .position(|letter| *letter == right)
        .unwrap_or_default();
    letters[(at + 1) % 4].to_owned()
}
