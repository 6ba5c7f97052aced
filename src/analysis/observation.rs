//! Lists the values whose mean is a group's headline, each with its items.

use std::collections::HashSet;

use super::measure::{MeasureOptions, measures, questions};
use super::{Group, ItemBins, Selection};
use record::Row;
use record::benchmark::Direction;

/// Headline metric of questions at four rotations: right at all of them.
const ALL_ROTATIONS: &str = "re";

/// One value of a model: the score of an answer, or of a question over its rotations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Items of the value: four rotations, or the same item four times.
    items: [u32; 4],
    /// Row of the answer; `None` for a value over several rotations.
    pub row: Option<u32>,
    /// Cluster that is resampled as a whole.
    pub cluster: u32,
    /// Code of the model in the table.
    pub model: u16,
    /// Score or error, in the metric's unit.
    pub value: f64,
}

impl Observation {
    /// Returns the first item of the value.
    pub const fn item(&self) -> u32 {
        let [first, _, _, _] = self.items;
        first
    }

    /// Returns the items of the value: four rotations, or the same item four times.
    pub const fn items(&self) -> [u32; 4] {
        self.items
    }

    /// Returns a copy with another value.
    #[must_use]
    pub const fn with_value(self, value: f64) -> Self {
        Self { value, ..self }
    }

    /// Returns the bin that contains all items of the value; `None` if their bins differ.
    pub fn bin(&self, binned: &ItemBins) -> Option<u16> {
        let [first, rest @ ..] = self.items;
        let bin = binned.bin(first)?;
        let there = |&item: &u32| item == first || binned.bin(item) == Some(bin);
        rest.iter().all(there).then_some(bin)
    }
}

/// Headline metric of a group, with its values.
#[derive(Clone, Debug)]
pub struct HeadlineValues {
    /// Name of the headline metric.
    pub metric: String,
    /// Whether higher or lower values are better.
    pub direction: Direction,
    /// True if the rotations of a question form one value.
    pub rotational: bool,
    /// Values; samples without a score have none.
    pub values: Vec<Observation>,
}

/// Collects the values of a group's headline; `None` without a headline.
pub fn observe(selection: Selection<'_>, group: &Group) -> Option<HeadlineValues> {
    let wanted = MeasureOptions {
        all: false,
        rotational: true,
    };
    let headline = measures(selection, group, wanted).into_iter().next()?;
    let rotational = headline.name == ALL_ROTATIONS && group.metric != ALL_ROTATIONS;
    Some(HeadlineValues {
        // A pooled figure has no values per sample, so the group's own scores are used.
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
            let scores = selection.table.scores(selection.scoring);
            of_rows(selection, group, |row, _| {
                let score = scores.get(row as usize).copied();
                score.filter(|score| !score.is_nan())
            })
        },
    })
}

/// Returns for each row of a group 1 if its answer could not be read, else 0.
pub fn observe_unreadable(selection: Selection<'_>, group: &Group) -> HeadlineValues {
    let unreadable = |row| selection.table.invalid(Row(row), selection.scoring);
    HeadlineValues {
        metric: "unreadable".to_owned(),
        direction: Direction::Lower,
        rotational: false,
        values: of_rows(selection, group, |row, _| {
            Some(f64::from(u8::from(unreadable(row))))
        }),
    }
}

/// Returns for each judged sample of a group 1 if its label is wrong, else 0. These values belong
/// to no model; their model code is 0.
pub fn observe_labels(
    selection: Selection<'_>,
    group: &Group,
    is_wrong: impl Fn(u32) -> Option<bool>,
) -> HeadlineValues {
    let samples = selection.table.sample_of();
    let mut seen = HashSet::new();
    let mut values = of_rows(selection, group, |_, item| {
        let wrong = is_wrong(*samples.get(item as usize)?)?;
        Some(f64::from(u8::from(wrong)))
    });
    values.retain_mut(|value| {
        value.model = 0;
        let sample = samples.get(value.item() as usize);
        sample.is_some_and(|sample| seen.insert(*sample))
    });
    HeadlineValues {
        metric: "wrong_label".to_owned(),
        direction: Direction::Lower,
        rotational: false,
        values,
    }
}

fn of_questions(selection: Selection<'_>, group: &Group) -> Vec<Observation> {
    let questions = questions(selection, group);
    let complete = questions
        .iter()
        .filter(|question| question.scores.iter().all(|score| !score.is_nan()));
    let observation = |question: &super::measure::Question| Observation {
        items: question.items,
        row: None,
        cluster: question.cluster,
        model: question.model,
        value: f64::from(u8::from(question.scores.iter().all(|score| *score >= 1.0))),
    };
    complete.map(observation).collect()
}

/// Lists the values of the rows with a value. `value_of` takes the codes of a row and of its item.
fn of_rows(
    selection: Selection<'_>,
    group: &Group,
    value_of: impl Fn(u32, u32) -> Option<f64>,
) -> Vec<Observation> {
    let table = selection.table;
    let (items, models) = (table.item_of(), table.model_of());
    let clusters = table.cluster_of();
    let observation = |&row: &u32| {
        let item = *items.get(row as usize)?;
        Some(Observation {
            items: [item; 4],
            row: Some(row),
            cluster: *clusters.get(item as usize)?,
            model: *models.get(row as usize)?,
            value: value_of(row, item)?,
        })
    };
    group.rows.iter().filter_map(observation).collect()
}
