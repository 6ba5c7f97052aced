//! Answers queries on data that does not fit in memory. Uses sums, or loads some of the
//! predictions.

mod index;
mod parts;
mod scores;
mod set;
mod subgroups;

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use analysis::audit::verdict_sets;
use analysis::{Depth, MeasureSums, Metrics, Score, Split, Subgroup, depends_on_grading};
use base::job::{FOR_GOOD, Ticket};
use base::limits::Limit;
use record::benchmark::order_of;
use record::verdict::Book;
use record::{AbilityId, DataSetFacts, ModelId, Problem, Table};
use workspace::export::Columns;
use workspace::filter::narrowed;

use super::warehouse::{Outline, Portion, Sums, SumsKind, Warehouse};
use super::{Engine, Memory, QueryError, ResultsWithNotes, Scope, ScopedTable};
use index::index;

pub use set::PublishedSet;

/// Maximum number of loaded parts that stay in memory.
const MOST_KEPT: usize = 2;

/// Predictions in a warehouse, and verdicts on their samples. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Large {
    warehouse: Arc<dyn Warehouse>,
    book: Arc<Book>,
    /// One row per model and ability, in the outline's order.
    index: Table,
    kept: Arc<Mutex<Vec<(Portion, Memory)>>>,
    /// Metrics with scores other than 0 and 1, over all predictions; empty until first needed.
    graded: Arc<OnceLock<BTreeSet<String>>>,
}

/// Predictions that a scope may contain.
struct ScopeBounds {
    portion: Portion,
    /// True if the scope contains exactly these predictions.
    is_exact: bool,
    /// True if the filter compares a prediction with other predictions of its ability.
    is_of_others: bool,
}

impl Large {
    /// Opens a warehouse without loading predictions.
    pub fn new(warehouse: Arc<dyn Warehouse>, book: Arc<Book>) -> Self {
        Self {
            index: index(warehouse.outline()),
            warehouse,
            book,
            kept: Arc::default(),
            graded: Arc::default(),
        }
    }

    /// Returns the overview of the warehouse: names, counts and splits.
    pub fn outline(&self) -> &Outline {
        self.warehouse.outline()
    }

    /// Replaces the verdicts, and drops loaded parts if the verdicts changed.
    pub fn judge(&mut self, book: &Arc<Book>) {
        if !Arc::ptr_eq(&self.book, book) {
            self.book = Arc::clone(book);
            self.kept = Arc::default();
        }
    }

    /// Returns the pairs of model and ability whose predictions a scope may contain.
    ///
    /// # Errors
    /// If the scope's filter is invalid.
    pub fn portion(&self, scope: &Scope) -> Result<Portion, QueryError> {
        Ok(self.reach(scope)?.portion)
    }

    /// Returns which predictions a scope may contain.
    fn reach(&self, scope: &Scope) -> Result<ScopeBounds, QueryError> {
        let outline = self.outline();
        let has_label = |name: &str| outline.labels.values().any(|known| known.contains(name));
        let found = narrowed(&scope.filter, &self.index, &has_label)?;
        let rows = outline.counts.iter().zip(&found.rows);
        let pairs = rows.filter(|(_, is_in)| **is_in).map(|(one, _)| one);
        let portion = Portion::from_pairs(outline, pairs.map(|one| (one.model, one.ability)));
        let portion = if found.is_of_others {
            let abilities = portion.abilities();
            Portion::of(outline, |one| abilities.contains(&one.ability))
        } else {
            portion
        };
        Ok(ScopeBounds {
            portion,
            is_of_others: found.is_of_others,
            is_exact: found.is_exact && scope.scoring == record::Scoring::Harness,
        })
    }

    /// Loads the predictions of some scopes.
    ///
    /// # Errors
    /// If a filter is invalid, there are too many predictions, or they cannot be read.
    pub fn memory_of(&self, scopes: &[Scope], ticket: &Ticket) -> Result<Memory, QueryError> {
        let mut pairs = BTreeSet::new();
        for scope in scopes {
            pairs.extend(self.reach(scope)?.portion.pairs());
        }
        let portion = Portion::from_pairs(self.outline(), pairs.into_iter());
        self.load(&portion, ticket)
    }

