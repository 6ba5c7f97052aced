//! Tests the program with logs in a store: what it displays, what it downloads, and its errors.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends there"
)]

#[path = "support/amount.rs"]
mod amount;
#[path = "fuzz/damage.rs"]
#[allow(dead_code, reason = "others use the rest")]
mod damage;
#[path = "fuzz/dice.rs"]
#[allow(dead_code, reason = "others use the rest")]
mod dice;
#[path = "stores/doors.rs"]
mod doors;
#[path = "stores/hostile.rs"]
mod hostile;
#[path = "stores/judged.rs"]
mod judged;
#[path = "support/limited.rs"]
mod limited;
#[path = "support/memory.rs"]
mod memory;
#[path = "stores/modes.rs"]
mod modes;
#[path = "stores/parts.rs"]
mod parts;
#[path = "stores/polled.rs"]
mod polled;
#[path = "stores/published.rs"]
mod published;
#[path = "stores/reruns.rs"]
mod reruns;
#[path = "../src/store/testing.rs"]
#[allow(dead_code, reason = "the room's own tests use the rest")]
mod server;
#[cfg(unix)]
#[path = "stores/sets.rs"]
mod sets;
mod support;
#[path = "support/terminal.rs"]
mod terminal;
#[path = "live/wire.rs"]
#[allow(dead_code, reason = "others use the rest")]
mod wire;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use server::{Fault, FaultScope, Server};
use support::{Run, list, sample_runs};
use tempfile::TempDir;

/// Key that no output may contain.
const SECRET: &str = "SECRET-KEY-OF-THE-USER";

/// A store with the logs of an exam, and a machine on which they are opened.
struct Setting {
    server: Server,
    home: TempDir,
}

impl Setting {
    /// Creates an empty store, and a machine.
    fn empty() -> Self {
        Self {
            server: Server::start(),
            home: tempfile::tempdir().unwrap(),
        }
    }

    fn new() -> Self {
        let setting = Self::empty();
        setting.put(&sample_runs().join("exam"), "team/evals");
        setting
    }

    /// Uploads a folder to the store.
    fn put(&self, folder: &Path, path: &str) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let inner = format!("{path}/{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                self.put(&entry.path(), &inner);
            } else {
                self.server.put(&inner, fs::read(entry.path()).unwrap());
            }
        }
    }

    /// The same store, used from another machine.
    fn elsewhere(&self) -> Self {
        Self {
            server: self.server.clone(),
            home: tempfile::tempdir().unwrap(),
        }
    }

    fn at(&self, name: &str) -> std::path::PathBuf {
        self.home.path().join(name)
    }

    fn run(&self, args: &[&str]) -> Run {
        self.run_as("KEY", args)
    }

    fn run_as(&self, key: &str, args: &[&str]) -> Run {
        let mut command = self.command(key, args);
        Self::done(&mut command)
    }

    fn command(&self, key: &str, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eyechart"));
        command
            .args(args)
            .current_dir(self.home.path())
            .envs(self.variables(key));
        command
    }

    /// Environment variables for the folders and the store.
    fn variables(&self, key: &str) -> Vec<(&'static str, String)> {
        let at = |name: &str| self.at(name).to_string_lossy().into_owned();
        vec![
            ("EYECHART_CACHE", at("cache")),
            ("EYECHART_STATE", at("state")),
            ("EYECHART_CONFIG", at("config.toml")),
            ("EYECHART_LOG", at("log.txt")),
            ("EYECHART_LOG_LEVEL", "trace".to_owned()),
            ("HOME", at("")),
            ("AWS_ENDPOINT_URL", self.server.address.clone()),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", key.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
        ]
    }

    fn done(command: &mut Command) -> Run {
        let output = command.output().expect("the program runs");
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        for text in [&stdout, &stderr] {
            assert!(!text.contains(SECRET), "{text}");
        }
        Run {
            code: output.status.code().unwrap(),
            stdout,
            stderr,
        }
    }

    fn json(&self, args: &[&str]) -> Value {
        let run = self.run(&[args, &["--format", "json"]].concat());
        assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
        serde_json::from_str(&run.stdout).unwrap()
    }
}

/// Every file below a folder, as text.
fn all_text(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text += &all_text(&path);
        } else {
            text += &String::from_utf8_lossy(&fs::read(path).unwrap());
        }
    }
    text
}

