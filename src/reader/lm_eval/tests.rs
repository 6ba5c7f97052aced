//! Tests with complete runs of the harnesses, with runs built here, and with damaged runs.

use std::fs;

use proptest::prelude::*;

use super::Harness;
use crate::testing::{CollectingSink, damaged, fixture, read_all, units};
use record::{ImageRef, Target, Value};

/// Writes files into a folder and reads it.
fn read(harness: Harness, files: &[(&str, &[u8])]) -> CollectingSink {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    read_all(&harness, folder.path())
}

#[test]
fn samples_are_joined_with_their_run() {
    let found = read_all(&Harness::LmmsEval, &fixture("lmms_eval"));
    assert_eq!(
        (found.records.len(), found.problems.len()),
        (38, 0),
        "{:?}",
        found.problems
    );
    let of = |task: &str| {
        found
            .records
            .iter()
            .find(|(record, _)| record.benchmark == task)
            .unwrap()
    };
    let (record, line) = of("mmstar_mini");
    assert_eq!(
        (record.model.as_str(), record.ability.as_str(), *line),
        ("org-a/tiny-vl-2b", "fine-grained perception", 1)
    );
    assert_eq!(
        record.content.images,
        [ImageRef::Path("images/mmstar_mini/0.png".to_owned())]
    );
    assert_eq!(record.content.tags["l2_category"], Value::from("geometry"));
    let (record, _) = of("pope_mini");
    assert_eq!(
        (record.metric.as_deref(), record.beside.len()),
        (Some("pope_accuracy"), 0)
    );
    assert_eq!(record.parsed.as_deref(), Some("yes"));
}

#[test]
fn a_script_s_rows_with_a_doc_id_are_no_samples() {
    let rows = b"{\"doc_id\": 0, \"query\": \"Which?\", \"gold\": 1, \"pred\": 1}\n";
    let found = read(Harness::LmEval, &[("a.jsonl", rows)]);
    assert_eq!((found.records.len(), found.problems.len()), (0, 0));
    let rows = b"{\"doc_id\": 0, \"query\": \"Which?\", \"gold\": 1, \"pred\": 1}\n";
    let found = read(Harness::LmmsEval, &[("a.jsonl", rows)]);
    assert_eq!((found.records.len(), found.problems.len()), (0, 0));
}

#[test]
fn models_and_settings_stand_in_the_arguments_of_older_runs() {
    let run = |arguments: &str, acc: f64| {
        format!(
            "{{\"results\": {{\"arc\": {{\"acc\": {acc}, \"acc_stderr\": 0.01}}}}, \"versions\": {{\"arc\": 0}}, \
             \"config\": {{\"model\": \"hf\", \"model_args\": \"{arguments}\"}}}}"
        )
    };
    let (a, b) = (
        run("pretrained=org/a,device=cuda", 0.5),
        run("pretrained=org/b", 0.75),
    );
    let files = [("a.json", a.as_bytes()), ("b.json", b.as_bytes())];
    let found = read(Harness::LmEval, &files);
    let accuracy = found.figures.iter().filter(|it| it.metric == "acc");
    let mut scores: Vec<(&str, f64)> = accuracy.map(|it| (it.model.as_str(), it.score)).collect();
    scores.sort_by(|a, b| a.0.cmp(b.0));
    assert_eq!(scores, [("org/a", 0.5), ("org/b", 0.75)]);
    // Checkpoints of one model have different settings, so they are different runs.
    let step = |step: u32| run(&format!("pretrained=org/a,revision=step{step}"), 0.5);
    let (a, b) = (step(1000), step(2000));
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a.json", a), ("b.json", b)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let units = units(&Harness::LmEval, folder.path());
    assert!(units.len() == 2 && units.iter().all(|unit| !unit.superseded));
    assert_eq!(units[0].settings["model arguments"], "revision=step1000");
}

#[test]
fn filters_are_conditions_of_one_sample() {
    let found = read_all(&Harness::LmEval, &fixture("lm_eval"));
    let strict = |value: &str| {
        let is =
            |record: &record::Record| record.condition.get("filter") == Some(&Value::from(value));
        found
            .records
            .iter()
            .filter(|(record, _)| is(record))
            .count()
    };
    assert_eq!(
        (
            strict("strict-match"),
            strict("flexible-extract"),
            strict("none")
        ),
        (12, 12, 14)
    );
    let (record, _) = found
        .records
        .iter()
        .find(|(record, _)| record.benchmark == "mini_mc")
        .unwrap();
    assert_eq!(
        (record.response.as_deref(), record.beside.as_slice()),
        (Some("red"), &[("acc_norm".to_owned(), 1.0)][..])
    );
    assert_eq!(record.content.target, Some(Target::Text("A".to_owned())));
}

