//! Recorded exchanges with real servers: each ends as the retry policy defines.

use std::collections::BTreeMap;
use std::path::Path;

use reqwest::header::{HeaderMap, HeaderName};
use serde::Deserialize;
use serde_json::Value as Json;

use super::answer::{Answer, Ending};
use super::class::Class;
use super::failure::Failure;
use super::sse::Splitter;
use super::{Dialect, classify};

#[derive(Deserialize)]
struct Exchange {
    exchange: String,
    path: String,
    status: u16,
    headers: BTreeMap<String, String>,
    #[serde(default)]
    body: String,
}

fn fixture(name: &str) -> String {
    let folder =
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tests/fixtures/live");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn exchanges() -> Vec<Exchange> {
    let text = fixture("exchanges.jsonl");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn headers(exchange: &Exchange) -> HeaderMap {
    let pair = |(name, value): (&String, &String)| {
        let name: HeaderName = name.parse().unwrap();
        (name, value.parse().unwrap())
    };
    exchange.headers.iter().map(pair).collect()
}

fn outcome(exchange: &Exchange) -> Result<Answer, Failure> {
    let dialect = if exchange.path.ends_with("/messages") {
        Dialect::Anthropic
    } else {
        Dialect::OpenAi
    };
    let headers = headers(exchange);
    if exchange.status != 200 {
        return Err(classify(exchange.status, &headers, &exchange.body));
    }
    if !headers["content-type"]
        .to_str()
        .unwrap()
        .starts_with("text/event-stream")
    {
        let json = serde_json::from_str::<Json>(&exchange.body);
        let json = json.map_err(|error| Failure::new(Class::Protocol, error.to_string()))?;
        return dialect.read(&json);
    }
    let (mut splitter, mut answer) = (Splitter::new(), Answer::default());
    for event in splitter.push(exchange.body.as_bytes()).unwrap() {
        if event != "[DONE]" {
            dialect.add(&serde_json::from_str(&event).unwrap(), &mut answer)?;
        }
    }
    if answer.finish_reason.is_none() {
        return Err(Failure::new(Class::Transport, ""));
    }
    Ok(answer)
}

#[test]
fn every_recorded_exchange_ends_as_the_policy_says() {
    let expected = fixture("expected.tsv");
    let expected: BTreeMap<&str, &str> = expected
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once('\t'))
        .collect();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for exchange in exchanges() {
        let ended = match outcome(&exchange) {
            Ok(answer) => match answer.ending() {
                Ending::Whole => "whole",
                Ending::Refused => "refused",
                Ending::ToolCall => "tool_call",
                Ending::ReasoningOnly => "reasoning_only",
                Ending::Empty => "empty",
                Ending::Cut => "cut",
            },
            Err(failure) => failure.class.name(),
        };
        seen += 1;
        if expected[exchange.exchange.as_str()] != ended {
            wrong.push(format!("{}: {ended}", exchange.exchange));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(seen, expected.len());
    assert!(seen > 100);
}

#[test]
fn no_error_is_without_words_and_waits_are_read() {
    for exchange in exchanges() {
        if let Err(failure) = outcome(&exchange) {
            assert!(
                !failure.message.is_empty() || exchange.status == 200,
                "{}",
                exchange.exchange
            );
            assert!(!failure.message.contains("<html>"), "{}", exchange.exchange);
        }
    }
    let wait = |name: &str| {
        let exchange = exchanges()
            .into_iter()
            .find(|known| known.exchange == name)
            .unwrap();
        outcome(&exchange)
            .unwrap_err()
            .retry_after
            .map(|wait| wait.as_millis())
    };
    assert_eq!(wait("gateway/gateway-429-retry-after"), Some(2_000));
    assert_eq!(wait("gateway/gateway-429"), None);
    assert_eq!(wait("proxy/proxy-429-ms"), Some(700));
    assert_eq!(wait("proxy/proxy-429x2"), Some(1_000));
    assert!(wait("proxy/proxy-429-date").is_some());
}

#[test]
fn what_real_servers_count_is_read() {
    let answer = |name: &str| {
        let exchange = exchanges()
            .into_iter()
            .find(|known| known.exchange == name)
            .unwrap();
        outcome(&exchange).unwrap()
    };
    let plain = answer("llama-server/ok-image");
    assert!(plain.usage.prompt.unwrap() > 20 && plain.usage.completion.is_some());
    assert_eq!(plain.model.as_deref(), Some("tiny-vlm"));
    let streamed = answer("llama-server/stream-usage");
    assert!(!streamed.text.is_empty() && streamed.usage.prompt.is_some());
    let refused = answer("proxy/proxy-refusal");
    assert_eq!(refused.refusal.as_deref(), Some("I can't help with that."));
}
