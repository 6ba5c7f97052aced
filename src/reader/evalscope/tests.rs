//! Tests with runs of EvalScope, with files built here, and with damaged files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::EvalScope;
use crate::lines::START;
use crate::testing::{CollectingSink, damaged, fixture, read_all, units};
use crate::{Context, Position, Reader as _, Sink};
use record::{Direction, ImageRef, Problem, REPEAT, Record, Target, Value};

const RUN: &str = "evalscope/outputs/20261125_225242";
const OLD: &str = "evalscope/outputs_v1.0.2/20261125_231051";

/// Writes files into a run folder and reads them.
fn read(files: &[(&str, &str)]) -> CollectingSink {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join("20260101_000000").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    read_all(&EvalScope, folder.path())
}

/// Returns the line of a review with this value as score.
fn review(index: u64, value: &Json) -> String {
    let line = json!({
        "index": index, "target": ["A", "a"],
        "messages": [{"role": "user", "content": "Which?"}, {"role": "assistant", "content": "A"}],
        "sample_score": {"score": {"value": value, "prediction": "A"}, "sample_id": index,
                         "group_id": index, "sample_metadata": {"level": 2}},
    });
    line.to_string() + "\n"
}

/// Returns the mean score and the number of scores, by metric and ability.
fn means(records: &[(Record, u64)]) -> BTreeMap<(String, String), (f64, u64)> {
    let mut sums: BTreeMap<_, (f64, u64)> = BTreeMap::new();
    for (record, _) in records {
        let metric = record.metric.clone().unwrap();
        let main = std::iter::once((metric, record.stored.unwrap()));
        for (metric, score) in main.chain(record.beside.clone()) {
            let sum = sums.entry((metric, record.ability.clone())).or_default();
            *sum = (sum.0 + score, sum.1 + 1);
        }
    }
    sums.into_iter()
        .map(|(key, (sum, n))| (key, (sum / n as f64, n)))
        .collect()
}

#[test]
fn scores_have_the_means_of_the_report() {
    for (run, figure, metric, of_records) in [
        (RUN, "general_vmcq", "accuracy", "accuracy"),
        (OLD, "mm_star", "mean_acc", "acc"),
    ] {
        let found = read_all(&EvalScope, &fixture(run));
        assert_eq!(found.records.len(), 23);
        let means = means(&found.records);
        let subsets = |ability: &str| !["all", "average"].contains(&ability);
        assert_eq!(found.figures.len(), 6);
        for published in &found.figures {
            let labels = (published.benchmark.as_str(), published.metric.as_str());
            assert_eq!(labels, (figure, metric));
            assert!(published.by_harness && published.model == "alpha-vl-7b");
            if subsets(&published.ability) {
                let (mean, n) = means[&(of_records.to_owned(), published.ability.clone())];
                assert_eq!(n, published.n);
                assert!((mean - published.score).abs() < 0.000_051, "{published:?}");
            }
        }
        let whole = |name: &str| {
            let mut figures = found.figures.iter();
            figures.find(|figure| figure.ability == name).unwrap().score
        };
        assert_eq!((whole("all"), whole("average")), (0.6522, 0.6583));
    }
}

#[test]
fn a_failed_request_is_a_problem_and_no_wrong_answer() {
    let found = read_all(&EvalScope, &fixture(RUN));
    let expected = "general_vmcq.json:0: 1 of 6 requests of `shape` failed: these samples have no \
                    answer and no score";
    assert_eq!(found.problems, [expected]);
    let found = read_all(&EvalScope, &fixture(OLD));
    let expected = "mm_star_instance reasoning.jsonl:0: at least 1 of 6 samples not in the log: \
                    requests or reviews failed";
    assert_eq!(found.problems, [expected]);
}

