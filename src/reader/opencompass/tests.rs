//! Tests with runs built like those of OpenCompass, and with damaged runs.

use std::fs;

use proptest::prelude::*;
use serde_json::json;

use super::OpenCompass;
use crate::testing::{CollectingSink, damaged, fixture, read_all, units};
use record::{REPEAT, Record, Target, Value};

const RUN: &str = "opencompass/outputs/default/20261125_220001";

/// Writes files into a run folder and reads them.
fn read(files: &[(&str, &str)]) -> CollectingSink {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join("20260101_000000").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    read_all(&OpenCompass, folder.path())
}

/// Returns a predictions file with these answers.
fn predictions(answers: &[&str]) -> String {
    let rows = (0..).zip(answers).map(|(at, answer): (u64, _)| {
        let row = json!({"origin_prompt": "Q", "prediction": answer, "gold": "A"});
        format!("\"{at}\": {row}")
    });
    format!("{{\n{}\n}}", rows.collect::<Vec<_>>().join(",\n"))
}

fn answers(found: &CollectingSink) -> Vec<(&str, &str)> {
    let mut answers: Vec<_> = (found.records.iter())
        .map(|(record, _)| {
            (
                record.sample_id.as_str(),
                record.response.as_deref().unwrap(),
            )
        })
        .collect();
    answers.sort_unstable();
    answers
}

#[test]
fn scores_have_the_means_of_the_results() {
    let found = read_all(&OpenCompass, &fixture(RUN));
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    for (model, dataset, percent) in [
        ("alpha-vl-7b", "shapes_color", 83.333_333_333_333_33),
        ("alpha-vl-7b", "shapes_location", 83.333_333_333_333_33),
        ("beta-vl-2b", "shapes_color", 33.333_333_333_333_336),
        ("beta-vl-2b", "shapes_location", 66.666_666_666_666_67),
    ] {
        let is =
            |(record, _): &&(Record, u64)| record.model == model && record.benchmark == dataset;
        let records: Vec<_> = found.records.iter().filter(is).collect();
        let sum: f64 = records
            .iter()
            .map(|(record, _)| record.stored.unwrap())
            .sum();
        assert_eq!(records.len(), 6);
        assert!((sum / 6.0 - percent / 100.0).abs() < 1e-9);
        let metric = records[0].0.metric.as_deref();
        assert_eq!(metric, Some("accuracy"));
        let figure =
            |figure: &&record::PublishedScore| figure.model == model && figure.benchmark == dataset;
        let figures: Vec<_> = found.figures.iter().filter(figure).collect();
        assert_eq!((figures.len(), figures[0].n), (1, 6));
        assert!((figures[0].score - percent / 100.0).abs() < 1e-12);
    }
    // These data sets are contained only in the summary.
    let summary = found
        .figures
        .iter()
        .filter(|figure| figure.table.ends_with(".csv"));
    let summary: Vec<_> = summary
        .map(|figure| (figure.benchmark.as_str(), figure.score))
        .collect();
    assert_eq!(summary.len(), 4);
    assert!(summary.contains(&("shapes_counting", 1.0)));
}

#[test]
fn a_prediction_has_request_answer_and_target() {
    let found = read_all(&OpenCompass, &fixture(RUN));
    let (record, line) = &found.records[0];
    assert_eq!((record.sample_id.as_str(), *line), ("0", 2));
    assert_eq!(record.response.as_deref(), Some("The answer is D."));
    assert_eq!(record.parsed.as_deref(), Some("D"));
    assert_eq!(record.content.target, Some(Target::Text("D".to_owned())));
    assert!(
        record
            .content
            .question
            .starts_with("What color is the triangle?\nA. green")
    );
}

#[test]
fn parts_are_joined_in_order() {
    let results = json!({"accuracy": 0.0}).to_string();
    let parts: Vec<String> = [&["a", "b"][..], &["c"], &["d"]].map(predictions).to_vec();
    let name = |at: usize| format!("predictions/m/d_{at}.json");
    let names = [name(0), name(1), name(2), name(10)];
    let mut files: Vec<(&str, &str)> = vec![("results/m/d.json", &results)];
    files.extend(
        names
            .iter()
            .zip(&parts)
            .map(|(name, text)| (name.as_str(), text.as_str())),
    );
    let found = read(&files);
    assert_eq!(
        answers(&found),
        [("0", "a"), ("1", "b"), ("2", "c"), ("3", "d")]
    );
    assert!(
        found
            .records
            .iter()
            .all(|(record, _)| record.benchmark == "d")
    );
    assert!(
        found
            .records
            .iter()
            .all(|(record, _)| record.stored.unwrap().is_nan())
    );
    // The name of a data set can end with a number.
    let whole = predictions(&["a"]);
    let found = read(&[
        ("predictions/m/d_1.json", &whole),
        ("predictions/m/d_3.json", &whole),
    ]);
    let names: Vec<_> = found
        .records
        .iter()
        .map(|(record, _)| record.benchmark.as_str())
        .collect();
    assert_eq!(names, ["d_1", "d_3"]);
}

