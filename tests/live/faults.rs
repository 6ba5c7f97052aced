//! Tests every row of the failure policy: the outcome of the question, and the number of requests.

use std::io::Read as _;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::log::Log;
use super::server::Server;

/// Name of the fault, which is part of the base address; outcome of the question; number of
/// requests. `stop` means that the run ends and the question stays pending.
const FAULTS: [(&str, &str, usize); 67] = [
    ("none", "ok", 1),
    ("rate~2", "ok", 3),
    ("rate", "failed:rate", 8),
    ("rate-after-1~1", "ok", 2),
    ("rate-after-150~1", "ok", 2),
    ("rate-after-ms~1", "ok", 2),
    ("rate-after-date~1", "ok", 2),
    ("rate-empty", "ok", 1),
    ("gateway-429~1", "ok", 2),
    ("rate-chunk", "failed:rate", 8),
    ("quota", "stop", 1),
    ("401", "stop", 1),
    ("403", "stop", 1),
    ("402", "stop", 1),
    ("503~3", "ok", 4),
    ("503", "failed:busy", 6),
    ("loading~2", "ok", 3),
    ("gateway-502~1", "ok", 2),
    ("gateway-504", "failed:busy", 6),
    ("504~1", "ok", 2),
    ("529~1", "ok", 2),
    ("408~1", "ok", 2),
    ("409~1", "ok", 2),
    ("425~1", "ok", 2),
    ("no-retry", "failed:busy", 1),
    ("do-retry~1", "ok", 2),
    ("500~1", "ok", 2),
    ("500", "failed:server", 2),
    ("424", "failed:server", 2),
    ("no-vision", "stop", 1),
    ("no-vision-404", "stop", 1),
    ("wrong-key-400", "stop", 1),
    ("sick", "failed:server", 2),
    ("error-chunk", "failed:server", 2),
    ("ends-in-error", "failed:busy", 6),
    ("ends-in-error~1", "ok", 2),
    ("ends-in-network-error~1", "ok", 2),
    ("ends-in-stop-and-error", "failed:busy", 6),
    ("whole-error", "failed:server", 2),
    ("reset~1", "ok", 2),
    ("reset", "failed:transport", 3),
    ("early-end", "failed:transport", 3),
    ("short", "failed:transport", 3),
    ("no-done", "ok", 1),
    ("drip", "ok", 1),
    ("late", "ok", 1),
    ("hang~1", "ok", 2),
    ("stall", "failed:time", 2),
    ("html200", "failed:protocol", 2),
    ("badjson", "failed:protocol", 2),
    ("emptybody", "failed:protocol", 2),
    ("nochoices", "failed:protocol", 2),
    ("400", "failed:request", 1),
    ("404", "stop", 1),
    ("detail", "failed:request", 1),
    ("redirect", "stop", 1),
    ("old-field", "ok", 2),
    ("old-field-words", "ok", 2),
    ("no-temperature", "ok", 2),
    ("no-stream", "ok", 2),
    ("no-stream-options", "ok", 2),
    ("no-temperature-and-stream-options", "ok", 3),
    ("no-effort", "failed:request", 1),
    ("overflow", "failed:too_long", 1),
    ("gateway-413", "failed:too_large", 1),
    ("refusal", "refused", 1),
    ("filtered", "refused", 1),
];
/// Faults in which the response contains no answer.
const NO_ANSWERS: [(&str, &str); 3] = [
    ("silent", "empty"),
    ("cut", "cut"),
    ("rambling", "unreadable"),
];

fn ends(fault: &str) -> (Log, Server, String) {
    let (log, server) = (Log::new(1), Server::new());
    log.config(&server.base(fault), "");
    // Only the server that hangs gets a short limit, because a busy machine is slow too.
    log.patient_for(if fault.starts_with("hang") { 3 } else { 30 });
    let output = log.rerun(&["--protocol", "vanilla"]);
    let done = log.journal("done");
    let ended = done
        .first()
        .and_then(|done| done["outcome"].as_str())
        .unwrap_or("stop")
        .to_owned();
    let is_good = !ended.starts_with("failed") && ended != "stop";
    assert_eq!(output.code == 0, is_good, "{fault}: {}", output.err);
    (log, server, ended)
}

