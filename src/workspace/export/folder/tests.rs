//! Tests that written folders match the schemas of their formats, and can be opened with the same
//! samples.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value as Json;
use tempfile::TempDir;

use super::groups::{GroupKey, PathParts, TaskKey, path_part, uuid};
use super::hugging_face::results;
use super::inspect::member;
use super::testing::{Schema, fixture};
use super::*;
use crate::export::{Records, metadata_of};
use crate::load::{Request, load};
use analysis::metric::Interval;
use analysis::{Depth, scores};
use base::file::Inputs;
use record::{Row, Scoring, Table, label_words};

/// Logs of twelve harnesses.
const LOGS: [&str; 12] = [
    "inspect_ai/logs",
    "vlmevalkit",
    "lm_eval",
    "lmms_eval",
    "evalscope",
    "helm",
    "promptfoo",
    "lighteval",
    "opencompass",
    "llava",
    "ava_bench",
    "mmmu",
];

fn open(path: &Path) -> Table {
    let request = Request {
        paths: vec![path.to_path_buf()],
        ..Request::default()
    };
    load(&request, &mut |_| ControlFlow::Continue(()))
}

/// Writes all predictions of a table into a new folder.
fn written(table: &Table, layout: Layout) -> (TempDir, FolderGaps) {
    let folder = tempfile::tempdir().unwrap();
    let selection = Selection::all(table, Scoring::Harness);
    let content = FolderContent {
        selection,
        scores: &scores(selection, Depth::Intervals),
        metadata: &metadata_of(selection),
    };
    let target = FolderTarget {
        layout,
        folder: folder.path(),
        inputs: &Inputs::default(),
        command: "eyechart report logs",
        time: UNIX_EPOCH + Duration::from_secs(1_800_000_000),
    };
    let gaps = to_folder(content, &target).unwrap();
    (folder, gaps)
}

/// Returns the rows of a table by key. Each has its content (id, answer, score, rule, target,
/// options and tags), and true if it has a score.
fn rows(table: &Table) -> BTreeMap<String, (String, bool)> {
    let mut records = Records::new(table, Scoring::Harness, Path::new("none"));
    let rows = 0..u32::try_from(table.len()).unwrap();
    let row = |row| {
        let record = records.record(Row(row)).unwrap();
        let score = record.stored.filter(|score| !score.is_nan());
        let score = score.map(f64::to_bits);
        let mut beside = record.beside.clone();
        beside.sort_by(|a, b| a.0.cmp(&b.0));
        let content = &record.content;
        let key = format!(
            "{} {} {} {} {} {:?}",
            record.benchmark,
            record.ability,
            record.sample_id,
            record.model,
            label_words(&record.condition),
            record.content.tags.get("split")
        );
        let value = format!(
            "{:?} {:?} {:?} {score:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            record.response,
            record.parsed,
            record.metric,
            record.rule,
            beside,
            content.question,
            content.target,
            content.choices,
            content.tags,
            content.images
        );
        (key, (value, record.stored.is_some_and(f64::is_finite)))
    };
    rows.map(row).collect()
}

