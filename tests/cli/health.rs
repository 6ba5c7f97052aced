//! Tests `eyechart health`. Planted faults are reported with a reason, the written lists select
//! exactly these samples, and a check without data is refused. All answers are invented.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::own_format::log;
use crate::support::{arg, eyechart, fixture, list, one, run, texts};

/// Options of every question.
const COLORS: [&str; 4] = ["red", "green", "blue", "grey"];
/// Numbers of the samples whose label is wrong.
const FLIPPED: [usize; 6] = [9, 28, 47, 66, 85, 104];
/// Number of the sample that is repeated as the last sample.
const TWICE: usize = 3;
/// Number of samples.
const SAMPLES: usize = 120;

/// Writes a log of six models on samples with planted faults. Later models are better.
fn planted(folder: &Path) -> PathBuf {
    let mut lines = Vec::new();
    for at in 0..SAMPLES {
        let same = if at + 1 == SAMPLES { TWICE } else { at };
        let truth = same * 7 % 4;
        let label = if FLIPPED.contains(&at) {
            (truth + 1) % 4
        } else {
            truth
        };
        for model in 0..6 {
            let is_right = (at * 7 + model * 3) % 10 >= 5 - model;
            let answer = if is_right {
                truth
            } else {
                (truth + 1 + (at / 10 + model) % 3) % 4
            };
            let question = format!("What colour has item{same} on the shelf{}?", same % 9);
            let line = json!({
                "sample_id": format!("s{at:03}"), "benchmark": "shelf", "ability": "color",
                "model": format!("m{model}"), "image": format!("p{same}.png"),
                "question": if same == at { question } else { question.to_uppercase() },
                "choices": COLORS, "target": COLORS[label], "response": COLORS[answer],
            });
            lines.push(line.to_string());
        }
    }
    let log = folder.join("planted.eyechart.jsonl");
    fs::write(&log, lines.join("\n")).expect("a log");
    log
}

fn check<'a>(found: &'a Value, name: &str) -> &'a Value {
    one(list(found, "checks"), &[("check", name)])
}

fn ids(samples: &[usize]) -> Vec<String> {
    samples.iter().map(|at| format!("s{at:03}")).collect()
}

/// Ids of the samples that a check flags.
fn named(found: &Value, check: &str) -> Vec<String> {
    let flagged = list(found, "flagged").iter().filter(|sample| {
        let reasons = list(sample, "reasons");
        reasons.iter().any(|reason| reason["check"] == check)
    });
    flagged
        .map(|sample| sample["sample_id"].as_str().expect("an id").to_owned())
        .collect()
}

#[test]
fn wrong_labels_and_duplicates_are_named_with_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = planted(folder.path());
    let found = eyechart(&["health", arg(&log)]);
    assert_eq!(found["schema"], "eyechart.health/1");
    assert_eq!(found["samples"], SAMPLES);
    // One of the six is too similar to other samples to be significant.
    let labels = named(&found, "label");
    assert!(labels.len() >= 5, "{labels:?}");
    assert!(
        labels.iter().all(|id| ids(&FLIPPED).contains(id)),
        "{labels:?}"
    );
    assert_eq!(named(&found, "duplicate"), ids(&[SAMPLES - 1]));
    let label = check(&found, "label");
    assert_eq!(
        (&label["outcome"], &label["n"], &label["models"]),
        (&json!("found"), &json!(SAMPLES), &json!(6))
    );
    let twin = one(list(&found, "flagged"), &[("sample_id", "s119")]);
    let why = one(list(twin, "reasons"), &[("check", "duplicate")])["why"].as_str();
    assert_eq!(why, Some("the same question and picture as s003"));
    for sound in ["blind", "option_cue", "ambiguous"] {
        assert_eq!(check(&found, sound)["outcome"], "clear", "{sound}");
    }
    // The pictures in the log do not exist.
    let pictures = check(&found, "duplicate_picture");
    assert_eq!(
        (&pictures["outcome"], &pictures["reason"]),
        (&json!("refused"), &json!("no picture was read"))
    );
    let ability = &list(&found, "abilities")[0];
    assert!(ability["detectable"].as_f64().expect("a difference") > 0.0);
    assert!(ability["enough"].as_u64() <= ability["sound"].as_u64());
}

