//! Tests malicious logs: terminal escapes, and pictures outside their folder.

use std::fs;
#[cfg(unix)]
use std::path::Path;
#[cfg(unix)]
use std::process::Stdio;
#[cfg(unix)]
use std::sync::mpsc;
#[cfg(unix)]
use std::thread;
#[cfg(unix)]
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::own_format::{line, log};
use crate::support::{arg, eyechart, list, program, run, texts};

/// Title, colour, C1, bidi, zero width, tags, and all control characters.
const EVIL: &str = "x\u{1b}]0;t\u{7}\u{1b}[31m\u{9b}2J\u{202e}\u{2066}\u{200b}\u{200f}\u{ad}\u{feff}\u{e0041}\u{0}\u{7f}\r\n\u{8}\u{85}y";

/// A log with the malicious text in every text field.
fn evil() -> TempDir {
    let fields = json!({
        "sample_id": format!("id{EVIL}"), "benchmark": EVIL, "ability": EVIL, "model": format!("m{EVIL}"),
        "image": format!("{EVIL}.png"), "images": [format!("http://{EVIL}")], "question": EVIL, "choices": {(EVIL): EVIL, "B": EVIL},
        "target": EVIL, "response": EVIL, "parsed": EVIL, "metric": EVIL, "score": 1,
        "condition": {(EVIL): EVIL}, "boxes": [{"label": EVIL, "role": "target", "xyxy": [0, 0, 1, 1], "color": EVIL}],
        "tags": {(EVIL): EVIL, (format!("n{EVIL}")): 3},
    });
    let mut other = fields.clone();
    other["sample_id"] = "plain".into();
    let mut wrong = fields.clone();
    wrong["tags"] = json!([EVIL]);
    // Add a duplicate sample, and a sample with another question. Their problems quote the log.
    let mut asks = other.clone();
    asks["question"] = "something else".into();
    let folder = log(&[
        line(&fields),
        line(&other),
        line(&wrong),
        line(&asks),
        EVIL.replace('\n', " ").into_bytes(),
    ]);
    fs::copy(
        folder.path().join("a.eyechart.jsonl"),
        folder.path().join("b\u{1b}[31m\u{202e}.eyechart.jsonl"),
    )
    .expect("a copy");
    folder
}

/// Asserts that a text contains no terminal control and no hidden characters.
fn assert_harmless(text: &str, what: &str) {
    let found = text.chars().find(|&c| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    });
    assert_eq!(found, None, "{what}: {text:?}");
}

#[test]
fn no_text_of_a_log_steers_the_terminal() {
    let folder = evil();
    let path = arg(folder.path());
    for command in ["report", "samples", "check"] {
        for format in ["table", "json", "jsonl", "csv", "markdown", "html"] {
            let run = run(&[command, path, "--format", format]);
            assert_eq!(run.code, 0, "{}", run.stderr);
            assert_harmless(&(run.stdout + &run.stderr), &format!("{command} {format}"));
        }
    }
    let id = format!("id{}", EVIL.replace('\0', ""));
    for args in [
        &["show", path, "--sample", "plain"][..],
        &["show", path, "--sample", &id],
        &["samples", path, "--filter", "y\u{1b}[31m:3"],
        &["samples", path, "--sort", "\u{1b}[31m"],
        &["report", path, "--by", "\u{1b}[31m\u{202e}"],
        &["report", "/no/\u{1b}[31m\u{202e}"],
        &["convert", path, "--out", "/no/\u{1b}[31m/x.csv"],
    ] {
        let run = run(args);
        assert_harmless(&(run.stdout + &run.stderr), &format!("{args:?}"));
    }
}

#[test]
fn json_keeps_the_text_in_escapes() {
    let folder = evil();
    let samples = eyechart(&["samples", arg(folder.path())]);
    let found = list(&samples, "samples")
        .iter()
        .find(|sample| sample["sample_id"] == "plain")
        .expect("the sample");
    assert_eq!(found["response"], EVIL);
}

