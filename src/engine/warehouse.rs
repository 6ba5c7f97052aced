//! Interface to predictions that do not fit in memory: sums, and loading of parts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::ControlFlow;

use analysis::{MeasureSums, Split};
use base::job::Ticket;
use record::{AbilityId, ModelId, Problem, Table};

use super::QueryError;
use workspace::export::Columns;

/// Source of predictions that do not fit in memory. Provides counts, sums of scores, and parts of
/// the predictions.
///
/// Results are complete. If anything is missing, methods return an error, not a smaller number.
pub trait Warehouse: fmt::Debug + Send + Sync {
    /// Returns names, counts, labels and splits, without reading predictions.
    fn outline(&self) -> &Outline;

    /// Returns the requested sums, computed with the harness's scoring. Cells use the model codes
    /// of [`Outline::names`]. Several cells may belong to the same measure, model and cluster, in
    /// any order; the caller adds them up. See [`analysis::scores_of_sums`].
    ///
    /// Sets [`MeasureSums::of_rows`] for measures without sums. The caller then loads the rows of
    /// that ability.
    ///
    /// Returns `None` if the warehouse has no such sums.
    ///
    /// # Errors
    /// If the sums cannot be read.
    fn sums(&self, wanted: &Sums<'_>, ticket: &Ticket) -> Result<Option<SumsWithNote>, QueryError>;

    /// Returns the maximum number of predictions per request for sums, which limits the cells in
    /// memory. A request for a single ability may exceed it.
    fn at_once(&self) -> u64;

    /// Loads the predictions of a part as a table with its own codes.
    ///
    /// # Errors
    /// If the predictions cannot be read.
    fn rows(&self, portion: &Portion, ticket: &Ticket) -> Result<Table, QueryError>;

    /// Passes the predictions of a part to `take` in the order of the logs, in tables that fit in
    /// memory.
    ///
    /// `words` are (key, word) pairs of a filter. Each table contains all values of the whole part
    /// with which these words are compared. The first table is empty. Returns the problems of the
    /// files; rows that can be read are passed despite problems.
    ///
    /// # Errors
    /// If the predictions cannot be read.
    fn in_parts(
        &self,
        portion: &Portion,
        words: &[(String, String)],
        ticket: &Ticket,
        take: &mut dyn FnMut(Table) -> ControlFlow<()>,
    ) -> Result<Vec<Problem>, QueryError>;

    /// Returns the columns of an export of all predictions.
    ///
    /// # Errors
    /// If the columns cannot be read.
    fn columns(&self, ticket: &Ticket) -> Result<Columns, QueryError>;
}

/// Sums of predictions, with a note on the intervals computed from them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SumsWithNote {
    /// Sums, one entry for each measure and part.
    pub sums: Vec<MeasureSums>,
    /// Sentence that warns about intervals computed from the sums; `None` if no warning is needed.
    pub note: Option<String>,
}

/// Request for sums.
#[derive(Clone, Copy, Debug)]
pub struct Sums<'a> {
    /// Predictions to sum.
    pub portion: &'a Portion,
    /// How the sums are divided.
    pub kind: SumsKind<'a>,
}

/// How predictions are divided into sums.
#[derive(Clone, Copy, Debug)]
pub enum SumsKind<'a> {
    /// All metrics over all samples, for scores without intervals. All predictions of a model may
    /// be in one cluster.
    Totals,
    /// All metrics over all samples, by cluster.
    Clusters,
    /// The metrics that rank, by bin of a split and by cluster.
    Bins(&'a Split),
}

/// Overview of the data, available without reading predictions.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Names, sources and published scores: a table without predictions.
    pub names: Table,
    /// Number of predictions of each pair of model and ability.
    pub counts: Vec<PredictionCount>,
    /// Names of the tags and conditions of each ability's samples.
    pub labels: BTreeMap<AbilityId, BTreeSet<String>>,
    /// Splits with sums, in display order.
    pub splits: Vec<Split>,
}

/// Number of predictions of a model in an ability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PredictionCount {
    /// Model, as a code in the outline's names.
    pub model: ModelId,
    /// Ability, as a code in the outline's names.
    pub ability: AbilityId,
    /// Number of predictions.
    pub n: u64,
}

/// Set of pairs of model and ability. Each pair stands for all of its predictions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Portion {
    pairs: BTreeSet<(ModelId, AbilityId)>,
    is_all: bool,
}

impl Portion {
    /// Creates a portion with all pairs of an outline.
    pub fn all(outline: &Outline) -> Self {
        Self::of(outline, |_| true)
    }

    /// Creates a portion with the pairs for which `wanted` returns true.
    pub fn of(outline: &Outline, wanted: impl Fn(&PredictionCount) -> bool) -> Self {
        let counts = outline.counts.iter();
        let pairs = counts.filter(|answered| wanted(answered));
        Self::from_pairs(outline, pairs.map(|one| (one.model, one.ability)))
    }

    /// Creates a portion with the given pairs of an outline.
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

    /// Returns true if the portion contains all pairs of the outline.
    pub const fn is_all(&self) -> bool {
        self.is_all
    }

    /// Returns true if the portion contains no pair.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Returns true if the portion contains this pair.
    pub fn has(&self, model: ModelId, ability: AbilityId) -> bool {
        self.pairs.contains(&(model, ability))
    }

    /// Returns true if this portion contains all pairs of `other`.
    pub fn contains(&self, other: &Self) -> bool {
        self.pairs.is_superset(&other.pairs)
    }

    /// Returns the pairs, sorted by model, then by ability.
    pub fn pairs(&self) -> impl Iterator<Item = (ModelId, AbilityId)> {
        self.pairs.iter().copied()
    }

    /// Returns the models of the pairs.
    pub fn models(&self) -> BTreeSet<ModelId> {
        self.pairs.iter().map(|(model, _)| *model).collect()
    }

    /// Returns the abilities of the pairs.
    pub fn abilities(&self) -> BTreeSet<AbilityId> {
        self.pairs.iter().map(|(_, ability)| *ability).collect()
    }

    /// Returns the number of predictions in the portion.
    pub fn n(&self, outline: &Outline) -> u64 {
        let counts = outline.counts.iter();
        let own = counts.filter(|one| self.has(one.model, one.ability));
        own.map(|one| one.n).sum()
    }
}

impl Outline {
    /// Returns the total number of predictions.
    pub fn n(&self) -> u64 {
        self.counts.iter().map(|answered| answered.n).sum()
    }
}