/// Returns the rows that have a score, which Every Eval Ever requires.
fn scored(table: &Table) -> BTreeMap<String, (String, bool)> {
    let mut all = rows(table);
    assert_eq!(all.len(), table.len());
    all.retain(|_, (_, is_scored)| *is_scored);
    all
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_checker_finds_what_breaks_a_schema() {
    let schema = Schema::read("instance_level_eval.schema.json");
    let folder = fixture("every_eval_ever/data/mini_color");
    let text = fs::read_to_string(&files(&folder, "_samples.jsonl")[0]).unwrap();
    let good: Json = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(schema.check(&good), Ok(()));
    let breaks: [fn(&mut Json); 5] = [
        |line| line["evaluation"]["score"] = "1".into(),
        |line| line["metadata"]["epoch"] = 1.into(),
        |line| line["output"] = Json::Null,
        |line| drop(line.as_object_mut().unwrap().remove("sample_id")),
        |line| line["more"] = 1.into(),
    ];
    for change in breaks {
        let mut bad = good.clone();
        change(&mut bad);
        assert!(schema.check(&bad).is_err(), "{bad}");
    }
}

#[test]
fn every_eval_ever_fits_its_schemas_and_opens_with_the_same_samples() {
    let document = Schema::read("eval.schema.json");
    let instance = Schema::read("instance_level_eval.schema.json");
    for logs in LOGS {
        let table = open(&fixture(logs));
        let (folder, gaps) = written(&table, Layout::EveryEvalEver);
        let wanted = scored(&table);
        let unscored = table.len() - wanted.len();
        assert_eq!(gaps.count(Gap::Unscored), unscored as u64, "{logs}");
        let mut lines = 0;
        for path in files(folder.path(), "_samples.jsonl") {
            for line in fs::read_to_string(&path).unwrap().lines() {
                let checked = instance.check(&serde_json::from_str(line).unwrap());
                assert_eq!(checked, Ok(()), "{logs}");
                lines += 1;
            }
        }
        assert_eq!(lines, wanted.len(), "{logs}");
        let documents = files(folder.path(), ".json");
        assert!(!documents.is_empty(), "{logs}");
        for path in documents {
            let text = fs::read_to_string(&path).unwrap();
            let found: Json = serde_json::from_str(&text).unwrap();
            assert_eq!(document.check(&found), Ok(()), "{logs}");
            if let Some(place) = found.pointer("/detailed_evaluation_results/file_path") {
                assert!(
                    folder.path().join(place.as_str().unwrap()).is_file(),
                    "{place}"
                );
            }
        }
        let again = open(folder.path());
        let problems: Vec<_> = again.sources().iter().flat_map(|it| &it.problems).collect();
        assert!(problems.is_empty(), "{logs}: {problems:?}");
        assert_eq!(rows(&again), wanted, "{logs}");
        let finite = |table: &Table| {
            let figures = table.published().iter();
            figures.filter(|figure| figure.score.is_finite()).count()
        };
        assert_eq!(finite(&again), finite(&table), "{logs}");
    }
}

#[test]
fn inspect_logs_open_with_the_same_samples() {
    for logs in LOGS {
        let table = open(&fixture(logs));
        let (folder, gaps) = written(&table, Layout::Inspect);
        assert_eq!(
            gaps.files,
            files(folder.path(), ".eval").len() as u64,
            "{logs}"
        );
        let again = open(folder.path());
        let problems: Vec<_> = again.sources().iter().flat_map(|it| &it.problems).collect();
        assert!(problems.is_empty(), "{logs}: {problems:?}");
        assert_eq!(rows(&again), rows(&table), "{logs}");
    }
}

#[test]
fn inspect_archives_hold_header_summaries_and_a_member_for_each_sample() {
    let table = open(&fixture("lmms_eval"));
    let (folder, _) = written(&table, Layout::Inspect);
    let mut samples = 0;
    for path in files(folder.path(), ".eval") {
        let mut archive = zip::ZipArchive::new(fs::File::open(path).unwrap()).unwrap();
        let names = archive.file_names().map(|name| name.unwrap().into_owned());
        let names: Vec<String> = names.collect();
        let mut json = |name: &str| -> Json {
            serde_json::from_reader(archive.by_name(name).unwrap()).unwrap()
        };
        let header = json("header.json");
        for pointer in [
            "/version",
            "/status",
            "/eval/created",
            "/eval/task",
            "/eval/dataset",
            "/eval/model",
            "/eval/config",
        ] {
            assert!(
                header.pointer(pointer).is_some_and(|it| !it.is_null()),
                "{pointer}"
            );
        }
        let members = names.iter().filter(|name| name.starts_with("samples/"));
        let members: Vec<&String> = members.collect();
        assert_eq!(
            json("summaries.json").as_array().unwrap().len(),
            members.len()
        );
        for name in &members {
            let sample = json(name);
            for key in ["id", "epoch", "input", "target", "output", "scores"] {
                assert!(!sample[key].is_null(), "{name}: {key}");
            }
        }
        samples += members.len();
    }
    assert_eq!(samples, table.len());
}

#[test]
fn each_condition_but_the_repeat_has_a_log_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let line = |id: &str, condition: &str| {
        format!(
            r#"{{"sample_id": "{id}", "benchmark": "b", "ability": "a", "model": "org/m", "response": "A", "target": "A",
            "score": 1, "condition": {condition}}}"#
        )
        .replace('\n', " ")
    };
    let lines = [
        line("../x", r#"{"rotation": 0, "repeat": 1}"#),
        line("../x", r#"{"rotation": 0, "repeat": 2}"#),
        line("../x", r#"{"rotation": 90, "repeat": 1}"#),
    ];
    let path = folder.path().join("m.eyechart.jsonl");
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let table = open(&path);
    let (out, gaps) = written(&table, Layout::Inspect);
    assert_eq!((gaps.files, gaps.count(Gap::Repeated)), (2, 0));
    for path in files(out.path(), ".eval") {
        let archive = zip::ZipArchive::new(fs::File::open(path).unwrap()).unwrap();
        assert!(
            archive
                .file_names()
                .all(|name| !name.unwrap().contains(".."))
        );
    }
    assert_eq!(rows(&open(out.path())), rows(&table));
}

#[test]
fn labels_and_runs_survive_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let line = |run: &str, score: f64| {
        format!(
            r#"{{"sample_id": "7", "benchmark": "b", "ability": "a", "model": "m", "response": null, "target": 7,
            "metric": "err", "direction": "lower", "score": {score}, "scores": {{"other": 0.1}},
            "condition": {{"run": "{run}", "boxes": true}}, "tags": {{"digits": "12", "size": 0.30000000000000004, "split": "val"}}}}"#
        )
        .replace('\n', " ")
    };
    let path = folder.path().join("m.eyechart.jsonl");
    let lines = [line("one", 0.1 + 0.2), line("two", 2.0)];
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let table = open(&path);
    assert_eq!(table.len(), 2);
    for layout in [Layout::EveryEvalEver, Layout::Inspect] {
        let (out, _) = written(&table, layout);
        assert_eq!(rows(&open(out.path())), rows(&table), "{layout:?}");
    }
}

