//! Tests published data sets with malicious manifests and files. Every value of a manifest is
//! replaced by every malicious value, and files are exchanged. Checks the requirements in
//! `hostile`. To test all cases, or to repeat one:
//!
//! ```text
//! EYECHART_SETS=4000 cargo test --release --test stores sets -- --nocapture
//! EYECHART_SETS_FROM=42 EYECHART_SETS=1 cargo test --release --test stores sets
//! ```

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use serde_json::Value;
use tempfile::TempDir;

use super::Setting;
use super::amount::amount;
use super::damage::{self, TOKENS};
use super::dice::Dice;
use super::hostile::{Machine, all};
use super::modes::{Objects, answer, variables};
use super::polled::rows;
use super::wire::Wire;

/// Default number of cases.
const USUAL: usize = 24;
/// Step between two cases in the table. It is a prime number, so a few cases cover all parts of the
/// table.
const STRIDE: usize = 7_919;
/// Placeholder for the value to replace.
const MARK: &str = "\"@@@@\"";
/// The newest manifest.
const MANIFEST: &str = "eyechart-data-set.000001.json";

/// Malicious values as JSON, in addition to [`TOKENS`]. `LONG` and `DEEP` are placeholders.
const VALUES: [&str; 26] = [
    "18446744073709551615",
    "9007199254740993",
    "1.5",
    "-0.0",
    "1e18",
    "[]",
    "{}",
    "[[]]",
    "\"\"",
    "\"7\"",
    "\"..\"",
    "\"../rows/x\"",
    "\"rows/../../../up.parquet\"",
    "\"/etc/passwd\"",
    "\"rows//etc/passwd\"",
    "\"rows/..%2f..%2fup.parquet\"",
    "\"rows\\\\..\\\\up.parquet\"",
    "\"C:\\\\up.parquet\"",
    "\"rows/\\u001b]0;x\\u0007\"",
    "\"rows/\\u0000\"",
    "\"\\u202e\\u2066\\u200b\"",
    "\"\\ud800\"",
    "\"s3://other/x\"",
    "\"http://127.0.0.1:1/x\"",
    "\"LONG\"",
    "DEEP",
];

/// A change to a complete data set.
type Change = (&'static str, fn(&Path, &mut Dice));

/// Rewrites the manifest.
fn edit(set: &Path, change: impl FnOnce(Vec<u8>) -> Vec<u8>) {
    let path = set.join(MANIFEST);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, change(bytes)).unwrap();
}

/// Rewrites the manifest as JSON.
fn edit_json(set: &Path, change: impl FnOnce(&mut Value)) {
    edit(set, |bytes| {
        let mut json = serde_json::from_slice(&bytes).unwrap();
        change(&mut json);
        serde_json::to_vec(&json).unwrap()
    });
}