#[test]
fn a_bucket_opens_like_the_folder_that_it_holds() {
    let setting = Setting::new();
    let here = support::eyechart(&["report", sample_runs().join("exam").to_str().unwrap()]);
    let there = setting.json(&["report", "s3://team/evals"]);
    for part in ["scores", "average_rank", "subgroups"] {
        assert_eq!(there[part], here[part], "{part}");
    }
    assert!(!list(&there, "scores").is_empty());
    for source in list(&there, "sources") {
        let path = source["path"].as_str().unwrap();
        assert!(path.starts_with("s3://team/evals/"), "{path}");
    }
    let fetched = setting.server.seen();
    assert!(
        !fetched.iter().any(|request| request.contains(".png")),
        "{fetched:?}"
    );
    assert_eq!(
        setting.json(&["report", "s3://team/evals"])["scores"],
        here["scores"]
    );
    let again = setting.server.seen();
    assert_eq!(again.len(), 1, "a listing and nothing else: {again:?}");
    let kept = setting.json(&["cache"]);
    assert_eq!(kept["stores"][0]["store"], "s3://team");
    assert_eq!(kept["stores"][0]["objects"], 5);
    assert!(!all_text(setting.home.path()).contains(SECRET));
    assert_eq!(setting.run(&["cache", "--clear"]).code, 0);
    assert!(list(&setting.json(&["cache"]), "stores").is_empty());
}

