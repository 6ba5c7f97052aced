//! Lets another model judge free-text answers: does an answer mean the same as the target?
//!
//! The judge's verdicts are compared with other scoring rules. They count as scores only in an
//! analysis that opens the judge's log.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::Sample;
use analysis::metric::{Agreement, cohen_kappa};
use analysis::{Correctness, LEVEL, Selection};
use record::verdict::Verdict;
use record::{Choice, Content, Record, Row, Rule, Scoring, Table, Target, Value};

use workspace::load::{Request, load};
use workspace::{export, text};

/// Metric of a judge's scores.
pub const METRIC: &str = "judged";
/// Tag that holds the judge's name; also the benchmark name of the judge's questions.
const JUDGE: &str = "judge";
/// Ability name of the judge's questions.
const ABILITY: &str = "judgement";
/// Letter of the option for a right answer.
const RIGHT: &str = "A";
/// Log format of the questions.
const FORMAT: &str = "eyechart";

/// An answer and the question for the judge.
pub struct JudgeQuestion {
    /// Row of the answer in the table.
    pub row: Row,
    /// Record with the judged answer.
    record: Record,
    /// The question to the judge, as a sample.
    pub sample: Sample,
}

/// Returns up to `limit` selected answers that have a text and a target. The second result is the
/// number of answers skipped because text or target is missing or unreadable.
pub fn asked(selection: Selection<'_>, limit: usize) -> (Vec<JudgeQuestion>, usize) {
    let (mut found, mut others) = (Vec::new(), 0);
    for row in selection.rows().map(Row) {
        let Ok(record) = text::record(selection.table, row) else {
            others += 1;
            continue;
        };
        match (question(&record), found.len() < limit) {
            (Some(sample), true) => found.push(JudgeQuestion {
                row,
                record,
                sample,
            }),
            (None, _) => others += 1,
            (Some(_), false) => break,
        }
    }
    (found, others)
}

/// Builds the question for the judge; `None` if the answer or the target is missing.
fn question(record: &Record) -> Option<Sample> {
    let response = record
        .response
        .as_ref()
        .filter(|text| !text.trim().is_empty())?;
    let target = record.content.target.as_ref()?.to_string();
    let options = record.content.choices.iter();
    let options = options.map(|choice| format!("{}. {}\n", choice.letter, choice.text));
    let options = options.collect::<Vec<_>>().concat();
    // Prefix each line, so that an answer cannot imitate the question.
    let quoted = response.lines().map(|line| format!("> {line}\n"));
    let quoted = quoted.collect::<Vec<_>>().concat();
    let words = format!(
        "Somebody answered a question about a picture. You see the question, the right answer and the answer given, not \
         the picture.\n\nQuestion: {}\n{options}Right answer: {target}\nAnswer given:\n{quoted}Does the answer given mean \
         the same as the right answer?",
        record.content.question
    );
    let condition: Vec<String> = (record.condition.iter())
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    let id = [
        &record.benchmark,
        &record.ability,
        &record.model,
        &condition.join(", "),
        &record.sample_id,
    ];
    let id = id.map(String::as_str).join(" / ");
    let options = [(RIGHT, "yes"), ("B", "no")];
    Some(judge_sample(ABILITY, id, words, &options))
}

/// Returns a question for a judge. Its target is option A, so the first option must be the right
/// one.
pub(crate) fn judge_sample(
    ability: &str,
    sample_id: String,
    question: String,
    options: &[(&str, &str)],
) -> Sample {
    let option = |(letter, text): &(&str, &str)| Choice {
        letter: (*letter).to_owned(),
        text: (*text).to_owned(),
    };
    Sample {
        record: Record {
            benchmark: JUDGE.to_owned(),
            ability: ability.to_owned(),
            sample_id,
            content: Content {
                question,
                choices: options.iter().map(option).collect(),
                target: Some(Target::Text(RIGHT.to_owned())),
                ..Content::default()
            },
            ..Record::default()
        },
        pictures: Vec::new(),
        format: FORMAT.to_owned(),
        before: None,
        turned: BTreeMap::new(),
    }
}

/// Reads the judge's verdict on each answer from a log; `None` if it is missing or unreadable.
pub fn verdicts(log: &Path, asked: &[JudgeQuestion]) -> Vec<Option<bool>> {
    let request = Request {
        paths: vec![PathBuf::from(log)],
        ..Request::default()
    };
    let table = load(&request, &mut |_| ControlFlow::Continue(()));
    let correct = Correctness::new(&table, Scoring::Strict);
    let rows = (0..u32::try_from(table.len()).unwrap_or(u32::MAX)).map(Row);
    let words: HashMap<&str, Option<bool>> = rows
        .map(|row| {
            let is_read = !table.invalid(row, Scoring::Strict);
            (
                table.sample_id(table.item(row)),
                correct.is_right(row).filter(|_| is_read),
            )
        })
        .collect();
    let word = |asked: &JudgeQuestion| {
        let word = words.get(asked.sample.record.sample_id.as_str());
        word.copied().flatten()
    };
    asked.iter().map(word).collect()
}