#[test]
fn results_for_the_hub_name_interval_number_and_command() {
    let score = Score {
        benchmark: "org/bench".to_owned(),
        ability: "a: \"b\"".to_owned(),
        metric: "accuracy".to_owned(),
        score: Some(0.5),
        n: 40,
        ci: Some(Interval {
            low: 0.35,
            high: 0.65,
        }),
        ..Score::default()
    };
    let expected = "# Written by Eyechart: eyechart report x\n\
        - dataset:\n    id: \"org/bench\"\n    task_id: \"a: \\\"b\\\"\"\n  value: 0.5\n  \
        notes: \"accuracy, 95 % interval 0.35 to 0.65, n = 40; eyechart report x\"\n";
    assert_eq!(results(&[&score], "eyechart report x"), expected);
}

#[test]
fn the_hub_gets_a_file_for_each_model_and_benchmark() {
    let table = open(&fixture("lmms_eval"));
    let (folder, gaps) = written(&table, Layout::HuggingFace);
    let found = files(folder.path(), ".yaml");
    assert_eq!(gaps.files, found.len() as u64);
    assert!(gaps.count(Gap::Predictions) == table.len() as u64 && gaps.count(Gap::Names) > 0);
    for path in found {
        let above = path.parent().unwrap();
        assert!(above.ends_with(".eval_results"), "{above:?}");
        let text = fs::read_to_string(&path).unwrap();
        assert!(
            text.contains("  value: ") && text.contains("n = "),
            "{text}"
        );
    }
}

#[test]
fn names_become_parts_of_paths() {
    for (name, part) in [
        ("a/b:c", "a_b_c"),
        ("..", "_"),
        ("data", "data_"),
        ("con.x", "_con.x"),
        ("COM7", "_COM7"),
        ("common", "common"),
        ("m\u{202e}n", "m_n"),
        ("", "_"),
    ] {
        assert_eq!(path_part(name), part);
    }
    // The limit of file systems is in bytes.
    assert_eq!(path_part(&"\u{1f600}".repeat(90)).len(), 160);
    assert_eq!(uuid([0xff; 16]), "ffffffff-ffff-4fff-bfff-ffffffffffff");
}

#[test]
fn different_names_have_different_parts() {
    let mut parts = PathParts::default();
    let found = ["m:1", "m?1", "M:1", "m_1-2", "m?1", "m:1"].map(|name| parts.part(name));
    assert_eq!(found, ["m_1", "m_1-2", "M_1-3", "m_1-2-2", "m_1-2", "m_1"]);
}

#[test]
fn samples_with_odd_ids_have_members_of_their_own() {
    assert_eq!(member("a/b", 2), "samples/a/b_epoch_2.json");
    let names = ["a_b", r"a\b", "a\tb", "a/../b"].map(|id| member(id, 1));
    let different: BTreeSet<&String> = names.iter().collect();
    assert_eq!(different.len(), names.len(), "{names:?}");
    assert!(!names.concat().contains("../"), "{names:?}");
}

#[test]
fn published_scores_without_a_table_have_a_document_of_their_own() {
    let samples = GroupKey {
        benchmark: "b".to_owned(),
        model: "m".to_owned(),
        task: None,
    };
    let (ability, condition) = (String::new(), String::new());
    let published = GroupKey {
        task: Some(TaskKey { ability, condition }),
        ..samples.clone()
    };
    assert_ne!(samples.hash(), published.hash());
}
