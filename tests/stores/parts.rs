//! Tests large files in a bucket. Only the needed parts are downloaded, each once, and the numbers
//! equal those from complete files.

use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};

use reader::tabular::{Column, Form, Writer};
use serde_json::Value;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::server::{Fault, FaultScope};
use super::support::{self, HARNESSES, fixture, list};
use super::{Setting, numbers};

const MIB: u64 = 1 << 20;

/// Text that hardly compresses and differs by seed.
fn noise(length: usize, seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut text = String::with_capacity(length + 16);
    while text.len() < length {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        write!(text, "{state:016x}").expect("a text");
    }
    text.truncate(length);
    text
}

/// A bucket and a folder with the same content.
struct StoreCopies {
    setting: Setting,
    folder: tempfile::TempDir,
}

impl StoreCopies {
    fn new() -> Self {
        Self {
            setting: Setting::empty(),
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self.setting.server.put(&format!("big/{name}"), bytes);
    }

    /// Report from the folder.
    fn here(&self) -> Value {
        support::eyechart(&["report", self.folder.path().to_str().unwrap()])
    }

    /// Report from the bucket, with the number of object requests and of bytes.
    fn there(&self) -> (Value, usize, u64) {
        self.setting.server.seen();
        self.setting.server.sent();
        let report = self.setting.json(&["report", "s3://big"]);
        let seen = self.setting.server.seen();
        let objects = seen.iter().filter(|request| !request.contains("list-type"));
        (report, objects.count(), self.setting.server.sent())
    }

    /// Asserts that a second start requests only the listing, and gives the same report.
    fn assert_kept(&self, first: &Value) {
        let (again, requests, bytes) = self.there();
        assert_eq!((requests, bytes), (0, 0));
        assert_eq!(numbers(&again), numbers(first));
    }
}

/// An Inspect log that contains a header, and samples of `length` bytes.
fn archive(model: &str, created: &str, samples: usize, length: usize) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut put = |name: &str, text: &str| {
        writer.start_file(name, packed).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    };
    put("_journal/start.json", "{}");
    for at in 0..samples {
        let score = if at % 3 == 0 { "C" } else { "I" };
        let sample = serde_json::json!({
            "id": at, "epoch": 1, "input": format!("question {at}"), "target": "x",
            "scores": {"match": {"value": score}}, "output": {"completion": "x"},
            "store": {"picture": noise(length, at as u64)},
        });
        put(&format!("samples/{at}_epoch_1.json"), &sample.to_string());
    }
    let header = serde_json::json!({
        "status": "success",
        "eval": {"task": "t", "model": model, "created": created, "dataset": {"samples": samples}},
        "results": {"total_samples": samples, "scores": []},
    });
    put("header.json", &header.to_string());
    writer.finish().unwrap().into_inner()
}

/// A converted log with `rows` rows, and a column of `beside` bytes per row that is not read.
pub fn table(rows: usize, beside: usize) -> Vec<u8> {
    let names = [
        "sample_id",
        "ability",
        "model",
        "question",
        "response",
        "raw",
    ];
    let mut columns: Vec<(String, bool)> = names
        .iter()
        .map(|name| ((*name).to_owned(), false))
        .collect();
    columns.push(("score".to_owned(), true));
    let mut bytes = Vec::new();
    let mut writer = Writer::new(Form::Parquet, &mut bytes, &columns).unwrap();
    for part in 0..4 {
        let ids = part * rows / 4..(part + 1) * rows / 4;
        let text = |of: &dyn Fn(usize) -> String| {
            let values = ids.clone().map(|at| Some(of(at).into()));
            Column::Text(values.collect())
        };
        let scores = ids.clone().map(|at| Some(f64::from(u8::from(at % 3 == 0))));
        let columns = vec![
            text(&|at| format!("s{at}")),
            text(&|at| ["counting", "color"][at % 2].to_owned()),
            text(&|_| "m".to_owned()),
            text(&|at| format!("question {at}")),
            text(&|at| format!("answer {at}")),
            text(&|at| noise(beside, at as u64)),
            Column::Number(scores.collect()),
        ];
        writer.write(columns).unwrap();
    }
    writer.finish().unwrap();
    bytes
}

#[test]
fn of_large_files_that_are_no_logs_the_beginning_is_fetched() {
    let twice = StoreCopies::new();
    for harness in HARNESSES {
        for entry in walkdir(&fixture(harness)) {
            let name = entry.strip_prefix(fixture("")).unwrap();
            twice.put(name.to_str().unwrap(), &fs::read(&entry).unwrap());
        }
    }
    twice.there();
    let long = noise(5 << 20, 1);
    let lines = |part: &str| format!("{{\"event\": \"{part}\"}}\n").repeat(5 << 20 >> 5);
    let names = format!("user,event\n{}", "7,login\n".repeat(5 << 20 >> 3));
    let rows = table(20_000, 250);
    let no_log = {
        // A table without a model column is not a converted log.
        let place = memchr::memmem::rfind_iter(&rows, b"model").collect::<Vec<_>>();
        let mut rows = rows.clone();
        for at in place {
            rows[at..at + 5].copy_from_slice(b"hotel");
        }
        rows
    };
    for at in 0..10 {
        twice.put(
            &format!("other/{at}.jsonl"),
            lines(&at.to_string()).as_bytes(),
        );
        twice.put(
            &format!("other/{at}.json"),
            format!("[\"{long}\"]").as_bytes(),
        );
        twice.put(&format!("other/{at}.csv"), names.as_bytes());
        twice.put(&format!("other/{at}.txt"), long.as_bytes());
        twice.put(&format!("other/{at}.parquet"), &no_log);
    }
    let (report, requests, bytes) = twice.there();
    assert_eq!(numbers(&report), numbers(&twice.here()));
    // The start of each file, the end of tables, and the bytes that some readers check after the
    // start.
    assert!(requests <= 4 * 50, "{requests}");
    let each = 2 * long.len() + lines("0").len() + names.len() + no_log.len();
    assert!(bytes < each as u64, "a tenth of what lies there: {bytes}");
    twice.assert_kept(&report);
}

