//! The values whose mean is a group's headline, each with the items that it comes from.

use super::measure::{Wanted, measures, questions};
use super::{Binned, Group, Selection};
use benchmark::Direction;

/// The headline of a question asked at four rotations: right at all of them.
const ALL_ROTATIONS: &str = "re";

/// One value: the score of one answer, or of one question over its rotations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Its items: four rotations, or one item four times.
    items: [u32; 4],
    /// What is resampled together.
    pub cluster: u32,
    /// Model code.
    pub model: u16,
    /// The value, in the metric's unit.
    pub value: f64,
}

impl Observation {
    /// The item, or the first of its items.
    #[must_use]
    pub const fn item(&self) -> u32 {
        let [first, _, _, _] = self.items;
        first
    }

    /// The same items with another value.
    #[must_use]
    pub const fn with_value(self, value: f64) -> Self {
        Self { value, ..self }
    }

    /// The bin that all its items lie in.
    #[must_use]
    pub fn bin(&self, binned: &Binned) -> Option<u16> {
        let [first, rest @ ..] = self.items;
        let bin = binned.bin(first)?;
        let there = |&item: &u32| item == first || binned.bin(item) == Some(bin);
        rest.iter().all(there).then_some(bin)
    }
}

/// A group by its headline.
#[derive(Clone, Debug)]
pub struct Observed {
    /// Metric name.
    pub metric: String,
    /// Which way is better.
    pub direction: Direction,
    /// Whether rotations of a question are one value.
    pub rotational: bool,
    /// The values; left-out samples have none.
    pub values: Vec<Observation>,
}

/// What a group's headline is made of; `None` where it has none.
#[must_use]
pub fn observe(selection: Selection<'_>, group: &Group) -> Option<Observed> {
    let wanted = Wanted {
        all: false,
        rotational: true,
    };
    let headline = measures(selection, group, wanted).into_iter().next()?;
    let rotational = headline.name == ALL_ROTATIONS && group.metric != ALL_ROTATIONS;
    Some(Observed {
        // A figure of a whole set is no mean: what a sample has is the group's own score.
        metric: if headline.pooled.is_some() {
            group.metric.clone()
        } else {
            headline.name
        },
        direction: headline.direction,
        rotational,
        values: if rotational {
            of_questions(selection, group)
        } else {
            of_rows(selection, group)
        },
    })
}

fn of_questions(selection: Selection<'_>, group: &Group) -> Vec<Observation> {
    let questions = questions(selection, group);
    let complete = questions
        .iter()
        .filter(|question| question.scores.iter().all(|score| !score.is_nan()));
    let observation = |question: &super::measure::Question| Observation {
        items: question.items,
        cluster: question.cluster,
        model: question.model,
        value: f64::from(u8::from(question.scores.iter().all(|score| *score >= 1.0))),
    };
    complete.map(observation).collect()
}

fn of_rows(selection: Selection<'_>, group: &Group) -> Vec<Observation> {
    let table = selection.table;
    let (items, models) = (table.item_of(), table.model_of());
    let (clusters, scores) = (table.cluster_of(), table.scores(selection.scoring));
    let observation = |&row: &u32| {
        let item = *items.get(row as usize)?;
        let value = *scores.get(row as usize)?;
        (!value.is_nan()).then_some(Observation {
            items: [item; 4],
            cluster: *clusters.get(item as usize)?,
            model: *models.get(row as usize)?,
            value,
        })
    };
    group.rows.iter().filter_map(observation).collect()
}
