//! Prepares rows for display: a page of the sample list, and a sample with all details.

use std::cmp::Ordering;

use super::label_errors::label_errors_first;
use super::load::{Frames, sized};
use super::merit::comparable_merits;
use super::picture::{frames, roots};
use super::surface::{Surface, surfaces};
use super::text;
use analysis::scorers::{Class, Rules};
use analysis::{ItemStatistics, Selection, item_statistics, right_in};
use base::format::fixed;
use media::FrameTime;
use record::benchmark::{RightThreshold, metric_symbol};
use record::{Facts, ItemId, Record, ReleaseDate, Row, Rule, Scoring, Table, label_words};
use scorer::rules::{Question, RuleOutcome, named};
use scorer::{ReadFailure, Reading, explain_strictly, read};

pub use super::versus::{answers_to, counterpart, rows_by_gap};
pub use analysis::Correctness;

/// A prediction in a list, with all values that are known without opening the log.
#[derive(Clone, Debug, PartialEq)]
pub struct ListRow {
    /// Row of the prediction in the table.
    pub row: Row,
    /// The harness's id of the sample.
    pub sample_id: String,
    /// Benchmark of the sample.
    pub benchmark: String,
    /// Ability that the sample tests.
    pub ability: String,
    /// Split of the data set; empty if it has no splits.
    pub split: String,
    /// Model that answered, with its run if there are several.
    pub model: String,
    /// The condition, for example `rotation=90`.
    pub condition: String,
    /// Text of the question.
    pub question: String,
    /// Text of the annotated answer.
    pub target: String,
    /// Metric of the score under the active rules.
    pub metric: String,
    /// The score; `None` if excluded from the mean.
    pub score: Option<f64>,
    /// True if the answer could not be read.
    pub invalid: bool,
    /// True if right; `None` if neither right nor wrong.
    pub correct: Option<bool>,
    /// File and line of the record.
    pub place: String,
}

impl ListRow {
    /// Returns a text for an answer that is neither right nor wrong.
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
    /// The row as shown in the list.
    pub list: ListRow,
    /// The record from the log.
    pub record: Record,
    /// Minimum graded score that counts as right, for example `≥ 0.5`.
    pub right: Option<String>,
    /// The parsed answer; `None` if it is unreadable.
    pub reading: Option<Reading>,
    /// Name of the rule that read the answer. `None` if the log states no rule, so that Eyechart's
    /// own rule applies.
    pub read_by: Option<&'static str>,
    /// Why Eyechart's own rule could not read the answer; `None` if it could.
    pub unread: Option<ReadFailure>,
    /// The predicted box, in the target's units.
    pub predicted_box: Option<[f64; 4]>,
    /// Result of the other rule; `None` if the two rules agree.
    pub other: Option<OtherRule>,
    /// Colours of the picture's maps. Empty unless loaded by [`pictured`].
    pub surfaces: Vec<Surface>,
    /// Frames, if the only picture is an animation. Empty unless loaded by [`pictured`].
    pub frames: Vec<FrameTime>,
}

/// Result of the scoring rule that is not active.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherRule {
    /// The other scoring rule.
    pub scoring: Scoring,
    /// Why the rules disagree.
    pub why: Class,
    /// The answer that the other rule read; `None` if it could not read one.
    pub answer: Option<String>,
    /// Metric of the other rule's score.
    pub metric: String,
    /// Its score; `None` if excluded from the mean.
    pub score: Option<f64>,
    /// True if right; `None` if neither right nor wrong.
    pub correct: Option<bool>,
}

impl Detail {
    /// Applies a public rule to the answer. `None` for an unknown rule, or if the rule cannot score
    /// the question.
    pub fn under(&self, rule: &str) -> Option<RuleOutcome> {
        named(rule)?.mark(&Question::of(&self.record)?)
    }
}

impl OtherRule {
    /// Formats the result. Example: `accuracy 0.000, read as C: the rules read different answers`.
    pub fn words(&self) -> String {
        let answer = self.answer.as_deref();
        let read = answer.map_or_else(String::new, |answer| format!(", read as {answer}"));
        let (metric, why) = (metric_symbol(&self.metric), self.why.words());
        format!("{metric} {}{read}: {why}", fixed(self.score, 3))
    }
}

