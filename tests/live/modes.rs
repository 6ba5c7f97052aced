//! Tests responses of every kind from an endpoint. Each has a clear outcome, stays within memory
//! and traffic limits, and never makes the program print the key.

use std::process::Stdio;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::log::Log;
use super::memory;
use super::secrets::{CANARY, leaks};
use super::wire::{Piece, Script, Wire, bytes, events, good, head, json, one_model, whole};

/// Limits for the tests, which are so low that endless responses reach them soon.
const LIMITS: &str = "[limits]
stream = 4194304
event = 262144
events = 20000
body = 1048576
answer = 65536
reasoning = 131072
logprobs = 131072
models = 262144
retry_after = 5
";
/// Maximum number of bytes sent beyond a limit: the buffers of the operating system on both sides.
const HELD: u64 = 20 << 20;
/// Limit of the program's peak memory in bytes.
#[cfg(target_os = "linux")]
const PEAK: u64 = 512 << 20;
/// Time limit of a run, sufficient on a busy machine.
const PATIENCE: Duration = Duration::from_mins(3);

/// A kind of response to a question.
struct Mode {
    name: &'static str,
    /// The response. The argument is the key in the request.
    chat: fn(&str) -> Vec<Piece>,
    /// Expected outcome of the question; `stop` if the run ends.
    ends: &'static str,
    /// Expected number of requests.
    questions: usize,
}

const fn mode(
    name: &'static str,
    ends: &'static str,
    questions: usize,
    chat: fn(&str) -> Vec<Piece>,
) -> Mode {
    Mode {
        name,
        chat,
        ends,
        questions,
    }
}

/// A server-sent event.
pub fn event(json: &str) -> Vec<u8> {
    format!("data: {json}\n\n").into_bytes()
}

/// An event that contains one field of a delta.
fn delta(field: &str, value: &str) -> Vec<u8> {
    event(&format!(
        r#"{{"choices":[{{"delta":{{"{field}":{value}}}}}]}}"#
    ))
}

/// The last event of a response.
fn stop() -> Piece {
    bytes(event(
        r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
    ))
}

/// A stream of these events.
fn stream(list: &[&str]) -> Vec<Piece> {
    let list = list.iter().map(|json| bytes(event(json)));
    std::iter::once(events()).chain(list).collect()
}

/// An endless stream that repeats one event.
fn endless(event: Vec<u8>) -> Vec<Piece> {
    vec![events(), Piece::Endless(event)]
}

/// A usual response.
pub const ANSWER: &str = r#"{"choices":[{"message":{"content":"A"},"finish_reason":"stop"}]}"#;

