//! Tests what an assistant may read and write, and the size of pictures.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::{Rgb, RgbImage};
use serde_json::{Value, json};

use super::{Client, TEXT};
use crate::own_format::{line, log};
use crate::support::{arg, eyechart, sample_runs};

/// Files below a folder with their lengths.
fn files(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let about = entry.metadata().expect("a file");
        if about.is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.insert(entry.path(), about.len());
        }
    }
    found
}

/// A folder with logs in `logs`, and another log next to `logs` that the assistant must not read.
fn logs_and_a_secret() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, model) in [
        ("logs/one", "one"),
        ("logs/two", "two"),
        ("secret", "hidden"),
    ] {
        let inside = folder.path().join(name);
        fs::create_dir_all(&inside).expect("a folder");
        let rows = [0, 1].map(|at| {
            line(&json!({"sample_id": format!("s{at}"), "benchmark": "b", "model": model}))
        });
        fs::write(inside.join("a.eyechart.jsonl"), rows.join(&b'\n')).expect("a log");
    }
    folder
}

fn models(answer: &Value) -> Value {
    answer["benchmarks"][0][TEXT]["models"].clone()
}

#[test]
fn only_paths_below_the_given_ones_are_opened() {
    let folder = logs_and_a_secret();
    let root = folder.path().join("logs");
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("secret"), root.join("link")).expect("a link");
    let mut client = Client::begin(&[arg(&root)]);
    let mut reasons = Vec::new();
    let secret = folder.path().join("secret");
    let there = secret.join("a.eyechart.jsonl");
    let missing = secret.join("missing");
    for path in [
        "/etc/passwd",
        "/",
        "..",
        "../secret",
        "one/../../secret",
        "link",
        arg(&secret),
        arg(&there),
        arg(&missing),
    ] {
        let error = client.refused("open", &json!({"path": path}));
        reasons.push(error[TEXT]["reason"].clone());
    }
    reasons.dedup();
    assert_eq!(
        reasons.len(),
        1,
        "what exists outside is not told: {reasons:?}"
    );
    for address in ["s3://bucket/logs", "https://127.0.0.1:9/x.jsonl"] {
        let error = client.refused("open", &json!({"path": address}));
        assert!(error.to_string().contains("addresses"), "{error}");
    }
    let list = secret.join("ids.txt");
    fs::write(&list, "s0\n").expect("a file");
    let filter = format!("ids:{}", list.display());
    for (tool, arguments) in [
        ("samples", json!({"filter": filter})),
        (
            "scores",
            json!({"filter": format!("not ({filter} or score>2)")}),
        ),
        ("compare", json!({"a": filter, "b": "one"})),
        (
            "gate",
            json!({"base": filter, "candidate": "one", "worse_by": "1pp"}),
        ),
        ("sample", json!({"sample": "s0", "filter": filter})),
    ] {
        let error = client.refused(tool, &arguments);
        assert!(error.to_string().contains("reads a file"), "{error}");
    }
    assert_eq!(
        models(&client.ask("summary", &json!({}))),
        json!(["one", "two"])
    );
    assert_eq!(
        models(&client.ask("open", &json!({"path": "two"}))),
        json!(["two"])
    );
    let one = root.join("one/a.eyechart.jsonl");
    let opened = client.ask("open", &json!({"path": arg(&one)}));
    assert_eq!(models(&opened), json!(["one"]));
    assert!(
        opened["command"]
            .as_str()
            .expect("a command")
            .contains("one/a.eyechart.jsonl")
    );
    assert_eq!(
        models(&client.ask("open", &json!({}))),
        json!(["one", "two"])
    );
    assert_eq!(client.end(), 0);
}

#[test]
fn without_a_path_the_working_directory_is_the_limit() {
    let folder = logs_and_a_secret();
    let mut client = Client::start_in(&folder.path().join("logs"), &[]);
    client.initialize("2025-11-25");
    assert_eq!(
        models(&client.ask("open", &json!({"path": "two"}))),
        json!(["two"])
    );
    client.refused("open", &json!({"path": "../secret"}));
    assert_eq!(models(&client.ask("summary", &json!({}))), json!(["two"]));
    assert_eq!(client.end(), 0);
}

#[test]
fn nothing_is_written_and_no_verdict_stored_without_the_flag() {
    let folder = logs_and_a_secret();
    let root = folder.path().join("logs");
    let before = files(folder.path());
    let mut client = Client::begin(&[arg(&root)]);
    for (tool, arguments) in [
        ("summary", json!({})),
        ("scores", json!({})),
        ("samples", json!({})),
        ("sample", json!({"sample": "s0"})),
        ("verdicts", json!({})),
        ("compare", json!({"a": "one", "b": "two"})),
        ("slices", json!({})),
    ] {
        client.ask(tool, &arguments);
    }
    let verdict = json!({"name": "record_verdict", "arguments": {"sample": "s0", "verdict": "ok"}});
    assert_eq!(
        client.request("tools/call", &verdict)["error"]["code"],
        -32_602
    );
    let listed = client.request("tools/list", &json!({})).to_string();
    assert!(!listed.contains("record_verdict"));
    assert_eq!(client.end(), 0);
    assert_eq!(files(folder.path()), before);
}

