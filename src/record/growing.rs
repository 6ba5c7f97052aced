//! Columns of a table under construction.

use std::collections::BTreeMap;

use base::limits::Limit;

use super::automatic::{BoxFacts, OptionFacts};
use super::builder::Prediction;
use super::source::RecordPosition;
use super::tags::GrowingTags;
use super::texts::Texts;
use super::{AbilityId, DroppedValues, ItemId, Row, Rule};

/// Columns of the predictions, one value per row unless noted.
#[derive(Clone, Debug, Default)]
pub(super) struct PredictionColumns {
    pub item: Vec<u32>,
    pub model: Vec<u16>,
    pub metric: Vec<u16>,
    /// Metric of the strict score; empty while equal to `metric`.
    pub strict_metric: Vec<u16>,
    pub score: Vec<f64>,
    /// Strict score; empty while equal to `score`.
    pub strict: Vec<f64>,
    /// Second score; empty while no row has one.
    pub second: Vec<f64>,
    /// Strict second score; empty while equal to `second`.
    pub strict_second: Vec<f64>,
    pub flags: Vec<u16>,
    /// Scoring rule; empty while no log names a rule.
    pub rule: Vec<Rule>,
    pub unit: Vec<u32>,
    pub offset: Vec<u64>,
    pub length: Vec<u32>,
    pub line: Vec<u32>,
    /// Hash of the answer; empty while no answer is repeated.
    pub answer: Vec<u32>,
    /// Additional scores by metric code. Each list ends at the last row with a score.
    pub beside: BTreeMap<u16, Vec<f64>>,
    /// Number of additional scores dropped because of [`Limit::Metrics`].
    pub beside_left_out: u64,
}

/// Columns of the items, one value per item.
#[derive(Clone, Debug, Default)]
pub(super) struct ItemColumns {
    pub sample: Vec<u32>,
    pub ability: Vec<u16>,
    pub condition: Vec<u16>,
    pub cluster: Vec<u32>,
    pub target: Vec<f64>,
    pub ids: Texts,
    pub questions: Texts,
    pub targets: Texts,
    pub tags: GrowingTags,
    /// Facts about options, sorted by item.
    pub options: Vec<(u32, OptionFacts)>,
    /// Facts about target boxes, sorted by item.
    pub boxes: Vec<(u32, BoxFacts)>,
    /// Number of pictures, sorted by item; only for items with several pictures.
    pub pictures: Vec<(u32, u16)>,
    /// Number of items whose question and target were dropped because of [`Limit::Texts`].
    pub texts_left_out: u64,
}

impl ItemColumns {
    /// Returns the counts of values dropped because a limit was reached.
    pub(super) const fn left_out(&self) -> DroppedValues {
        DroppedValues {
            texts: self.texts_left_out,
            ..self.tags.left_out()
        }
    }

    /// Returns the size of all questions and targets in bytes, plus `more`.
    pub(super) const fn texts_with(&self, more: usize) -> usize {
        self.questions.bytes() + self.targets.bytes() + more
    }

    /// True if the item in a row has the given ability, condition and id.
    pub(super) fn is(&self, row: u32, ability: AbilityId, condition: u16, id: &str) -> bool {
        let row = row as usize;
        self.ability.get(row) == Some(&ability.0)
            && self.condition.get(row) == Some(&condition)
            && self.ids.get(row) == id
    }
}

