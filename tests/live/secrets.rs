//! Tests that the key is sent and appears nowhere else, neither in files nor in output, whatever
//! the server does with it.

use std::io::{Read as _, Write as _};
use std::path::Path;

use base64::Engine as _;

use super::log::{Log, run};
use super::server::Server;
use super::terminal::Terminal;

pub const CANARY: &str = "sk-CANARY-0123456789";

/// Files below a folder that contain a text.
pub fn leaks(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(leaks(&path, text));
        } else if std::fs::read(&path)
            .unwrap()
            .windows(text.len())
            .any(|bytes| bytes == text.as_bytes())
        {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn the_key_is_found_nowhere_after_any_fault() {
    let faults = [
        "none",
        "echo",
        "echo-split",
        "echo-reasoning",
        "echo-base64",
        "echo-url",
        "echo-error",
        "echo-escaped",
        "rate",
        "quota",
        "401",
        "402",
        "503",
        "500",
        "400",
        "html200",
        "nochoices",
        "error-chunk",
        "gateway-502",
        "gateway-413",
        "reset",
        "redirect",
        "filtered",
        "overflow",
        "hang",
        "stall",
        "early-end",
        "detail",
        "short",
        "rate-chunk",
        "gateway-504",
        "sick",
    ];
    for fault in faults {
        let (log, server) = (Log::new(1), Server::new());
        log.config(&server.base(fault), "");
        let arguments = ["--protocol", "vanilla", "--key-env", "SECRET_OF_TEST"];
        let output = run(log
            .asking(&arguments)
            .env("SECRET_OF_TEST", CANARY)
            .env("EYECHART_LOG", log.path("trace.log"))
            .env("EYECHART_LOG_LEVEL", "trace"));
        assert!(
            server
                .seen
                .lock()
                .unwrap()
                .keys
                .iter()
                .all(|key| key.ends_with(CANARY)),
            "{fault}: the key was sent"
        );
        assert!(server.count(fault) > 0, "{fault}");
        let encoded = [
            CANARY.to_owned(),
            base64::engine::general_purpose::STANDARD.encode(CANARY),
            CANARY.bytes().map(|byte| format!("%{byte:02X}")).collect(),
            CANARY
                .bytes()
                .map(|byte| format!("\\u{byte:04x}"))
                .collect(),
        ];
        for form in encoded {
            for text in [&output.out, &output.err] {
                assert!(!text.contains(&form), "{fault}: {text}");
            }
            assert_eq!(leaks(&log.path(""), &form), Vec::<String>::new(), "{fault}");
        }
    }
}

#[test]
fn a_password_in_the_address_is_not_kept_either() {
    // An address may be given without its scheme.
    for scheme in ["http://", ""] {
        let (log, server) = (Log::new(1), Server::new());
        let address = server
            .base("none")
            .replace("http://", &format!("{scheme}me:{CANARY}@"));
        let arguments = [
            "rerun",
            "corners.eyechart.jsonl",
            "--endpoint",
            &format!("{address}?key={CANARY}"),
            "--model",
            "seer",
            "--out",
            "out",
            "--protocol",
            "vanilla",
        ];
        let output = run(&mut log.command(&arguments));
        assert_eq!(output.code, 0, "{}", output.err);
        assert!(!format!("{}{}", output.out, output.err).contains(CANARY));
        assert_eq!(
            leaks(&log.path(""), CANARY),
            Vec::<String>::new(),
            "{scheme}"
        );
    }
}

/// A command that prints the key in two pieces, because the config file must not contain the key
/// either.
fn command() -> String {
    let (start, end) = CANARY.split_at(7);
    format!("key_command = \"printf '%s%s' {start} {end}\"")
}

#[test]
fn a_key_that_a_command_prints_is_sent_and_found_nowhere() {
    for fault in ["echo", "400", "401", "html200"] {
        let (log, server) = (Log::new(1), Server::new());
        log.config(&server.base(fault), &command());
        let output = log.rerun(&["--protocol", "vanilla"]);
        let keys = server.seen.lock().unwrap().keys.clone();
        let sent = format!("Bearer {CANARY}");
        assert!(
            !keys.is_empty() && keys.iter().all(|key| *key == sent),
            "{fault}: {keys:?}"
        );
        assert!(!format!("{}{}", output.out, output.err).contains(CANARY));
        assert_eq!(
            leaks(&log.path(""), CANARY),
            Vec::<String>::new(),
            "{fault}"
        );
    }
}

#[test]
fn a_redirect_takes_the_key_nowhere() {
    let (log, server, other) = (Log::new(1), Server::new(), Server::new());
    log.config(
        &server.base(&format!("away-{}", other.address.port())),
        &command(),
    );
    let output = log.rerun(&["--protocol", "vanilla"]);
    assert!(output.err.contains("redirects"), "{}", output.err);
    assert_eq!(server.seen.lock().unwrap().keys.len(), 1);
    assert!(other.seen.lock().unwrap().keys.is_empty());
    assert_eq!(leaks(&log.path(""), CANARY), Vec::<String>::new());
}

/// The proxy returns the request in its error message.
#[test]
fn the_password_of_a_proxy_is_found_nowhere() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let proxy = listener.local_addr().unwrap();
    let sent = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let all = std::sync::Arc::clone(&sent);
    std::thread::spawn(move || {
        for mut line in listener.incoming().flatten() {
            let mut bytes = vec![0; 65_536];
            let count = line.read(&mut bytes).unwrap_or_default();
            let head = String::from_utf8_lossy(&bytes[..count]).into_owned();
            all.lock().unwrap().push_str(&head);
            let head = head.split("\r\n\r\n").next().unwrap_or_default();
            let status = if head.starts_with("POST") { 502 } else { 200 };
            let answer = format!(
                "HTTP/1.1 {status} Here\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{head}",
                head.len()
            );
            let _ = line.write_all(answer.as_bytes());
        }
    });
    let log = Log::new(1);
    log.config("http://model.example/v1", "");
    let arguments = ["--protocol", "vanilla"];
    let output = run(log
        .asking(&arguments)
        .env("http_proxy", format!("http://me:{CANARY}@{proxy}"))
        .env_remove("no_proxy")
        .env_remove("NO_PROXY"));
    let spelled = base64::engine::general_purpose::STANDARD.encode(format!("me:{CANARY}"));
    assert!(
        sent.lock().unwrap().contains(&spelled),
        "the proxy was asked: {}",
        output.err
    );
    let shown = format!("{}{}", output.out, output.err);
    assert!(
        !shown.contains(CANARY) && !shown.contains(&spelled),
        "{shown}"
    );
    let journal = std::fs::read_to_string(log.path("out/run.jsonl")).unwrap();
    assert!(
        journal.contains("proxy-authorization: Basic") && !journal.contains(&spelled),
        "{journal}"
    );
    assert_eq!(leaks(&log.path(""), CANARY), Vec::<String>::new());
}

