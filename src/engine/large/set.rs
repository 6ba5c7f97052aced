//! A published data set as a warehouse.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use analysis::Split;
use base::job::Ticket;
use base::limits::Limit;
use record::{AbilityId, ModelId, Problem, Table};
use workspace::export::Columns;
use workspace::load::{Event, LargeSet, SetRun};
use workspace::publish::{SumsScope, SumsSource};

use crate::QueryError;
use crate::warehouse::{
    Outline, Portion, PredictionCount, Sums, SumsKind, SumsWithNote, Warehouse,
};

/// A published data set whose predictions are not in memory.
#[derive(Debug)]
pub struct PublishedSet {
    set: Arc<LargeSet>,
    outline: Outline,
    /// True if tables with missing rows are allowed. Their sources then list the problems.
    is_partial: bool,
}

impl PublishedSet {
    /// Wraps an opened data set.
    pub fn new(set: Arc<LargeSet>) -> Self {
        let mut counts: BTreeMap<(ModelId, AbilityId), u64> = BTreeMap::new();
        let mut labels: BTreeMap<AbilityId, BTreeSet<String>> = BTreeMap::new();
        for run in &set.runs {
            for (ability, answers) in &run.run.abilities {
                let Some(&code) = run.abilities.get(ability) else {
                    continue;
                };
                *counts.entry((run.model, code)).or_default() += answers.n;
                let known = labels.entry(code).or_default();
                known.extend(answers.labels.iter().cloned());
            }
        }
        let counts = counts.into_iter();
        let outline = Outline {
            names: set.names.clone(),
            counts: counts
                .map(|((model, ability), n)| PredictionCount { model, ability, n })
                .collect(),
            labels,
            splits: splits(&set.runs),
        };
        Self {
            set,
            outline,
            is_partial: false,
        }
    }

    /// Allows tables with missing rows. Their sources then list the problems.
    #[must_use]
    pub const fn partial(mut self) -> Self {
        self.is_partial = true;
        self
    }

    /// Returns a function that tests whether a part contains a run, given by number, and an
    /// ability.
    fn is_wanted(&self, portion: &Portion) -> impl Fn(usize, &str) -> bool {
        let runs = self.set.runs.iter();
        let runs: BTreeMap<usize, &SetRun> = runs.map(|run| (run.number, run)).collect();
        move |number: usize, ability: &str| {
            let run = runs.get(&number);
            run.is_some_and(|run| {
                let code = run.abilities.get(ability);
                code.is_some_and(|code| portion.has(run.model, *code))
            })
        }
    }
}

/// Returns a callback that stops reading once the ticket is stale.
fn looking(ticket: &Ticket) -> impl FnMut(Event) -> ControlFlow<()> {
    |_| {
        if ticket.is_wanted() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

/// Returns the splits for which every run that has their labels also has sums.
fn splits(runs: &[SetRun]) -> Vec<Split> {
    let all = runs.iter().flat_map(|run| &run.run.splits);
    let all: BTreeSet<&String> = all.collect();
    let is_whole = |name: &&String| {
        let mut runs = runs.iter();
        runs.all(|run| {
            let mut abilities = run.run.abilities.values();
            run.run.splits.contains(name) || !abilities.any(|own| own.labels.contains(*name))
        })
    };
    let whole = all.into_iter().filter(is_whole);
    whole.map(|name| Split::of_tag(name)).collect()
}

impl Warehouse for PublishedSet {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn at_once(&self) -> u64 {
        self.set.at_once()
    }

    fn sums(&self, wanted: &Sums<'_>, ticket: &Ticket) -> Result<Option<SumsWithNote>, QueryError> {
        let runs = self.set.runs.iter();
        let abilities: Vec<BTreeSet<&str>> = runs
            .map(|run| {
                let own = run.abilities.iter();
                let own = own.filter(|(_, code)| wanted.portion.has(run.model, **code));
                own.map(|(name, _)| name.as_str()).collect()
            })
            .collect();
        let runs = self.set.runs.iter().zip(&abilities);
        let runs: Vec<SumsSource<'_>> = runs
            .map(|(run, abilities)| SumsSource {
                run: &run.run,
                model: run.model,
                abilities,
            })
            .collect();
        let which = match wanted.kind {
            SumsKind::Totals => SumsScope::Totals,
            SumsKind::Clusters => SumsScope::Whole,
            SumsKind::Bins(split) => SumsScope::Bins(&split.text),
        };
        let found = self.set.sums(&runs, which, ticket);
        if !ticket.is_wanted() {
            return Err(QueryError::Stopped);
        }
        let (sums, note) = found.map_err(QueryError::Warehouse)?;
        Ok(Some(SumsWithNote { sums, note }))
    }

    fn in_parts(
        &self,
        portion: &Portion,
        words: &[(String, String)],
        ticket: &Ticket,
        take: &mut dyn FnMut(Table) -> ControlFlow<()>,
    ) -> Result<Vec<Problem>, QueryError> {
        let is_wanted = self.is_wanted(portion);
        let together = self.set.most_together(&is_wanted);
        if together > Limit::LensRows.get() {
            return Err(QueryError::TooMany {
                n: together,
                names: vec!["ability:", "model:"],
            });
        }
        let mut look = looking(ticket);
        let whole = self.set.whole(&is_wanted, words, &mut look);
        let whole = Arc::new(whole.map_err(QueryError::Warehouse)?);
        let none = self.outline.names.clone().with_whole(Arc::clone(&whole));
        if take(none).is_break() {
            return Ok(Vec::new());
        }
        let problems = self.set.in_parts(&is_wanted, &whole, take, &mut look);
        if !ticket.is_wanted() {
            return Err(QueryError::Stopped);
        }
        problems.map_err(QueryError::Warehouse)
    }

    fn columns(&self, ticket: &Ticket) -> Result<Columns, QueryError> {
        let found = self.set.columns(&mut looking(ticket));
        let extra = found.map_err(QueryError::Warehouse)?;
        Ok(Columns { extra })
    }

    fn rows(&self, portion: &Portion, ticket: &Ticket) -> Result<Table, QueryError> {
        let is_wanted = self.is_wanted(portion);
        let table = self.set.rows(&is_wanted, &mut looking(ticket));
        if !ticket.is_wanted() {
            return Err(QueryError::Stopped);
        }
        let table = table.map_err(QueryError::Warehouse)?;
        let n = portion.n(&self.outline);
        if table.len() as u64 == n || self.is_partial {
            return Ok(table);
        }
        let mut problems = table.sources().iter().flat_map(|source| &source.problems);
        let first = problems
            .next()
            .map(|problem| format!(": {}: {}", problem.place(), problem.what));
        Err(QueryError::Warehouse(format!(
            "of {}, only {} could be read{}",
            base::format::counted(n, "prediction"),
            table.len(),
            first.unwrap_or_default()
        )))
    }
}
