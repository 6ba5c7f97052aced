//! Tests a rerun whose `--out` is an address. It is uploaded, can be resumed on another machine,
//! and overwrites nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use super::polled::rows;
use super::server::{Fault, FaultScope, Store};
use super::support::{Run, list};
use super::{Setting, all_text};

/// A model server that refuses one question until the test allows it.
struct Model {
    base: String,
    here: ModelState,
}

#[derive(Clone, Default)]
struct ModelState {
    asked: Arc<AtomicUsize>,
    is_patient: Arc<AtomicBool>,
}

impl Model {
    fn start() -> Self {
        let here = ModelState::default();
        let routes = Router::new()
            .route(
                "/v1/models",
                get(|| async { Json(json!({"object": "list", "data": [{"id": "seer"}]})) }),
            )
            .route("/v1/chat/completions", post(answer))
            .with_state(here.clone());
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                axum::serve(listener, routes).await.unwrap();
            });
        });
        Self { base, here }
    }

    fn asked(&self) -> usize {
        self.here.asked.swap(0, Ordering::SeqCst)
    }
}

async fn answer(State(here): State<ModelState>, Json(body): Json<Value>) -> Response {
    here.asked.fetch_add(1, Ordering::SeqCst);
    let words = body["messages"].to_string();
    if words.contains("harbour 3") && !here.is_patient.load(Ordering::SeqCst) {
        let error = json!({"error": {"message": "not this one", "type": "invalid_request_error"}});
        return (StatusCode::BAD_REQUEST, Json(error)).into_response();
    }
    let answer = json!({
        "id": "1", "object": "chat.completion", "model": "seer",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "3"}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11},
    });
    Json(answer).into_response()
}

/// A store with a log of five questions.
fn asked() -> (Setting, Model) {
    let setting = Setting::new();
    setting
        .server
        .put("team/live/a.eyechart.jsonl", rows("alpha", 5));
    (setting, Model::start())
}

fn rerun(setting: &Setting, model: &Model, more: &[&str]) -> Run {
    let args = [
        "rerun",
        "s3://team/live",
        "--endpoint",
        &model.base,
        "--model",
        "seer",
        "--protocol",
        "vanilla",
        "--no-stream",
        "--format",
        "json",
        "--out",
        "s3://team/again",
    ];
    setting.run(&[&args[..], more].concat())
}

fn names(setting: &Setting) -> Vec<String> {
    let below = setting.server.with(|store| store.below("team/again/"));
    below
        .into_iter()
        .map(|(name, _)| name.trim_start_matches("team/again/").to_owned())
        .collect()
}

/// Number of answers of the run at the address.
fn answers(setting: &Setting) -> u64 {
    let report = setting.json(&["report", "s3://team/again"]);
    let sources = list(&report, "sources").iter();
    sources.map(|source| source["rows"].as_u64().unwrap()).sum()
}

#[test]
fn a_rerun_is_put_into_a_store_goes_on_elsewhere_and_writes_nothing_over() {
    let (setting, model) = asked();
    let first = rerun(&setting, &model, &[]);
    assert_eq!(first.code, 4, "{}", first.stderr);
    assert!(
        first.stderr.contains("uploaded to s3://team/again"),
        "{}",
        first.stderr
    );
    assert!(
        first
            .stdout
            .contains("s3://team/again/rerun.eyechart.jsonl"),
        "{}",
        first.stdout
    );
    assert!(model.asked() >= 5);
    let begun = setting.server.with(|store| store.below("team/again/"));
    assert_eq!(names(&setting), ["rerun.eyechart.jsonl", "run.jsonl"]);
    assert_eq!(answers(&setting), 4);
    let other = setting.elsewhere();
    let refused = rerun(&other, &model, &[]);
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(
        refused
            .stderr
            .contains("s3://team/again already contains 2 objects"),
        "{}",
        refused.stderr
    );
    assert_eq!(model.asked(), 0, "refused before anything is asked");
    model.here.is_patient.store(true, Ordering::SeqCst);
    let whole = rerun(&other, &model, &["--resume", "--retry-failed"]);
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    assert_eq!(model.asked(), 1, "what is done is not asked again");
    let all = [
        "rerun.eyechart.jsonl",
        "rerun.part02.eyechart.jsonl",
        "run.jsonl",
        "run.jsonl.02",
    ];
    assert_eq!(names(&setting), all);
    let now = setting.server.with(|store| store.below("team/again/"));
    for object in &begun {
        assert!(now.contains(object), "{} is as it was", object.0);
    }
    assert_eq!(answers(&setting), 5);
    let stale = rerun(&setting, &model, &["--resume"]);
    assert_eq!(stale.code, 1, "{}", stale.stderr);
    assert!(stale.stderr.contains("another machine"), "{}", stale.stderr);
    let third = setting.elsewhere();
    assert_eq!(rerun(&third, &model, &["--resume"]).code, 0);
    assert_eq!(
        (model.asked(), names(&setting).len()),
        (0, 4),
        "there is nothing to add"
    );
    for machine in [&setting, &other, &third] {
        assert!(!all_text(machine.home.path()).contains(super::SECRET));
    }
}

#[test]
fn a_rerun_that_cannot_be_put_stays_here_and_is_put_later() {
    let (setting, model) = asked();
    model.here.is_patient.store(true, Ordering::SeqCst);
    let wrong = setting.run(&[
        "rerun",
        "s3://team/live",
        "--endpoint",
        &model.base,
        "--model",
        "seer",
        "--protocol",
        "vanilla",
        "--out",
        "https://host/again",
    ]);
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
    assert_eq!(model.asked(), 0);
    setting.server.with(|store| store.refuses = true);
    let kept = rerun(&setting, &model, &[]);
    assert_eq!(kept.code, 1, "{}", kept.stderr);
    assert!(
        kept.stderr.contains("the run is kept in"),
        "{}",
        kept.stderr
    );
    assert_eq!(model.asked(), 5);
    assert!(names(&setting).is_empty());
    setting.server.with(|store| store.refuses = false);
    // The response to one upload is lost.
    setting.server.fail(FaultScope::Puts, Fault::Cut, 1);
    let put = rerun(&setting, &model, &["--resume"]);
    assert_eq!(put.code, 0, "{}", put.stderr);
    assert_eq!(model.asked(), 0);
    assert_eq!(answers(&setting), 5);
    setting.server.with(Store::recover);
}

#[test]
fn objects_that_are_read_whole_are_limited() {
    let (setting, model) = asked();
    std::fs::write(setting.at("config.toml"), "[limits]\nstore_file = 1000\n").unwrap();
    let long = "x".repeat(5000);
    let logs = super::sample_runs().join("exam/hog.eyechart.jsonl");
    setting.server.put("team/again/run.jsonl", "{}");
    for object in [
        "again/rerun.eyechart.jsonl",
        "again/run.jsonl",
        "set/eyechart-data-set.000001.json",
    ] {
        setting.server.put(&format!("team/{object}"), long.as_str());
        let run = if object.starts_with("again") {
            rerun(&setting, &model, &["--resume"])
        } else {
            setting.run(&["publish", logs.to_str().unwrap(), "--to", "s3://team/set"])
        };
        assert_eq!(run.code, 1, "{object}: {}", run.stderr);
        assert!(
            run.stderr.contains("limits.store_file"),
            "{object}: {}",
            run.stderr
        );
    }
    assert_eq!(model.asked(), 0);
}