/// Returns the list row of a prediction.
pub fn list_row(table: &Table, row: Row, scoring: Scoring) -> ListRow {
    let item = table.item(row);
    let ability = table.ability(item).cloned().unwrap_or_default();
    let place = table.place(row);
    let source = &table.sources()[place.unit as usize];
    ListRow {
        row,
        sample_id: table.sample_id(item).to_owned(),
        benchmark: ability.benchmark,
        ability: ability.name,
        split: table.split(item).to_owned(),
        model: table.names().model(table.model(row)).to_owned(),
        condition: condition_words(table, item),
        question: table.question(item).to_owned(),
        target: table.target(item).to_owned(),
        metric: metric_name(table, row, scoring).to_owned(),
        score: score(table, row, scoring),
        invalid: table.invalid(row, scoring),
        correct: Correctness::new(table, scoring).is_right(row),
        place: format!("{}:{}", base::format::path(&source.path), place.line),
    }
}

/// Formats a condition as `rotation=90`.
fn condition_words(table: &Table, item: ItemId) -> String {
    label_words(table.condition(item).into_iter().flatten())
}

/// Returns the score of a prediction; `None` if excluded from the mean.
pub fn score(table: &Table, Row(row): Row, scoring: Scoring) -> Option<f64> {
    let score = table.scores(scoring)[row as usize];
    (!score.is_nan()).then_some(score)
}

/// Returns the name of a prediction's metric.
pub(crate) fn metric_name(table: &Table, Row(row): Row, scoring: Scoring) -> &str {
    let code = table.metric_of(scoring)[row as usize];
    &table.names().metrics.values()[usize::from(code)]
}

/// Returns a prediction with the text of its record from the log.
///
/// # Errors
/// If the log is missing, has changed, or is still being read.
pub fn detail(table: &Table, row: Row, scoring: Scoring) -> Result<Detail, String> {
    let mut list = list_row(table, row, scoring);
    let record = text::record(table, row).map_err(|error| error.to_string())?;
    // The table does not contain both texts if they are too long.
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
        right: right_in(table, &record.ability, &list.metric).and_then(RightThreshold::words),
        list,
        record,
        reading,
        read_by,
        unread,
        predicted_box,
        other,
        surfaces: Vec::new(),
        frames: Vec::new(),
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

/// Like [`detail`], but also decodes and colours the maps of the picture, which is slow, and lists
/// the frames of an animation.
///
/// # Errors
/// As [`detail`].
pub fn pictured(table: &Table, row: Row, scoring: Scoring) -> Result<Detail, String> {
    let mut detail = detail(table, row, scoring)?;
    let roots = roots(table, row);
    detail.surfaces = surfaces(&detail.record, &roots);
    detail.frames = frames(&detail.record, &roots);
    Ok(detail)
}

/// Order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Order in the logs.
    #[default]
    Log,
    /// By score, worst first for any metric. With several metrics, by the share of worse answers in
    /// the ability.
    Worst,
    /// By sample id.
    Sample,
    /// By model name.
    Model,
    /// By ability name.
    Ability,
    /// By condition of the question.
    Condition,
    /// By target; numbers are sorted by size.
    Target,
    /// By text of the question.
    Question,
    /// Likely label errors first: good models agree with each other, but not with the annotation.
    Suspect,
    /// By model family; models of unknown family come last.
    Family,
    /// By model size, smallest first.
    Parameters,
    /// By release date of the model, oldest first.
    Released,
    /// Samples that most models answer wrongly come first.
    Hard,
    /// Samples on which better models have lower scores come first.
    Discrimination,
    /// By difference from the score of the compared model, largest first.
    Gap,
}

impl Sort {
    /// All orders that do not need a second model.
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

    /// Returns the name used on the command line.
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

/// Returns the selected rows in order. Rows without a score come last.
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
            facts.released.map(ReleaseDate::years)
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

/// Compares two values: numbers by size, then texts alphabetically.
pub(super) fn in_order(a: &str, b: &str) -> Ordering {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| !number.is_nan());
    match (number(a), number(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

/// Sorts the selected rows by a tag: numbers by size, texts alphabetically, missing values last.
/// `None` for an unknown tag.
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

/// Returns a fact about each model. The index is the code of the model.
fn of_models<T>(table: &Table, fact: impl Fn(&Facts) -> Option<T>) -> Vec<Option<T>> {
    let names = table.names();
    let models = names.models.values().iter();
    models.map(|name| fact(names.facts(name)?)).collect()
}

/// Sorts rows by a numeric fact about their models, smallest first.
fn by_fact(rows: &mut [u32], table: &Table, fact: impl Fn(&Facts) -> Option<f64>) {
    let facts = of_models(table, fact);
    let key = |row: u32| facts[usize::from(table.model(Row(row)).0)].unwrap_or(f64::INFINITY);
    rows.sort_by(|a, b| key(*a).total_cmp(&key(*b)));
}

/// Sorts rows by a statistic of their samples, smallest first. Missing values come last.
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