#[test]
fn a_missing_part_is_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    let predicted = folder.path().join("predictions/m");
    fs::create_dir_all(&predicted).unwrap();
    for at in [0, 1, 3] {
        fs::write(predicted.join(format!("d_{at}.json")), predictions(&["a"])).unwrap();
    }
    let units = units(&OpenCompass, folder.path());
    assert_eq!((units.len(), units[0].companions.len()), (1, 1));
    let problem = units[0].problem.as_deref();
    assert_eq!(
        problem,
        Some("part 2 is missing: the parts after it are not read")
    );
}

#[test]
fn results_without_predictions_are_read() {
    let text =
        fs::read_to_string(fixture(RUN).join("results/beta-vl-2b/shapes_color.json")).unwrap();
    let found = read(&[("results/beta-vl-2b/shapes_color.json", &text)]);
    assert_eq!((found.records.len(), found.figures.len()), (6, 1));
    let (record, _) = &found.records[0];
    assert!(record.content.question.starts_with("What color"));
    assert!(record.response.is_some() && record.content.target.is_some());
}

#[test]
fn repeats_become_a_condition_and_other_figures_stay_figures() {
    let entry = |name: &str, correct: [bool; 2]| json!({"example_abbr": name, "predictions": {"pred": ["A", "B"], "correct": correct}});
    let results = json!({
        "accuracy (2 runs average)": 75.0, "G-Pass@2_1.0": 50.0, "type": 3,
        "details": [entry("x_0", [true, true]), entry("x_1", [true, false])],
    });
    let found = read(&[
        ("predictions/m/d.json", &predictions(&["a", "b", "c", "d"])),
        ("results/m/d.json", &results.to_string()),
    ]);
    let of = |(record, _): &(Record, u64)| {
        (
            record.sample_id.clone(),
            record.condition[REPEAT].clone(),
            record.stored.unwrap(),
        )
    };
    let expected = [
        ("0", 1.0, 1.0),
        ("1", 1.0, 1.0),
        ("0", 2.0, 1.0),
        ("1", 2.0, 0.0),
    ];
    let expected =
        expected.map(|(id, repeat, score)| (id.to_owned(), Value::Number(repeat), score));
    assert_eq!(found.records.iter().map(of).collect::<Vec<_>>(), expected);
    let figures: Vec<_> = found
        .figures
        .iter()
        .map(|it| (it.metric.as_str(), it.score))
        .collect();
    assert_eq!(
        figures,
        [("accuracy (2 runs average)", 0.75), ("G-Pass@2_1.0", 0.5)]
    );
}

#[test]
fn an_odd_entry_costs_itself_and_damaged_results_their_scores() {
    let text = "{\n\"0\": {\"origin_prompt\": \"Q\", \"prediction\": \"a\"},\n\"1\": {\"prediction\": nope},\n\
                \"2\": {\"label: A\": {\"testing input\": \"T\", \"prompt\": \"P A\", \"PPL\": 2.5}, \"prediction\": \"A\"},\n\"3\": {\"pre";
    let found = read(&[
        ("predictions/m/d.json", text),
        (
            "results/m/d.json",
            "{\"accuracy\": 50.0, \"details\": {\"0\": {\"corr",
        ),
    ]);
    assert_eq!(answers(&found), [("0", "a"), ("2", "A")]);
    assert_eq!(found.records[1].0.content.question, "P A");
    assert!(found.figures.is_empty());
    let places: Vec<_> = found
        .problems
        .iter()
        .map(|what| what.split(": ").next().unwrap())
        .collect();
    assert_eq!(
        places,
        ["d.json:0", "d.json:3", "d.json:5"],
        "{:?}",
        found.problems
    );
}

#[test]
fn results_of_more_or_other_predictions_are_told() {
    let results = r#"{"accuracy": 100.0, "details": {
        "0": {"origin_prediction": "A", "correct": true},
        "1": {"origin_prediction": "A", "correct": true}}}"#;
    for (given, told) in [
        (
            ["A"].as_slice(),
            "d.json:0: 1 of 2 predictions scored in the results are in the log",
        ),
        (
            ["A", "B"].as_slice(),
            "d.json:3: the results score another response than this one; evaluate again",
        ),
    ] {
        let found = read(&[
            ("predictions/m/d.json", &predictions(given)),
            ("results/m/d.json", results),
        ]);
        assert_eq!(answers(&found), [("0", "A")]);
        assert_eq!(found.problems, [told]);
    }
}

#[test]
fn other_files_are_left_alone() {
    for (name, text) in [
        ("results/m/x.json", "{\"accuracy\": 1.0}"),
        ("a/b/x.json", "{\"0\": {\"prediction\": \"a\", \"id\": 3}}"),
        ("a/b/x.csv", "dataset,version,score\n"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        assert!(units(&OpenCompass, folder.path()).is_empty(), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn damaged_files_are_read_without_panic(
        hits in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>(), any::<u8>()), 1..8),
        at in 0_usize..3,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let names = [
            "predictions/beta-vl-2b/shapes_color.json", "results/beta-vl-2b/shapes_color.json",
            "summary/summary_20261125_220001.csv",
        ];
        for (number, name) in names.iter().enumerate() {
            let bytes = fs::read(fixture(RUN).join(name)).unwrap();
            let bytes = if number == at { damaged(&bytes, &hits) } else { bytes };
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let found = read_all(&OpenCompass, folder.path());
        prop_assert!(found.records.len() <= 7);
    }
}