/// The first file of a folder of the set.
fn file(set: &Path, folder: &str) -> PathBuf {
    let entries = fs::read_dir(set.join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.remove(0)
}

/// Replaces the first file of rows by something else.
fn exchange(set: &Path, with: impl FnOnce(&Path)) {
    let path = file(set, "rows");
    fs::remove_file(&path).unwrap();
    with(&path);
}

const CHANGES: [Change; 34] = [
    ("empty manifest", |set, _| edit(set, |_| Vec::new())),
    ("no object", |set, _| edit(set, |_| b"null".to_vec())),
    ("list", |set, _| edit(set, |_| b"[]".to_vec())),
    ("empty object", |set, _| edit(set, |_| b"{}".to_vec())),
    ("half a manifest", |set, _| {
        edit(set, |mut bytes| {
            bytes.truncate(bytes.len() / 2);
            bytes
        });
    }),
    ("damaged manifest", |set, dice| {
        edit(set, |bytes| damage::text(dice, bytes));
    }),
    ("another damaged manifest", |set, dice| {
        edit(set, |bytes| damage::bytes(dice, bytes));
    }),
    ("deep lists", |set, _| edit(set, |_| b"[".repeat(200_000))),
    ("deep objects", |set, _| {
        edit(set, |_| b"{\"a\":".repeat(200_000));
    }),
    ("zeros", |set, _| edit(set, |bytes| vec![0; bytes.len()])),
    ("order of bytes", |set, _| {
        edit(set, |bytes| [b"\xff\xfe", &bytes[..]].concat());
    }),
    ("layout of the future", |set, _| {
        edit_json(set, |json| json["layout"] = 3.into());
    }),
    ("layout of the past", |set, _| {
        edit_json(set, |json| json["layout"] = 0.into());
    }),
    ("no runs", |set, _| {
        edit_json(set, |json| json["runs"] = Value::Array(Vec::new()));
    }),
    ("a run twice", |set, _| {
        edit_json(set, |json| {
            let first = json["runs"][0].clone();
            json["runs"].as_array_mut().unwrap().push(first);
        });
    }),
    ("a run many times", |set, _| {
        edit_json(set, |json| {
            let first = json["runs"][0].clone();
            json["runs"]
                .as_array_mut()
                .unwrap()
                .extend(vec![first; 300]);
        });
    }),
    ("a part many times", |set, _| {
        edit_json(set, |json| {
            let run = &mut json["runs"][0];
            let part = run["parts"][0].clone();
            let n = part["n"].as_u64().unwrap();
            run["parts"].as_array_mut().unwrap().extend(vec![part; 300]);
            run["n"] = (301 * n).into();
            run["abilities"] = serde_json::json!({});
        });
    }),
    ("no parts", |set, _| {
        edit_json(set, |json| {
            json["runs"][0]["parts"] = Value::Array(Vec::new());
            json["runs"][0]["n"] = 0.into();
            json["runs"][0]["abilities"] = serde_json::json!({});
        });
    }),
    ("huge counts that add up", |set, dice| {
        edit_json(set, |json| {
            let n: u64 = [3_000_000, 1 << 40, 1 << 53, u64::MAX][dice.below(4)];
            for run in json["runs"].as_array_mut().unwrap() {
                run["n"] = n.into();
                run["parts"][0]["n"] = n.into();
                for own in run["abilities"].as_object_mut().unwrap().values_mut() {
                    own["n"] = n.into();
                }
            }
        });
    }),
    ("runs of the other model", |set, _| {
        edit_json(set, |json| {
            json["runs"][0]["model"] = json["runs"][1]["model"].clone();
            json["runs"][0]["origin"] = json["runs"][1]["origin"].clone();
        });
    }),
    ("rows instead of texts", |set, _| {
        edit_json(set, |json| {
            json["runs"][0]["parts"][0]["texts"] = json["runs"][0]["parts"][0]["rows"].clone();
        });
    }),
    ("rows instead of sums", |set, _| {
        edit_json(set, |json| {
            json["runs"][0]["cells"] = json["runs"][0]["parts"][0]["rows"].clone();
            json["runs"][0]["totals"] = json["runs"][0]["parts"][0]["texts"].clone();
        });
    }),
    ("rows of the other run", |set, _| {
        edit_json(set, |json| {
            json["runs"][0]["parts"] = json["runs"][1]["parts"].clone();
        });
    }),
    ("many abilities", |set, _| {
        edit_json(set, |json| {
            let run = &mut json["runs"][0];
            let own = run["abilities"].as_object_mut().unwrap();
            own.extend((0..20_000).map(|at| (format!("a{at}"), serde_json::json!({"n": 0}))));
        });
    }),
    ("a row file that is absent", |set, _| exchange(set, |_| ())),
    ("a row file that is empty", |set, _| {
        exchange(set, |path| fs::write(path, "").unwrap());
    }),
    ("a row file that is a folder", |set, _| {
        exchange(set, |path| fs::create_dir(path).unwrap());
    }),
    ("a row file that is a link outside", |set, _| {
        exchange(set, |path| symlink("/etc/passwd", path).unwrap());
    }),
    ("a row file that is a circle", |set, _| {
        exchange(set, |path| symlink(path, path).unwrap());
    }),
    ("a row file that is a pipe", |set, _| {
        exchange(set, |path| {
            assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        });
    }),
    ("a damaged row file with its hash", |set, dice| {
        let path = file(set, "rows");
        let old = fs::read(&path).unwrap();
        let new = damage::bytes(dice, old.clone());
        fs::write(&path, &new).unwrap();
        edit(set, |text| {
            let hash = |bytes: &[u8]| blake3::hash(bytes).to_hex().to_string();
            let text = String::from_utf8(text).unwrap();
            let text = text.replace(&hash(&old), &hash(&new));
            let length = |bytes: &[u8]| format!("\"bytes\": {},", bytes.len());
            text.replace(&length(&old), &length(&new)).into_bytes()
        });
    }),
    ("a sparse row file", |set, _| {
        const LENGTH: u64 = 100 << 30;
        let path = file(set, "rows");
        let length = fs::metadata(&path).unwrap().len();
        let opened = fs::OpenOptions::new().write(true).open(&path).unwrap();
        if opened.set_len(LENGTH).is_ok() {
            edit(set, |text| {
                let text = String::from_utf8(text).unwrap();
                let bytes = |length| format!("\"bytes\": {length},");
                text.replace(&bytes(length), &bytes(LENGTH)).into_bytes()
            });
        }
    }),
    ("a manifest of the highest number", |set, _| {
        let name = format!("eyechart-data-set.{}.json", u64::MAX);
        fs::copy(set.join(MANIFEST), set.join(name)).unwrap();
    }),
    ("a manifest that is a folder", |set, _| {
        fs::remove_file(set.join(MANIFEST)).unwrap();
        fs::create_dir(set.join(MANIFEST)).unwrap();
    }),
];

/// Collects the paths of all values in a document.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                places(value, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (number, value) in items.iter().enumerate() {
                places(value, &format!("{at}/{number}"), found);
            }
        }
        _ => {}
    }
}

