//! Tables of names with dense codes, and newtypes for the codes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hashbrown::HashMap;

use super::benchmark::{MetricRange, SCORE, known_metric, unfiltered};
use super::{AbilityGroup, Basis, DataSetFacts, Direction, Facts, Labels, Value};

/// Code of a model in [`Names::models`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModelId(pub u16);

/// Code of an ability in [`Names::abilities`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AbilityId(pub u16);

/// Row number of an item: one sample under one condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemId(pub u32);

/// Row number of a prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Row(pub u32);

/// An ability of a benchmark.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ability {
    /// Benchmark name, for example `ava-bench`.
    pub benchmark: String,
    /// Ability name, for example `counting`.
    pub name: String,
}

/// Distinct values with their codes, counted from 0.
#[derive(Clone, Debug)]
pub struct Key<T> {
    values: Vec<T>,
    codes: HashMap<T, u32>,
}

impl<T> Default for Key<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            codes: HashMap::new(),
        }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Key<T> {
    /// Returns the code of `value`, adding it if needed.
    pub fn code<Q>(&mut self, value: &Q) -> u32
    where
        Q: Eq + std::hash::Hash + ToOwned<Owned = T> + ?Sized,
        T: std::borrow::Borrow<Q>,
    {
        if let Some(code) = self.codes.get(value) {
            return *code;
        }
        let code = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        self.values.push(value.to_owned());
        self.codes.insert(value.to_owned(), code);
        code
    }

    /// Returns the code of `value`, if it has one.
    pub fn find<Q>(&self, value: &Q) -> Option<u32>
    where
        Q: Eq + std::hash::Hash + ?Sized,
        T: std::borrow::Borrow<Q>,
    {
        self.codes.get(value).copied()
    }

    /// Returns all values, ordered by code.
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

/// The names behind a table's codes, and facts about them.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Model names, indexed by [`ModelId`].
    pub models: Key<String>,
    /// Abilities, indexed by [`AbilityId`].
    pub abilities: Key<Ability>,
    /// Metric names, indexed by metric code.
    pub metrics: Key<String>,
    /// Conditions, indexed by condition code.
    pub conditions: Vec<Labels>,
    /// Codes of the conditions, by [`condition_key`].
    condition_codes: HashMap<String, u32>,
    /// Model and run by name, for each name that stands for one of several runs.
    pub runs: BTreeMap<String, Run>,
    /// Facts about models, by name without the run.
    pub facts: BTreeMap<String, Facts>,
    /// Score threshold for right answers, by metric; set by the user.
    pub right: BTreeMap<String, f64>,
    /// Directions given by the user or a log, by metric, with their source.
    pub directions: BTreeMap<String, (Direction, Basis)>,
    /// Ranges given by the user, by metric.
    pub ranges: BTreeMap<String, MetricRange>,
    /// Groups of abilities that count as one ability.
    pub groups: Vec<AbilityGroup>,
    /// Other spellings of models in logs and tables, by name without the run.
    pub spellings: BTreeMap<String, BTreeSet<String>>,
    /// Facts about all predictions, if the table contains only a part of them.
    pub whole: Arc<DataSetFacts>,
}

/// Name of the condition that contains the run in converted logs.
pub const RUN: &str = "run";

/// Name of the condition with the rotation of a picture in degrees. `TDBench` combines the values
/// of this condition.
pub const ROTATION: &str = "rotation";

/// Name of the condition that numbers the repeated answers to one sample.
pub const REPEAT: &str = "repeat";

/// Names of conditions that number repeated answers, in logs of any origin. Inspect uses `epoch`
/// for repeats; a training epoch is part of the model's name or one of [`STEPS`].
pub const REPEATS: [&str; 3] = [REPEAT, "seed", "epoch"];

/// Names of conditions with the training step of a checkpoint. They are not in [`REPEATS`], because
/// answers of different checkpoints are not averaged.
pub const STEPS: [&str; 5] = ["step", "global_step", "checkpoint", "iteration", "iter"];

/// True if a condition numbers the repeated answers to one sample.
#[must_use]
pub fn is_repeated(condition: &Labels) -> bool {
    REPEATS.iter().any(|name| condition.contains_key(*name))
}

/// Name of the tag with the split of a data set, such as `dev` or `val`.
pub const SPLIT: &str = "split";