#[test]
fn a_review_has_request_answer_and_pictures() {
    let found = read_all(&EvalScope, &fixture(RUN));
    let is = |(record, _): &&(Record, u64)| record.ability == "color" && record.sample_id == "1";
    let (record, line) = found.records.iter().find(is).unwrap();
    assert_eq!((record.benchmark.as_str(), *line), ("general_vmcq", 1));
    assert_eq!(record.parsed.as_deref(), Some("A"));
    assert_eq!(
        record.response.as_deref(),
        Some("The picture shows it clearly.\n\nANSWER: A")
    );
    assert!(
        record
            .content
            .question
            .contains("What color is the square?\n\nA) orange")
    );
    let path = ImageRef::Path("/data/images/color_004.png".to_owned());
    assert_eq!(record.content.images, [path]);
    assert_eq!(record.content.target, Some(Target::Text("A".to_owned())));
    assert_eq!(record.direction, Some(Direction::Higher));
    assert_eq!(record.condition[REPEAT], Value::Number(1.0));
    assert_eq!(record.content.sent.as_ref().unwrap().messages.len(), 1);
    let unit = &units(&EvalScope, &fixture(RUN))[0];
    assert!(
        unit.image_roots.contains(&fixture("evalscope")),
        "{:?}",
        unit.image_roots
    );
    assert_eq!(unit.settings["temperature"], "0.0");
}

#[test]
fn the_text_of_old_versions_is_taken_apart() {
    let found = read_all(&EvalScope, &fixture(OLD));
    let is = |(record, _): &&(Record, u64)| record.ability == "math" && record.sample_id == "1";
    let (record, _) = found.records.iter().find(is).unwrap();
    assert!(
        record
            .content
            .question
            .ends_with("Options: A: 4, B: 3, C: 6, D: 1")
    );
    assert!(record.content.question.starts_with("Answer the following"));
    assert!(matches!(
        record.content.images.as_slice(),
        [ImageRef::Inline(_)]
    ));
    assert_eq!(record.content.tags["l2_category"], Value::from("hard"));
}

#[test]
fn predictions_without_reviews_are_answers_without_scores() {
    let folder = tempfile::tempdir().unwrap();
    let name = "predictions/alpha-vl-7b/general_vmcq_color.jsonl";
    let text = fs::read_to_string(fixture(RUN).join(name)).unwrap();
    let config = fs::read_to_string(fixture(RUN).join("configs/task_config.yaml")).unwrap();
    for (name, text) in [(name, &text), ("configs/task_config.yaml", &config)] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let found = read_all(&EvalScope, folder.path());
    assert_eq!((found.records.len(), found.figures.len()), (6, 0));
    let (record, _) = &found.records[0];
    assert!(record.stored.unwrap().is_nan() && record.metric.is_none());
    let place = (
        record.benchmark.as_str(),
        record.ability.as_str(),
        record.model.as_str(),
    );
    assert_eq!(place, ("general_vmcq", "color", "alpha-vl-7b"));
    assert!(record.response.as_ref().unwrap().ends_with("ANSWER: A"));
    let unit = &units(&EvalScope, folder.path())[0];
    assert!(
        unit.problem.as_ref().unwrap().starts_with("no reviews"),
        "{unit:?}"
    );
}

#[test]
fn predictions_without_a_review_are_left_out_and_rows_without_a_value_have_no_other_metric() {
    let prediction = |index: u64| {
        let line = json!({"index": index, "model_output": {"choices": []}, "messages": []});
        line.to_string() + "\n"
    };
    let predictions: String = (0..6).map(prediction).collect();
    let values = [json!({}), json!({"acc": 1.0}), json!({})];
    let reviews: String = (0..)
        .zip(&values)
        .map(|(at, value)| review(at, value))
        .collect();
    let name = |folder: &str| format!("{folder}/m/general_vqa_a.jsonl");
    let [reviewed, predicted] = ["reviews", "predictions"].map(name);
    let found = read(&[(&reviewed, &reviews), (&predicted, &predictions)]);
    let metrics = found
        .records
        .iter()
        .map(|(record, _)| record.metric.as_deref());
    assert_eq!(metrics.collect::<Vec<_>>(), [Some("acc"); 3]);
    let left_out = "general_vqa_a.jsonl:0: 3 of 6 predictions have no review and no score";
    assert!(
        found.problems.iter().any(|what| what == left_out),
        "{:?}",
        found.problems
    );
}

