//! Compares every rule with recorded results of its original on at least a thousand answers.

use super::{Kind, Question, RULES, named};
use record::{Choice, Content, Record, Rule, Target};
use serde_json::Value;

const RECORDED: &str = include_str!("../../../tests/fixtures/recorded/rules.json");

fn recorded() -> Value {
    serde_json::from_str(RECORDED).unwrap()
}

fn record(target: &str, choices: &Value, response: &Value) -> Record {
    let texts = choices.as_array().into_iter().flatten();
    let choices = (0..).map(Choice::letters).zip(texts);
    let choices = choices.map(|(letter, text)| Choice {
        letter,
        text: text.as_str().unwrap().to_owned(),
    });
    Record {
        content: Content {
            choices: choices.collect(),
            target: Some(Target::Text(target.to_owned())),
            ..Content::default()
        },
        response: Some(response.as_str().unwrap().to_owned()),
        ..Record::default()
    }
}

/// Returns the score of a rule; `None` if the rule does not apply.
fn score(rule: &str, record: &Record) -> Option<f64> {
    let rule = named(rule).unwrap_or_else(|| panic!("no rule {rule}"));
    let question = Question::of(record).unwrap();
    rule.mark(&question).map(|mark| mark.score)
}

/// Compares a rule with the recorded readings (one character per answer), for every possible
/// target.
fn assert_reads(rule: &str, read: &str, cases: &[(Vec<String>, Value, Value)]) {
    assert!(cases.len() >= 1000, "{rule}: {} answers", cases.len());
    assert_eq!(read.chars().count(), cases.len(), "{rule}");
    let mut wrong = Vec::new();
    for ((targets, choices, response), read) in cases.iter().zip(read.chars()) {
        for target in targets {
            let expected = (read != '?').then(|| f64::from(u8::from(target.starts_with(read))));
            let found = score(rule, &record(target, choices, response));
            if found != expected {
                wrong.push(format!(
                    "{choices} {response} target {target}: {found:?}, recorded {read}"
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{rule}: {}\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn rules(part: &Value) -> Vec<(&str, &Value)> {
    let rules = part["rules"].as_object().unwrap().iter();
    rules
        .map(|(name, column)| (name.as_str(), column))
        .collect()
}

#[test]
fn options_are_read_as_by_the_originals() {
    let recorded = recorded();
    let part = &recorded["choice"];
    let answers = part["answers"].as_array().unwrap().iter();
    let cases: Vec<_> = answers
        .map(|answer| {
            let choices = &part["options"][answer[0].as_u64().unwrap() as usize];
            let letters = (0..choices.as_array().unwrap().len()).map(Choice::letters);
            (letters.collect(), choices.clone(), answer[1].clone())
        })
        .collect();
    for (rule, column) in rules(part) {
        assert_reads(rule, column.as_str().unwrap(), &cases);
    }
}

#[test]
fn yes_and_no_are_read_as_by_the_originals() {
    let recorded = recorded();
    let part = &recorded["yes_no"];
    let answers = part["answers"].as_array().unwrap().iter();
    let targets = || vec!["yes".to_owned(), "no".to_owned()];
    let cases: Vec<_> = answers
        .map(|answer| (targets(), Value::Null, answer.clone()))
        .collect();
    for (rule, column) in rules(part) {
        assert_reads(rule, column.as_str().unwrap(), &cases);
    }
}

/// Compares a rule with the recorded scores; returns the number of scores.
fn assert_scores(rule: &str, scores: &Value, records: &[Record]) -> usize {
    let scores = scores.as_array().unwrap();
    assert_eq!(scores.len(), records.len(), "{rule}");
    let mut wrong = Vec::new();
    for (record, expected) in records.iter().zip(scores) {
        let found = score(rule, record);
        let same = match (found, expected.as_f64()) {
            (Some(found), Some(expected)) => (found - expected).abs() < 1e-8,
            (None, None) => true,
            _ => false,
        };
        if !same {
            let (response, target) = (&record.response, &record.content.target);
            wrong.push(format!(
                "{response:?} target {target:?}: {found:?}, recorded {expected}"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{rule}: {}\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    scores.iter().filter(|score| !score.is_null()).count()
}

/// Returns the target as text; several right answers are stored as a list.
fn target(right: &Value) -> String {
    match right.as_array().unwrap().as_slice() {
        [one] => one.as_str().unwrap().to_owned(),
        _ => right.to_string(),
    }
}

#[test]
fn numbers_and_texts_are_scored_as_by_the_originals() {
    let recorded = recorded();
    for (part, kind) in [("number", Kind::Number), ("text", Kind::Text)] {
        let part = &recorded[part];
        let answers = part["answers"].as_array().unwrap().iter();
        let records: Vec<Record> = answers
            .map(|answer| {
                let target = target(&part["targets"][answer[0].as_u64().unwrap() as usize]);
                record(&target, &Value::Null, &answer[1])
            })
            .collect();
        for (rule, scores) in rules(part) {
            let count = assert_scores(rule, scores, &records);
            assert!(count >= 1000, "{rule}: {count} answers");
        }
        let of_kind = records
            .iter()
            .filter(|record| Question::of(record).unwrap().kind == kind);
        assert!(of_kind.count() * 10 > records.len() * 9);
    }
}

#[test]
fn abilities_are_scored_as_by_the_evaluators_of_ava_bench() {
    let recorded = recorded();
    let parts = recorded["ava_bench"].as_object().unwrap();
    let mut count = 0;
    for (ability, part) in parts {
        let answers = part["answers"].as_array().unwrap().iter();
        let records: Vec<Record> = answers
            .map(|answer| Record {
                ability: ability.clone(),
                rule: Rule::AvaBench,
                ..record(answer[0].as_str().unwrap(), &Value::Null, &answer[1])
            })
            .collect();
        count += assert_scores("ava_bench", &part["scores"], &records);
    }
    assert!(count >= 1000, "{count} answers");
}

#[test]
fn every_rule_but_eyecharts_own_is_recorded() {
    let recorded = recorded();
    for rule in &RULES {
        let is_recorded = ["choice", "yes_no", "number", "text"]
            .iter()
            .any(|part| recorded[part]["rules"].get(rule.name).is_some());
        let by_ability = rule.name == "ava_bench" && recorded.get("ava_bench").is_some();
        assert_eq!(
            is_recorded || by_ability,
            rule.name != "strict",
            "{}",
            rule.name
        );
        assert!(
            std::ptr::eq(named(rule.name).unwrap(), rule),
            "{} twice",
            rule.name
        );
    }
}
