//! Assigns predictions to sides, and defines the key that pairs them.

use std::collections::BTreeSet;

use crate::Selection;
use crate::common::without;
use crate::measure::Measure;
use base::job::Ticket;
use record::{Labels, Scoring, Table, Value};

/// Text for the value of a condition that a run does not have.
const NOTHING: &str = "–";

/// Unit that is paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairedUnit {
    /// A sample under one condition.
    Sample,
    /// A question under all conditions.
    Question,
}

impl PairedUnit {
    /// Returns the unit that a measure's values belong to.
    pub const fn of(measure: &Measure) -> Self {
        if measure.by_question {
            Self::Question
        } else {
            Self::Sample
        }
    }
}

/// Kind of comparison, which determines how samples are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonKind {
    /// Two models: samples are paired under the same condition.
    Models,
    /// Two filters: samples are paired regardless of the properties in which the filters differ
    /// (model, conditions).
    Filters,
}

/// Two sets of predictions of one table.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'a> {
    /// Table that contains the predictions of both sides.
    pub table: &'a Table,
    /// Rules that score the predictions.
    pub scoring: Scoring,
    /// Mask of A's predictions: one flag for each prediction of the table.
    pub a: &'a [bool],
    /// Mask of B's predictions: one flag for each prediction of the table.
    pub b: &'a [bool],
    /// Kind of comparison.
    pub kind: ComparisonKind,
    /// Terms of a filter that select samples by outcome; if set, nothing is tested.
    pub selected_by: Option<&'a str>,
    /// Ticket that stops long loops when it is stale.
    pub ticket: &'a Ticket,
}

impl<'a> Sides<'a> {
    /// Selects the predictions of A.
    pub const fn of_a(self) -> Selection<'a> {
        self.through(self.a)
    }

    /// Selects the predictions of B.
    pub const fn of_b(self) -> Selection<'a> {
        self.through(self.b)
    }

    /// Returns the number of predictions that are on both sides.
    pub fn shared(self) -> usize {
        let both = self.a.iter().zip(self.b);
        both.filter(|(a, b)| **a && **b).count()
    }

    const fn through(self, mask: &'a [bool]) -> Selection<'a> {
        Selection {
            mask: Some(mask),
            selected_by: self.selected_by,
            ticket: self.ticket,
            ..Selection::all(self.table, self.scoring)
        }
    }
}

/// Two sides, with the key that pairs their predictions.
#[derive(Clone, Debug)]
pub struct Pairing<'a> {
    /// The two sides.
    pub sides: Sides<'a>,
    /// True if the sides belong to different models.
    by_model: bool,
    /// Conditions that differ between the sides; only for two filters.
    differ_in: Vec<String>,
    /// Conditions without a common value, with the values of each side; only for two models.
    disjoint: Vec<(String, [Vec<String>; 2])>,
    /// Condition code without the conditions in `differ_in`, by condition code.
    rest: Vec<u16>,
}

impl<'a> Pairing<'a> {
    /// Determines the properties in which the sides differ.
    pub fn new(sides: Sides<'a>) -> Self {
        let conditions = &sides.table.names().conditions;
        let (a, b) = (SideCodes::on(sides.of_a()), SideCodes::on(sides.of_b()));
        let distinguishing = distinguishing_labels(conditions, &a.conditions, &b.conditions);
        let (differ_in, disjoint) = match sides.kind {
            ComparisonKind::Models => (Vec::new(), distinguishing),
            ComparisonKind::Filters => (distinguishing, Vec::new()),
        };
        let differ_in: Vec<String> = differ_in.into_iter().map(|(name, _)| name).collect();
        Self {
            sides,
            by_model: sides.kind == ComparisonKind::Models || a.models.is_disjoint(&b.models),
            rest: without(
                conditions,
                &differ_in.iter().map(String::as_str).collect::<Vec<_>>(),
            ),
            differ_in,
            disjoint,
        }
    }

    /// Returns true if the sides belong to different models.
    pub const fn is_by_model(&self) -> bool {
        self.by_model
    }

    /// Returns true if a condition differs between the sides and is ignored when samples are
    /// paired.
    pub fn ignores(&self, condition: &str) -> bool {
        self.differ_in.iter().any(|name| name == condition)
    }

    /// Returns the conditions that differ between the sides of two filters.
    pub fn differ_in(&self) -> &[String] {
        &self.differ_in
    }

    /// Returns the conditions without a common value of two models, with the values of each side.
    pub fn disjoint_conditions(&self) -> Vec<(String, [Vec<String>; 2])> {
        self.disjoint.clone()
    }

    /// Returns the pairing key of a prediction: sample, model unless the sides belong to different
    /// models, and remaining conditions unless the unit is a question.
    pub fn key(&self, item: u32, model: u16, unit: PairedUnit) -> u64 {
        let (item, table) = (item as usize, self.sides.table);
        let sample = table.sample_of().get(item).copied().unwrap_or_default();
        let condition = table.condition_of().get(item).copied().unwrap_or_default();
        let rest = match self.rest.get(usize::from(condition)) {
            Some(rest) if unit == PairedUnit::Sample => *rest,
            _ => u16::MAX,
        };
        let model = if self.by_model { 0 } else { model };
        u64::from(sample) << 32 | u64::from(rest) << 16 | u64::from(model)
    }
}

/// Codes of the models and conditions that occur on a side.
struct SideCodes {
    models: BTreeSet<u16>,
    conditions: BTreeSet<u16>,
}

impl SideCodes {
    fn on(side: Selection<'_>) -> Self {
        let (items, models) = (side.table.item_of(), side.table.model_of());
        let conditions = side.table.condition_of();
        let names = side.table.names();
        let mut model_seen = vec![false; names.models.values().len()];
        let mut condition_seen = vec![false; names.conditions.len()];
        for row in side.rows() {
            let item = items.get(row as usize).copied().unwrap_or_default();
            let codes = [
                (models.get(row as usize), &mut model_seen),
                (conditions.get(item as usize), &mut condition_seen),
            ];
            for (code, seen) in codes {
                if let Some(seen) = code.and_then(|code| seen.get_mut(usize::from(*code))) {
                    *seen = true;
                }
            }
        }
        let codes = |seen: Vec<bool>| {
            (0..)
                .zip(seen)
                .filter(|(_, seen)| *seen)
                .map(|(code, _)| code)
                .collect()
        };
        Self {
            models: codes(model_seen),
            conditions: codes(condition_seen),
        }
    }
}

/// Returns the labels that have no common value on the two sides, with the values of each side.
fn distinguishing_labels(
    conditions: &[Labels],
    a: &BTreeSet<u16>,
    b: &BTreeSet<u16>,
) -> Vec<(String, [Vec<String>; 2])> {
    let names: BTreeSet<&String> = conditions.iter().flat_map(Labels::keys).collect();
    let values = |codes: &BTreeSet<u16>, name: &String| -> BTreeSet<String> {
        let labels = codes
            .iter()
            .filter_map(|code| conditions.get(usize::from(*code)));
        labels
            .map(|labels| {
                labels
                    .get(name)
                    .map_or_else(|| NOTHING.to_owned(), Value::to_string)
            })
            .collect()
    };
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let distinguishing = |name: &String| {
        let [of_a, of_b] = [a, b].map(|codes| values(codes, name));
        let is_telling = of_a.is_disjoint(&of_b);
        is_telling.then(|| {
            (
                name.clone(),
                [of_a, of_b].map(|values| values.into_iter().collect()),
            )
        })
    };
    names.into_iter().filter_map(distinguishing).collect()
}
