use std::collections::BTreeMap;
use std::fs;

use serde_json::Value as Json;

use super::Mmmu;
use crate::testing::{CollectingSink, fixture, read_all, units};

/// Returns the accuracy of each model and subject, to three decimals.
fn accuracies(found: &CollectingSink) -> BTreeMap<(String, String), String> {
    let mut scores: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for (record, _) in &found.records {
        let score = scorer::judge(record).harness.outcome.score;
        let key = (record.model.clone(), record.ability.clone());
        scores.entry(key).or_default().extend(score);
    }
    let mean = |all: Vec<f64>| format!("{:.3}", all.iter().sum::<f64>() / all.len() as f64);
    scores
        .into_iter()
        .map(|(key, all)| (key, mean(all)))
        .collect()
}

fn assert_expected(found: &CollectingSink, subjects: usize) {
    let text = fs::read_to_string(fixture("mmmu/expected.json")).unwrap();
    let expected: Json = serde_json::from_str(&text).unwrap();
    let found = accuracies(found);
    assert_eq!(found.len(), 2 * subjects, "{found:?}");
    for ((model, subject), accuracy) in found {
        let expected = expected[&model][&subject]["acc"].as_f64().unwrap();
        assert_eq!(accuracy, format!("{expected:.3}"), "{model} {subject}");
    }
}

fn copied(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(fixture("mmmu").join(name), path).unwrap();
    }
    folder
}

#[test]
fn subjects_have_the_accuracy_of_the_evaluator() {
    let found = read_all(&Mmmu, &fixture("mmmu"));
    assert_eq!(
        (found.records.len(), found.problems.len()),
        (24, 0),
        "{:?}",
        found.problems
    );
    assert_expected(&found, 2);
    let units = units(&Mmmu, &fixture("mmmu"));
    let read = units.iter().filter(|unit| !unit.superseded);
    assert_eq!((units.len(), read.count()), (10, 4));
    let (record, _) = &found.records[0];
    assert_eq!(
        (record.content.choices.len(), record.parsed.as_deref()),
        (4, Some("D"))
    );
}

#[test]
fn bare_answers_are_compared_with_the_right_ones() {
    let names = [
        "alpha-vl-7b_val_output.json",
        "beta-vl-2b_val_output.json",
        "answer_dict_val.json",
    ];
    let folder = copied(&names);
    assert_expected(&read_all(&Mmmu, folder.path()), 4);
    let folder = copied(&names[..1]);
    let found = read_all(&Mmmu, folder.path());
    assert_eq!(found.records.len(), 24);
    assert!(
        found.problems[0].contains("no label for 24 questions"),
        "{:?}",
        found.problems
    );
    assert!(
        accuracies(&found)
            .values()
            .all(|accuracy| accuracy == "NaN")
    );
}

#[test]
fn questions_without_an_answer_are_told() {
    let folder = copied(&["answer_dict_val.json", "alpha-vl-7b_val_output.json"]);
    let path = folder.path().join("alpha-vl-7b_val_output.json");
    let mut answers: serde_json::Map<String, Json> =
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let all = answers.len();
    answers.shift_remove("validation_Art_2").unwrap();
    fs::write(&path, Json::Object(answers).to_string()).unwrap();
    let found = read_all(&Mmmu, folder.path());
    let what = format!("no answer to 1 of {all} questions: validation_Art_2 …");
    assert_eq!(found.problems.len(), 1);
    assert!(found.problems[0].ends_with(&what), "{:?}", found.problems);
}

#[test]
fn responses_alone_are_read_by_the_rule() {
    let folder = copied(&["example_outputs/alpha-vl-7b/Art/output.json"]);
    let found = read_all(&Mmmu, folder.path());
    let key = ("alpha-vl-7b".to_owned(), "Art".to_owned());
    assert_eq!(
        accuracies(&found),
        BTreeMap::from([(key, "1.000".to_owned())])
    );
}

#[test]
fn the_judgement_in_the_file_counts_and_an_odd_row_costs_itself() {
    let row = |number: u32, rest: &str| {
        format!(
            r#"{{"id": "validation_Art_{number}", "question_type": "multiple-choice", "answer": "A", "response": "I think so", "index2ans": {{"A": "x", "B": "y"}}, {rest}}}"#
        )
    };
    let rows = [
        row(1, r#""parsed_pred": "A""#),
        row(2, r#""parsed_pred": "B""#),
        row(3, r#""parsed_pred": "B", "judge": "Correct""#),
        "{\"id\": 7}".to_owned(),
        row(4, r#""parsed_pred": "A""#).replace("\"I think so\"", "null"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let text = format!("[\n{}", rows.join(",\n"));
    fs::write(folder.path().join("parsed_output.json"), text).unwrap();
    let found = read_all(&Mmmu, folder.path());
    let stored: Vec<_> = found
        .records
        .iter()
        .map(|(record, _)| record.stored)
        .collect();
    assert_eq!(stored, [Some(1.0), Some(0.0), Some(1.0), Some(1.0)]);
    assert_eq!(found.problems[0], "parsed_output.json:5: `id` is missing");
    assert!(
        found.problems[1].contains("the file is cut short"),
        "{:?}",
        found.problems
    );
}

#[test]
fn subjects_of_a_model_are_parts_of_one_run() {
    let mut units = units(&Mmmu, &fixture("mmmu"));
    crate::Runs::All.name(&mut units);
    let read: Vec<_> = units.iter().filter(|unit| !unit.superseded).collect();
    assert_eq!(read.len(), 4);
    assert!(read.iter().all(|unit| unit.run.is_none()), "{read:?}");
}
