//! Tests with files of Every Eval Ever's converter, with files built here, and with damaged files.

use std::fs;

use proptest::prelude::*;

use super::EveryEvalEver;
use crate::testing::{CollectingSink, damaged, fixture, read_all, units};
use record::{Direction, Rule, Target, Value};

/// Aggregate with three scorers, of which two report the same metric.
const AGGREGATE: &str = r#"{"schema_version": "0.3.0", "evaluation_id": "mini/org/m/1", "retrieved_timestamp": "1",
    "source_metadata": {"source_name": "Board", "source_type": "documentation", "source_organization_name": "o",
    "evaluator_relationship": "other"}, "model_info": {"name": "M", "id": "org/m", "additional_details": {}},
    "eval_library": {"name": "x", "version": "1"}, "evaluation_results": [
    {"evaluation_result_id": "a:acc", "evaluation_name": "e", "metric_config": {"metric_id": "accuracy", "lower_is_better": false},
     "score_details": {"score": 0.5}},
    {"evaluation_result_id": "b:acc", "evaluation_name": "e", "metric_config": {"metric_id": "accuracy", "lower_is_better": false},
     "score_details": {"score": 0.25}},
    {"evaluation_result_id": "c:err", "evaluation_name": "e", "metric_config": {"metric_name": "err", "lower_is_better": true},
     "score_details": {"score": 3.5, "uncertainty": {"num_samples": 8}}},
    {"evaluation_name": "share", "metric_config": {"metric_kind": "f1", "metric_unit": "percent", "lower_is_better": false,
     "additional_details": {"polarity": "unknown"}}, "score_details": {"score": 40}}]}"#;

fn line(id: &str, result: &str, score: f64) -> String {
    format!(
        r#"{{"schema_version": "0.3.0", "evaluation_id": "mini/org/m/1", "model_id": "org/m", "evaluation_name": "e",
        "evaluation_result_id": "{result}", "sample_id": "{id}", "interaction_type": "single_turn",
        "input": {{"raw": "Which?", "reference": ["A", "a"], "choices": ["cat", "dog"]}}, "output": {{"raw": ["A."]}},
        "answer_attribution": [{{"turn_idx": 0, "source": "output.raw", "extracted_value": "A", "extraction_method": "regex",
        "is_terminal": true}}], "evaluation": {{"score": {score}, "is_correct": true}}, "metadata": {{"size": "small"}}}}"#
    )
    .replace('\n', " ")
}

/// Reads sample lines and an aggregate document, if given. Without lines, there is no sample file.
fn read(aggregate: Option<&str>, lines: &[String]) -> CollectingSink {
    let folder = tempfile::tempdir().unwrap();
    if let Some(aggregate) = aggregate {
        fs::write(folder.path().join("u.json"), aggregate).unwrap();
    }
    if !lines.is_empty() {
        let text = lines.join("\n") + "\n";
        fs::write(folder.path().join("u_samples.jsonl"), text).unwrap();
    }
    read_all(&EveryEvalEver, folder.path())
}

#[test]
fn files_of_the_converter_keep_samples_and_figures() {
    let found = read_all(&EveryEvalEver, &fixture("every_eval_ever/data/mini_color"));
    assert_eq!((found.records.len(), found.problems.len()), (9, 0));
    let (record, number) = &found.records[0];
    assert_eq!((record.sample_id.as_str(), *number), ("color-0", 1));
    assert_eq!(record.benchmark, "mini_color");
    assert_eq!(record.ability, "mini_color");
    assert_eq!(record.model, "hf/acme");
    assert_eq!(record.metric.as_deref(), Some("accuracy"));
    assert_eq!(record.direction, Some(Direction::Higher));
    assert_eq!((record.stored, record.rule), (Some(1.0), Rule::Stored));
    assert_eq!(record.content.choices.len(), 4);
    assert_eq!(record.content.target, Some(Target::Text("C".to_owned())));
    assert_eq!(record.condition.get("repeat"), Some(&Value::Number(1.0)));
    assert_eq!(found.figures.len(), 1);
    let figure = &found.figures[0];
    assert!(figure.by_harness && figure.metric == "accuracy" && figure.n == 18);
}

#[test]
fn lines_of_one_answer_are_one_record() {
    let found = read_all(&EveryEvalEver, &fixture("every_eval_ever/data/mini_count"));
    assert_eq!(found.records.len(), 2, "12 lines, 2 samples");
    let (record, _) = &found.records[0];
    assert_eq!(record.metric.as_deref(), Some("accuracy"));
    assert_eq!(record.beside, [("inspect_ai.few".to_owned(), 1.0)]);
}

