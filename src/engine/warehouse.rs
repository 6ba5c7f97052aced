//! What holds more predictions than fit in memory: it adds them up, and loads some of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::ControlFlow;

use analysis::{Split, Summed};
use job::Ticket;
use record::{AbilityId, ModelId, Problem, Table};

use super::QueryError;
use workspace::export::Columns;

/// Predictions that are not in memory. It knows who answered what, adds up scores, and loads the predictions of a part.
///
/// Whatever it gives is complete: where anything of it is missing it gives an error, and never a smaller number.
pub trait Warehouse: fmt::Debug + Send + Sync {
    /// What is known without looking at predictions.
    fn outline(&self) -> &Outline;

    /// The sums that are wanted, as harnesses score. Cells have the codes of the models of [`Outline::names`]; those of one
    /// measure, model and cluster may come in any order and number, and are added up. See [`analysis::scores_of_sums`].
    ///
    /// Of a measure for which sums cannot be had, [`Summed::of_rows`] is set: rows are loaded for its ability.
    ///
    /// `None`: there are no such sums at all.
    ///
    /// # Errors
    /// They cannot be had.
    fn sums(&self, wanted: &Sums<'_>, ticket: &Ticket) -> Result<Option<Added>, QueryError>;

    /// The most predictions of which sums are asked for at once, unless one ability has more: as many cells are in memory at
    /// most.
    fn at_once(&self) -> u64;

    /// The predictions of a part as a table of its own, whose codes are its own too.
    ///
    /// # Errors
    /// They cannot be had.
    fn rows(&self, portion: &Portion, ticket: &Ticket) -> Result<Table, QueryError>;

    /// The predictions of a part in the order of the logs, as many at a time as are in memory at once, in tables that tell what
    /// some words of a filter, each with its key, compare with among all of them. The first table has no predictions. Gives
    /// what is wrong with the files, of which the rest is there.
    ///
    /// # Errors
    /// They cannot be had.
    fn in_parts(
        &self,
        portion: &Portion,
        words: &[(String, String)],
        ticket: &Ticket,
        take: &mut dyn FnMut(Table) -> ControlFlow<()>,
    ) -> Result<Vec<Problem>, QueryError>;

    /// The columns of a file of all predictions.
    ///
    /// # Errors
    /// They cannot be had.
    fn columns(&self, ticket: &Ticket) -> Result<Columns, QueryError>;
}

/// Sums of predictions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Added {
    /// The sums.
    pub sums: Vec<Summed>,
    /// What is to be said of intervals that come from them; one sentence.
    pub note: Option<String>,
}

/// Which sums are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Sums<'a> {
    /// Of which predictions.
    pub portion: &'a Portion,
    /// Of which kind.
    pub kind: SumsKind<'a>,
}

/// How predictions are divided into sums.
#[derive(Clone, Copy, Debug)]
pub enum SumsKind<'a> {
    /// Of every metric over all samples, where all predictions of a model may be one cluster: for scores without intervals.
    Totals,
    /// Of every metric over all samples, by cluster.
    Clusters,
    /// Of the metrics that rank, in each bin of a split, by cluster.
    Bins(&'a Split),
}

/// What is known of predictions without looking at them.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Names, sources and printed scores: a table without predictions.
    pub names: Table,
    /// How many predictions there are, each model and ability once.
    pub counts: Vec<Answered>,
    /// The names of the tags and conditions of the samples of each ability.
    pub labels: BTreeMap<AbilityId, BTreeSet<String>>,
    /// What sums are divided by, in the order in which it is shown.
    pub splits: Vec<Split>,
}

/// How many predictions of a model there are in an ability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The model, among the names of an outline.
    pub model: ModelId,
    /// The ability, among the names of an outline.
    pub ability: AbilityId,
    /// Predictions.
    pub n: u64,
}

/// Some of the pairs of models and abilities; all predictions of each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Portion {
    pairs: BTreeSet<(ModelId, AbilityId)>,
    is_all: bool,
}

impl Portion {
    /// Everything.
    #[must_use]
    pub fn all(outline: &Outline) -> Self {
        Self::of(outline, |_| true)
    }

    /// The pairs of an outline that are wanted.
    #[must_use]
    pub fn of(outline: &Outline, wanted: impl Fn(&Answered) -> bool) -> Self {
        let counts = outline.counts.iter();
        let pairs = counts.filter(|answered| wanted(answered));
        Self::from_pairs(outline, pairs.map(|one| (one.model, one.ability)))
    }

    /// Some pairs of an outline.
    #[must_use]
    pub fn from_pairs(
        outline: &Outline,
        pairs: impl Iterator<Item = (ModelId, AbilityId)>,
    ) -> Self {
        let pairs: BTreeSet<_> = pairs.collect();
        Self {
            is_all: pairs.len() == outline.counts.len(),
            pairs,
        }
    }

    /// Returns true if it is everything.
    #[must_use]
    pub const fn is_all(&self) -> bool {
        self.is_all
    }

    /// Returns true if there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Returns true if the predictions of a model in an ability are a part of it.
    #[must_use]
    pub fn has(&self, model: ModelId, ability: AbilityId) -> bool {
        self.pairs.contains(&(model, ability))
    }

    /// Returns true if all of another one is a part of it.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        self.pairs.is_superset(&other.pairs)
    }

    /// Its pairs, by model and then by ability.
    pub fn pairs(&self) -> impl Iterator<Item = (ModelId, AbilityId)> {
        self.pairs.iter().copied()
    }

    /// Its models.
    #[must_use]
    pub fn models(&self) -> BTreeSet<ModelId> {
        self.pairs.iter().map(|(model, _)| *model).collect()
    }

    /// Its abilities.
    #[must_use]
    pub fn abilities(&self) -> BTreeSet<AbilityId> {
        self.pairs.iter().map(|(_, ability)| *ability).collect()
    }

    /// How many predictions it has.
    #[must_use]
    pub fn n(&self, outline: &Outline) -> u64 {
        let counts = outline.counts.iter();
        let own = counts.filter(|one| self.has(one.model, one.ability));
        own.map(|one| one.n).sum()
    }
}

impl Outline {
    /// All predictions.
    #[must_use]
    pub fn n(&self) -> u64 {
        self.counts.iter().map(|answered| answered.n).sum()
    }
}