#[test]
fn several_metrics_keep_the_names_of_the_review() {
    let report = json!({
        "dataset_name": "general_vqa", "model_name": "m", "dataset_pretty_name": "VQA",
        "metrics": [
            {"identity": {"name": "wer", "aggregation": "mean", "dimensions": {}},
             "semantics": {"direction": "lower_is_better"}, "score": 0.25, "num": 2,
             "categories": [{"name": ["default"], "subsets": [{"name": "a_b", "score": 0.25, "num": 2}]}]},
            {"identity": {"name": "rouge", "aggregation": "pass_at_k", "dimensions": {"k": 2}},
             "semantics": {"direction": "higher_is_better"}, "score": 0.5, "num": 2, "categories": []},
            {"identity": {"name": "empty", "aggregation": "mean", "dimensions": {}}, "score": 0.0, "num": 0},
        ],
    });
    let value = json!({"wer": 0.5, "Rouge-L-R": true, "odd": "x"});
    let files = [
        ("reviews/m/general_vqa_a_b.jsonl", review(0, &value)),
        ("reports/m/general_vqa.json", report.to_string()),
    ];
    let found = read(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    let (record, _) = &found.records[0];
    assert_eq!(
        (record.metric.as_deref(), record.stored),
        (Some("wer"), Some(0.5))
    );
    assert_eq!(record.direction, Some(Direction::Lower));
    assert_eq!(record.beside, [("Rouge-L-R".to_owned(), 1.0)]);
    assert_eq!(record.content.tags["targets"], Value::from("A | a"));
    let figures = found.figures.iter();
    let figures: Vec<_> = figures
        .map(|it| (it.metric.as_str(), it.ability.as_str()))
        .collect();
    assert_eq!(figures, [("wer", "a_b"), ("rouge_pass_at_k_2", "all")]);
    let cut = "general_vqa_a_b.jsonl:0: 1 of the report's 2 samples are in the log";
    assert!(
        found.problems.iter().any(|what| what == cut),
        "{:?}",
        found.problems
    );
    assert_eq!(found.figures[0].higher_is_better, Some(false));
}

#[test]
fn repeats_share_the_sample() {
    let old = |at: u64| {
        json!({"index": at, "input": "Q", "target": "A", "sample_score": {
            "score": {"value": {"acc": 1.0}}, "sample_id": at, "group_id": at / 3}})
    };
    let new = |at: u64| {
        let mut line = old(at);
        line["sample_score"]["generation_index"] = json!(at % 3);
        line
    };
    let config = "datasets:\n- gsm8k\nrepeats: 3\n";
    let lines = |line: &dyn Fn(u64) -> Json| -> String {
        [4, 0, 5, 3].map(|at| line(at).to_string() + "\n").concat()
    };
    for text in [lines(&old), lines(&new)] {
        let found = read(&[
            ("reviews/m/gsm8k_main.jsonl", &text),
            ("configs/task_config_1.yaml", config),
        ]);
        let ids = found
            .records
            .iter()
            .map(|(record, _)| (record.sample_id.as_str(), record.condition[REPEAT].clone()));
        let expected = [("1", 2.0), ("0", 1.0), ("1", 3.0), ("1", 1.0)];
        assert!(ids.eq(expected.map(|(id, repeat)| (id, Value::Number(repeat)))));
    }
}

#[test]
fn an_unusable_score_is_missing() {
    let mut line: Json = serde_json::from_str(&review(0, &json!({}))).unwrap();
    line["sample_score"]["score"]["status"] = json!("parse_error");
    line["sample_score"]["score"]["main_score_name"] = json!("acc");
    line["sample_score"]["score"]["judge_summary"] = json!({"error": "no verdict\nat all"});
    let text = line.to_string() + "\n" + &review(1, &json!({"acc": Json::Null}));
    let found = read(&[("reviews/m/vqa_default.jsonl", &text)]);
    assert!(
        found
            .records
            .iter()
            .all(|(record, _)| record.stored.unwrap().is_nan())
    );
    let expected = [
        "vqa_default.jsonl:1: no score (parse_error): no verdict",
        "vqa_default.jsonl:2: `acc` is not a number",
    ];
    assert_eq!(found.problems, expected);
}

#[test]
fn an_odd_row_costs_itself_and_a_damaged_report_its_figures() {
    let text = ["{\"index\": 7, \"messages\"", "[]", "{}"].join("\n") + "\n";
    let text = text + &review(0, &json!({"acc": 1.0})) + "{\"index\": 2, \"sample_sc";
    let report =
        "{\"dataset_name\": \"vqa\", \"model_name\": \"m\", \"dataset_pretty_name\": \"V\", \"metr";
    let found = read(&[
        ("reviews/m/vqa_x_y.jsonl", &text),
        ("reports/m/vqa.json", report),
    ]);
    let (record, line) = &found.records[0];
    let place = (record.benchmark.as_str(), record.ability.as_str(), *line);
    assert_eq!((found.records.len(), place), (1, ("vqa", "x_y", 4)));
    assert_eq!(found.problems.len(), 5, "{:?}", found.problems);
    assert!(
        found
            .problems
            .iter()
            .any(|what| what.starts_with("vqa.json:0: "))
    );
    assert!(found.figures.is_empty());
}

#[test]
fn the_newest_run_counts() {
    let folder = tempfile::tempdir().unwrap();
    for time in ["20260101_000000", "20260102_000000"] {
        for name in ["reviews/m/vqa_x.jsonl", "reviews/n/vqa_x.jsonl"] {
            let path = folder.path().join(time).join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, review(0, &json!({"acc": 1.0}))).unwrap();
        }
    }
    let units = units(&EvalScope, folder.path());
    let read: Vec<&Path> = units
        .iter()
        .filter(|unit| !unit.superseded)
        .map(|unit| unit.path.as_path())
        .collect();
    assert_eq!((units.len(), read.len()), (4, 2));
    assert!(
        read.iter()
            .all(|path| path.to_string_lossy().contains("20260102"))
    );
}