/// All kinds of responses to a question.
fn modes() -> [Mode; 101] {
    [
        mode("endless content", "failed:overlong", 1, |_| {
            endless(delta("content", r#""a word more ""#))
        }),
        mode("endless reasoning", "failed:overlong", 1, |_| {
            endless(delta("reasoning_content", r#""a thought more ""#))
        }),
        mode("endless refusal", "failed:overlong", 1, |_| {
            endless(delta("refusal", r#""no and no ""#))
        }),
        mode("endless tool call", "failed:overlong", 1, |_| {
            endless(delta(
                "tool_calls",
                r#"[{"function":{"arguments":"more and more"}}]"#,
            ))
        }),
        mode("endless log probabilities", "failed:overlong", 1, |_| {
            endless(event(
                r#"{"choices":[{"delta":{},"logprobs":{"content":[{"token":"A","logprob":-1}]}}]}"#,
            ))
        }),
        mode("endless event", "failed:overlong", 1, |_| {
            vec![events(), bytes("data: "), Piece::Endless(vec![b'x'])]
        }),
        mode(
            "endless data without a blank line",
            "failed:overlong",
            1,
            |_| endless(b"data: {}\n".to_vec()),
        ),
        mode("endless line without data", "failed:overlong", 1, |_| {
            endless(b"x".to_vec())
        }),
        mode("endless comments", "failed:overlong", 1, |_| {
            endless(b": ping\n\n".to_vec())
        }),
        mode("endless blank lines", "failed:overlong", 1, |_| {
            endless(b"\r\n".to_vec())
        }),
        mode("endless empty events", "failed:overlong", 1, |_| {
            endless(event("{}"))
        }),
        mode(
            "endless events without choices",
            "failed:overlong",
            1,
            |_| endless(event(r#"{"choices":[]}"#)),
        ),
        mode("endless other choices", "failed:overlong", 1, |_| {
            endless(event(
                r#"{"choices":[{"index":1,"delta":{"content":"x"}}]}"#,
            ))
        }),
        mode("endless words after the end", "failed:overlong", 1, |_| {
            vec![
                events(),
                stop(),
                Piece::Endless(delta("content", r#""more ""#)),
            ]
        }),
        mode("endless JSON", "failed:overlong", 1, |_| {
            vec![
                head("200 OK", "application/json", ""),
                Piece::Endless(b"[0,".to_vec()),
            ]
        }),
        mode("endless web page", "failed:overlong", 1, |_| {
            vec![
                head("200 OK", "text/html", ""),
                Piece::Endless(b"<p>".to_vec()),
            ]
        }),
        mode(
            "endless zeros said to be gzip",
            "failed:overlong",
            1,
            |_| {
                vec![
                    head("200 OK", "application/json", "Content-Encoding: gzip\r\n"),
                    Piece::Endless(vec![0]),
                ]
            },
        ),
        mode("endless error", "failed:overlong", 1, |_| {
            vec![
                head("500 Broken", "text/plain", ""),
                Piece::Endless(b"no ".to_vec()),
            ]
        }),
        mode("endless rate error", "failed:overlong", 1, |_| {
            vec![
                head("429 Slow", "text/plain", ""),
                Piece::Endless(b"no ".to_vec()),
            ]
        }),
        mode("endless headers", "failed:transport", 3, |_| {
            vec![
                bytes("HTTP/1.1 200 OK\r\n"),
                Piece::Endless(b"X-A: b\r\n".to_vec()),
            ]
        }),
        mode("endless header", "failed:transport", 3, |_| {
            vec![
                bytes("HTTP/1.1 200 OK\r\nX-A: "),
                Piece::Endless(b"b".to_vec()),
            ]
        }),
        mode("endless status", "failed:transport", 3, |_| {
            vec![bytes("HTTP/1.1 200 "), Piece::Endless(b"b".to_vec())]
        }),
        mode("endless chunk size", "failed:transport", 3, |_| {
            vec![
                head(
                    "200 OK",
                    "text/event-stream",
                    "Transfer-Encoding: chunked\r\n",
                ),
                Piece::Endless(b"1".to_vec()),
            ]
        }),
        mode("endless chunk extension", "failed:transport", 3, |_| {
            vec![
                head(
                    "200 OK",
                    "text/event-stream",
                    "Transfer-Encoding: chunked\r\n",
                ),
                bytes("1;"),
                Piece::Endless(b"x".to_vec()),
            ]
        }),
        mode("large headers", "ok", 1, |_| {
            let more = format!("X-Large: {}\r\n", "x".repeat(4_000)).repeat(40);
            vec![whole("200 OK", "application/json", &more, ANSWER)]
        }),
        mode("too many headers", "failed:transport", 3, |_| {
            vec![whole(
                "200 OK",
                "application/json",
                &"X-A: b\r\n".repeat(200),
                ANSWER,
            )]
        }),
        mode("chunk that is cut", "failed:transport", 3, |_| {
            vec![
                head(
                    "200 OK",
                    "text/event-stream",
                    "Transfer-Encoding: chunked\r\n",
                ),
                bytes("40\r\ndata: {\"cho"),
            ]
        }),
        mode("chunk size that is none", "failed:transport", 3, |_| {
            vec![
                head(
                    "200 OK",
                    "text/event-stream",
                    "Transfer-Encoding: chunked\r\n",
                ),
                bytes("zz\r\n"),
            ]
        }),
        mode(
            "chunk of all bytes there are",
            "failed:transport",
            3,
            |_| {
                vec![
                    head(
                        "200 OK",
                        "text/event-stream",
                        "Transfer-Encoding: chunked\r\n",
                    ),
                    bytes("ffffffffffffffff\r\nabc"),
                ]
            },
        ),
        mode("body shorter than said", "failed:transport", 3, |_| {
            vec![
                head("200 OK", "application/json", "Content-Length: 400\r\n"),
                bytes("{"),
            ]
        }),
        mode("length of petabytes", "failed:transport", 3, |_| {
            vec![
                head(
                    "200 OK",
                    "application/json",
                    "Content-Length: 9999999999999999\r\n",
                ),
                bytes("{"),
            ]
        }),
        mode("negative length", "failed:transport", 3, |_| {
            vec![
                head("200 OK", "application/json", "Content-Length: -5\r\n"),
                bytes(ANSWER),
            ]
        }),
        mode("two lengths", "failed:transport", 3, |_| {
            vec![
                head(
                    "200 OK",
                    "application/json",
                    "Content-Length: 5\r\nContent-Length: 6\r\n",
                ),
                bytes(ANSWER),
            ]
        }),
        mode("no HTTP", "failed:transport", 3, |_| {
            vec![bytes("220 smtp.example ESMTP\r\n")]
        }),
        mode("other version of HTTP", "failed:transport", 3, |_| {
            vec![bytes("HTTP/7.3 200 OK\r\n\r\n")]
        }),
        mode("nothing", "failed:transport", 3, |_| Vec::new()),
        mode("half a head", "failed:transport", 3, |_| {
            vec![bytes("HTTP/1.1 200 OK\r\nContent-")]
        }),
        mode("no head, for ever", "failed:time", 2, |_| {
            vec![Piece::Still]
        }),
        mode("half a head, for ever", "failed:time", 2, |_| {
            vec![bytes("HTTP/1.1 200 OK\r\nContent-"), Piece::Still]
        }),
        mode("no event, for ever", "failed:time", 2, |_| {
            vec![events(), Piece::Still]
        }),
        mode("half an answer, for ever", "failed:time", 2, |_| {
            vec![events(), bytes(delta("content", r#""A""#)), Piece::Still]
        }),
        mode("half a body, for ever", "failed:time", 2, |_| {
            vec![
                head("200 OK", "application/json", "Content-Length: 400\r\n"),
                bytes("{"),
                Piece::Still,
            ]
        }),
        mode("a byte at a time, for ever", "failed:time", 2, |_| {
            vec![events(), bytes("data: "), Piece::Trickle(b"x".to_vec())]
        }),
        mode("a comment at a time, for ever", "failed:time", 2, |_| {
            vec![events(), Piece::Trickle(b": ping\n\n".to_vec())]
        }),
        mode("a word at a time, for ever", "failed:time", 2, |_| {
            vec![events(), Piece::Trickle(delta("content", r#""x""#))]
        }),
        mode(
            "a byte of a body at a time, for ever",
            "failed:time",
            2,
            |_| {
                vec![
                    head("200 OK", "application/json", ""),
                    Piece::Trickle(b" ".to_vec()),
                ]
            },
        ),
        mode("status 204", "failed:protocol", 2, |_| {
            vec![head("204 No Content", "application/json", "")]
        }),
        mode("status 304", "stop", 1, |_| {
            vec![head("304 Not Modified", "application/json", "")]
        }),
        mode("status 307 with the key", "stop", 1, |key| {
            let more = format!("Location: http://elsewhere.example/?key={key}\r\n");
            vec![whole("307 Elsewhere", "text/plain", &more, key)]
        }),
        mode("status 418", "failed:request", 1, |_| {
            vec![whole("418 Teapot", "text/plain", "", "short and stout")]
        }),
        mode("status 999", "failed:server", 2, |_| {
            vec![whole("999 Odd", "text/plain", "", "odd")]
        }),
        mode("500 for ever", "failed:server", 2, |_| {
            vec![whole("500 Broken", "text/plain", "", "broken")]
        }),
        mode("503 for ever", "failed:busy", 6, |_| {
            vec![whole("503 Busy", "text/plain", "", "busy")]
        }),
        mode("retry after a year", "failed:rate", 8, |_| {
            vec![whole(
                "429 Slow",
                "text/plain",
                "Retry-After: 31536000\r\n",
                "slow",
            )]
        }),
        mode("retry after a number beyond all", "failed:rate", 8, |_| {
            vec![whole(
                "429 Slow",
                "text/plain",
                "Retry-After: 1e999\r\n",
                "slow",
            )]
        }),
        mode("retry after a negative time", "failed:rate", 8, |_| {
            vec![whole(
                "429 Slow",
                "text/plain",
                "Retry-After: -77\r\n",
                "slow",
            )]
        }),
        mode("retry after a date to come", "failed:rate", 8, |_| {
            vec![whole(
                "429 Slow",
                "text/plain",
                "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\n",
                "slow",
            )]
        }),
        mode("retry after a date that is over", "failed:rate", 8, |_| {
            vec![whole(
                "429 Slow",
                "text/plain",
                "Retry-After: Sat, 21 Nov 2020 00:37:06 GMT\r\n",
                "slow",
            )]
        }),
        mode("retry after no time", "failed:rate", 8, |_| {
            vec![whole(
                "429 Slow",
                "text/plain",
                "Retry-After: soon\r\n",
                "slow",
            )]
        }),
        mode("retry after a year, in the body", "failed:rate", 8, |_| {
            vec![whole(
                "429 Slow",
                "application/json",
                "",
                r#"{"error":{"message":"slow","metadata":{"retry_after_seconds":1e300}}}"#,
            )]
        }),
        mode("retry a bad request for ever", "failed:request", 8, |_| {
            vec![whole(
                "400 Bad",
                "text/plain",
                "X-Should-Retry: true\r\n",
                "odd",
            )]
        }),
        mode("rate budget for centuries", "ok", 1, |_| {
            let more = "X-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: 9e99\r\n";
            vec![whole("200 OK", "application/json", more, ANSWER)]
        }),
        mode("empty body", "failed:protocol", 2, |_| vec![json("")]),
        mode("blank body", "failed:protocol", 2, |_| vec![json(" \n ")]),
        mode("web page", "failed:protocol", 2, |_| {
            vec![whole("200 OK", "text/html", "", "<h1>Sign in</h1>")]
        }),
        mode("a number", "failed:protocol", 2, |_| vec![json("7")]),
        mode("a list", "failed:protocol", 2, |_| vec![json("[]")]),
        mode("null", "failed:protocol", 2, |_| vec![json("null")]),
        mode("no choices", "failed:protocol", 2, |_| {
            vec![json(r#"{"choices":null}"#)]
        }),
        mode("choices that are a word", "failed:protocol", 2, |_| {
            vec![json(r#"{"choices":"A"}"#)]
        }),
        mode("fields that are null", "empty", 1, |_| {
            vec![json(
                r#"{"model":null,"usage":null,"error":null,"choices":[{"message":{"content":null,"reasoning":null,"tool_calls":null},"logprobs":null,"finish_reason":"stop"}]}"#,
            )]
        }),
        mode("fields of other kinds", "empty", 1, |_| {
            vec![json(
                r#"{"model":7,"usage":[],"choices":[{"message":"A","finish_reason":{}}]}"#,
            )]
        }),
        mode("events that are null", "empty", 1, |_| {
            stream(&[
                "null",
                r#"{"choices":null}"#,
                r#"{"choices":[null]}"#,
                r#"{"choices":[{"delta":null,"finish_reason":"stop"}]}"#,
            ])
        }),
        mode("an error of nothing", "failed:server", 2, |_| {
            vec![json(r#"{"error":{}}"#)]
        }),
        mode("keys twice", "ok", 1, |_| {
            vec![json(
                r#"{"choices":[],"choices":[{"message":{"content":"A"},"finish_reason":"stop"}]}"#,
            )]
        }),
        mode("brackets of a deep list", "failed:protocol", 2, |_| {
            vec![json(&"[".repeat(200_000))]
        }),
        mode("event of a deep list", "failed:protocol", 2, |_| {
            vec![events(), bytes(event(&"[".repeat(100_000)))]
        }),
        mode("NaN", "failed:protocol", 2, |_| {
            stream(&[
                r#"{"choices":[{"delta":{"content":"A"},"logprobs":{"content":[{"logprob":NaN}]}}]}"#,
            ])
        }),
        mode("a number beyond all", "failed:protocol", 2, |_| {
            stream(&[
                r#"{"choices":[{"delta":{"content":"A"},"logprobs":{"content":[{"logprob":-1e999}]}}]}"#,
            ])
        }),
        mode("half a letter in a stream", "ok", 1, |_| {
            vec![
                events(),
                bytes(b"data: {\"id\":\"\xc3\"}\n\n"),
                bytes(delta("content", r#""A""#)),
                stop(),
            ]
        }),
        mode("half a letter in a body", "failed:protocol", 2, |_| {
            vec![
                head("200 OK", "application/json", ""),
                bytes(b"{\"id\":\"\xc3\"}"),
            ]
        }),
        mode("byte order mark", "ok", 1, |_| {
            vec![
                events(),
                bytes("\u{feff}"),
                bytes(delta("content", r#""A""#)),
                stop(),
            ]
        }),
        mode("body said to be a stream", "failed:transport", 3, |_| {
            vec![events(), bytes(ANSWER)]
        }),
        mode("stream said to be text", "ok", 1, |_| {
            vec![
                head("200 OK", "text/plain", ""),
                bytes(delta("content", r#""A""#)),
                stop(),
            ]
        }),
        mode("body of no kind", "ok", 1, |_| {
            vec![
                bytes("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"),
                bytes(ANSWER),
            ]
        }),
        mode("zip said to be JSON", "failed:protocol", 2, |_| {
            vec![
                head("200 OK", "application/json", "Content-Encoding: gzip\r\n"),
                bytes(b"\x1f\x8b\x08\0\0"),
            ]
        }),
        mode("tool calls only", "tool_call", 1, |_| {
            stream(&[
                r#"{"choices":[{"delta":{"tool_calls":[{"function":{"name":"look","arguments":"{}"}}]}}]}"#,
                r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
            ])
        }),
        mode("reasoning only", "reasoning_only", 1, |_| {
            vec![
                events(),
                bytes(delta("reasoning_content", r#""Hm.""#)),
                stop(),
            ]
        }),
        mode("two ends", "ok", 1, |_| {
            vec![
                events(),
                bytes(delta("content", r#""A""#)),
                stop(),
                stop(),
                bytes("data: [DONE]\n\ndata: [DONE]\n\n"),
            ]
        }),
        mode("no end", "failed:transport", 3, |_| {
            vec![
                events(),
                bytes(delta("content", r#""A""#)),
                bytes("data: [DONE]\n\n"),
            ]
        }),
        mode("an end of no kind", "ok", 1, |_| {
            stream(&[r#"{"choices":[{"delta":{"content":"A"},"finish_reason":"eos"}]}"#])
        }),
        mode("key in each text of an answer", "ok", 1, |key| {
            vec![whole(
                "200 OK",
                "application/json",
                &format!("X-Request-Id: {key}\r\n"),
                &format!(
                    r#"{{"model":"{key}","system_fingerprint":"{key}","choices":[{{"message":{{"content":"A {key}","reasoning":"{key}"}},"finish_reason":"stop"}}]}}"#
                ),
            )]
        }),
        mode("key as the end of an answer", "ok", 1, |key| {
            stream(&[&format!(
                r#"{{"choices":[{{"delta":{{"content":"A"}},"finish_reason":"{key}"}}]}}"#
            )])
        }),
        mode("key in log probabilities", "ok", 1, |key| {
            stream(&[&format!(
                r#"{{"choices":[{{"delta":{{"content":"A"}},"finish_reason":"stop","logprobs":{{"content":[{{"token":"{key}","logprob":-1,"top_logprobs":[{{"token":"{key}"}}]}}]}}}}]}}"#
            )])
        }),
        mode("key in the tokens of log probabilities", "ok", 1, |key| {
            let tokens = key.chars().map(|c| {
                let token = format!(
                    r#"{{"token":"{c}","logprob":-1,"bytes":[{}]}}"#,
                    u32::from(c)
                );
                event(&format!(
                    r#"{{"choices":[{{"delta":{{}},"logprobs":{{"content":[{token}]}}}}]}}"#
                ))
            });
            let tokens: Vec<u8> = tokens.flatten().collect();
            vec![
                events(),
                bytes(tokens),
                bytes(delta("content", r#""A""#)),
                stop(),
            ]
        }),
        mode(
            "key in a stream that breaks within it",
            "failed:transport",
            3,
            |key| {
                let half = &key[..key.len() - 4];
                vec![events(), bytes(delta("content", &format!(r#""A {half}""#)))]
            },
        ),
        mode("key on a page of an error", "failed:server", 2, |key| {
            let page = format!("<html><h1>500</h1><p>{key}</html>");
            vec![whole("500 Broken", "text/html", "", &page)]
        }),
        mode("key where a message is cut", "failed:request", 1, |key| {
            let page = format!("{}{key}", "x".repeat(290));
            vec![whole("400 Bad", "text/plain", "", &page)]
        }),
        mode("key where no JSON is cut", "failed:protocol", 2, |key| {
            vec![json(&format!("{}{key}", "x".repeat(290)))]
        }),
        mode("key escaped in an error", "failed:request", 1, |key| {
            let coded: String = key.bytes().map(|byte| format!("\\u{byte:04x}")).collect();
            let error = format!(r#"{{"error":{{"message":"{coded}","code":"{coded}"}}}}"#);
            vec![whole("400 Bad", "application/json", "", &error)]
        }),
        mode(
            "key in an answer without an end",
            "failed:overlong",
            1,
            |key| endless(delta("content", &format!(r#""{key} ""#))),
        ),
    ]
}

/// Result of a run.
pub struct ProgramResult {
    pub outcome: String,
    pub code: i32,
    /// Output on stdout and stderr.
    pub output: String,
    /// Peak memory in bytes, where the system reports it.
    pub peak: Option<u64>,
}

/// Runs the program with one question against a server.
pub fn ended(log: &Log, wire: &Wire, stalls: bool) -> ProgramResult {
    log.config(
        &format!("http://{}/v1", wire.address),
        if stalls { "whole = 1.0" } else { "" },
    );
    if !stalls {
        log.patient();
    }
    let config = std::fs::read_to_string(log.path("config.toml")).unwrap();
    std::fs::write(log.path("config.toml"), format!("{config}\n{LIMITS}")).unwrap();
    let file = |name: &str| std::fs::File::create(log.path(name)).unwrap();
    let mut child = log
        .asking(&["--protocol", "vanilla", "--key-env", "SECRET_OF_TEST"])
        .args(["--format", "json"])
        .env("SECRET_OF_TEST", CANARY)
        .stdin(Stdio::null())
        .stdout(file("printed.out"))
        .stderr(file("printed.err"))
        .spawn()
        .unwrap();
    let (start, mut highest) = (Instant::now(), None);
    let status = loop {
        highest = memory::peak(&child).or(highest);
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let read = |name| String::from_utf8_lossy(&std::fs::read(log.path(name)).unwrap()).into_owned();
    let done = log.journal("done");
    let outcome = done.first().and_then(|done| done["outcome"].as_str());
    ProgramResult {
        outcome: match status {
            Some(_) => outcome.unwrap_or("stop").to_owned(),
            None => "hangs".to_owned(),
        },
        code: status.and_then(|status| status.code()).unwrap_or(-1),
        output: read("printed.out") + &read("printed.err"),
        peak: highest,
    }
}

/// Returns what is wrong with a run that should have the outcome `expected`, after a number of
/// requests.
pub fn faults(
    name: &str,
    expected: (&str, usize),
    (log, wire): (&Log, &Wire),
    ended: &ProgramResult,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let questions = wire.seen.questions.load(Ordering::Relaxed);
    if (ended.outcome.as_str(), questions) != expected {
        let tries = log.journal("try");
        let why = tries.last().map(|one| one["message"].to_string());
        wrong.push(format!(
            "{name}: {} after {questions} questions: {} {}",
            ended.outcome,
            why.unwrap_or_default(),
            ended.output
        ));
    }
    let is_good = !ended.outcome.starts_with("failed") && ended.outcome != "stop";
    if (ended.code == 0) != is_good {
        wrong.push(format!(
            "{name}: ended with {}: {}",
            ended.code, ended.output
        ));
    }
    let sent = wire.seen.sent.load(Ordering::Relaxed);
    let asked = questions.max(1) as u64;
    if sent > asked * HELD {
        wrong.push(format!("{name}: {sent} bytes were taken"));
    }
    #[cfg(target_os = "linux")]
    if ended.peak.is_none_or(|peak| peak > PEAK) {
        wrong.push(format!("{name}: {:?} bytes of memory", ended.peak));
    }
    // A part of a key must not be printed either.
    if ended.output.contains("CANARY") {
        wrong.push(format!("{name}: the key is printed: {}", ended.output));
    }
    wrong.extend(
        leaks(&log.path(""), "CANARY")
            .into_iter()
            .map(|file| format!("{name}: the key is in {file}")),
    );
    let keys = wire.seen.keys.lock().unwrap();
    if !keys.iter().all(|key| key == CANARY) {
        wrong.push(format!("{name}: the key was not sent"));
    }
    wrong
}

#[test]
fn each_mode_of_an_endpoint_ends_as_it_should_within_its_bounds() {
    let mut wrong = Vec::new();
    for mode in modes() {
        let (log, wire) = (
            Log::new(1),
            Wire::new(Script {
                chat: mode.chat,
                models: one_model,
            }),
        );
        let ended = ended(&log, &wire, mode.ends == "failed:time");
        wrong.extend(faults(
            mode.name,
            (mode.ends, mode.questions),
            (&log, &wire),
            &ended,
        ));
        if mode.ends == "failed:overlong" {
            let message = log.journal("done")[0]["message"].to_string();
            let is_said = message.contains("is too long") && message.contains("limits.");
            if !is_said {
                wrong.push(format!("{}: {message}", mode.name));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_wait_that_is_cut_is_said() {
    let modes = modes();
    for name in ["retry after a year", "retry after a date to come"] {
        let mode = modes.iter().find(|mode| mode.name == name).unwrap();
        let (log, wire) = (
            Log::new(1),
            Wire::new(Script {
                chat: mode.chat,
                models: one_model,
            }),
        );
        ended(&log, &wire, false);
        let message = log.journal("try")[0]["message"].to_string();
        assert!(message.contains("limits.retry_after"), "{message}");
    }
}

/// A response to the request for models, the outcome, and the message if the run does not start.
type ModelsMode = (
    &'static str,
    fn(&str) -> Vec<Piece>,
    &'static str,
    &'static str,
);

/// All kinds of responses to the request for models.
const MODELS: [ModelsMode; 12] = [
    (
        "endless list",
        |_| {
            vec![
                head("200 OK", "application/json", ""),
                bytes(r#"{"data":["#),
                Piece::Endless(br#"{"id":"m"},"#.to_vec()),
            ]
        },
        "stop",
        "limits.models",
    ),
    (
        "endless blanks",
        |_| {
            vec![
                head("200 OK", "application/json", ""),
                Piece::Endless(b" ".to_vec()),
            ]
        },
        "stop",
        "limits.models",
    ),
    (
        "endless page of an error",
        |_| {
            vec![
                head("500 Broken", "text/html", ""),
                Piece::Endless(b"<p>".to_vec()),
            ]
        },
        "stop",
        "limits.models",
    ),
    (
        "key refused with the key",
        |key| vec![whole("401 No", "text/plain", "", &format!("no key {key}"))],
        "stop",
        "401",
    ),
    (
        "key refused with the key at the end of an excerpt",
        |key| {
            let page = format!("{}{key}", "x".repeat(290));
            vec![whole("403 No", "text/plain", "", &page)]
        },
        "stop",
        "403",
    ),
    ("empty", |_| vec![json("")], "ok", ""),
    ("null", |_| vec![json(r#"{"data":null}"#)], "ok", ""),
    (
        "names of other kinds",
        |_| vec![json(r#"{"data":[7,null,{"id":[]},{"id":"seer"}]}"#)],
        "ok",
        "",
    ),
    (
        "names with the key",
        |key| vec![json(&format!(r#"{{"data":[{{"id":"{key}"}}]}}"#))],
        "ok",
        "",
    ),
    (
        "web page",
        |_| vec![whole("200 OK", "text/html", "", "<h1>Hello</h1>")],
        "ok",
        "",
    ),
    (
        "half a letter",
        |_| vec![head("200 OK", "application/json", ""), bytes(b"\"\xc3")],
        "ok",
        "",
    ),
    (
        "list that breaks off",
        |_| {
            vec![
                head("200 OK", "application/json", "Content-Length: 400\r\n"),
                bytes(r#"{"data":["#),
            ]
        },
        "ok",
        "",
    ),
];

#[test]
fn each_list_of_models_ends_as_it_should_within_its_bounds() {
    let mut wrong = Vec::new();
    for (name, models, ends, says) in MODELS {
        let (log, wire) = (Log::new(1), Wire::new(Script { chat: good, models }));
        let ended = ended(&log, &wire, false);
        let expected = (ends, usize::from(ends == "ok"));
        wrong.extend(faults(name, expected, (&log, &wire), &ended));
        if !ended.output.contains(says) {
            wrong.push(format!("{name}: {}", ended.output));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn an_address_that_is_none_is_named_without_its_key() {
    for address in [
        format!("http//h/v1?api_key={CANARY}"),
        format!("ftp://h/v1?api_key={CANARY}"),
        format!("http://h:port/v1?api_key={CANARY}"),
        format!("http://me:{CANARY}@h:port/v1"),
        format!("http://h:port/v1?user=me@here&api_key={CANARY}"),
    ] {
        let log = Log::new(1);
        log.config("http://127.0.0.1:1/v1", "");
        let output = super::log::run(&mut log.command(&[
            "rerun",
            "corners.eyechart.jsonl",
            "--endpoint",
            &address,
            "--model",
            "seer",
            "--out",
            "out",
            "--protocol",
            "vanilla",
        ]));
        assert_ne!(output.code, 0);
        assert!(!output.err.contains("CANARY"), "{}", output.err);
        assert_eq!(leaks(&log.path(""), "CANARY"), Vec::<String>::new());
    }
}

#[test]
fn a_key_command_that_does_not_end_is_not_waited_for() {
    let (log, wire) = (
        Log::new(1),
        Wire::new(Script {
            chat: good,
            models: one_model,
        }),
    );
    log.config(
        &format!("http://{}/v1", wire.address),
        "key_command = 'sleep 120'\n[limits]\nkey_command = 1",
    );
    let output = log.rerun(&["--protocol", "vanilla"]);
    assert_eq!(output.code, 1, "{}", output.err);
    assert!(output.err.contains("limits.key_command"), "{}", output.err);
    assert_eq!(wire.seen.questions.load(Ordering::Relaxed), 0);
}
