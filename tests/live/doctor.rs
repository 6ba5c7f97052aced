//! Tests `eyechart doctor --endpoint` with servers that support different features. Their answers
//! are invented.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use super::log::{Log, run};
use super::router::serve;

/// Starts a server. It stops when the returned runtime is dropped.
fn serving(chat: MethodRouter) -> (String, tokio::runtime::Runtime) {
    let models = || async { Json(json!({"data": [{"id": "seer", "max_model_len": 4096}]})) };
    let routes = Router::new()
        .route("/v1/models", get(models))
        .route("/v1/chat/completions", chat);
    let (address, runtime) = serve(routes);
    (format!("http://{address}/v1"), runtime)
}

fn pictures(body: &Value) -> usize {
    let parts = body["messages"][0]["content"].as_array().unwrap();
    let pictures = parts.iter().filter(|part| part["type"] == "image_url");
    pictures.count()
}

/// A server that refuses a seed, sees pictures, follows schemas, and returns reasoning and log
/// probabilities.
async fn able(Json(body): Json<Value>) -> Response {
    if body.get("seed").is_some() {
        let error = json!({"error": {"message": "no seed here", "param": "seed", "code": "unsupported_parameter"}});
        return (StatusCode::BAD_REQUEST, Json(error)).into_response();
    }
    let seen = pictures(&body);
    let text = match seen {
        _ if body.get("response_format").is_some() => r#"{"answer": "yes"}"#,
        0 => "yes",
        _ => "Red.",
    };
    let mut choice = json!({"message": {"content": text, "reasoning_content": "Well."}, "finish_reason": "stop"});
    if body["logprobs"] == true {
        let others = json!([{"token": "yes", "logprob": -0.1}, {"token": "no", "logprob": -2.4}]);
        choice["logprobs"] =
            json!({"content": [{"token": "yes", "logprob": -0.1, "top_logprobs": others}]});
    }
    let usage = json!({"prompt_tokens": 10 + 100 * seen, "completion_tokens": 2});
    Json(json!({"model": "seer", "choices": [choice], "usage": usage})).into_response()
}

/// A server that ignores pictures, schemas and log probabilities, refuses a reasoning effort, and
/// has another model than requested.
async fn poor(Json(body): Json<Value>) -> Response {
    if body.get("reasoning_effort").is_some() {
        let error = json!({"error": {"message": "Unrecognized argument: reasoning_effort"}});
        return (StatusCode::BAD_REQUEST, Json(error)).into_response();
    }
    let choice = json!({"message": {"content": "No picture was shared."}, "finish_reason": "stop"});
    let usage = json!({"prompt_tokens": 10, "completion_tokens": 3});
    Json(json!({"model": "other", "choices": [choice], "usage": usage})).into_response()
}

fn found(address: &str, more: &str) -> Value {
    let log = Log::new(1);
    log.config(address, more);
    log.patient();
    let output = run(&mut log.command(&["doctor", "--endpoint", "t", "--format", "json"]));
    assert_eq!(output.code, 0, "{}", output.err);
    let document: Value = serde_json::from_str(&output.out).unwrap();
    let findings = document["findings"].as_array().unwrap().iter();
    let by_name = findings.map(|one| (one["what"].as_str().unwrap().to_owned(), one.clone()));
    Value::Object(by_name.collect())
}

#[test]
fn answers_show_what_a_server_supports() {
    let (address, _runtime) = serving(post(able));
    let found = found(&address, "prices = [1000.0, 0.0]");
    let value = |what: &str| found[what]["value"].as_str().unwrap().to_owned();
    assert_eq!(value("models"), "seer");
    assert!(value("answer").starts_with("\"yes\" by seer in "));
    assert!(value("fields").contains("refuses seed") && !value("fields").contains("temperature"));
    assert_eq!(
        value("pictures"),
        "seen: the model calls a red picture \"Red.\""
    );
    assert!(
        value("picture cost").starts_with("64x64 100 tokens (0.1)"),
        "{found}"
    );
    assert_eq!(value("schema"), "kept");
    assert_eq!(
        value("log probs"),
        "returned, with 2 alternatives for each token"
    );
    assert_eq!(
        value("reasoning"),
        "returned with the answer; reasoning_effort is accepted"
    );
    assert_eq!(value("context"), "4096 tokens");
    // Ten questions, and one that was refused.
    assert!(value("spent").starts_with("11 requests, "), "{found}");
}

#[test]
fn an_ignored_feature_is_not_supported() {
    let (address, _runtime) = serving(post(poor));
    let found = found(&address, "");
    let value = |what: &str| found[what]["value"].as_str().unwrap().to_owned();
    assert!(
        found["answer"]["better"]
            .as_str()
            .unwrap()
            .contains("other")
    );
    assert!(value("pictures").starts_with("accepted, but the model calls a red picture"));
    assert!(
        found["picture cost"]["better"]
            .as_str()
            .unwrap()
            .contains("ignore pictures")
    );
    assert!(value("schema").starts_with("ignored"));
    assert_eq!(value("log probs"), "not returned");
    assert!(value("reasoning").contains("none returned; reasoning_effort is refused"));
}

/// A server that never answers a question with a schema.
async fn slow(Json(body): Json<Value>) -> Response {
    if body.get("response_format").is_some() {
        std::future::pending::<()>().await;
    }
    able(Json(body)).await
}

#[test]
fn a_question_that_is_not_answered_in_time_is_named() {
    let (address, _runtime) = serving(post(slow));
    let found = found(&address, "whole = 10.0");
    assert_eq!(found["no response"]["value"], "schema");
    let schema = found["schema"]["value"].as_str().unwrap();
    assert!(!schema.contains("refused"), "{schema}");
    let effort = found["reasoning"]["value"].as_str().unwrap();
    assert!(effort.contains("is accepted"), "the others are asked");
}

#[test]
fn a_server_that_is_not_there_is_an_error() {
    let log = Log::new(1);
    log.config("http://127.0.0.1:1/v1", "");
    let output = run(&mut log.command(&["doctor", "--endpoint", "t"]));
    assert_eq!(output.code, 1);
    assert!(output.err.contains("nothing listens"), "{}", output.err);
}
