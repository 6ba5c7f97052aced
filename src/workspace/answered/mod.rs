//! Reads the answers and targets of many predictions from their logs in one pass. They are then
//! grouped or counted.

mod confusion;
mod groups;

use std::collections::HashMap;

use rayon::prelude::*;

use super::brief::parsed;
use super::text::Fetcher;
use base::job::Ticket;
use record::{Choice, Content, Record, Row, Scoring, Table};

pub use confusion::{Class, ClassName, Confusion, ConfusionCell, confusion};
pub use groups::{Group, GroupBy, GroupName, Grouping, grouped, telling_tags};

/// Minimum and maximum number of predictions that a thread reads between two checks of the ticket.
const CHUNKS: [usize; 2] = [16, 1024];
/// Number of chunks per thread, so that all threads end at about the same time.
const PER_WORKER: usize = 4;

/// Short and full name of an answer or a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueLabel {
    /// Option letter if there is one. Otherwise the parsed answer, or the target in the log.
    pub short: String,
    /// Text of the option. Without options, the parsed answer, or the target in the log.
    pub name: String,
}

impl ValueLabel {
    /// Creates the label of an answer from the options of its question.
    pub fn of(content: &Content, answer: &str) -> Self {
        let is_it = |choice: &&Choice| choice.letter == answer || choice.text == answer;
        match content.choices.iter().find(is_it) {
            Some(Choice { letter, text }) if !text.is_empty() => Self {
                short: letter.clone(),
                name: text.clone(),
            },
            _ => Self {
                short: answer.to_owned(),
                name: answer.to_owned(),
            },
        }
    }
}

/// Returns the parsed answer in the record of a row; `None` if it is unreadable.
pub fn answer_in(table: &Table, row: Row, record: &Record, scoring: Scoring) -> Option<ValueLabel> {
    let is_read = !table.invalid(row, scoring);
    let answer = parsed(record, scoring).filter(|answer| is_read && !answer.is_empty())?;
    Some(ValueLabel::of(&record.content, &answer))
}

/// Applies `make` to the record of each prediction. The results are in the order of `rows`. A
/// result is `None` if the log cannot be read, or if the ticket is stale.
pub fn each<T: Send>(
    table: &Table,
    rows: &[u32],
    ticket: &Ticket,
    make: impl Fn(Row, &Record) -> T + Sync,
) -> Vec<Option<T>> {
    // Read one log after another, each in the order of its lines.
    let mut order: Vec<(usize, u32)> = rows.iter().copied().enumerate().collect();
    order.sort_by_cached_key(|(_, row)| {
        let place = table.place(Row(*row));
        (place.unit, place.offset)
    });
    let [least, most] = CHUNKS;
    let workers = rayon::current_num_threads() * PER_WORKER;
    let chunk = order.len().div_ceil(workers).clamp(least, most);
    let fetched = order.par_chunks(chunk).flat_map_iter(|chunk| {
        let mut fetcher = Fetcher::new(table);
        let chunk = if ticket.is_wanted() { chunk } else { &[] };
        let one = |(at, row): &(usize, u32)| {
            let record = fetcher.record(Row(*row)).ok()?;
            Some((*at, make(Row(*row), &record)))
        };
        chunk.iter().filter_map(one).collect::<Vec<_>>()
    });
    let fetched: Vec<(usize, T)> = fetched.collect();
    let mut found: Vec<Option<T>> = rows.iter().map(|_| None).collect();
    for (at, value) in fetched {
        if let Some(place) = found.get_mut(at) {
            *place = Some(value);
        }
    }
    found
}

/// Returns true if a target can be an option letter.
pub fn is_letter(target: &str) -> bool {
    (1..=2).contains(&target.len()) && target.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Returns the option texts of targets that are option letters, by item.
pub fn option_texts(table: &Table, rows: &[u32], ticket: &Ticket) -> HashMap<u32, String> {
    let mut of_item: HashMap<u32, u32> = HashMap::new();
    for row in rows {
        let item = table.item(Row(*row));
        if is_letter(table.target(item)) {
            of_item.entry(item.0).or_insert(*row);
        }
    }
    let (items, rows): (Vec<u32>, Vec<u32>) = of_item.into_iter().unzip();
    let texts = each(table, &rows, ticket, |row, record| {
        ValueLabel::of(&record.content, table.target(table.item(row))).name
    });
    let known = items.into_iter().zip(texts);
    known
        .filter_map(|(item, text)| Some((item, text?)))
        .collect()
}

/// Assigns a code to each name. Names that differ only in ASCII case share a code, as in filters.
#[derive(Debug, Default)]
struct NameCodes {
    names: Vec<String>,
    codes: HashMap<String, usize>,
}

impl NameCodes {
    fn code(&mut self, name: &str) -> usize {
        let key = name.to_ascii_lowercase();
        if let Some(code) = self.codes.get(&key) {
            return *code;
        }
        let code = self.names.len();
        self.names.push(name.to_owned());
        self.codes.insert(key, code);
        code
    }
}

#[cfg(test)]
mod tests;
