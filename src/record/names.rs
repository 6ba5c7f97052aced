//! Names as dense codes, and the newtypes that keep the codes apart.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hashbrown::HashMap;

use super::{AbilityGroup, Basis, Direction, Facts, Labels, Whole};

/// Code of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModelId(pub u16);

/// Code of an ability of a benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AbilityId(pub u16);

/// Row of the item frame: one sample under one condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemId(pub u32);

/// Row of the prediction frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Row(pub u32);

/// Index of a log in the table's list of sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId(pub u32);

/// An ability within its benchmark.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ability {
    /// Benchmark name.
    pub benchmark: String,
    /// Ability name.
    pub name: String,
}

/// A list of distinct values and the code of each.
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
    /// The code of `value`, a new one if it is new.
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

    /// The code of `value`, if it has one.
    pub fn find<Q>(&self, value: &Q) -> Option<u32>
    where
        Q: Eq + std::hash::Hash + ?Sized,
        T: std::borrow::Borrow<Q>,
    {
        self.codes.get(value).copied()
    }

    /// Every value in the order of its code.
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

/// The names behind the codes of a table.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Models by [`ModelId`].
    pub models: Key<String>,
    /// Abilities by [`AbilityId`].
    pub abilities: Key<Ability>,
    /// Metrics of scores.
    pub metrics: Key<String>,
    /// Conditions in the order of their codes.
    pub conditions: Vec<Labels>,
    /// Model and run behind the names that stand for one of several runs of a model.
    pub runs: BTreeMap<String, Run>,
    /// What is known of models, by their plain names.
    pub facts: BTreeMap<String, Facts>,
    /// From which score on an answer counts as right, by metric, where the user says it.
    pub right: BTreeMap<String, f64>,
    /// Directions that the user or a log states, by metric.
    pub directions: BTreeMap<String, (Direction, Basis)>,
    /// Abilities that count as one.
    pub groups: Vec<AbilityGroup>,
    /// Other spellings under which logs and tables have a model, by its plain name.
    pub spellings: BTreeMap<String, BTreeSet<String>>,
    /// What is known of all predictions, where the table holds some of them.
    pub whole: Arc<Whole>,
}

/// The condition of converted logs that names the run.
pub const RUN: &str = "run";

/// The condition that tells repeated answers of one sample apart.
pub const REPEAT: &str = "repeat";

/// The further scores that hold the errors of samples whose target is 0, by the harness's rule and by Eyechart's own: a
/// score that is a share of the target holds none.
pub const ZERO_ERRORS: [&str; 2] = ["zero_error", "zero_error_strict"];

/// One of several runs of a model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    /// The model's plain name.
    pub model: String,
    /// What tells the run from others.
    pub run: String,
}

impl Run {
    /// The name under which it stands among the models.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} · {}", self.model, self.run)
    }
}

impl Names {
    /// The name under which a run of a model stands among the models: `qwen2-vl · 5-shot`.
    pub fn name_run(&mut self, model: &str, run: &str) -> String {
        let behind = Run {
            model: model.to_owned(),
            run: run.to_owned(),
        };
        let name = behind.name();
        self.runs.entry(name.clone()).or_insert(behind);
        name
    }

    /// The plain name of a model, and its run if it stands for one of several.
    #[must_use]
    pub fn plain<'a>(&'a self, name: &'a str) -> (&'a str, Option<&'a str>) {
        let run = self.runs.get(name);
        run.map_or((name, None), |run| (&run.model, Some(&run.run)))
    }

    /// What is known of a model or of one of its runs.
    #[must_use]
    pub fn facts(&self, name: &str) -> Option<&Facts> {
        self.facts.get(self.plain(name).0)
    }

    /// Other spellings of a model or of one of its runs.
    pub fn spellings(&self, name: &str) -> impl Iterator<Item = &str> {
        let others = self.spellings.get(self.plain(name).0);
        others.into_iter().flatten().map(String::as_str)
    }

    /// The code of a condition, a new one if it is new.
    pub fn condition(&mut self, labels: &Labels) -> u32 {
        let known = self.conditions.iter().position(|known| known == labels);
        let code = known.unwrap_or_else(|| {
            self.conditions.push(labels.clone());
            self.conditions.len() - 1
        });
        u32::try_from(code).unwrap_or(u32::MAX)
    }

    /// The model of a code.
    #[must_use]
    pub fn model(&self, id: ModelId) -> &str {
        self.models
            .values()
            .get(usize::from(id.0))
            .map_or("", String::as_str)
    }

    /// The ability of a code.
    #[must_use]
    pub fn ability(&self, id: AbilityId) -> Option<&Ability> {
        self.abilities.values().get(usize::from(id.0))
    }
}