#[test]
fn converted_text_files_are_harmless_too() {
    let folder = evil();
    let out = tempfile::tempdir().expect("a folder");
    for ending in ["jsonl", "csv"] {
        let file = out.path().join(format!("all.{ending}"));
        let run = run(&["convert", arg(folder.path()), "--out", arg(&file)]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_harmless(&(run.stdout + &run.stderr), ending);
        assert_harmless(&fs::read_to_string(&file).expect("a text"), ending);
    }
    let again = eyechart(&[
        "samples",
        arg(&out.path().join("all.jsonl")),
        "--filter",
        "sample:plain",
    ]);
    assert_eq!(
        texts(list(&again, "samples"), "response")[0],
        EVIL,
        "nothing is lost"
    );
}

#[test]
fn a_picture_out_of_the_folder_is_named_and_not_opened() {
    let secret = tempfile::tempdir().expect("a folder");
    let picture = secret.path().join("secret.png");
    fs::write(&picture, "not to be read").expect("a file");
    let lines: Vec<Vec<u8>> = [
        "../secret.png",
        arg(&picture),
        "/etc/hostname",
        "http://127.0.0.1:9/x.png",
    ]
    .iter()
    .enumerate()
    .map(|(number, image)| line(&json!({"sample_id": format!("s{number}"), "image": image})))
    .collect();
    let folder = log(&lines);
    let samples: Value = eyechart(&["samples", arg(folder.path())]);
    assert_eq!(list(&samples, "samples").len(), 4);
    for (id, shown) in [
        ("s0", "../secret.png"),
        ("s1", "secret.png"),
        ("s2", "/etc/hostname"),
        ("s3", "http://127.0.0.1:9/x.png"),
    ] {
        let run = run(&["show", arg(folder.path()), "--sample", id]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(
            run.stdout.contains(shown) && !run.stdout.contains("not to be read"),
            "{}",
            run.stdout
        );
        assert_harmless(&run.stdout, id);
    }
}

/// Creates a pipe, a socket, or a link to a device that never ends.
#[cfg(unix)]
fn make_special(kind: &str, path: &Path) {
    use std::os::unix::{fs::symlink, net::UnixListener};
    match kind {
        "pipe" => {
            let made = std::process::Command::new("mkfifo").arg(path).status();
            assert!(made.expect("mkfifo runs").success());
        }
        "socket" => drop(UnixListener::bind(path).expect("a socket")),
        _ => symlink("/dev/zero", path).expect("a link"),
    }
}

/// Runs the program, which must end. Returns its exit code and its whole output.
#[cfg(unix)]
fn ended(args: &[&str]) -> (i32, String) {
    let child = program()
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let (end, ended) = mpsc::channel();
    thread::spawn(move || end.send(child.wait_with_output()));
    let output = ended.recv_timeout(Duration::from_mins(1));
    let output = output.unwrap_or_else(|_| panic!("{args:?} does not end"));
    let output = output.expect("an output");
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let code = output.status.code();
    (
        code.unwrap_or_else(|| panic!("{args:?} does not end")),
        text,
    )
}

#[cfg(unix)]
#[test]
fn a_published_set_with_pipes_or_devices_is_not_waited_for() {
    let logs = log(&[line(&json!({}))]);
    for (place, kind, told) in [
        ("rows", "pipe", "a pipe or a device"),
        ("rows", "socket", "a pipe or a device"),
        ("rows", "device", "is not followed"),
        ("manifest", "pipe", "no log in a known format"),
        ("manifest", "device", "is not followed"),
    ] {
        let out = tempfile::tempdir().expect("a folder");
        let set = out.path().join("set");
        let publish = ["publish", arg(logs.path()), "--to", arg(&set)];
        assert_eq!(ended(&publish).0, 0);
        let mut rows = fs::read_dir(set.join("rows")).expect("a folder");
        let file = match place {
            "rows" => rows.next().expect("a file").expect("a file").path(),
            _ => set.join("eyechart-data-set.000001.json"),
        };
        fs::remove_file(&file).expect("a file");
        make_special(kind, &file);
        for command in ["report", "check", "samples"] {
            let (code, text) = ended(&[command, arg(&set)]);
            assert!(
                matches!(code, 0 | 1 | 4),
                "{place} {kind} {command}: {text}"
            );
            assert!(
                command != "report" || text.contains(told),
                "{place} {kind}: {text}"
            );
        }
        let (code, text) = ended(&publish);
        assert!(matches!(code, 0 | 1), "{place} {kind}: {text}");
    }
}

/// Verdict files, sources of a report and journals of runs are pipes or devices.
#[cfg(unix)]
#[test]
fn no_command_waits_for_a_pipe_or_reads_a_device() {
    let (logs, other) = (
        log(&[line(&json!({}))]),
        tempfile::tempdir().expect("a folder"),
    );
    let path = |name: &str| other.path().join(name);
    let (logs, file, joined) = (arg(logs.path()), path("r.json"), path("joined"));
    assert_eq!(ended(&["report", logs, "--out", arg(&file)]).0, 0);
    let report: Value = serde_json::from_slice(&fs::read(&file).expect("a file")).expect("JSON");
    for kind in ["pipe", "socket", "device"] {
        let special = path(kind);
        make_special(kind, &special);
        let (code, text) = ended(&["report", logs, "--verdicts", arg(&special)]);
        assert!(matches!(code, 0 | 1 | 4), "{kind}: {text}");
        let verify = |change: &dyn Fn(&mut Value)| {
            let mut changed = report.clone();
            change(&mut changed);
            fs::write(&file, changed.to_string()).expect("a file");
            ended(&["report", "--verify", arg(&file)])
        };
        let words = ["eyechart", "report", logs, "--verdicts", arg(&special)];
        let (code, text) = verify(&|report| report["command"] = json!(words));
        assert!(matches!(code, 0 | 1 | 3), "{kind}: {text}");
        let (code, text) = verify(&|report| report["sources"][0]["path"] = json!(special));
        assert!(
            code == 3 && text.contains("a pipe or a device"),
            "{kind}: {text}"
        );
        let run = path(&format!("run-{kind}"));
        fs::create_dir(&run).expect("a folder");
        make_special(kind, &run.join("run.jsonl"));
        let (code, text) = ended(&["join", arg(&run), arg(&run), "--out", arg(&joined)]);
        assert!(
            code == 1 && text.contains("a pipe or a device"),
            "{kind}: {text}"
        );
    }
}