    /// Loads the predictions of a part. Reuses an already loaded part that contains them.
    ///
    /// # Errors
    /// If there are too many predictions, or they cannot be read.
    pub fn load(&self, portion: &Portion, ticket: &Ticket) -> Result<Memory, QueryError> {
        let n = portion.n(self.outline());
        if n > Limit::LensRows.get() {
            return Err(QueryError::TooMany {
                n,
                names: self.names_of(portion),
            });
        }
        let known = {
            let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let known = kept.iter().find(|(known, _)| known.contains(portion));
            known.map(|(_, memory)| memory.clone())
        };
        if let Some(memory) = known {
            return Ok(memory);
        }
        let table = self.warehouse.rows(portion, ticket)?;
        let metrics: Vec<String> = table.names().metrics.values().to_vec();
        let table = self.with_graded(table, metrics.iter(), ticket)?;
        let verdicts = verdict_sets(&table, &self.book);
        let memory = Memory::new(table.with_verdicts(verdicts), Arc::clone(&self.book));
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(MOST_KEPT - 1);
        kept.insert(0, (portion.clone(), memory.clone()));
        Ok(memory)
    }

    /// Records in the table which metrics have scores other than 0 and 1 over all predictions.
    /// Computed only if one of `metrics` depends on it.
    fn with_graded<'a>(
        &self,
        table: Table,
        mut metrics: impl Iterator<Item = &'a String>,
        ticket: &Ticket,
    ) -> Result<Table, QueryError> {
        if !metrics.any(|metric| depends_on_grading(&table, metric)) {
            return Ok(table);
        }
        let graded = if let Some(graded) = self.graded.get() {
            graded.clone()
        } else {
            let wanted = Sums {
                portion: &Portion::all(self.outline()),
                kind: SumsKind::Totals,
            };
            let added = self.warehouse.sums(&wanted, ticket)?.unwrap_or_default();
            let is_graded = |summed: &&MeasureSums| summed.cells.iter().any(|cell| cell.others > 0);
            let own = added.sums.iter().filter(is_graded);
            let own = own.filter(|summed| summed.metric == summed.scored_as);
            let graded: BTreeSet<String> = own.map(|summed| summed.metric.clone()).collect();
            self.graded.get_or_init(|| graded).clone()
        };
        let whole = DataSetFacts {
            graded,
            ..DataSetFacts::clone(&table.names().whole)
        };
        Ok(table.with_whole(Arc::new(whole)))
    }

    /// Selects the predictions of a scope within a part. `memory` must contain that part.
    fn held(
        &self,
        memory: &Memory,
        scope: &Scope,
        portion: &Portion,
    ) -> Result<ScopedTable, QueryError> {
        let (held, names) = (memory.rows(scope)?, self.outline().names.names());
        let table = held.table.clone();
        let pairs = portion.pairs().filter_map(|(model, ability)| {
            let model = table.names().models.find(names.model(model))?;
            let ability = table.names().abilities.find(names.ability(ability)?)?;
            Some((model, ability))
        });
        let pairs: HashSet<(u32, u32)> = pairs.collect();
        let rows = table.item_of().iter().zip(table.model_of());
        let is_in = |(item, model): (&u32, &u16)| {
            let ability = table.ability_of()[*item as usize];
            pairs.contains(&(u32::from(*model), u32::from(ability)))
        };
        Ok(held.within(rows.map(is_in).collect()))
    }

    /// Returns filter keys that can narrow a part: those for which the part has several values.
    fn names_of(&self, portion: &Portion) -> Vec<&'static str> {
        let (models, abilities) = (portion.models(), portion.abilities());
        let names = self.outline().names.names();
        let mut benchmarks: Vec<&str> = abilities
            .iter()
            .filter_map(|ability| Some(names.ability(*ability)?.benchmark.as_str()))
            .collect();
        benchmarks.sort_unstable();
        benchmarks.dedup();
        let several = [
            ("benchmark:", benchmarks.len()),
            ("ability:", abilities.len()),
            ("model:", models.len()),
        ];
        let several = several.into_iter().filter(|(_, count)| *count > 1);
        several.map(|(name, _)| name).collect()
    }

    /// Splits a part into groups of abilities whose sums fit in memory, in display order.
    fn batches(&self, portion: &Portion) -> Vec<Portion> {
        let (outline, most) = (self.outline(), self.warehouse.at_once());
        let names = outline.names.names();
        let mut abilities: Vec<AbilityId> = portion.abilities().into_iter().collect();
        abilities.sort_by_key(|ability| {
            let name = names.ability(*ability);
            name.map(|own| (&own.benchmark, order_of(&own.name), &own.name))
        });
        let mut batches: Vec<(BTreeSet<AbilityId>, u64)> = Vec::new();
        for ability in abilities {
            let n = self.within(portion, |own| own == ability).n(outline);
            match batches.last_mut().filter(|(_, known)| known + n <= most) {
                Some((abilities, known)) => {
                    abilities.insert(ability);
                    *known += n;
                }
                None => batches.push((BTreeSet::from([ability]), n)),
            }
        }
        let batches = batches.into_iter();
        batches
            .map(|(abilities, _)| self.within(portion, |own| abilities.contains(&own)))
            .collect()
    }

    /// Restricts a part to the abilities for which `wanted` returns true.
    fn within(&self, portion: &Portion, wanted: impl Fn(AbilityId) -> bool) -> Portion {
        Portion::of(self.outline(), |one| {
            wanted(one.ability) && portion.has(one.model, one.ability)
        })
    }
}

