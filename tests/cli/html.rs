//! Tests report files: HTML pages, hashes, and the command that reproduces them.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::own_format::{line, log};
use crate::support::{arg, eyechart, fixture, list, run, run_in};

/// HTML page of a report.
fn page(path: &Path) -> String {
    let run = run(&["report", arg(path), "--format", "html"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.stdout
}

/// HTML page of all fixtures; it takes seconds to build.
static PAGE: LazyLock<String> = LazyLock::new(|| page(&fixture("")));

/// Asserts that tags are closed in order, attributes are quoted, and special characters are
/// escaped.
pub fn assert_well_formed(page: &str) {
    let mut rest = page
        .strip_prefix("<!DOCTYPE html>")
        .expect("a document type");
    let mut open: Vec<&str> = Vec::new();
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        // Style sheets and scripts are not escaped, and contain none of the other special
        // characters.
        assert!(
            !text.contains('>') || ["style", "script"].contains(open.last().unwrap_or(&"")),
            "{text:?}"
        );
        for entity in text.split('&').skip(1) {
            let known = ["lt;", "gt;", "amp;", "quot;", "apos;", "#39;"];
            assert!(
                known.iter().any(|known| entity.starts_with(known)),
                "&{entity}"
            );
        }
        let end = start + rest[start..].find('>').expect("a tag is closed");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
            continue;
        }
        let (tag, empty) = tag
            .strip_suffix('/')
            .map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "{tag}");
        assert_eq!(attributes.matches('"').count() % 2, 0, "{tag}");
        let outside = attributes.split('"').step_by(2);
        assert!(
            outside
                .clone()
                .filter(|part| !part.is_empty())
                .all(|part| part.ends_with('=')),
            "{tag}"
        );
        if !empty {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

/// Cell texts of all table rows.
fn rows(page: &str) -> Vec<Vec<String>> {
    let text = |cell: &str| {
        let mut text = String::new();
        let mut inside = false;
        for c in cell.chars() {
            match c {
                '<' => inside = true,
                '>' => inside = false,
                c if !inside => text.push(c),
                _ => {}
            }
        }
        text.trim()
            .replace("&#39;", "'")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&")
    };
    let cells = |row: &str| {
        let row = row.replace("</th>", "</td>");
        let mut cells: Vec<String> = row
            .split("</td>")
            .map(|cell| text(&format!("{cell}>")))
            .collect();
        cells.pop();
        cells
            .iter()
            .map(|cell| cell.trim_end_matches('>').to_owned())
            .collect()
    };
    let rows = page.split("<tr>").skip(1);
    rows.map(|row| cells(row.split("</tr>").next().expect("a row")))
        .collect()
}

/// A number as reports format it.
fn number(value: &Value) -> String {
    match value.as_f64() {
        None => "–".to_owned(),
        // Numbers have five significant digits.
        Some(value) if value.abs() >= 100.0 => {
            let decimals = if value.abs() >= 1000.0 { 1 } else { 2 };
            let text = format!("{value:.decimals$}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        Some(value) => format!("{value:.4}"),
    }
}

fn interval(value: &Value) -> String {
    if value.is_null() {
        return "–".to_owned();
    }
    format!("[{}, {}]", number(&value[0]), number(&value[1]))
}

/// A count, or a dash for null.
fn whole(value: &Value) -> String {
    value
        .as_u64()
        .map_or_else(|| "–".to_owned(), |value| value.to_string())
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Name of a row's model, with its run if there are several.
fn named(row: &Value) -> String {
    match row["run"].as_str() {
        None => text(&row["model"]).to_owned(),
        Some(run) => format!("{} · {run}", text(&row["model"])),
    }
}

#[test]
fn the_page_has_the_numbers_of_the_json() {
    let report = eyechart(&["report", arg(&fixture(""))]);
    assert_well_formed(&PAGE);
    let rows = rows(&PAGE);
    let scores = list(&report, "scores");
    assert!(scores.len() > 50);
    for score in scores {
        let ranks = match &score["rank_ci"] {
            Value::Null => "–".to_owned(),
            ranks => format!("{}-{}", ranks[0], ranks[1]),
        };
        let n = match &score["n"] {
            n if n == 0 => "–".to_owned(),
            n => whole(n),
        };
        let tail = [
            named(score),
            number(&score["score"]),
            interval(&score["ci"]),
            whole(&score["rank"]),
            ranks,
            n,
            match text(&score["origin"]) {
                "samples" => whole(&score["invalid"]),
                _ => "–".to_owned(),
            },
        ];
        assert!(rows.iter().any(|row| row.ends_with(&tail)), "{tail:?}");
    }
    let mut found = 0;
    for group in list(&report, "subgroups") {
        let cell = format!(
            "{} n {} {}",
            number(&group["score"]),
            group["n"],
            interval(&group["ci"])
        );
        found += usize::from(rows.iter().any(|row| row.contains(&cell)));
    }
    // Tags that are constant within an ability are left out; small logs have many of them.
    assert!(found * 10 > list(&report, "subgroups").len() * 8, "{found}");
    for rank in list(&report, "average_rank") {
        let value = rank["value"]
            .as_f64()
            .map_or("–".to_owned(), |value| format!("{value:.2}"));
        let cell = format!("{value} of {}", rank["abilities"]);
        let model = named(rank);
        assert!(
            rows.iter()
                .any(|row| row[0] == model && row.get(1) == Some(&cell)),
            "{model} {cell}"
        );
    }
    for row in list(&report, "reliability") {
        let re = match number(&row["re"]) {
            re if re == "–" => re,
            re => format!("{re} {}", interval(&row["re_ci"])),
        };
        let head = [named(row), whole(&row["n"]), number(&row["ve_mean"]), re];
        assert!(rows.iter().any(|row| row.starts_with(&head)), "{head:?}");
    }
}

#[test]
fn the_page_needs_nothing_from_outside() {
    for page in [&*PAGE, &page(&crate::support::sample_runs())] {
        assert_well_formed(page);
        let without = page
            .replace("xmlns=\"http://www.w3.org/2000/svg\"", "")
            .replace("xmlns=\"http://www.w3.org/1999/xhtml\"", "")
            .replace("src=\"data:image/", "");
        for part in [
            "http:",
            "https:",
            "src=",
            "<script ",
            "style=",
            "@import",
            "url(",
            "<link",
            "javascript:",
        ] {
            assert!(!without.contains(part), "{part}");
        }
        // The allowed sources; all others are forbidden by default.
        let policy = page.split("Content-Security-Policy\" content=\"").nth(1);
        let policy = policy.and_then(|rest| rest.split('"').next());
        let policy = policy.expect("a policy");
        let has_script = page.contains("<script>");
        for rule in policy.split("; ") {
            let (name, sources) = rule.split_once(' ').expect("a rule");
            match name {
                "style-src" => assert!(sources.starts_with("'sha256-"), "{rule}"),
                "script-src" => assert!(has_script && sources.starts_with("'sha256-"), "{rule}"),
                "img-src" => assert_eq!(sources, "data:"),
                "default-src" | "base-uri" | "form-action" => assert_eq!(sources, "'none'"),
                other => panic!("{other}"),
            }
        }
        assert_eq!(has_script, policy.contains("script-src"));
        let charts = page.matches("<svg role=\"img\"").count();
        assert!(charts > 20, "{charts}");
        assert_eq!(
            page.matches("<title>").count(),
            charts + 1,
            "each chart has a title"
        );
        assert_eq!(page.matches("<desc>").count(), charts);
    }
}

#[test]
fn rank_sets_say_that_they_hold_together() {
    assert!(page(&fixture("ava_bench")).contains("95 %, together"));
}

#[test]
fn a_comparison_has_its_sentences_and_charts() {
    let logs = fixture("ava_bench");
    let sides = ["dinov2_qwen2_lora_epoch_10", "clip_qwen2_lora_epoch_10"];
    let args = ["compare", sides[0], sides[1], arg(&logs)];
    let made = run(&[&args[..], &["--format", "html"]].concat());
    assert_eq!(made.code, 0, "{}", made.stderr);
    assert_well_formed(&made.stdout);
    let rows = rows(&made.stdout);
    let report = eyechart(&args);
    for ability in list(&report, "abilities") {
        let sentence = text(&ability["sentence"]).replace('<', "&lt;");
        assert!(
            made.stdout.contains(&format!("<p>{sentence}</p>")),
            "{sentence}"
        );
        let numbers = [number(&ability["difference"]), interval(&ability["ci"])];
        let has = |row: &Vec<String>| row.windows(2).any(|pair| pair == numbers);
        assert!(rows.iter().any(has), "{numbers:?}");
    }
    assert!(made.stdout.contains("A is better"), "a chart tells who is");
    assert!(
        made.stdout.contains("eyechart compare dinov2"),
        "the command"
    );
}

#[test]
fn markup_in_a_log_is_text() {
    let evil = "</td><script>alert(\"1\")</script>&amp;'<svg onload=x>\u{202e}\u{1b}";
    let sample = |id: &str, model: &str, size: u64| {
        line(&json!({
            "sample_id": format!("{evil}{id}"), "benchmark": evil, "ability": format!("a{evil}"), "model": format!("{model}{evil}"),
            "metric": evil, "score": size % 2, "tags": {(evil): size, "t": format!("{evil}{size}")},
        }))
    };
    let folder = log(&[
        sample("a", "m", 1),
        sample("b", "m", 2),
        sample("c", "m", 3),
        sample("a", "o", 1),
        b"{broken".to_vec(),
    ]);
    for command in ["report", "samples", "check"] {
        let run = run(&[command, arg(folder.path()), "--format", "html"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_well_formed(&run.stdout);
        for part in ["<script>alert", "<svg onload", "\u{202e}", "\u{1b}"] {
            assert!(!run.stdout.contains(part), "{command}: {part:?}");
        }
    }
    assert!(page(folder.path()).contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;"));
}

/// A folder with copies of some logs.
fn copied() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let logs = folder.path().join("logs");
    fs::create_dir(&logs).expect("a folder");
    for model in ["m", "o"] {
        let lines: Vec<Vec<u8>> = (0..20)
            .map(|id| line(&json!({"sample_id": id.to_string(), "model": model, "score": id % 3 % 2, "tags": {"size": id}})))
            .collect();
        let lines: Vec<u8> = lines.join(&b'\n');
        fs::write(logs.join(format!("{model}.eyechart.jsonl")), lines).expect("a log");
    }
    folder
}

#[test]
fn the_ending_tells_the_format_and_the_command_makes_the_file_again() {
    let folder = copied();
    let beginnings = [
        ("r.html", "<!DOCTYPE html>"),
        ("r.md", "## Scores"),
        ("r.csv", "benchmark,"),
        ("r.json", "{\"schema\""),
        ("r.jsonl", "{\"benchmark\""),
        ("r.txt", "Scores"),
    ];
    for (file, beginning) in beginnings {
        let args = [
            "report",
            "logs",
            "--filter",
            "not tag.size=3",
            "--by",
            "size:width:3",
            "--out",
            file,
        ];
        let made = run_in(folder.path(), &args);
        assert_eq!(
            (made.code, made.stdout.as_str()),
            (0, ""),
            "{}",
            made.stderr
        );
        let written = fs::read(folder.path().join(file)).expect("the file");
        assert!(written.starts_with(beginning.as_bytes()), "{file}");
        if file == "r.html" {
            let page = String::from_utf8_lossy(&written);
            let command = "eyechart report logs --filter &#39;not tag.size=3&#39; --by size:width:3 --out r.html";
            assert!(page.contains(command), "{page}");
        }
        let again = run_in(folder.path(), &args);
        assert_eq!(again.code, 0, "a report may be replaced");
        assert_eq!(
            fs::read(folder.path().join(file)).expect("the file"),
            written,
            "{file}"
        );
    }
    let names: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(names.len(), beginnings.len() + 1, "nothing else is left");
}

#[test]
fn logs_stay_as_they_are() {
    let folder = copied();
    let file = "logs/m.eyechart.jsonl";
    let before = fs::read(folder.path().join(file)).expect("the log");
    for command in ["report", "samples", "check"] {
        let run = run_in(folder.path(), &[command, "logs", "--out", file]);
        assert_eq!(run.code, 1);
        assert!(run.stderr.contains("is not changed"), "{}", run.stderr);
    }
    assert_eq!(fs::read(folder.path().join(file)).expect("the log"), before);
    let unknown = run_in(folder.path(), &["report", "logs", "--out", "r.doc"]);
    assert_eq!(unknown.code, 2, "{}", unknown.stderr);
    assert!(!folder.path().join("r.doc").exists());
    let nowhere = run_in(folder.path(), &["report", "logs", "--out", "no/r.html"]);
    assert_eq!(nowhere.code, 1, "{}", nowhere.stderr);
}

#[test]
fn hashes_are_those_of_the_files_and_only_where_they_are_wanted() {
    let folder = copied();
    let plain = run_in(folder.path(), &["report", "logs", "--format", "json"]);
    assert!(!plain.stdout.contains("blake3") && !plain.stdout.contains("\"command\""));
    let made = run_in(folder.path(), &["report", "logs", "--out", "r.json"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let file = fs::read(folder.path().join("r.json")).expect("the file");
    let report: Value = serde_json::from_slice(&file).expect("JSON");
    assert_eq!(
        report["command"],
        json!(["eyechart", "report", "logs", "--out", "r.json"])
    );
    for source in list(&report, "sources") {
        let bytes = fs::read(folder.path().join(text(&source["path"]))).expect("the log");
        assert_eq!(
            text(&source["blake3"]),
            blake3::hash(&bytes).to_hex().as_str()
        );
    }
}

#[test]
fn a_report_says_what_has_changed_since() {
    let folder = copied();
    let verify = || run_in(folder.path(), &["report", "--verify", "r.json"]);
    let made = run_in(
        folder.path(),
        &["report", "logs", "--by", "size", "--out", "r.json"],
    );
    assert_eq!(made.code, 0, "{}", made.stderr);
    let same = verify();
    assert_eq!(same.code, 0, "{}{}", same.stdout, same.stderr);
    assert!(
        same.stdout.contains("2 sources unchanged"),
        "{}",
        same.stdout
    );
    let log = folder.path().join("logs/m.eyechart.jsonl");
    let lines = fs::read_to_string(&log).expect("the log");
    fs::write(&log, lines.replacen("\"score\":1", "\"score\":0", 1)).expect("a log");
    let changed = verify();
    assert_eq!(changed.code, 3, "{}{}", changed.stdout, changed.stderr);
    for part in [
        "m.eyechart.jsonl has changed",
        "1 source unchanged",
        " differ\n",
    ] {
        assert!(changed.stdout.contains(part), "{part}: {}", changed.stdout);
    }
    fs::write(folder.path().join("x.json"), "{}").expect("a file");
    // A malicious report contains addresses: they are not contacted, and no key is sent.
    let old = fs::read_to_string(folder.path().join("r.json")).expect("the report");
    let mut old: Value = serde_json::from_str(&old).expect("JSON");
    for address in [
        "clickhouse://127.0.0.1:1/db",
        "s3://bucket/x",
        "https://127.0.0.1:1/a.jsonl",
        "S3://bucket/x",
        "HTTP://127.0.0.1:1/x",
        "hf:///owner/name",
    ] {
        old["command"] =
            serde_json::json!(["eyechart", "report", "a.eyechart.jsonl", "--data", address]);
        fs::write(folder.path().join("stranger.json"), old.to_string()).expect("a file");
        let refused = run_in(folder.path(), &["report", "--verify", "stranger.json"]);
        assert_eq!(refused.code, 1, "{}", refused.stdout);
        assert!(
            refused.stderr.contains("is contacted only if you name it"),
            "{}",
            refused.stderr
        );
    }
    // An address in the value of an option.
    old["command"] = json!(["eyechart", "report", "logs", "--verdicts=s3://attacker/x"]);
    fs::write(folder.path().join("stranger.json"), old.to_string()).expect("a file");
    let refused = run_in(folder.path(), &["report", "--verify", "stranger.json"]);
    assert!(
        refused.stderr.contains("is contacted only if you name it"),
        "{}",
        refused.stderr
    );
    // Nothing is written, and sources are not requested.
    old["command"] = json!(["eyechart", "report", "logs", "--out", "taken.html"]);
    old["sources"] = json!([{"path": "s3://attacker/x", "blake3": "0"}]);
    fs::write(folder.path().join("stranger.json"), old.to_string()).expect("a file");
    let verified = run_in(folder.path(), &["report", "--verify", "stranger.json"]);
    assert_eq!(verified.code, 3, "{}", verified.stderr);
    assert!(!folder.path().join("taken.html").exists());
    // Devices are not read, because they never end.
    for (command, source) in [
        ("/dev/zero", "logs/m.eyechart.jsonl"),
        ("logs", "/dev/zero"),
    ] {
        old["command"] = json!(["eyechart", "report", command]);
        old["sources"] = json!([{"path": source, "blake3": "0"}]);
        fs::write(folder.path().join("stranger.json"), old.to_string()).expect("a file");
        let refused = run_in(folder.path(), &["report", "--verify", "stranger.json"]);
        let said = refused.stdout + &refused.stderr;
        assert!(said.contains("a pipe or a device"), "{said}");
    }
    // A sparse file takes no space on disk, but hours to read. The limit is on the length of all
    // sources.
    let sparse = fs::File::create(folder.path().join("sparse")).expect("a file");
    sparse.set_len(1 << 40).expect("a sparse file");
    old["command"] = json!(["eyechart", "report", "logs"]);
    old["sources"] = json!([
        {"path": "sparse", "blake3": "0"},
        {"path": "logs/m.eyechart.jsonl", "blake3": "0"},
    ]);
    fs::write(folder.path().join("stranger.json"), old.to_string()).expect("a file");
    let refused = run_in(folder.path(), &["report", "--verify", "stranger.json"]);
    for path in ["sparse", "logs/m.eyechart.jsonl"] {
        let told = format!(
            "{path}: more than 65536 MiB in the sources of a report to verify (limits.hashed"
        );
        assert!(refused.stdout.contains(&told), "{}", refused.stdout);
    }
    assert_eq!(refused.code, 3, "{}", refused.stderr);
    let none = run_in(folder.path(), &["report", "--verify", "/dev/zero"]);
    assert!(
        none.stderr.contains("a pipe or a device"),
        "{}",
        none.stderr
    );
    let none = run_in(folder.path(), &["report", "--verify", "x.json"]);
    assert_eq!(none.code, 1, "{}", none.stderr);
}
