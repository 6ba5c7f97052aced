//! Counts how often each answer was given to each target, as a matrix.

use std::collections::HashSet;

use super::{NameCodes, ValueLabel, answer_in, each, is_letter};
use crate::filter::is;
use crate::page::{Correctness, in_order};
use analysis::Selection;
use record::Row;

/// Maximum number of targets with a row of their own; all rarer targets share one row.
const MOST_TARGETS: usize = 30;
/// Maximum number of columns for answers that equal no target.
const MOST_MORE: usize = 10;

/// A row or a column of the matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The value, or a group of rarer values.
    pub name: ClassName,
    /// Number of predictions in the row or column.
    pub count: u64,
}

/// Name of a row or a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassName {
    /// A target or an answer. Options are named by their text.
    Value(String),
    /// A group of this many rarer values.
    Others(usize),
    /// Responses without a readable answer.
    Unparsed,
}

/// Counts in one cell of the matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConfusionCell {
    /// Number of predictions.
    pub count: u64,
    /// Number of these predictions that are right under the active rules.
    pub right: u64,
}

/// Matrix of targets against answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confusion {
    /// Rows: numbers by size, texts alphabetically; the group of rarer targets comes last.
    pub targets: Vec<Class>,
    /// Columns: the targets in the order of the rows, then other answers, rarer ones, and
    /// unreadable ones.
    pub answers: Vec<Class>,
    /// True if options are named by their letter, because their texts differ between samples.
    pub by_letter: bool,
    /// Number of predictions outside the matrix. Their target is missing, a box or a colour, or
    /// their log cannot be read.
    pub left_out: u64,
    cells: Vec<ConfusionCell>,
}

impl Confusion {
    /// Returns the counts of a cell; zero outside the matrix.
    pub fn cell(&self, target: usize, answer: usize) -> ConfusionCell {
        let at = target * self.answers.len() + answer;
        let is_there = answer < self.answers.len();
        let cell = self.cells.get(at).filter(|_| is_there);
        cell.copied().unwrap_or_default()
    }

    /// Returns true if the answer of a column equals the target of a row.
    pub fn is_diagonal(&self, target: usize, answer: usize) -> bool {
        let name = self.targets.get(target).map(|class| &class.name);
        let value = name.filter(|name| matches!(name, ClassName::Value(_)));
        value.is_some() && value == self.answers.get(answer).map(|class| &class.name)
    }

    /// Returns the number of predictions in the matrix.
    pub fn total(&self) -> u64 {
        self.targets.iter().map(|class| class.count).sum()
    }

    /// Returns a filter for the predictions of a cell, to add to the filter of the matrix. `None`
    /// if there is none.
    pub fn expression(&self, target: usize, answer: usize) -> Option<String> {
        let target = expression("target", &self.targets, target)?;
        let answer = expression("answer", &self.answers, answer)?;
        Some(format!("{target} {answer}"))
    }
}

/// Returns the filter terms that select a class.
fn expression(key: &str, classes: &[Class], at: usize) -> Option<String> {
    let value = |name: &str| is(key, name, &[name.to_owned()]);
    let nothing = format!("{key}=\"\"");
    Some(match &classes.get(at)?.name {
        ClassName::Value(name) => value(name),
        ClassName::Unparsed => nothing,
        ClassName::Others(_) => {
            let named = classes.iter().filter_map(|class| match &class.name {
                ClassName::Value(name) => Some(format!("not {}", value(name))),
                _ => None,
            });
            let mut terms: Vec<String> = named.collect();
            terms.push(format!("not {nothing}"));
            if key == "target" {
                // Boxes and colours have no row, so exclude them.
                terms.push("not target~\"^\\[\"".to_owned());
            }
            terms.join(" ")
        }
    })
}

/// Target and answer of one prediction.
struct TargetAndAnswer {
    row: u32,
    target: ValueLabel,
    answer: Option<ValueLabel>,
}

/// Builds the matrix of a selection.
pub fn confusion(selection: Selection<'_>) -> Confusion {
    let table = selection.table;
    let scoring = selection.scoring;
    let all: Vec<u32> = selection.rows().collect();
    let can_be_named = |row: &u32| {
        let target = table.target(table.item(Row(*row)));
        !target.is_empty() && !target.starts_with('[')
    };
    let rows: Vec<u32> = all.iter().copied().filter(can_be_named).collect();
    let said = each(table, &rows, selection.ticket, |row, record| {
        TargetAndAnswer {
            row: row.0,
            target: ValueLabel::of(&record.content, table.target(table.item(row))),
            answer: answer_in(table, row, record, scoring),
        }
    });
    let said: Vec<TargetAndAnswer> = said.into_iter().flatten().collect();
    let by_letter = differ(selection, &said);
    let mut found = count(selection, &said, by_letter);
    found.left_out = (all.len() - said.len()) as u64;
    found
}

