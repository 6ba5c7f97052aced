//! Lists the samples that one column of a rerun answers right and another one wrong.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::cells::cut_title;
use super::columns::{Columns, written};
use super::{Grid, RerunColumn};
use ask::Sample;

/// Maximum number of rows of the table; JSON has all.
const MOST: usize = 40;

/// A sample that one of two columns answers right and the other one wrong.
pub struct ColumnFlip<'a> {
    right: ColumnAnswer<'a>,
    wrong: ColumnAnswer<'a>,
}

/// A column's answer to a sample. With several steps, it is right if all steps are right.
#[derive(Clone)]
struct ColumnAnswer<'a> {
    column: &'a str,
    sample: &'a Sample,
    is_right: bool,
    answer: String,
}

/// Returns the scored answers of a column by the keys of their samples, in the order of the plan.
fn answers<'a>(column: &'a RerunColumn<'_>) -> Vec<(String, ColumnAnswer<'a>)> {
    let run = column.run.as_ref();
    let Some((run, found)) = run.and_then(|run| Some((run, run.summary.as_ref()?))) else {
        return Vec::new();
    };
    let answer = |(at, sample): (usize, &'a Arc<Sample>)| {
        let seen = found.seen(at).iter().map(Option::as_ref);
        let seen = seen
            .collect::<Option<Vec<_>>>()
            .filter(|seen| !seen.is_empty())?;
        let rights: Option<Vec<bool>> = seen.iter().map(|step| step.right).collect();
        let read = seen.iter().map(|step| match &step.read {
            Some(read) => read.clone(),
            None => step.kind.to_string(),
        });
        let answer = ColumnAnswer {
            column: &column.name,
            sample,
            is_right: rights?.into_iter().all(|right| right),
            answer: read.collect::<Vec<_>>().join(", "),
        };
        Some((sample.key(), answer))
    };
    let samples = run.plan.samples.iter().enumerate();
    samples.filter_map(answer).collect()
}

/// Returns the flips between each pair of columns.
pub fn flips<'a>(columns: &'a [RerunColumn<'_>]) -> Vec<ColumnFlip<'a>> {
    let columns: Vec<Vec<(String, ColumnAnswer<'a>)>> = columns.iter().map(answers).collect();
    let mut found = Vec::new();
    for (at, first) in columns.iter().enumerate() {
        for second in columns.iter().skip(at + 1) {
            let second = second.iter().map(|(key, one)| (key.as_str(), one));
            let second: HashMap<&str, &ColumnAnswer<'a>> = second.collect();
            found.extend(first.iter().filter_map(|(key, one)| {
                let other = *second.get(key.as_str())?;
                let (right, wrong) = match (one.is_right, other.is_right) {
                    (true, false) => (one, other),
                    (false, true) => (other, one),
                    _ => return None,
                };
                Some(ColumnFlip {
                    right: right.clone(),
                    wrong: wrong.clone(),
                })
            }));
        }
    }
    found
}

/// Returns the table of the first flips; `None` without any.
pub fn grid(flips: &[ColumnFlip<'_>]) -> Option<Grid> {
    if flips.is_empty() {
        return None;
    }
    let hint = "; --format json lists all";
    let title = cut_title("Flips between columns", MOST, flips.len(), hint);
    let table = Columns::<ColumnFlip<'_>>::new()
        .text("sample", |it| &it.right.sample.record.sample_id)
        .text("ability", |it| &it.right.sample.record.ability)
        .words("target", |it| {
            written(it.right.sample.record.content.target.as_ref())
        })
        .text("right", |it| it.right.column)
        .text("answer", |it| &it.right.answer)
        .text("wrong", |it| it.wrong.column)
        .text("its answer", |it| &it.wrong.answer)
        .grid(&title, flips.iter().take(MOST));
    Some(table)
}

impl ColumnFlip<'_> {
    /// Returns the flip as JSON.
    pub fn json(&self) -> Json {
        let record = &self.right.sample.record;
        json!({
            "benchmark": record.benchmark, "ability": record.ability, "sample_id": record.sample_id,
            "right": {"column": self.right.column, "answer": self.right.answer},
            "wrong": {"column": self.wrong.column, "answer": self.wrong.answer},
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{Document, Rerun, RerunColumns};
    use ask::{
        AnswerGrade, Asking, Cost, Estimate, JournalEntry, Kind, Plan, Protocol, StepResult,
    };
    use record::{Content, Record, Target};

    fn plan() -> Plan {
        let sample = |at: usize| Sample {
            record: Record {
                sample_id: format!("s{at}"),
                ability: "emotion".to_owned(),
                content: Content {
                    question: "Which?".to_owned(),
                    target: Some(Target::Text("A".to_owned())),
                    ..Content::default()
                },
                ..Record::default()
            },
            pictures: Vec::new(),
            format: "eyechart".to_owned(),
            before: None,
            turned: BTreeMap::new(),
        };
        Plan::new(
            (0..3).map(sample).collect(),
            Protocol::Vanilla,
            Asking::default(),
        )
    }

    fn column<'a>(plan: &'a Plan, name: &str, rights: [Option<bool>; 3]) -> RerunColumn<'a> {
        let finished = |(item, right): (usize, Option<bool>)| {
            Arc::new(StepResult {
                item,
                judged: AnswerGrade {
                    kind: Kind::Ok,
                    right,
                    read: right.map(|right| if right { "A" } else { "B" }.to_owned()),
                },
                before: None,
                kept: false,
                done: Arc::new(JournalEntry::default()),
                record: None,
            })
        };
        let finished: Vec<_> = rights.into_iter().enumerate().map(finished).collect();
        let run = Rerun {
            plan,
            estimate: Estimate::default(),
            summary: Some(plan.summary(&finished)),
            cost: Cost::default(),
            probed: ask::ProbeUsage::default(),
            sent: ask::RequestUsage::default(),
            price: None,
            unasked: 0,
            doubts: Vec::new(),
            changed: ask::ChangedWords::default(),
            damaged: 0,
            log: None,
        };
        RerunColumn {
            name: name.to_owned(),
            endpoint: String::new(),
            folder: String::new(),
            run: Some(run),
            stopped: None,
        }
    }

    #[test]
    fn a_sample_with_two_verdicts_is_a_flip_between_columns() {
        let plan = plan();
        let columns = RerunColumns {
            columns: vec![
                column(&plan, "one", [Some(true), Some(true), None]),
                column(&plan, "two", [Some(true), Some(false), Some(true)]),
                column(&plan, "three", [Some(false), Some(false), Some(true)]),
            ],
            ..RerunColumns::default()
        };
        let found = columns.json()["flips"].clone();
        let told = found.as_array().unwrap().iter().map(|flip| {
            let of = |side: &str| flip[side]["column"].as_str().unwrap().to_owned();
            (
                flip["sample_id"].as_str().unwrap().to_owned(),
                of("right"),
                of("wrong"),
            )
        });
        let told: Vec<_> = told.collect();
        let expected = [
            ("s1", "one", "two"),
            ("s0", "one", "three"),
            ("s1", "one", "three"),
            ("s0", "two", "three"),
        ];
        let expected = expected
            .map(|(sample, right, wrong)| (sample.to_owned(), right.to_owned(), wrong.to_owned()));
        assert_eq!(told, expected);
        let grids = columns.grids();
        assert!(
            grids
                .last()
                .is_some_and(|grid| grid.title == "Flips between columns")
        );
    }
}