#[test]
fn each_list_and_filter_selects_its_samples() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = planted(folder.path());
    let [faults, clean] = ["faults.jsonl", "clean.jsonl"].map(|name| folder.path().join(name));
    let found = eyechart(&[
        "health",
        arg(&log),
        "--faults",
        arg(&faults),
        "--clean-out",
        arg(&clean),
    ]);
    let faulty = found["faulty"].as_u64().expect("a count");
    let faulty = usize::try_from(faulty).expect("a small count");
    assert!(faulty >= FLIPPED.len(), "{faulty}");
    let lines = |path: &Path| fs::read_to_string(path).expect("a list").lines().count();
    assert_eq!(lines(&faults), faulty);
    assert_eq!(lines(&clean), SAMPLES - faulty);
    let rows = |filter: &str| {
        let found = eyechart(&["samples", arg(&log), "--filter", filter]);
        let mut ids: Vec<String> = texts(list(&found, "samples"), "sample_id")
            .into_iter()
            .map(str::to_owned)
            .collect();
        ids.sort();
        ids.dedup();
        ids
    };
    let kept = rows(&format!("ids:{}", arg(&clean)));
    assert_eq!(kept.len(), SAMPLES - faulty);
    assert_eq!(rows(&format!("not ids:{}", arg(&faults))), kept);
    let filter = check(&found, "label")["filter"].as_str().expect("a filter");
    assert_eq!(rows(filter), named(&found, "label"));
}

/// Writes the planted log with two splits that contain the same ids: samples with the given tags,
/// and `hard` samples.
fn planted_splits(folder: &Path, first: &Value) -> PathBuf {
    let log = planted(folder);
    let half = SAMPLES / 2;
    let split = |line: &str| {
        let mut line: Value = serde_json::from_str(line).expect("an object");
        let id = line["sample_id"].as_str().expect("an id");
        let at: usize = id[1..].parse().expect("a number");
        line["sample_id"] = format!("s{:03}", at % half).into();
        line["tags"] = if at < half {
            first.clone()
        } else {
            json!({"split": "hard"})
        };
        line.to_string()
    };
    let text = fs::read_to_string(&log).expect("a log");
    let lines: Vec<String> = text.lines().map(split).collect();
    fs::write(&log, lines.join("\n")).expect("a log");
    log
}

#[test]
fn a_filter_tells_samples_without_a_split_from_those_with_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = planted_splits(folder.path(), &json!({}));
    let found = eyechart(&["health", arg(&log)]);
    let label = check(&found, "label");
    let filter = label["filter"].as_str().expect("a filter");
    assert!(filter.contains("not tag.split~."), "{filter}");
    let selected = eyechart(&["samples", arg(&log), "--filter", filter]);
    assert_eq!(
        list(&selected, "samples").len(),
        6 * named(&found, "label").len(),
        "{filter}"
    );
}

/// Two splits contain the same ids. `s009` in `easy` has a wrong label; `s009` in `hard` does not.
#[test]
fn lists_and_filters_tell_samples_of_different_splits_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = planted_splits(folder.path(), &json!({"split": "easy"}));
    let [faults, clean] = ["faults.jsonl", "clean.jsonl"].map(|name| folder.path().join(name));
    let args = [
        "health",
        arg(&log),
        "--faults",
        arg(&faults),
        "--clean-out",
        arg(&clean),
    ];
    let found = eyechart(&args);
    let faulty = found["faulty"].as_u64().expect("a count");
    let faulty = usize::try_from(faulty).expect("a small count");
    assert!(faulty >= FLIPPED.len() - 1, "{faulty}");
    let predictions = |filter: &str| {
        let found = eyechart(&["samples", arg(&log), "--filter", filter]);
        list(&found, "samples").len()
    };
    let sound = 6 * (SAMPLES - faulty);
    assert_eq!(predictions(&format!("ids:{}", arg(&clean))), sound);
    assert_eq!(predictions(&format!("not ids:{}", arg(&faults))), sound);
    let label = check(&found, "label");
    let filter = label["filter"].as_str().expect("a filter");
    assert_eq!(
        predictions(filter),
        6 * named(&found, "label").len(),
        "{filter}"
    );
    // A line without a split selects the samples of all splits.
    let listed = folder.path().join("few.jsonl");
    for (line, samples) in [
        (json!({"sample_id": "s001", "split": "hard"}), 1),
        (json!({"sample_id": "s001", "split": "none"}), 0),
        (json!({"sample_id": "s001", "benchmark": "shelf"}), 2),
    ] {
        fs::write(&listed, line.to_string()).expect("a list");
        let found = predictions(&format!("ids:{}", arg(&listed)));
        assert_eq!(found, 6 * samples, "{line}");
    }
}

#[test]
fn every_format_has_the_flagged_samples_and_the_screen_is_short() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = planted(folder.path());
    let screen = run(&["health", arg(&log)]);
    assert_eq!(screen.code, 0, "{}", screen.stderr);
    assert!(
        screen.stdout.contains("suspicious label"),
        "{}",
        screen.stdout
    );
    assert!(screen.stdout.lines().count() <= 24, "{}", screen.stdout);
    let csv = run(&["health", arg(&log), "--format", "csv"]).stdout;
    assert!(
        csv.starts_with("benchmark,ability,sample,fault,reasons\n"),
        "{csv}"
    );
    assert!(csv.contains("shelf,color,s009,yes,"), "{csv}");
    for args in [
        &["--long"][..],
        &["--format", "markdown"],
        &["--format", "html"],
    ] {
        let all = run(&[&["health", arg(&log)], args].concat()).stdout;
        for words in ["Flagged samples", "s009", "smallest detectable", "label"] {
            assert!(all.contains(words), "{args:?}: {words}");
        }
    }
}