/// Sink that also stores the last reported position.
#[derive(Default)]
struct Following(CollectingSink, Option<Position>);

impl Sink for Following {
    fn record(&mut self, record: Record, line: u64) {
        self.0.record(record, line);
    }

    fn problem(&mut self, problem: Problem) {
        self.0.problem(problem);
    }

    fn progress(&mut self, bytes: u64) -> std::ops::ControlFlow<()> {
        self.0.progress(bytes)
    }

    fn stopped(&mut self, at: Position) {
        self.1 = Some(at);
    }
}

#[test]
fn a_growing_log_is_read_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vqa_x.jsonl");
    let first = review(0, &json!({"acc": 1.0}));
    fs::write(&path, &first).unwrap();
    let unit = units(&EvalScope, &path).remove(0);
    let mut sink = Following::default();
    EvalScope.read(&unit, &Context::default(), &mut sink);
    let end = sink.1.unwrap();
    assert_eq!((end.offset, end.line), (first.len() as u64, START.line + 1));
    fs::write(&path, first + &review(1, &json!({"acc": 0.0}))).unwrap();
    EvalScope.read_on(&unit, &Context::default(), end, &mut sink);
    let lines: Vec<u64> = sink.0.records.iter().map(|(_, line)| *line).collect();
    assert_eq!((lines, sink.0.problems.len()), (vec![1, 2], 0));
}

#[test]
fn a_trace_has_messages_and_scores() {
    let path = fixture(OLD).join("reviews/alpha-vl-7b/mm_star_math.jsonl");
    let trace = crate::trace::trace(super::FORMAT, &path, 1, "1")
        .unwrap()
        .unwrap();
    assert_eq!(trace.turns[0].role, "user");
    assert!(!trace.turns[0].text.contains("base64"));
    assert!(!trace.scored.is_empty());
    assert!(crate::trace::trace(super::FORMAT, &path, 1, "2").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn damaged_files_are_read_without_panic(
        hits in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>(), any::<u8>()), 1..8),
        at in any::<proptest::sample::Index>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let names = [
            "reviews/alpha-vl-7b/general_vmcq_color.jsonl", "reports/alpha-vl-7b/general_vmcq.json",
            "predictions/alpha-vl-7b/general_vmcq_color.jsonl", "configs/task_config.yaml",
        ];
        for (number, name) in names.iter().enumerate() {
            let bytes = fs::read(fixture(RUN).join(name)).unwrap();
            let bytes = if number == at.index(names.len()) { damaged(&bytes, &hits) } else { bytes };
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let found = read_all(&EvalScope, folder.path());
        prop_assert!(found.records.len() <= 16);
    }
}