/// Formats the judged answers as log lines. They keep their original benchmark, so the verdicts
/// appear next to the harness's scores.
pub fn log<'a>(
    table: &Table,
    answers: impl Iterator<Item = (&'a JudgeQuestion, Option<bool>)>,
    judge: &str,
    folder: &Path,
) -> String {
    let lines = answers.filter_map(|(asked, said)| {
        let right = said?;
        let mut record = asked.record.clone();
        record.benchmark = format!("{}, judged", record.benchmark);
        record.metric = Some(METRIC.to_owned());
        record.stored = Some(f64::from(u8::from(right)));
        record.parsed = None;
        record.beside = Vec::new();
        record.rule = Rule::Unstated;
        // The cost of the answer belongs to its original log.
        record.origin = None;
        let judge = Value::Text(judge.to_owned());
        record.content.tags.insert(JUDGE.to_owned(), judge);
        export::relocate(table, asked.row, &mut record, folder);
        Some(reader::own::write_record(&record) + "\n")
    });
    lines.collect()
}

/// Agreement of a judge with another rule.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeAgreement {
    /// Name of the rule and the set of answers.
    pub against: &'static str,
    /// Share of equal verdicts, and Cohen's kappa.
    pub agreement: Agreement,
    /// Number of answers that only the judge scores as right.
    pub judge_only: u64,
    /// Number of answers that only the rule scores as right.
    pub rule_only: u64,
}

impl JudgeAgreement {
    /// Compares verdicts. Each pair holds, for one answer, whether the judge and whether the rule
    /// scores it as right.
    pub(crate) fn new(against: &'static str, pairs: &[(bool, bool)]) -> Self {
        let count = |pair: (bool, bool)| pairs.iter().filter(|known| **known == pair).count();
        Self {
            against,
            judge_only: count((true, false)) as u64,
            rule_only: count((false, true)) as u64,
            agreement: cohen_kappa(pairs, LEVEL),
        }
    }
}

/// Compares a judge with both scoring rules, on all answers and on those whose label a person
/// confirmed.
pub fn measured(
    table: &Table,
    asked: &[JudgeQuestion],
    said: &[Option<bool>],
) -> Vec<JudgeAgreement> {
    let is_checked = |row: Row| {
        let item = table.item(row).0 as usize;
        table
            .verdicts()
            .get(item)
            .is_some_and(|set| *set == Verdict::Ok.bit())
    };
    let of = |against, scoring, checked: bool| {
        let correct = Correctness::new(table, scoring);
        let rows = asked.iter().zip(said);
        let rows = rows.filter(|(asked, _)| !checked || is_checked(asked.row));
        let pairs: Vec<(bool, bool)> = rows
            .filter_map(|(asked, said)| Some(((*said)?, correct.is_right(asked.row)?)))
            .collect();
        JudgeAgreement::new(against, &pairs)
    };
    vec![
        of("the harness's scores", Scoring::Harness, false),
        of("Eyechart's own rule", Scoring::Strict, false),
        of(
            "the harness's scores, labels that a person called ok",
            Scoring::Harness,
            true,
        ),
        of(
            "Eyechart's own rule, labels that a person called ok",
            Scoring::Strict,
            true,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_without_text_or_target_is_not_judged_and_its_words_are_kept_apart() {
        let mut record = Record {
            benchmark: "b".to_owned(),
            ability: "a".to_owned(),
            sample_id: "s".to_owned(),
            model: "m".to_owned(),
            response: Some("a small dog".to_owned()),
            content: Content {
                question: "What is it?".to_owned(),
                target: Some(Target::Text("puppy".to_owned())),
                ..Content::default()
            },
            ..Record::default()
        };
        let sample = question(&record).unwrap();
        let words = &sample.record.content.question;
        assert!(words.contains("Right answer: puppy\n"), "{words}");
        assert!(
            words.contains("Answer given:\n> a small dog\nDoes"),
            "{words}"
        );
        assert_eq!(sample.record.sample_id, "b / a / m /  / s");
        record.response = Some(" ".to_owned());
        assert!(question(&record).is_none());
        record.response = Some("yes".to_owned());
        record.content.target = None;
        assert!(question(&record).is_none());
    }
}