/// Every file below a folder.
fn walkdir(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(walkdir(&path));
        } else {
            found.push(path);
        }
    }
    found
}

#[test]
fn of_an_archive_that_does_not_count_its_ends_are_fetched() {
    let twice = StoreCopies::new();
    let old = archive("m", "2026-01-01T00:00:00+00:00", 40, 500_000);
    let new = archive("m", "2026-01-02T00:00:00+00:00", 30, 500_000);
    twice.put("2026-01-01_old.eval", &old);
    twice.put("2026-01-02_new.eval", &new);
    let (report, requests, bytes) = twice.there();
    assert_eq!(numbers(&report), numbers(&twice.here()));
    let rows: Vec<_> = list(&report, "sources")
        .iter()
        .map(|source| source["rows"].clone())
        .collect();
    assert_eq!(rows, [0, 30]);
    assert_eq!(requests, 2 + 3, "two ends of each, and the one that counts");
    assert!(bytes < new.len() as u64 + MIB, "{bytes}");
    twice.assert_kept(&report);
}

#[test]
fn of_an_archive_with_other_large_members_its_samples_are_fetched() {
    let twice = StoreCopies::new();
    let few = archive("m", "2026-01-01T00:00:00+00:00", 200, 2_000);
    let mut writer = ZipWriter::new_append(Cursor::new(few)).unwrap();
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for at in 0..20 {
        writer
            .start_file(format!("pictures/{at}.png"), stored)
            .unwrap();
        writer.write_all(noise(1 << 20, at).as_bytes()).unwrap();
    }
    let bytes = writer.finish().unwrap().into_inner();
    twice.put("a.eval", &bytes);
    let (report, requests, came) = twice.there();
    assert_eq!(numbers(&report), numbers(&twice.here()));
    assert_eq!(list(&report, "sources")[0]["rows"], 200);
    assert!(requests <= 6 && came < 2 * MIB, "{requests} {came}");
    twice.assert_kept(&report);
    // A sample that was displayed is already cached.
    twice.setting.server.seen();
    let shown = twice.setting.run(&["show", "s3://big", "--sample", "7"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert!(shown.stdout.contains("question 7"), "{}", shown.stdout);
    assert_eq!(twice.setting.server.seen().len(), 1);
}

#[test]
fn of_a_table_the_columns_are_fetched_that_are_read() {
    let twice = StoreCopies::new();
    let bytes = table(10_000, 3_000);
    twice.put("set/a.parquet", &bytes);
    let (report, requests, came) = twice.there();
    assert_eq!(numbers(&report), numbers(&twice.here()));
    assert_eq!(list(&report, "sources")[0]["rows"], 10_000);
    assert!(requests <= 2 + 8, "{requests}");
    assert!(came < MIB, "{came}");
    twice.assert_kept(&report);
}

#[test]
fn what_goes_wrong_with_a_part_is_put_right_or_told() {
    let twice = StoreCopies::new();
    twice.put("set/a.parquet", &table(10_000, 3_000));
    let here = twice.here();
    let fresh = || twice.setting.elsewhere();
    let server = &twice.setting.server;
    for (fault, times) in [(Fault::Cut, 5), (Fault::SlowDown, 5)] {
        server.fail(FaultScope::Objects, fault, times);
        let there = fresh().json(&["report", "s3://big"]);
        assert_eq!(numbers(&there), numbers(&here), "{fault:?}");
        server.with(super::server::Store::recover);
    }
    server.with(|store| store.whole_only = true);
    let there = fresh().json(&["report", "s3://big"]);
    assert_eq!(numbers(&there), numbers(&here));
    server.with(|store| store.whole_only = false);
    // Files that are refused, from the third request on, are reported and give no numbers.
    server.seen();
    server.with(|store| store.refused_after = Some(3));
    let run = fresh().run(&["report", "s3://big", "--format", "json"]);
    assert_ne!(run.code, 0, "{}", run.stdout);
    assert!(
        run.stderr.contains("s3://big/set/a.parquet"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("refuses access"), "{}", run.stderr);
}

#[test]
fn what_is_replaced_while_it_is_read_is_read_anew() {
    let twice = StoreCopies::new();
    twice.put("set/a.parquet", &table(10_000, 3_000));
    let other = table(12_000, 3_000);
    // The object is replaced after the listing and both ends were read.
    twice.setting.server.seen();
    twice.setting.server.with(|store| {
        store.replaced_after = Some((3, "big/set/a.parquet".to_owned(), other.clone()));
    });
    let report = twice.setting.json(&["report", "s3://big"]);
    assert_eq!(list(&report, "sources")[0]["rows"], 12_000);
    twice.put("set/a.parquet", &other);
    assert_eq!(numbers(&report), numbers(&twice.here()));
}