#[test]
fn samples_without_results_are_read_and_told() {
    let path = "20260101_000000_samples_x.jsonl";
    let line = br#"{"doc_id": 1, "target": "a", "filtered_resps": "a", "score_a": 1}
{"doc_id": 2, "target": "a", "filtered_resps": ["b"], "score_a": {"score": 0}}
{"doc_id": 3, "#;
    let found = read(Harness::LmmsEval, &[(path, line)]);
    assert_eq!(found.records.len(), 2);
    assert_eq!(found.records[0].0.metric.as_deref(), Some("score_a"));
    assert!(
        found.problems.iter().any(|what| what.contains(":3:")),
        "{:?}",
        found.problems
    );
    assert!(
        found
            .problems
            .iter()
            .any(|what| what.contains("no results")),
        "{:?}",
        found.problems
    );
}

#[test]
fn the_newest_whole_run_of_a_task_counts() {
    let line = br#"{"doc_id": 1, "target": "a", "arguments": [["q", {}]], "resps": [["a"]], "filtered_resps": ["a"], "metrics": ["acc"], "acc": 1}"#;
    let results = |effective: u32| {
        format!(
            r#"{{"results": {{"x": {{"alias": "x", "acc,none": 1.0}}, "group": {{"alias": "g", "acc,none": 0.5}}}},
            "model_name": "m", "n-samples": {{"x": {{"original": 2, "effective": {effective}}}}}}}"#
        )
    };
    let (whole, part) = (results(2), results(1));
    let name = |kind: &str, day: u32| format!("{kind}_2026-01-0{day}T00-00-00.0.json");
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [
        (name("samples_x", 1) + "l", &line[..]),
        (name("samples_x", 2) + "l", &line[..]),
        (name("samples_x", 3) + "l", &line[..]),
        (name("samples_x", 4) + "l", &line[..]),
        (name("results", 1), whole.as_bytes()),
        (name("results", 2), whole.as_bytes()),
        (name("results", 3), part.as_bytes()),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let units = units(&Harness::LmEval, folder.path());
    let counting: Vec<&str> = units
        .iter()
        .filter(|unit| !unit.superseded)
        .map(|unit| unit.path.file_name().unwrap().to_str().unwrap())
        .collect();
    // The run of the fourth day has no results, so the folder's name is used as model.
    assert_eq!(counting[0], "samples_x_2026-01-02T00-00-00.0.jsonl");
    assert_eq!(counting.len(), 3, "{counting:?}");
    assert!(counting[2].starts_with("results_"), "{counting:?}");
}

#[test]
fn older_file_names_end_with_the_task() {
    let results = br#"{"results": {"a_task": {"acc,none": 1.0, "alias": "a_task"}, "task": {"acc,none": 1.0, "alias": "task"}}, "config": {"model": "hf", "model_args": "pretrained=org/m"}}"#;
    let line = br#"{"doc_id": 0, "doc": {"q": 1}, "target": "a", "resps": [["a"]], "filtered_resps": ["a"], "acc": 1.0}"#;
    let found = read(
        Harness::LmEval,
        &[
            ("results.json", &results[..]),
            ("pretrained=org__m_a_task.jsonl", line),
            ("pretrained=org__m_task.jsonl", line),
        ],
    );
    let names = found
        .records
        .iter()
        .map(|(it, _)| [it.ability.as_str(), it.model.as_str()]);
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    assert_eq!(names, [["a_task", "org/m"], ["task", "org/m"]]);
}

#[test]
fn figures_of_tasks_without_samples_are_shown() {
    let results = br#"{"results": {"x": {"alias": "x", "f1,none": 0.25, "f1_stderr,none": "N/A"}}, "model_name": "m",
        "higher_is_better": {"x": {"f1": true}}}"#;
    let found = read(
        Harness::LmEval,
        &[("results_2026-01-01T00-00-00.0.json", results)],
    );
    assert_eq!(found.figures.len(), 1);
    let figure = &found.figures[0];
    assert_eq!(
        (
            figure.metric.as_str(),
            figure.score,
            figure.higher_is_better
        ),
        ("f1", 0.25, Some(true))
    );
    assert!(figure.by_harness);
}

#[test]
fn filters_that_lmms_eval_does_not_name_are_counted_off() {
    let lines = br#"{"doc_id": 1, "target": "a", "filtered_resps": "a", "em": 1}
{"doc_id": 1, "target": "a", "filtered_resps": "b", "em": 0}
"#;
    let results = br#"{"results": {"x": {"alias": "x", "em,strict": 1.0, "em,loose": 0.0}}, "model_name": "m", "lmms_eval_version": "1"}"#;
    let found = read(
        Harness::LmmsEval,
        &[
            ("20260101_000000_samples_x.jsonl", lines),
            ("20260101_000000_results.json", results),
        ],
    );
    let filters: Vec<_> = found
        .records
        .iter()
        .map(|(record, _)| record.condition["filter"].to_string())
        .collect();
    assert_eq!(filters, ["strict", "loose"]);
    assert!(
        found
            .figures
            .iter()
            .any(|figure| figure.metric == "em,strict")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Reading damaged samples or results must end.
    #[test]
    fn damage_never_panics(
        lmms in any::<bool>(),
        in_results in any::<bool>(),
        hits in proptest::collection::vec(any::<(prop::sample::Index, u8, u8)>(), 1..8),
    ) {
        let (harness, home) = match lmms {
            true => (Harness::LmmsEval, "lmms_eval/logs/org-a__tiny-vl-2b"),
            false => (Harness::LmEval, "lm_eval/logs/3ykv54sv"),
        };
        let files = fs::read_dir(fixture(home)).unwrap().map(|entry| entry.unwrap().path());
        let files: Vec<(String, Vec<u8>)> = files
            .map(|path| {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                let bytes = fs::read(&path).unwrap();
                let is_hit = name.contains("results") == in_results;
                let bytes = if is_hit { damaged(&bytes, &hits) } else { bytes };
                (name, bytes)
            })
            .collect();
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
        let found = read(harness, &files);
        // Damage can add one line by a line break, but not many lines.
        prop_assert!(found.records.len() <= 46);
    }
}