#[test]
fn pictures_of_a_report_are_fetched_when_it_is_made() {
    let setting = Setting::new();
    let run = setting.run(&[
        "report",
        "s3://team/evals",
        "--filter",
        "ability:texture",
        "--out",
        "page.html",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let page = fs::read_to_string(setting.at("page.html")).unwrap();
    assert!(page.contains("data:image/") && page.contains("s3://team/evals"));
    assert!(!page.contains(SECRET) && !page.contains(setting.at("cache").to_str().unwrap()));
    let pictures = setting.server.seen();
    let pictures = pictures.iter().filter(|request| request.contains(".png"));
    assert!(pictures.clone().count() > 0);
    assert!(pictures.clone().all(|request| request.contains("texture")));
}

#[test]
fn an_address_of_which_nothing_can_be_had_fails_by_name() {
    let setting = Setting::new();
    let logs = sample_runs().join("exam");
    let said = |run: &Run, what: &str| {
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert!(run.stderr.contains("s3://team/"), "{}", run.stderr);
        assert!(run.stderr.contains(what), "{}", run.stderr);
    };
    said(&setting.run(&["report", "s3://team/none"]), "not found");
    let beside = ["report", logs.to_str().unwrap(), "s3://team/none"];
    said(&setting.run(&beside), "not found");
    said(&setting.run(&["check", "s3://team/none"]), "not found");
    let wrong = setting.run_as("WRONG", &["report", "s3://team/evals"]);
    said(&wrong, "does not accept these credentials");
    assert!(!wrong.stderr.contains("WRONG"), "{}", wrong.stderr);
    setting.server.fail(FaultScope::Lists, Fault::Expired, 9);
    said(&setting.run(&["report", "s3://team/evals"]), "have expired");
}

#[test]
fn an_address_that_may_hold_a_secret_is_wrong_usage_and_not_repeated() {
    let setting = Setting::new();
    for address in [
        format!("s3://KEY:{SECRET}@team/evals"),
        format!("https://host/a.jsonl?signature={SECRET}"),
        format!("s3://team/evals/a.jsonl?X-Amz-Signature={SECRET}"),
        format!("az://box/a.jsonl?sig={SECRET}"),
    ] {
        for args in [
            &["report", &address][..],
            &["report", "s3://team/evals", "--data", &address],
            &["report", "s3://team/evals", "--verdicts", &address],
            &["report", "s3://team/evals", "--out", &address],
            &["publish", "s3://team/evals", "--to", &address],
            &["cache", &address],
            &["join", &address, &address, "--out", &address],
        ] {
            let run = setting.run(args);
            assert_eq!(run.code, 2, "{args:?}: {}", run.stderr);
        }
    }
    let other = format!("abfss://box@account/a.jsonl?sig={SECRET}");
    assert_eq!(setting.run(&["report", &other]).code, 1);
    assert!(!all_text(setting.home.path()).contains(SECRET));
    let out = setting.run(&["report", "s3://team/evals", "--out", "s3://team/page.html"]);
    assert_eq!(out.code, 2, "{}", out.stderr);
    assert!(setting.server.seen().is_empty());
}

#[test]
fn what_does_not_fit_into_the_cache_is_named_and_the_rest_is_shown() {
    let setting = Setting::new();
    fs::write(setting.at("config.toml"), "[limits]\ncache = 700000\n").unwrap();
    let run = setting.run(&["report", "s3://team/evals", "--format", "json"]);
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert!(
        run.stderr.contains("s3://team/evals/hog.eyechart.jsonl"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("limits.cache"), "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let sources = list(&report, "sources");
    let read = sources.iter().filter(|source| source["rows"] != 0).count();
    assert_eq!(read, 2, "{sources:?}");
    let kept = setting.json(&["cache"]);
    assert!(kept["stores"][0]["bytes"].as_u64().unwrap() <= 700_000);
}

#[cfg(unix)]
#[test]
fn a_disk_that_takes_no_more_leaves_what_fits() {
    let setting = Setting::new();
    let log = fs::read_to_string(sample_runs().join("exam/hog.eyechart.jsonl")).unwrap();
    let few: String = log
        .lines()
        .take(20)
        .map(|line| line.to_owned() + "\n")
        .collect();
    setting
        .server
        .put("team/evals/small/few.eyechart.jsonl", few);
    let mut command = limited::limited(
        200_000,
        &setting.command("KEY", &["report", "s3://team/evals", "--format", "json"]),
    );
    let run = Setting::done(&mut command);
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert!(run.stderr.contains("s3://team/evals/"), "{}", run.stderr);
    assert!(
        run.stderr.contains("the cache cannot be written"),
        "{}",
        run.stderr
    );
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let rows = list(&report, "sources")
        .iter()
        .map(|source| source["rows"].as_u64().unwrap());
    assert_eq!(rows.sum::<u64>(), 20);
    let whole = setting.json(&["report", "s3://team/evals/hog.eyechart.jsonl"]);
    assert!(!list(&whole, "scores").is_empty(), "with room it is there");
}

#[test]
fn two_machines_judge_and_read_the_verdicts_of_the_store() {
    let setting = Setting::new();
    let other = setting.elsewhere();
    let word = |author: &str| {
        format!(
            "{{\"sample_id\": \"absolute_depth-0005\", \"benchmark\": \"exam\", \"ability\": \"absolute_depth\", \"verdict\": \
             \"wrong_label\", \"note\": \"\", \"author\": \"{author}\", \"at\": \"2026-01-01T00:00:00Z\"}}\n"
        )
    };
    setting
        .server
        .put("team/evals/ada.verdicts.jsonl", word("ada"));
    for machine in [&setting, &other] {
        let found = machine.json(&["verdicts", "s3://team/evals"]);
        assert_eq!(found["audited"], 1, "{found}");
        assert_eq!(found["counts"]["wrong_label"], 1);
    }
    fs::write(other.at("own.jsonl"), word("bob")).unwrap();
    let own = other.at("own.jsonl");
    let run = other.run(&[
        "verdicts",
        "s3://team/evals",
        "--import",
        own.to_str().unwrap(),
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(all_text(&other.at("state")).contains("bob"));
    assert!(!all_text(&setting.at("state")).contains("bob"));
    let puts = setting.server.seen();
    assert!(
        puts.iter()
            .all(|request| request.starts_with("GET") || request.starts_with("HEAD"))
    );
}

/// Scores and ranks of a report, without its sources. Reasons are left out, because they contain
/// paths.
fn numbers(report: &Value) -> Value {
    let mut scores = support::without_evidence(&report["scores"]);
    for score in scores.as_array_mut().into_iter().flatten() {
        score["why_not"] = Value::Bool(score["why_not"].is_null());
    }
    serde_json::json!([scores, report["average_rank"], report["subgroups"]])
}

#[test]
fn logs_are_published_into_a_bucket_and_open_there() {
    let setting = Setting::new();
    let other = setting.elsewhere();
    let logs = sample_runs().join("exam");
    let log = |name: &str| logs.join(format!("{name}.eyechart.jsonl"));
    let publish = |machine: &Setting, names: &[&str]| {
        let logs: Vec<_> = names.iter().map(|name| log(name)).collect();
        let mut args = vec!["publish"];
        args.extend(logs.iter().map(|log| log.to_str().unwrap()));
        args.extend(["--to", "s3://team/set"]);
        let run = machine.run(&args);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stderr
    };
    // The store is busy, and the response to one upload is lost.
    setting.server.fail(FaultScope::Objects, Fault::SlowDown, 2);
    setting.server.fail(FaultScope::Objects, Fault::Cut, 1);
    publish(&setting, &["color", "gabor", "hog"]);
    publish(&other, &["pixels", "randconv"]);
    let here = support::eyechart(&["report", logs.to_str().unwrap()]);
    let there = setting.json(&["report", "s3://team/set"]);
    assert_eq!(numbers(&there), numbers(&here));
    for source in list(&there, "sources") {
        let path = source["path"].as_str().unwrap();
        assert!(path.starts_with("s3://team/set/rows/"), "{path}");
    }
    drop(setting.server.seen());
    let said = publish(&other, &["pixels", "randconv"]);
    assert!(said.contains("0 new or changed, 0 files"), "{said}");
    let puts = setting.server.seen();
    assert!(
        !puts.iter().any(|request| request.starts_with("PUT")),
        "{puts:?}"
    );
    let rows = setting.server.with(|store| store.below("team/set/rows/"));
    let (name, mut bytes) = rows.into_iter().next().unwrap();
    bytes.truncate(bytes.len() - 7);
    setting.server.put(&name, bytes);
    let run = setting.run(&["report", "s3://team/set"]);
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert!(
        run.stderr.contains(&format!("s3://{name}")),
        "{}",
        run.stderr
    );
    assert!(!all_text(setting.home.path()).contains(SECRET));
}

#[test]
fn machines_that_publish_into_a_bucket_at_a_time_lose_nothing() {
    let setting = Setting::new();
    let names = ["color", "gabor", "hog", "pixels", "randconv"];
    let machines: Vec<Setting> = names.iter().map(|_| setting.elsewhere()).collect();
    std::thread::scope(|scope| {
        for (name, machine) in names.iter().zip(&machines) {
            scope.spawn(move || {
                let log = sample_runs().join(format!("exam/{name}.eyechart.jsonl"));
                let args = ["publish", log.to_str().unwrap(), "--to", "s3://team/set"];
                let run = machine.run(&args);
                assert_eq!(run.code, 0, "{}", run.stderr);
            });
        }
    });
    let there = setting.json(&["report", "s3://team/set"]);
    let sources = list(&there, "sources").iter();
    let rows: u64 = sources.map(|source| source["rows"].as_u64().unwrap()).sum();
    let logs = sample_runs().join("exam");
    let here = support::eyechart(&["report", logs.to_str().unwrap()]);
    let all = list(&here, "sources").iter();
    let all: u64 = all.map(|source| source["rows"].as_u64().unwrap()).sum();
    assert_eq!(rows, all);
    let manifests = setting
        .server
        .with(|store| store.below("team/set/eyechart-data-set."));
    assert_eq!(manifests.len(), 6, "an empty one, and one of each machine");
}

#[test]
fn a_bucket_of_google_opens_and_takes_a_data_set() {
    let setting = Setting::new();
    let run = |args: &[&str]| {
        let mut command = setting.command("KEY", args);
        // Users may write the address without a scheme.
        let host = setting.server.address.trim_start_matches("http://");
        Setting::done(command.env("STORAGE_EMULATOR_HOST", host))
    };
    let logs = sample_runs().join("exam");
    setting.server.put("team/evals//odd.jsonl", "odd");
    let read = run(&["report", "gs://team/evals", "--format", "json"]);
    assert_eq!(read.code, 4, "{}", read.stderr);
    assert!(
        read.stderr.contains("gs://team/evals//odd.jsonl"),
        "{}",
        read.stderr
    );
    let there: Value = serde_json::from_str(&read.stdout).unwrap();
    let here = support::eyechart(&["report", logs.to_str().unwrap()]);
    assert_eq!(numbers(&there), numbers(&here));
    for written in [true, false] {
        let publish = ["publish", logs.to_str().unwrap(), "--to", "gs://team/set"];
        let run = run(&publish);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(run.stderr.contains(", 0 files"), !written, "{}", run.stderr);
    }
    let there = run(&["report", "gs://team/set", "--format", "json"]);
    let there: Value = serde_json::from_str(&there.stdout).unwrap();
    assert_eq!(numbers(&there), numbers(&here));
}

#[test]
fn a_redirect_of_a_web_address_is_named_and_not_followed() {
    let (setting, other) = (Setting::empty(), Server::start());
    other.put("x/a.eyechart.jsonl", "{}");
    let to = other.address.clone();
    setting.server.with(|store| store.leads = Some((302, to)));
    for path in ["x", "x/listing.json", "x/a.eyechart.jsonl"] {
        let run = setting.run(&["report", &format!("{}/{path}", setting.server.address)]);
        assert_eq!(run.code, 1, "{}", run.stderr);
        let told = "it redirects to 127.0.0.1, which is not followed";
        assert!(run.stderr.contains(told), "{path}: {}", run.stderr);
    }
    assert_eq!(other.seen(), [""; 0]);
}

/// Starts a server whose picture never ends or, if its name contains `announced`, never begins.
/// Returns the server's address, and the number of bytes sent.
fn endless_server() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let sent = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&sent);
    std::thread::spawn(move || {
        let mut held = Vec::new();
        for mut line in listener.incoming().flatten() {
            let mut asked = [0; 4096];
            let length = line.read(&mut asked).unwrap_or_default();
            if String::from_utf8_lossy(&asked[..length]).contains("announced") {
                let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n";
                let _ = line.write_all(answer);
                held.push(line);
                continue;
            }
            let _ = line.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
            while line.write_all(&vec![b'x'; 65_536]).is_ok() {
                count.fetch_add(65_536, Ordering::Relaxed);
            }
        }
    });
    (address, sent)
}

/// Pictures whose addresses are folders, listings or redirects, are too long, or never end.
#[test]
fn a_picture_is_at_most_one_request_of_limited_length() {
    let (setting, other, (endless, sent)) = (Setting::empty(), Server::start(), endless_server());
    fs::write(setting.at("config.toml"), "[limits]\npicture = 100000\n").unwrap();
    let (own, server) = (setting.server.address.clone(), &setting.server);
    server.put("pics/folder/listing.json", r#"{"a.png": {}, "b.png": {}}"#);
    server.put("pics/listing.json", r#"{"folder/a.png": {}}"#);
    server.put("pics/folder/a.png", "x");
    server.put("pics/long.png", vec![0_u8; 500_000]);
    fs::create_dir(setting.at("logs")).unwrap();
    for (picture, requests, told) in [
        (format!("{own}/pics/folder"), 1, ""),
        (format!("{own}/pics/folder/"), 1, ""),
        (format!("{own}/pics/listing.json"), 1, ""),
        (format!("{own}/pics/folder/a.png?key=1"), 0, ""),
        (format!("{own}/pics/long.png"), 1, "limits.picture"),
        (format!("{endless}/a.png"), 0, "limits.picture"),
        (format!("{endless}/announced.png"), 0, "limits.picture"),
        (format!("{own}/led.png"), 1, "it redirects to 127.0.0.1"),
    ] {
        if picture.ends_with("led.png") {
            let to = other.address.clone();
            server.with(|store| store.leads = Some((302, to)));
        }
        let row = serde_json::json!({
            "sample_id": "s", "ability": "counting", "model": "m", "target": 3, "response": "2", "image": picture,
        });
        fs::write(setting.at("logs/a.eyechart.jsonl"), row.to_string()).unwrap();
        let run = setting.run(&["report", "logs", "--fetch-images", "--out", "page.html"]);
        assert_eq!(run.code, 0, "{picture}: {}", run.stderr);
        let page = fs::read_to_string(setting.at("page.html")).unwrap();
        assert!(page.contains(told), "{picture}");
        let seen = server.seen();
        assert_eq!(seen.len(), requests, "{picture}: {seen:?}");
    }
    assert_eq!(other.seen(), [""; 0]);
    let sent = sent.load(Ordering::Relaxed);
    assert!(sent < 16 << 20, "{sent} bytes of an endless picture");
}