#[test]
fn a_verdict_is_stored_under_the_assistant_s_name_with_the_flag() {
    let folder = logs_and_a_secret();
    let one = folder.path().join("logs/one");
    let mut client = Client::begin(&[arg(&one), "--allow-verdicts"]);
    let verdict = json!({"sample": "s0", "verdict": "wrong_label", "note": "it is 4"});
    let stored = client.ask("record_verdict", &verdict);
    assert_eq!(
        (&stored["stored"], &stored["verdict"]),
        (&json!(true), &json!("wrong_label"))
    );
    let audit = client.ask("verdicts", &json!({"table": "flagged"}));
    assert_eq!(
        (&audit["audited"], &audit["counts"]["wrong_label"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(audit["rows"][0][TEXT]["note"], "it is 4");
    client.refused("record_verdict", &json!({"sample": "s9", "verdict": "ok"}));
    client.refused(
        "record_verdict",
        &json!({"sample": "s0", "verdict": "perfect"}),
    );
    assert_eq!(client.end(), 0);
    let command = eyechart(&["verdicts", arg(&one)]);
    assert_eq!(command["authors"][0]["author"], "assistant");
    assert_eq!(command["counts"]["wrong_label"], 1);
}

#[test]
fn no_model_is_asked_without_the_flag() {
    let folder = logs_and_a_secret();
    let one = folder.path().join("logs/one");
    let mut client = Client::begin(&[arg(&one)]);
    let listed = client.request("tools/list", &json!({})).to_string();
    assert!(!listed.contains("--allow-ask") && !listed.contains("\"ask\""));
    let call = json!({"name": "ask", "arguments": {"sample": "s0"}});
    let refused = client.request("tools/call", &call);
    assert_eq!(refused["error"]["code"], -32_602);
    assert_eq!(client.end(), 0);
}

/// Pictures of an answer, decoded, with the length of their texts.
fn pictures(result: &Value) -> Vec<(image::DynamicImage, usize)> {
    let parts = result["content"].as_array().expect("content").iter();
    let images = parts.filter(|part| part["type"] == "image");
    images
        .map(|part| {
            let data = part["data"].as_str().expect("a text");
            let bytes = STANDARD.decode(data).expect("base64");
            let format = image::guess_format(&bytes).expect("a picture");
            assert_eq!(part["mimeType"], format.to_mime_type());
            (
                image::load_from_memory(&bytes).expect("a picture"),
                data.len(),
            )
        })
        .collect()
}

#[test]
fn pictures_take_at_most_60_kb() {
    let noise = RgbImage::from_fn(1_600, 1_200, |x, y| {
        let mixed = (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761);
        let [a, b, c, _] = (mixed ^ (mixed >> 15)).to_le_bytes();
        Rgb([a, b, c])
    });
    let row = |id: &str, images: &[&str]| line(&json!({"sample_id": id, "images": images}));
    let folder = log(&[
        row("one", &["noise.png"]),
        row("three", &["noise.png"; 3]),
        row("none", &["gone.png"]),
    ]);
    noise
        .save(folder.path().join("noise.png"))
        .expect("a picture");
    let mut client = Client::begin(&[arg(folder.path())]);
    for (sample, expected) in [("one", 1), ("three", 3), ("none", 0)] {
        let result = client.call("sample", &json!({"sample": sample}));
        let found = pictures(&result);
        assert_eq!(found.len(), expected, "{sample}");
        let length: usize = found.iter().map(|(_, length)| length).sum();
        assert!(length <= 60_000, "{sample}: {length}");
        assert!(
            found.iter().all(|(picture, _)| picture.width() > 60),
            "{sample}"
        );
    }
    let gone = client.ask("sample", &json!({"sample": "none"}));
    assert!(gone["pictures"][0][TEXT]["missing"].is_string(), "{gone}");
    let without = client.call("sample", &json!({"sample": "one", "picture": false}));
    assert_eq!(pictures(&without).len(), 0);
    assert_eq!(client.end(), 0);
    let mut client = Client::begin(&[arg(&sample_runs())]);
    let drawn = client.call("sample", &json!({"sample": "absolute_depth-0005"}));
    assert_eq!(pictures(&drawn).len(), 1);
    assert_eq!(client.end(), 0);
}
