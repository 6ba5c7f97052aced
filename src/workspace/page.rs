//! Plain rows for display: a page of the sample list, and one sample whole.

use std::cmp::Ordering;

use super::label_errors::label_errors_first;
use super::load::{Frames, sized};
use super::merit::comparable_merits;
use super::picture::roots;
use super::surface::{Surface, surfaces};
use super::text;
use analysis::scorers::{Class, Rules};
use analysis::{ItemStatistics, Selection, item_statistics, right_in};
use benchmark::{Right, metric_symbol};
use format::fixed;
use record::{Facts, ItemId, Record, Released, Row, Rule, Scoring, Table};
use scorer::{Reading, Unread, explain_strictly, read};

pub use super::versus::{answers_to, counterpart, rows_by_gap};
pub use analysis::Correctness;

/// One prediction in a list: everything that the table knows without opening the log.
#[derive(Clone, Debug, PartialEq)]
pub struct ListRow {
    /// The prediction.
    pub row: Row,
    /// The harness's id.
    pub sample_id: String,
    /// Benchmark name.
    pub benchmark: String,
    /// Ability name.
    pub ability: String,
    /// Model name.
    pub model: String,
    /// The condition as `rotation=90`.
    pub condition: String,
    /// The question.
    pub question: String,
    /// The target.
    pub target: String,
    /// Metric name.
    pub metric: String,
    /// The score; `None`: left out of the mean.
    pub score: Option<f64>,
    /// The answer could not be read.
    pub invalid: bool,
    /// Right or wrong; `None` for an answer without a score.
    pub correct: Option<bool>,
    /// File and line.
    pub place: String,
}

impl ListRow {
    /// Words for an answer that is neither right nor wrong: it has a score, or none.
    #[must_use]
    pub const fn without_verdict(&self) -> &'static str {
        match self.score {
            Some(_) => "graded",
            None => "not scored",
        }
    }
}

/// A prediction with the text of its record.
#[derive(Clone, Debug)]
pub struct Detail {
    /// What the list shows.
    pub list: ListRow,
    /// The record.
    pub record: Record,
    /// From where on a graded score counts as right, in words: `≥ 0.5`.
    pub right: Option<String>,
    /// What was read as the answer.
    pub reading: Option<Reading>,
    /// What read it, in words; `None` where the log states no rule but Eyechart's own.
    pub read_by: Option<&'static str>,
    /// Why nothing was read, where Eyechart's own rules say so.
    pub unread: Option<Unread>,
    /// The predicted box, in the target's units.
    pub predicted_box: Option<[f64; 4]>,
    /// What the other rule makes of it, where the two disagree.
    pub other: Option<OtherRule>,
    /// The maps of its picture, painted; none unless [`pictured`] gave it.
    pub surfaces: Vec<Surface>,
}

/// What the rule that is not in force makes of a prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherRule {
    /// Whose rule.
    pub scoring: Scoring,
    /// Why the rules disagree.
    pub why: Class,
    /// What it read as the answer.
    pub answer: Option<String>,
    /// Its metric.
    pub metric: String,
    /// Its score; `None`: left out of the mean.
    pub score: Option<f64>,
    /// Right or wrong; `None` for an answer without a score.
    pub correct: Option<bool>,
}

impl OtherRule {
    /// `accuracy 0.000, read as C: each rule read another answer`.
    #[must_use]
    pub fn words(&self) -> String {
        let answer = self.answer.as_deref();
        let read = answer.map_or_else(String::new, |answer| format!(", read as {answer}"));
        let (metric, why) = (metric_symbol(&self.metric), self.why.words());
        format!("{metric} {}{read}: {why}", fixed(self.score, 3))
    }
}

/// The list row of a prediction.
#[must_use]
pub fn list_row(table: &Table, row: Row, scoring: Scoring) -> ListRow {
    let item = table.item(row);
    let ability = table.ability(item);
    let place = table.place(row);
    let source = &table.sources()[place.unit as usize];
    ListRow {
        row,
        sample_id: table.sample_id(item).to_owned(),
        benchmark: ability
            .map(|ability| ability.benchmark.clone())
            .unwrap_or_default(),
        ability: ability
            .map(|ability| ability.name.clone())
            .unwrap_or_default(),
        model: table.names().model(table.model(row)).to_owned(),
        condition: condition_words(table, item),
        question: table.question(item).to_owned(),
        target: table.target(item).to_owned(),
        metric: metric_name(table, row, scoring).to_owned(),
        score: score(table, row, scoring),
        invalid: table.invalid(row, scoring),
        correct: Correctness::new(table, scoring).of(row),
        place: format!("{}:{}", format::path(&source.path), place.line),
    }
}

/// A condition as `rotation=90`.
fn condition_words(table: &Table, item: ItemId) -> String {
    let condition = table.condition(item).into_iter().flatten();
    let words = condition.map(|(name, value)| format!("{name}={value}"));
    words.collect::<Vec<_>>().join(" ")
}