#[test]
fn equal_metrics_of_several_scorers_are_named_by_their_results() {
    let lines = [
        line("1", "a:acc", 1.0),
        line("1", "b:acc", 0.0),
        line("1", "c:err", 2.5),
    ];
    let found = read(Some(AGGREGATE), &lines);
    assert_eq!((found.records.len(), found.problems.len()), (1, 0));
    let (record, _) = &found.records[0];
    assert_eq!(
        (record.metric.as_deref(), record.stored),
        (Some("a:acc"), Some(1.0))
    );
    let beside = [("b:acc".to_owned(), 0.0), ("err".to_owned(), 2.5)];
    assert_eq!(record.beside, beside);
    assert_eq!(record.parsed.as_deref(), Some("A"));
    assert_eq!(record.response.as_deref(), Some("A."));
    assert_eq!(record.content.tags.get("size"), Some(&"small".into()));
    assert_eq!(record.content.tags.get("targets"), Some(&"A | a".into()));
}

#[test]
fn a_right_answer_with_a_graded_score_counts_as_right() {
    let wrong = line("2", "c:err", 0.0).replace("\"is_correct\": true", "\"is_correct\": false");
    let lines = [line("1", "c:err", 2.5), wrong, line("3", "c:err", 1.0)];
    let found = read(Some(AGGREGATE), &lines);
    let beside = found.records.iter().map(|(record, _)| &record.beside[..]);
    let beside: Vec<_> = beside.collect();
    // The other scores equal the correctness, so it is not added.
    assert_eq!(beside, [&[("accuracy".to_owned(), 1.0)][..], &[], &[]]);
}

#[test]
fn a_right_answer_is_found_on_any_line_of_an_answer() {
    let ungraded = line("1", "a:acc", 0.25).replace(", \"is_correct\": true", "");
    let lines = [ungraded, line("1", "c:err", 2.5)];
    let found = read(Some(AGGREGATE), &lines);
    let [(record, _)] = &found.records[..] else {
        panic!("{:?}", found.records);
    };
    let expected = [("err".to_owned(), 2.5), ("accuracy".to_owned(), 1.0)];
    assert_eq!(record.beside, expected);
}

#[test]
fn scores_without_samples_are_published() {
    let found = read(Some(AGGREGATE), &[]);
    assert!(found.records.is_empty() && found.problems.is_empty());
    let err = &found.figures[2];
    assert_eq!((err.table.as_str(), err.model.as_str()), ("Board", "org/m"));
    assert_eq!(
        (err.benchmark.as_str(), err.ability.as_str()),
        ("mini", "e")
    );
    assert_eq!((err.metric.as_str(), err.score, err.n), ("err", 3.5, 8));
    assert_eq!((err.higher_is_better, err.by_harness), (Some(false), false));
    let share = &found.figures[3];
    assert_eq!((share.score, share.higher_is_better), (0.4, None));
}

#[test]
fn a_score_keeps_its_last_digit() {
    let score = 0.1 + 0.2;
    let found = read(None, &[line("1", "a:acc", score)]);
    assert_eq!(found.records[0].0.stored, Some(score));
    assert!(
        found.problems[0].contains("no aggregate document"),
        "{:?}",
        found.problems
    );
}

#[test]
fn a_bad_line_is_a_problem_and_others_are_read() {
    let lines = [
        line("1", "a:acc", 1.0),
        "{".to_owned(),
        r#"{"schema_version": ""}"#.to_owned(),
    ];
    let found = read(Some(AGGREGATE), &lines);
    assert_eq!(found.records.len(), 1);
    let expected = [
        "u_samples.jsonl:2:",
        "u_samples.jsonl:3: `sample_id` is missing",
    ];
    for (problem, start) in found.problems.iter().zip(expected) {
        assert!(problem.starts_with(start), "{problem}");
    }
    assert_eq!(found.problems.len(), 2);
}

#[test]
fn samples_name_their_model_and_take_their_aggregate() {
    let units = units(&EveryEvalEver, &fixture("every_eval_ever/data"));
    assert_eq!(units.len(), 2);
    for unit in units {
        assert_eq!(unit.model.as_deref(), Some("hf/acme"));
        assert_eq!(unit.companions.len(), 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Reading a damaged file must end.
    #[test]
    fn damage_never_panics(
        hits in proptest::collection::vec(any::<(prop::sample::Index, u8, u8)>(), 1..8),
        in_aggregate in any::<bool>(),
    ) {
        let text = if in_aggregate { AGGREGATE.to_owned() } else { line("1", "a:acc", 0.5) };
        let bytes = damaged(text.as_bytes(), &hits);
        let broken = String::from_utf8_lossy(&bytes).into_owned();
        let found = if in_aggregate {
            read(Some(&broken), &[line("1", "a:acc", 0.5)])
        } else {
            read(Some(AGGREGATE), &[broken])
        };
        // Damage can split a line in two.
        prop_assert!(found.records.len() <= 8);
    }
}