/// Returns true if most targets are option letters whose texts differ between samples.
fn differ(selection: Selection<'_>, said: &[TargetAndAnswer]) -> bool {
    let table = selection.table;
    let item = |said: &TargetAndAnswer| table.item(Row(said.row));
    let lettered = said
        .iter()
        .filter(|said| is_letter(table.target(item(said))));
    let lettered: Vec<&TargetAndAnswer> = lettered.collect();
    let samples: HashSet<u32> = lettered
        .iter()
        .map(|said| table.sample_of()[item(said).0 as usize])
        .collect();
    let texts: HashSet<&str> = lettered
        .iter()
        .map(|said| said.target.name.as_str())
        .collect();
    2 * lettered.len() > said.len() && texts.len() > MOST_TARGETS && 2 * texts.len() > samples.len()
}

fn count(selection: Selection<'_>, said: &[TargetAndAnswer], by_letter: bool) -> Confusion {
    let name = |called: &ValueLabel| {
        if by_letter {
            called.short.clone()
        } else {
            called.name.clone()
        }
    };
    let mut names = NameCodes::default();
    let mut pairs: Vec<(u32, usize, Option<usize>)> = Vec::with_capacity(said.len());
    for said in said {
        let target = names.code(&name(&said.target));
        let answer = said.answer.as_ref().map(|answer| names.code(&name(answer)));
        pairs.push((said.row, target, answer));
    }
    let total = names.names.len();
    let (mut of_target, mut of_answer) = (vec![0_u64; total], vec![0_u64; total]);
    for (_, target, answer) in &pairs {
        of_target[*target] += 1;
        if let Some(answer) = answer {
            of_answer[*answer] += 1;
        }
    }
    let in_words = |shown: &mut Vec<usize>| {
        shown.sort_by(|a, b| in_order(&names.names[*a], &names.names[*b]));
    };
    let mut targets = most(&of_target, MOST_TARGETS, |_| true);
    in_words(&mut targets);
    let mut more = most(&of_answer, MOST_MORE, |code| !targets.contains(&code));
    in_words(&mut more);
    let columns: Vec<usize> = targets.iter().chain(&more).copied().collect();
    let class = |counts: &[u64], code: usize| Class {
        name: ClassName::Value(names.names[code].clone()),
        count: counts[code],
    };
    let rest = |counts: &[u64], shown: &[usize]| {
        let is_rest = |(code, count): &(usize, &u64)| **count > 0 && !shown.contains(code);
        let rest = counts.iter().enumerate().filter(is_rest);
        let (classes, count) = rest.fold((0, 0), |(n, sum), (_, count)| (n + 1, sum + count));
        (classes > 0).then_some(Class {
            name: ClassName::Others(classes),
            count,
        })
    };
    let mut found = Confusion {
        targets: targets
            .iter()
            .map(|code| class(&of_target, *code))
            .collect(),
        answers: columns
            .iter()
            .map(|code| class(&of_answer, *code))
            .collect(),
        by_letter,
        ..Confusion::default()
    };
    found.targets.extend(rest(&of_target, &targets));
    found.answers.extend(rest(&of_answer, &columns));
    found.answers.push(Class {
        name: ClassName::Unparsed,
        count: pairs
            .iter()
            .filter(|(_, _, answer)| answer.is_none())
            .count() as u64,
    });
    let width = found.answers.len();
    let places = |shown: &[usize]| {
        let mut places = vec![shown.len(); total];
        for (at, code) in shown.iter().enumerate() {
            places[*code] = at;
        }
        places
    };
    let (rows, cells) = (places(&targets), places(&columns));
    let correctness = Correctness::new(selection.table, selection.scoring);
    found.cells = vec![ConfusionCell::default(); width * found.targets.len()];
    for (row, target, answer) in pairs {
        let column = answer.map_or(width - 1, |answer| cells[answer]);
        let cell = &mut found.cells[rows[target] * width + column];
        cell.count += 1;
        cell.right += u64::from(correctness.is_right(Row(row)) == Some(true));
    }
    found
}

/// Returns the codes with the highest counts, most frequent first, among those accepted by
/// `is_meant`.
fn most(counts: &[u64], limit: usize, is_meant: impl Fn(usize) -> bool) -> Vec<usize> {
    let codes = (0..counts.len()).filter(|code| counts[*code] > 0 && is_meant(*code));
    let mut codes: Vec<usize> = codes.collect();
    codes.sort_by_key(|code| (std::cmp::Reverse(counts[*code]), *code));
    codes.truncate(limit);
    codes
}