/// Tests the same for the terminal UI: a run from the form, and all bytes that are sent to the
/// screen.
#[test]
fn the_screen_does_not_show_the_key() {
    for fault in ["echo", "400", "error-chunk", "401"] {
        let (log, server) = (Log::new(2), Server::new());
        log.config(&server.base(fault), &command());
        let (config, state) = (log.path("config.toml"), log.path("state"));
        let environment = [
            ("EYECHART_CONFIG", config.as_path()),
            ("EYECHART_STATE", state.as_path()),
        ];
        let arguments = &["corners.eyechart.jsonl", "--images", "off"];
        let mut terminal = Terminal::open_with(&log.path(""), &environment, arguments);
        terminal.wait_for_screen("corners");
        terminal.press("6");
        terminal.wait_for_screen("endpoint");
        terminal.press("r");
        terminal.wait_for_screen("only the list of models was requested");
        terminal.press("r");
        let start = std::time::Instant::now();
        while server.count(fault) == 0 {
            assert!(start.elapsed().as_secs() < 30, "{}", terminal.screen());
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        terminal.settle();
        let screen = terminal.screen();
        terminal.press("q");
        terminal.settle();
        let written = String::from_utf8_lossy(&terminal.written.lock().unwrap()).into_owned();
        assert!(!written.contains("CANARY"), "{fault}: {screen}");
        assert_eq!(
            leaks(&log.path(""), CANARY),
            Vec::<String>::new(),
            "{fault}"
        );
    }
}

/// Files next to the logs are not trusted, so they cannot set an endpoint.
#[test]
fn files_beside_the_logs_send_nothing() {
    let (log, server) = (Log::new(1), Server::new());
    log.config("http://127.0.0.1:1/v1", "");
    let stranger = format!(
        "[endpoints.stranger]\nurl = '{}'\nmodel = 'seer'\n",
        server.base("none")
    );
    std::fs::create_dir(log.path(".eyechart")).unwrap();
    for name in ["eyechart.toml", ".eyechart.toml", ".eyechart/config.toml"] {
        std::fs::write(log.path(name), &stranger).unwrap();
    }
    // The journal of a run cannot set the endpoint either.
    std::fs::create_dir(log.path("out")).unwrap();
    let head = serde_json::json!({"line": "head", "schema": 1, "endpoint": server.base("none"), "model": "seer"});
    std::fs::write(log.path("out/run.jsonl"), format!("{head}\n")).unwrap();
    let logs = "corners.eyechart.jsonl";
    for more in [&["--endpoint", "stranger"][..], &["--resume"], &["--reuse"]] {
        let fixed = ["rerun", logs, "--out", "out", "--protocol", "vanilla"];
        let arguments = [&fixed[..], more].concat();
        let output = run(log.command(&arguments).env("OPENAI_API_KEY", CANARY));
        assert_eq!(
            (output.code, server.heard()),
            (2, 0),
            "{more:?}: {}",
            output.err
        );
    }
}

#[test]
fn a_variable_that_is_named_and_not_set_is_an_error_before_anything_is_sent() {
    let (log, server) = (Log::new(1), Server::new());
    log.config(&server.base("none"), "");
    let output = log.rerun(&["--protocol", "vanilla", "--key-env", "NO_SUCH_SECRET"]);
    assert!(
        output.code == 1 && output.err.contains("NO_SUCH_SECRET"),
        "{}",
        output.err
    );
    assert_eq!(server.count("none"), 0);
}