impl Engine for Large {
    fn table(&self) -> &Table {
        &self.outline().names
    }

    fn answered(&self) -> Vec<(ModelId, AbilityId)> {
        let counts = self.outline().counts.iter();
        counts.map(|one| (one.model, one.ability)).collect()
    }

    fn book(&self) -> &Book {
        &self.book
    }

    fn rows(&self, scope: &Scope) -> Result<ScopedTable, QueryError> {
        let ScopeBounds { portion, .. } = self.reach(scope)?;
        self.load(&portion, &FOR_GOOD)?.rows(scope)
    }

    fn rows_with(&self, scope: &Scope, label: &str) -> Result<Option<ScopedTable>, QueryError> {
        let ScopeBounds { portion, .. } = self.reach(scope)?;
        let labels = &self.outline().labels;
        let has = |ability| labels.get(&ability).is_some_and(|own| own.contains(label));
        let portion = self.within(&portion, has);
        if portion.is_empty() {
            return Ok(None);
        }
        let memory = self.load(&portion, &FOR_GOOD)?;
        self.held(&memory, scope, &portion).map(Some)
    }

    fn in_memory(&self, scope: &Scope, ticket: &Ticket) -> Result<Option<Memory>, QueryError> {
        let ScopeBounds { portion, .. } = self.reach(scope)?;
        self.load(&portion, ticket).map(Some)
    }

    fn in_parts(
        &self,
        scope: &Scope,
        ticket: &Ticket,
        take: &mut dyn FnMut(&ScopedTable) -> ControlFlow<()>,
    ) -> Result<Vec<Problem>, QueryError> {
        parts::in_parts(self, scope, ticket, take)
    }

    fn columns(&self, ticket: &Ticket) -> Result<Columns, QueryError> {
        self.warehouse.columns(ticket)
    }

    fn scores(
        &self,
        scope: &Scope,
        depth: Depth,
        ticket: &Ticket,
    ) -> Result<ResultsWithNotes<Score>, QueryError> {
        scores::scores(self, scope, depth, ticket)
    }

    fn subgroups(
        &self,
        scope: &Scope,
        by: Option<&str>,
        metrics: Metrics,
        ticket: &Ticket,
    ) -> Result<ResultsWithNotes<Subgroup>, QueryError> {
        self.subgroups_from_sums(scope, by, metrics, ticket)
    }

    fn splits(&self, benchmark: &str, ability: &str) -> Vec<Split> {
        let outline = self.outline();
        let names = outline.names.names();
        let abilities = names.abilities.values().iter();
        let at = abilities
            .zip(0..)
            .find(|(known, _)| known.benchmark == benchmark && known.name == ability);
        let labels = at.and_then(|(_, code)| outline.labels.get(&AbilityId(code)));
        let is_own = |split: &&Split| labels.is_some_and(|labels| labels.contains(&split.text));
        outline.splits.iter().filter(is_own).cloned().collect()
    }
}