/// The score of a prediction; `None`: left out of the mean.
#[must_use]
pub fn score(table: &Table, Row(row): Row, scoring: Scoring) -> Option<f64> {
    let score = table.scores(scoring)[row as usize];
    (!score.is_nan()).then_some(score)
}

/// The name of the metric by which a prediction is scored.
pub(crate) fn metric_name(table: &Table, Row(row): Row, scoring: Scoring) -> &str {
    let code = table.metric_of(scoring)[row as usize];
    &table.names().metrics.values()[usize::from(code)]
}

/// A prediction with the text of its record, fetched from its log.
///
/// # Errors
/// One sentence: the log is gone, has changed, or is still being read.
pub fn detail(table: &Table, row: Row, scoring: Scoring) -> Result<Detail, String> {
    let mut list = list_row(table, row, scoring);
    let record = text::record(table, row).map_err(|error| error.to_string())?;
    // The table leaves both out beyond a limit.
    if list.question.is_empty() && list.target.is_empty() {
        list.question.clone_from(&record.content.question);
        let target = record.content.target.as_ref();
        list.target = target.map(ToString::to_string).unwrap_or_default();
    }
    let sized = sized(&record, Frames::of(table, row));
    let judged = &*sized;
    let reading = read(judged, scoring);
    let strict = scoring == Scoring::Strict || matches!(record.rule, Rule::Strict | Rule::Unstated);
    let unread = (strict && reading.is_none() && record.response.is_some())
        .then(|| explain_strictly(judged).err())
        .flatten();
    let other = other_rule(table, row, scoring, judged);
    let by_harness = read(judged, Scoring::Harness);
    let predicted_box = by_harness.and_then(|reading| reading.drawn_box());
    let read_by = match (record.rule, scoring) {
        (Rule::Unstated | Rule::Strict, _) => None,
        (Rule::Precomputed, _) | (_, Scoring::Harness) => Some(record.rule.words()),
        (_, Scoring::Strict) => Some(Rule::Strict.words()),
    };
    Ok(Detail {
        right: right_in(table, &record.ability, &list.metric).and_then(Right::words),
        list,
        record,
        reading,
        read_by,
        unread,
        predicted_box,
        other,
        surfaces: Vec::new(),
    })
}

fn other_rule(table: &Table, row: Row, scoring: Scoring, record: &Record) -> Option<OtherRule> {
    let why = Rules::new(table).class(row)?;
    let other = list_row(table, row, scoring.other());
    let reading = read(record, scoring.other()).filter(|_| !other.invalid);
    Some(OtherRule {
        scoring: scoring.other(),
        why,
        answer: reading.map(|reading| reading.answer.to_string()),
        metric: other.metric,
        score: other.score,
        correct: other.correct,
    })
}

/// As [`detail`], with the maps of its picture read and painted, which takes as long as decoding them.
///
/// # Errors
/// As [`detail`].
pub fn pictured(table: &Table, row: Row, scoring: Scoring) -> Result<Detail, String> {
    let mut detail = detail(table, row, scoring)?;
    detail.surfaces = surfaces(&detail.record, &roots(table, row));
    Ok(detail)
}

/// In which order a list stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sort {
    /// As the logs have it.
    #[default]
    Log,
    /// By score, the worst first whatever the metric's direction; over several metrics, by how many answers of the same
    /// ability do worse.
    Worst,
    /// By sample id.
    Sample,
    /// By model.
    Model,
    /// By ability.
    Ability,
    /// By the condition under which the sample was asked.
    Condition,
    /// By target.
    Target,
    /// By question.
    Question,
    /// Likely label errors first: the good models agree with each other against the annotation.
    Suspect,
    /// By the family of the model, those of which none is known last.
    Family,
    /// By the size of the model, the smallest first.
    Parameters,
    /// By the date of the model, the oldest first.
    Released,
    /// Samples that most models have wrong first.
    Hard,
    /// Samples that better models do worse on first.
    Discrimination,
    /// By how far the score lies from that of the model with which the lens compares, the widest first.
    Gap,
}

impl Sort {
    /// Every order that needs no second model.
    pub const ALL: [Self; 14] = [
        Self::Log,
        Self::Worst,
        Self::Sample,
        Self::Model,
        Self::Ability,
        Self::Condition,
        Self::Target,
        Self::Question,
        Self::Suspect,
        Self::Hard,
        Self::Discrimination,
        Self::Family,
        Self::Parameters,
        Self::Released,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Worst => "score",
            Self::Sample => "sample",
            Self::Model => "model",
            Self::Ability => "ability",
            Self::Condition => "condition",
            Self::Target => "target",
            Self::Question => "question",
            Self::Suspect => "suspect",
            Self::Hard => "hard",
            Self::Discrimination => "discrimination",
            Self::Family => "family",
            Self::Parameters => "parameters",
            Self::Released => "released",
            Self::Gap => "gap",
        }
    }
}