/// Names of the additional scores with the errors of samples whose target is 0. The first is by the
/// harness's rule, the second by the strict rules. Metrics relative to the target exclude these
/// samples.
pub const ZERO_ERRORS: [&str; 2] = ["zero_error", "zero_error_strict"];

/// One of several runs of a model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    /// Name of the model, without the run.
    pub model: String,
    /// Label that distinguishes the run from the model's other runs.
    pub run: String,
}

impl Run {
    /// Returns the run's name in the list of models.
    pub fn name(&self) -> String {
        format!("{} · {}", self.model, self.run)
    }
}

/// Returns the lookup key of a condition; equal conditions have equal keys.
fn condition_key(labels: &Labels) -> String {
    let pair = |(name, value): (&String, &Value)| match value {
        // Adding 0 makes -0 equal to 0.
        Value::Number(number) => format!("{name:?}:{:?},", number + 0.0),
        other => format!("{name:?}:{other:?},"),
    };
    labels.iter().map(pair).collect::<Vec<_>>().concat()
}

impl Names {
    /// Registers a run and returns its name among the models, for example `qwen2-vl · 5-shot`.
    pub fn name_run(&mut self, model: &str, run: &str) -> String {
        let behind = Run {
            model: model.to_owned(),
            run: run.to_owned(),
        };
        let name = behind.name();
        self.runs.entry(name.clone()).or_insert(behind);
        name
    }

    /// Returns the name of a model without its run. Also returns the run, if the name stands for
    /// one of several runs.
    pub fn plain<'a>(&'a self, name: &'a str) -> (&'a str, Option<&'a str>) {
        let run = self.runs.get(name);
        run.map_or((name, None), |run| (&run.model, Some(&run.run)))
    }

    /// Returns the facts about a model, given its name or the name of one of its runs.
    pub fn facts(&self, name: &str) -> Option<&Facts> {
        self.facts.get(self.plain(name).0)
    }

    /// Returns the other spellings of a model, given its name or the name of one of its runs.
    pub fn spellings(&self, name: &str) -> impl Iterator<Item = &str> {
        let others = self.spellings.get(self.plain(name).0);
        others.into_iter().flatten().map(String::as_str)
    }

    /// Returns the range of valid scores of a metric, from the user or from the metric's known
    /// name. `None` if the range is unlimited, if the metric is unnamed, or if the user set only
    /// the direction.
    pub fn range_of(&self, metric: &str) -> Option<MetricRange> {
        let names = [metric, unfiltered(metric)];
        let stated = names.iter().find_map(|name| self.ranges.get(*name));
        let direction = names.iter().find_map(|name| self.directions.get(*name));
        let is_free = direction.is_some_and(|(_, from)| *from == Basis::User);
        let by_name = known_metric(metric).filter(|known| !is_free && known.name != SCORE);
        let range = stated.cloned().or(by_name.map(|known| known.range));
        range.filter(MetricRange::is_limited)
    }

    /// Returns the code of a condition, adding it if needed.
    pub fn condition(&mut self, labels: &Labels) -> u32 {
        let next = u32::try_from(self.conditions.len()).unwrap_or(u32::MAX);
        let code = self.condition_codes.entry(condition_key(labels));
        let code = *code.or_insert(next);
        if code == next {
            self.conditions.push(labels.clone());
        }
        code
    }

    /// Returns the name of a model; empty for an unknown code.
    pub fn model(&self, id: ModelId) -> &str {
        self.models
            .values()
            .get(usize::from(id.0))
            .map_or("", String::as_str)
    }

    /// Returns an ability; `None` for an unknown code.
    pub fn ability(&self, id: AbilityId) -> Option<&Ability> {
        self.abilities.values().get(usize::from(id.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_conditions_have_one_code() {
        let mut names = Names::default();
        let values = [
            Value::Number(0.0),
            Value::Number(1.0),
            Value::Text("1.0".to_owned()),
            Value::Flag(true),
            Value::Text("true".to_owned()),
            Value::Number(-0.0),
        ];
        let codes =
            values.map(|value| names.condition(&Labels::from([("turn".to_owned(), value)])));
        assert_eq!(codes, [0, 1, 2, 3, 4, 0]);
        assert_eq!(names.conditions.len(), 5);
        assert_eq!(names.condition(&Labels::new()), 5);
    }
}