#[test]
fn every_fault_ends_as_the_policy_says() {
    let mut wrong = Vec::new();
    for (fault, expected, requests) in FAULTS {
        let (log, server, ended) = ends(fault);
        let (count, tries) = (server.count(fault), log.journal("try").len());
        if (ended.as_str(), count, tries) != (expected, requests, requests) {
            wrong.push(format!(
                "{fault}: {ended} after {count} requests, {tries} in the journal"
            ));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn what_is_no_answer_counts_as_in_a_log_and_has_its_kind() {
    for (fault, expected) in NO_ANSWERS.into_iter().chain([("refusal", "refused")]) {
        let (log, _server, ended) = ends(fault);
        assert_eq!(ended, expected, "{fault}");
        let record = &log.records()[0];
        assert!(record["parsed"].is_null(), "{record}");
        let found = log.found(&["--protocol", "vanilla", "--resume"]);
        let step = &found["found"]["steps"][0];
        assert_eq!(step["scored"], 1, "{fault}: {step}");
        assert_eq!(record["rerun"]["outcome"], expected);
        let report = super::log::run(&mut log.command(&["report", "out", "--format", "json"]));
        let report: serde_json::Value = serde_json::from_str(&report.out).unwrap();
        let score = &report["scores"][0];
        assert_eq!(score["score"], step["share"], "{fault}: {score}");
        assert_eq!(
            (&score["n"], &score["invalid"]),
            (&1.into(), &1.into()),
            "{fault}: {score}"
        );
    }
}

#[test]
fn a_refused_field_is_left_out_once_told_once_and_recorded() {
    let (log, server) = (Log::new(12), Server::new());
    log.config(&server.base("no-temperature"), "concurrency = 2");
    let output = log.rerun(&["--protocol", "vanilla"]);
    assert_eq!(output.code, 0, "{}", output.err);
    let told = "warning: the server refuses temperature; left out from now on: Unsupported value";
    assert_eq!(output.err.matches(told).count(), 1, "{}", output.err);
    let refused = server.count("no-temperature") - 12;
    assert!((1..=2).contains(&refused), "{refused} were on their way");
    assert!(
        server
            .seen
            .lock()
            .unwrap()
            .last
            .get("temperature")
            .is_none()
    );
    for record in log.records() {
        assert_eq!(
            record["rerun"]["dropped"],
            serde_json::json!(["temperature"])
        );
    }
    let words = "12 answers to questions without temperature, which the server refuses";
    assert!(output.out.contains(words), "{}", output.out);
}

#[test]
fn the_fields_that_a_server_takes_are_all_sent() {
    let (log, server) = (Log::new(1), Server::new());
    log.config(&server.base("none"), "");
    log.found(&["--protocol", "vanilla"]);
    let last = server.seen.lock().unwrap().last.clone();
    assert_eq!(last["temperature"], 0.0);
    assert_eq!(last["stream_options"]["include_usage"], true);
    assert!(log.records()[0]["rerun"].get("dropped").is_none());
}

#[test]
fn a_server_without_pictures_stops_the_run_with_its_words() {
    for (fault, words, hint) in [
        ("no-vision", "image input is not supported", "--mmproj"),
        ("no-vision-404", "support image input", "accepts pictures"),
        ("wrong-key-400", "API key not valid", "--key-env"),
    ] {
        let (log, server) = (Log::new(8), Server::new());
        log.config(&server.base(fault), "concurrency = 1");
        let output = log.rerun(&["--protocol", "vanilla"]);
        assert_eq!((output.code, server.count(fault)), (1, 1), "{fault}");
        for part in [words, hint] {
            assert!(output.err.contains(part), "{fault}: {}", output.err);
        }
    }
}

#[test]
fn a_broken_line_keeps_the_words_that_came_and_never_scores_them() {
    for fault in ["reset", "ends-in-error"] {
        let (log, _server, _) = ends(fault);
        let done = &log.journal("done")[0];
        assert_eq!(done["text"], " part", "{fault}");
        let lines = log.records();
        assert!(
            lines.iter().all(|line| line["not_answered"].is_string()),
            "{fault}: {lines:?}"
        );
    }
}

/// Milliseconds between the end of an attempt and the start of the next attempt.
fn waits(log: &Log) -> Vec<u64> {
    let tries = log.journal("try");
    let number = |json: &serde_json::Value| json.as_u64().unwrap();
    let between = tries.windows(2).map(|pair| {
        let end = number(&pair[0]["started_ms"]) + number(&pair[0]["ms"][2]);
        number(&pair[1]["started_ms"]).saturating_sub(end)
    });
    between.collect()
}

#[test]
fn a_wait_that_the_server_asks_for_is_waited() {
    // A date has no fractions of a second, so the wait may be shorter by up to a second.
    for (fault, least, most) in [
        ("rate-after-1~1", 1_000, 1_100),
        ("rate-after-ms~1", 700, 770),
        ("rate-after-date~1", 1_000, 2_200),
    ] {
        let (log, server) = (Log::new(1), Server::new());
        log.config(&server.base(fault), "");
        log.unhurried();
        log.found(&["--protocol", "vanilla"]);
        let waits = waits(&log);
        assert!(
            // On a busy machine, the program may continue late.
            waits.len() == 1 && waits[0] >= least - 2 && waits[0] <= most + 500,
            "{fault}: {waits:?}"
        );
    }
}

#[test]
fn waits_between_attempts_are_as_the_policy_says() {
    for (fault, most) in [
        ("500~1", vec![1_000]),
        ("html200", vec![1_000]),
        ("hang~1", vec![0]),
        ("503~2", vec![2_000, 4_000]),
    ] {
        let (log, server) = (Log::new(1), Server::new());
        log.config(&server.base(fault), "");
        log.unhurried();
        log.rerun(&["--protocol", "vanilla"]);
        let waits = waits(&log);
        let fits = |(wait, most): (&u64, &u64)| *wait <= most + 500;
        assert!(
            waits.len() == most.len() && waits.iter().zip(&most).all(fits),
            "{fault}: {waits:?}"
        );
    }
}

#[test]
fn nothing_is_sent_while_the_server_says_that_nothing_is_left() {
    let (log, server) = (Log::new(2), Server::new());
    log.config(&server.base("rate-empty~1"), "concurrency = 1");
    log.unhurried();
    log.found(&["--protocol", "vanilla"]);
    let waits = waits(&log);
    assert!(
        waits.len() == 1 && waits[0] >= 900,
        "the reset is waited for: {waits:?}"
    );
}

#[test]
fn what_failed_is_asked_again_only_when_that_is_wanted() {
    let (log, server) = (Log::new(3), Server::new());
    log.config(&server.base("400~2"), "");
    let first = log.partly(&["--protocol", "vanilla"]);
    assert_eq!(
        (
            first["found"]["outcomes"]["failed:request"].as_u64(),
            server.count("400~2")
        ),
        (Some(2), 3)
    );
    let again = log.partly(&["--protocol", "vanilla", "--resume"]);
    assert_eq!(
        (again["found"]["kept"].as_u64(), server.count("400~2")),
        (Some(3), 3)
    );
    let again = log.found(&["--protocol", "vanilla", "--resume", "--retry-failed"]);
    assert_eq!(
        (
            again["found"]["outcomes"]["ok"].as_u64(),
            server.count("400~2")
        ),
        (Some(3), 5)
    );
    assert_eq!(log.records().len(), 3);
}

#[test]
fn a_run_that_costs_too_many_attempts_is_stopped() {
    let (log, server) = (Log::new(5), Server::new());
    log.config(&server.base("early-end"), "concurrency = 1");
    let output = log.rerun(&["--protocol", "vanilla", "--max-attempts", "4"]);
    assert_eq!(
        (output.code, server.count("early-end")),
        (1, 4),
        "{}",
        output.err
    );
    assert!(
        output.err.contains("4 attempts that may be billed"),
        "{}",
        output.err
    );
}

#[test]
fn requests_in_flight_finish_when_the_limit_of_attempts_is_reached() {
    let log = Log::new(6);
    let slow = Duration::from_millis(500);
    let server = Server::slow(slow, "127.0.0.1:0".parse().unwrap());
    log.config(&server.base("none"), "concurrency = 4");
    log.patient();
    let output = log.rerun(&["--protocol", "vanilla", "--max-attempts", "3"]);
    assert_eq!(output.code, 1, "{}", output.err);
    assert!(
        output.err.contains("3 attempts that may be billed"),
        "{}",
        output.err
    );
    let answers = log.records().len();
    assert_eq!(
        (server.count("none"), answers),
        (3, 3),
        "none is paid twice"
    );
    let again = log.found(&["--protocol", "vanilla", "--resume"]);
    assert_eq!(
        (again["found"]["kept"].as_u64(), server.count("none")),
        (Some(3), 6)
    );
}

#[test]
fn nothing_that_listens_is_said_at_once() {
    let log = Log::new(1);
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    log.config(&format!("http://127.0.0.1:{port}/v1"), "");
    let output = log.rerun(&["--protocol", "vanilla"]);
    assert_eq!(output.code, 1);
    assert!(
        output.err.contains("nothing listens at http://127.0.0.1"),
        "{}",
        output.err
    );
    assert!(!log.path("out").exists(), "nothing is begun");
}

/// A server that reads the request and then closes the connection.
#[test]
fn a_line_that_closes_before_any_answer_is_tried_three_times() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let posts = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&posts);
    std::thread::spawn(move || {
        for line in listener.incoming().flatten() {
            let (mut line, mut bytes) = (line, vec![0; 65_536]);
            let length = line.read(&mut bytes).unwrap_or_default();
            if bytes[..length].starts_with(b"POST") {
                counted.fetch_add(1, Ordering::Relaxed);
            } else {
                use std::io::Write as _;
                let _ = line.write_all(
                    b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",
                );
            }
        }
    });
    let log = Log::new(1);
    log.config(&format!("http://{address}/v1"), "");
    log.rerun(&["--protocol", "vanilla"]);
    assert_eq!(log.journal("done")[0]["outcome"], "failed:transport");
    assert_eq!(posts.load(Ordering::Relaxed), 3);
}

/// The server dies during a run, and starts again at the same address.
#[test]
fn an_endpoint_that_goes_away_is_waited_for_and_no_question_is_lost() {
    let (log, server) = (
        Log::new(40),
        Server::slow(Duration::from_millis(20), "127.0.0.1:0".parse().unwrap()),
    );
    log.config(&server.base("none"), "");
    let address = server.address;
    let mut child = log
        .asking(&["--protocol", "vanilla"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while log.journal("done").len() < 8 {
        assert!(child.try_wait().unwrap().is_none(), "ended too soon");
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(server);
    std::thread::sleep(Duration::from_millis(300));
    let _again = Server::slow(Duration::from_millis(1), address);
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let done = log.journal("done");
    assert_eq!((done.len(), log.records().len()), (40, 40));
    assert!(done.iter().all(|done| done["outcome"] == "ok"));
}