/// The selected rows in order. Samples without a score come last.
#[must_use]
pub fn sorted_rows(selection: Selection<'_>, sort: Sort, reverse: bool) -> Vec<u32> {
    let table = selection.table;
    let mut rows: Vec<u32> = match sort {
        Sort::Suspect => label_errors_first(selection),
        _ => selection.rows().collect(),
    };
    match sort {
        Sort::Log | Sort::Suspect => {}
        Sort::Worst | Sort::Gap => {
            let merits = comparable_merits(selection);
            let merit = |row: u32| {
                merits
                    .get(row as usize)
                    .copied()
                    .filter(|merit| !merit.is_nan())
            };
            let key = |row: u32| merit(row).unwrap_or(f64::INFINITY);
            rows.sort_by(|a, b| key(*a).total_cmp(&key(*b)));
        }
        Sort::Sample => {
            rows.sort_by_cached_key(|&row| table.sample_id(table.item(Row(row))).to_owned());
        }
        Sort::Model => rows.sort_by_key(|&row| table.model(Row(row))),
        Sort::Ability => rows.sort_by_key(|&row| table.ability(table.item(Row(row)))),
        Sort::Condition => {
            rows.sort_by_cached_key(|&row| condition_words(table, table.item(Row(row))));
        }
        Sort::Target => rows.sort_by(|&a, &b| {
            let target = |row: u32| table.target(table.item(Row(row)));
            in_order(target(a), target(b))
        }),
        Sort::Question => rows.sort_by_key(|&row| table.question(table.item(Row(row)))),
        Sort::Family => {
            let families = of_models(table, |facts| facts.family.clone());
            rows.sort_by_key(|&row| {
                let family = &families[usize::from(table.model(Row(row)).0)];
                (family.is_none(), family)
            });
        }
        Sort::Parameters => by_fact(&mut rows, table, |facts| facts.parameters),
        Sort::Released => by_fact(&mut rows, table, |facts| {
            facts.released.map(Released::years)
        }),
        Sort::Hard => by_sample(&mut rows, selection, |item| -item.difficulty),
        Sort::Discrimination => by_sample(&mut rows, selection, |item| {
            item.discrimination.unwrap_or(f64::NAN)
        }),
    }
    if reverse {
        rows.reverse();
    }
    rows
}

/// Numbers by their size, before texts by their letters.
pub(super) fn in_order(a: &str, b: &str) -> Ordering {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| !number.is_nan());
    match (number(a), number(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

/// The selected rows by a tag: numbers by their size, names by their letters, those without a value last. `None` if there
/// is no such tag.
#[must_use]
pub fn rows_by_tag(selection: Selection<'_>, name: &str, reverse: bool) -> Option<Vec<u32>> {
    let table = selection.table;
    let tag = table.tag(name)?;
    let mut rows: Vec<u32> = selection.rows().collect();
    let item = |row: u32| table.item(Row(row)).0 as usize;
    let turned = |order: Ordering| if reverse { order.reverse() } else { order };
    rows.sort_by(|&a, &b| {
        let (a, b) = (item(a), item(b));
        match (tag.number(a), tag.number(b)) {
            (Some(a), Some(b)) => turned(a.total_cmp(&b)),
            (None, None) => match (tag.text(a), tag.text(b)) {
                (Some(a), Some(b)) => turned(a.cmp(b)),
                (a, b) => a.is_none().cmp(&b.is_none()),
            },
            (a, b) => a.is_none().cmp(&b.is_none()),
        }
    });
    Some(rows)
}

/// What is known of each model, by its code.
fn of_models<T>(table: &Table, fact: impl Fn(&Facts) -> Option<T>) -> Vec<Option<T>> {
    let names = table.names();
    let models = names.models.values().iter();
    models.map(|name| fact(names.facts(name)?)).collect()
}

/// Sorts rows by a number that is known of their models, the smallest first.
fn by_fact(rows: &mut [u32], table: &Table, fact: impl Fn(&Facts) -> Option<f64>) {
    let facts = of_models(table, fact);
    let key = |row: u32| facts[usize::from(table.model(Row(row)).0)].unwrap_or(f64::INFINITY);
    rows.sort_by(|a, b| key(*a).total_cmp(&key(*b)));
}

/// Sorts rows by a number of their samples, the smallest first and those without one last.
fn by_sample(rows: &mut [u32], selection: Selection<'_>, number: impl Fn(&ItemStatistics) -> f64) {
    let table = selection.table;
    let samples = table.sample_of();
    let count = samples.iter().max().map_or(0, |most| *most as usize + 1);
    let mut numbers = vec![f64::INFINITY; count];
    for item in item_statistics(Selection::all(table, selection.scoring)) {
        let value = number(&item);
        if !value.is_nan() {
            numbers[item.sample as usize] = value;
        }
    }
    let key = |row: u32| numbers[samples[table.item(Row(row)).0 as usize] as usize];
    rows.sort_by(|a, b| key(*a).total_cmp(&key(*b)));
}