impl PredictionColumns {
    pub(super) fn push(&mut self, item: ItemId, prediction: &Prediction) {
        let rows = self.item.len();
        self.item.push(item.0);
        self.model.push(prediction.model.0);
        if !self.strict_metric.is_empty() || prediction.metric != prediction.strict_metric {
            let shared = &self.metric[self.strict_metric.len()..rows];
            self.strict_metric.extend_from_slice(shared);
            self.strict_metric.push(prediction.strict_metric);
        }
        self.metric.push(prediction.metric);
        self.flags.push(prediction.flags);
        if !self.rule.is_empty() || prediction.rule != Rule::Unstated {
            self.rule.resize(rows, Rule::Unstated);
            self.rule.push(prediction.rule);
        }
        if !self.answer.is_empty() || prediction.answer != 0 {
            self.answer.resize(rows, 0);
            self.answer.push(prediction.answer);
        }
        self.unit.push(prediction.place.unit);
        self.offset.push(prediction.place.offset);
        self.length.push(prediction.place.length);
        self.line.push(prediction.place.line);
        if !self.strict.is_empty() || differs(prediction.score, prediction.strict) {
            let shared = &self.score[self.strict.len()..rows];
            self.strict.extend_from_slice(shared);
            self.strict.push(prediction.strict);
        }
        self.score.push(prediction.score);
        if !self.strict_second.is_empty() || differs(prediction.second, prediction.strict_second) {
            let shared = self
                .second
                .get(self.strict_second.len()..rows)
                .unwrap_or_default();
            self.strict_second.extend_from_slice(shared);
            self.strict_second.resize(rows, f64::NAN);
            self.strict_second.push(prediction.strict_second);
        }
        if !self.second.is_empty() || !prediction.second.is_nan() {
            self.second.resize(rows, f64::NAN);
            self.second.push(prediction.second);
        }
    }

    pub(super) fn replace(&mut self, row: usize, prediction: &Prediction) {
        let rows = self.item.len();
        if self.strict.is_empty() && differs(prediction.score, prediction.strict) {
            self.strict.clone_from(&self.score);
        }
        if self.strict_second.is_empty() && differs(prediction.second, prediction.strict_second) {
            self.strict_second.clone_from(&self.second);
            self.strict_second.resize(rows, f64::NAN);
        }
        if self.second.is_empty() && !prediction.second.is_nan() {
            self.second.resize(rows, f64::NAN);
        }
        if self.strict_metric.is_empty() && prediction.metric != prediction.strict_metric {
            self.strict_metric.clone_from(&self.metric);
        }
        set(&mut self.metric, row, prediction.metric);
        set(&mut self.strict_metric, row, prediction.strict_metric);
        if self.rule.is_empty() && prediction.rule != Rule::Unstated {
            self.rule.resize(rows, Rule::Unstated);
        }
        set(&mut self.rule, row, prediction.rule);
        if self.answer.is_empty() && prediction.answer != 0 {
            self.answer.resize(rows, 0);
        }
        set(&mut self.answer, row, prediction.answer);
        set(&mut self.flags, row, prediction.flags);
        set(&mut self.unit, row, prediction.place.unit);
        set(&mut self.offset, row, prediction.place.offset);
        set(&mut self.length, row, prediction.place.length);
        set(&mut self.line, row, prediction.place.line);
        set(&mut self.score, row, prediction.score);
        set(&mut self.strict, row, prediction.strict);
        set(&mut self.second, row, prediction.second);
        set(&mut self.strict_second, row, prediction.strict_second);
    }

    /// Sets the additional scores of a row, and removes scores of an earlier prediction in the row.
    pub(super) fn set_beside(&mut self, row: usize, scores: &[(u16, f64)]) {
        for column in self.beside.values_mut() {
            set(column, row, f64::NAN);
        }
        for &(metric, score) in scores {
            let is_full = self.beside.len() >= Limit::Metrics.length();
            if is_full && !self.beside.contains_key(&metric) {
                self.beside_left_out += 1;
                continue;
            }
            let column = self.beside.entry(metric).or_default();
            if column.len() <= row {
                column.resize(row + 1, f64::NAN);
            }
            set(column, row, score);
        }
    }

    pub(super) fn place(&self, Row(row): Row) -> RecordPosition {
        let row = row as usize;
        RecordPosition {
            unit: self.unit[row],
            offset: self.offset[row],
            length: self.length[row],
            line: self.line[row],
        }
    }
}

/// True if two scores differ; `NaN` equals `NaN`.
fn differs(a: f64, b: f64) -> bool {
    a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan())
}

/// Sets a value in a column, unless the row is beyond its end.
fn set<T>(column: &mut [T], row: usize, value: T) {
    if let Some(cell) = column.get_mut(row) {
        *cell = value;
    }
}