/// Replaces a value in the manifest. Returns a description of the change.
fn replace(set: &Path, number: usize) -> String {
    let bytes = fs::read(set.join(MANIFEST)).unwrap();
    let mut json: Value = serde_json::from_slice(&bytes).unwrap();
    // Change only values of the first run, because the second run is similar.
    let mut found = Vec::new();
    let first = serde_json::json!({"runs": [json["runs"][0]], "layout": 2, "columns": {}, "written_by": ""});
    places(&first, "", &mut found);
    let place = &found[number % found.len()];
    let values: Vec<&str> = VALUES.into_iter().chain(TOKENS).collect();
    let value = values[number / found.len() % values.len()];
    let long = value.replace("LONG", &"x".repeat(1 << 20));
    let long = long.replace(
        "DEEP",
        &format!("{}{}", "[".repeat(9_000), "]".repeat(9_000)),
    );
    *json.pointer_mut(place).unwrap() = Value::String(MARK.trim_matches('"').to_owned());
    let text = serde_json::to_string_pretty(&json).unwrap();
    fs::write(set.join(MANIFEST), text.replace(MARK, &long)).unwrap();
    format!("{value} at {place}")
}

/// A set published from two logs.
fn published() -> TempDir {
    let setting = Setting::empty();
    let logs = setting.home.path().join("logs");
    fs::create_dir(&logs).unwrap();
    for model in ["alpha", "beta"] {
        fs::write(logs.join(format!("{model}.eyechart.jsonl")), rows(model, 5)).unwrap();
    }
    let run = setting.run(&["publish", "logs", "--to", "set"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    setting.home
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// The files of a set, as objects of a store.
fn objects(folder: &Path, path: &str, found: &mut Objects) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{path}/{}", entry.file_name().to_str().unwrap());
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            objects(&entry.path(), &path, found);
        } else if kind.is_file() && entry.metadata().unwrap().len() < 1 << 20 {
            found.insert(path, fs::read(entry.path()).unwrap());
        }
    }
}

/// Opens a changed data set in a folder and in a store, and publishes into it.
fn case(good: &Path, number: usize) -> Result<(), String> {
    let machine = Machine::new();
    let set = machine.home().join("set");
    copy(&good.join("set"), &set);
    let (place, mut dice) = (number * STRIDE, Dice::new("sets", number as u64));
    let what = if number.is_multiple_of(2) {
        let (name, change) = CHANGES[place / 2 % CHANGES.len()];
        change(&set, &mut dice);
        name.to_owned()
    } else {
        replace(&set, place / 2)
    };
    let mut stored = Objects::new();
    objects(&set, "team/set", &mut stored);
    let stored = Mutex::new(stored);
    let store = Wire::answering(move |head, body, _| {
        answer(&mut stored.lock().unwrap(), head, body).pieces()
    });
    let variables = variables(&store.address.to_string());
    for command in [
        "report set --format json",
        "check set --strict",
        "samples set",
        "report s3://team/set",
        "publish a.eyechart.jsonl --to s3://team/set",
        "publish a.eyechart.jsonl --to set",
    ] {
        let args: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let ended = machine.run(&args, &variables);
        ended.map_err(|why| format!("{what}, {command}: {why}"))?;
    }
    Ok(())
}

#[test]
fn a_hostile_set_does_no_harm() {
    let good = published();
    let from = amount("EYECHART_SETS_FROM", 0);
    let count = amount("EYECHART_SETS", USUAL);
    let wrong = all(from..from + count, |number| case(good.path(), number));
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