#[test]
fn checks_without_enough_data_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = planted(folder.path());
    let few = eyechart(&["health", arg(&log), "--filter", "model:m0 or model:m1"]);
    for (name, reason) in [
        ("label", "needs answers of 5 models"),
        ("reversed", "needs answers of 3 models"),
        ("all_wrong", "needs answers of 3 models"),
    ] {
        let check = check(&few, name);
        assert_eq!(
            (&check["outcome"], &check["reason"]),
            (&json!("refused"), &json!(reason)),
            "{name}"
        );
    }
    let chosen = run(&["health", arg(&log), "--filter", "correct:false"]);
    assert_eq!(chosen.code, 2);
    assert!(
        chosen.stderr.contains("by their outcome"),
        "{}",
        chosen.stderr
    );
}

#[test]
fn the_same_picture_under_two_names_is_flagged_and_no_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = fixture("chains/shapes.png");
    let mut lines = Vec::new();
    for at in 0..2 {
        fs::copy(&picture, folder.path().join(format!("{at}.png"))).expect("a copy");
        let line = json!({
            "sample_id": format!("s{at}"), "ability": "color", "model": "m", "target": "red",
            "image": format!("{at}.png"), "question": format!("what is number {at}"),
            "response": "red",
        });
        lines.push(line.to_string());
    }
    let log = folder.path().join("a.eyechart.jsonl");
    fs::write(&log, lines.join("\n")).expect("a log");
    let found = eyechart(&["health", arg(&log)]);
    assert_eq!(named(&found, "duplicate_picture"), ["s1"]);
    assert_eq!(found["faulty"], 0);
    let unread = eyechart(&["health", arg(&log), "--pictures", "off"]);
    assert_eq!(check(&unread, "duplicate_picture")["outcome"], "refused");
}

/// Checks a log of three models. Asserts the outcome of the check with blank pictures.
fn blind_check(lines: &[Vec<u8>], outcome: &str) -> Value {
    let folder = log(lines);
    let found = eyechart(&["health", arg(folder.path())]);
    let blind = check(&found, "blind");
    assert_eq!(
        (&blind["outcome"], &blind["models"]),
        (&json!(outcome), &json!(3))
    );
    found
}

/// Three models agree on the right answer for 80 blank pictures, and on no answer for the others.
#[test]
fn answers_to_blank_pictures_name_samples_that_need_no_picture() {
    let mut lines = Vec::new();
    for at in 0..200_usize {
        let label = at * 7 % 4;
        for model in 0..3 {
            for is_blank in [false, true] {
                let is_known = at < 80 || !is_blank;
                let answer = if is_known {
                    label
                } else {
                    (at / 4 + model) % 4
                };
                let mut line = json!({
                    "sample_id": format!("s{at:03}"), "benchmark": "b", "ability": "color",
                    "model": format!("m{model}"), "image": format!("p{at}.png"),
                    "question": format!("What colour is item{at}?"), "choices": COLORS,
                    "target": COLORS[label], "response": COLORS[answer],
                });
                if is_blank {
                    line["condition"] = json!({"picture": "blank"});
                }
                lines.push(line.to_string().into_bytes());
            }
        }
    }
    let found = blind_check(&lines, "found");
    let known: Vec<usize> = (0..80).collect();
    assert_eq!(named(&found, "blind"), ids(&known));
    // All answers to real pictures are right. Blank pictures do not count for other checks.
    assert_eq!(check(&found, "all_right")["samples"], 200);
}

#[test]
fn always_to_say_the_most_frequent_answer_names_no_sample() {
    let mut lines = Vec::new();
    for at in 0..400_usize {
        let target = if at % 8 == 0 { "no" } else { "yes" };
        for model in 0..3 {
            for picture in ["own", "blank"] {
                let response = if picture == "blank" { "yes" } else { target };
                let line = json!({
                    "sample_id": format!("s{at:03}"), "benchmark": "b", "ability": "presence",
                    "model": format!("m{model}"), "image": format!("p{at}.png"),
                    "question": format!("Is item{at} there?"), "target": target,
                    "response": response, "metric": "accuracy", "condition": {"picture": picture},
                });
                lines.push(line.to_string().into_bytes());
            }
        }
    }
    let found = blind_check(&lines, "clear");
    assert_eq!(found["faulty"], 0);
}
