//! Computes scores, ranks and subgroups from sums, with the same functions as for predictions.

mod clusters;
mod subgroups;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::Selection;
use super::cells::MeasureSums;
use super::correctness::right_where;
use super::direction::direction_in;
use super::evidence::Evidence;
use super::measure::{ALL_ROTATIONS, Measure};
use super::model_result::model_results;
use super::omission::OmissionReason;
use super::score::{Heading, Score, rule_names, threshold};
use super::standing::Depth;
use clusters::Clusters;
use record::benchmark::{Metric, order_of};
use record::{Ability, AbilityId, Basis, EvidenceCounts, ModelId, Rule, Table};

pub use subgroups::subgroups_of_sums;

/// Results from sums, and the abilities for which sums are not sufficient.
#[derive(Clone, Debug, PartialEq)]
pub struct FromSums<T> {
    /// Results; none for the abilities in `by_rows`.
    pub found: Vec<T>,
    /// Abilities that need row-level data: a figure cannot be computed from sums, models answered
    /// samples repeatedly, or they answered only parts of a cluster.
    pub by_rows: BTreeSet<Ability>,
}

/// Computes scores from sums over all samples, unordered and without ranks;
/// [`super::ranked_with_printed`] ranks them. The selection provides names, coverage and ticket;
/// its predictions are not read. Sums of the same measure are added up.
///
/// If no intervals are needed, all predictions of a model can be one cluster.
pub fn scores_of_sums(
    sums: &[MeasureSums],
    selection: Selection<'_>,
    depth: Depth,
) -> FromSums<Score> {
    let whole = sums.iter().filter(|summed| summed.bin.is_none());
    let groups = group_sums(whole);
    let groups: Vec<&AbilitySums<'_>> = groups.values().collect();
    let found: Vec<(&Ability, Option<Vec<Score>>)> = groups
        .par_iter()
        .take_any_while(|_| selection.ticket.is_wanted())
        .map(|group| {
            let scores = group.scores(selection, depth, true);
            (group.name, scores)
        })
        .collect();
    let rows = found.iter().filter(|(_, scores)| scores.is_none());
    let by_rows: BTreeSet<Ability> = rows.map(|(name, _)| (*name).clone()).collect();
    let told = found
        .into_iter()
        .filter(|(name, _)| !by_rows.contains(*name));
    FromSums {
        found: told.filter_map(|(_, scores)| scores).flatten().collect(),
        by_rows,
    }
}

/// Like [`scores_of_sums`], but without ranks and for any set of answered samples. Figures that
/// cannot be computed from sums are left out.
pub fn unranked_of_sums(
    sums: &[MeasureSums],
    selection: Selection<'_>,
    depth: Depth,
) -> Vec<Score> {
    let whole = sums.iter().filter(|summed| summed.bin.is_none());
    let groups = group_sums(whole).into_values();
    let scores = groups.filter_map(|mut group| {
        let is_of_sums = |sums: &mut Vec<&MeasureSums>| !sums.iter().any(|summed| summed.of_rows);
        group.measures.retain_mut(is_of_sums);
        group.scores(selection, depth, false)
    });
    scores.flatten().collect()
}

/// Sort key of a group: benchmark, position and name of the ability, scored metric, split.
type GroupKey<'a> = (&'a str, usize, &'a str, &'a str, Option<&'a str>);

/// Sums of one ability, or of one of its splits or bins.
struct AbilitySums<'a> {
    name: &'a Ability,
    split: Option<&'a String>,
    /// Sums grouped by measure, in the order of the measures.
    measures: Vec<Vec<&'a MeasureSums>>,
}

/// Groups sums by ability, scored metric and split.
fn group_sums<'a>(
    sums: impl Iterator<Item = &'a MeasureSums>,
) -> BTreeMap<GroupKey<'a>, AbilitySums<'a>> {
    let mut found: BTreeMap<GroupKey<'_>, AbilitySums<'_>> = BTreeMap::new();
    for summed in sums {
        let Ability { benchmark, name } = &summed.ability;
        let split = summed.split.as_deref();
        let key = (
            benchmark.as_str(),
            order_of(name),
            name.as_str(),
            summed.scored_as.as_str(),
            split,
        );
        let group = found.entry(key).or_insert_with(|| AbilitySums {
            name: &summed.ability,
            split: summed.split.as_ref(),
            measures: Vec::new(),
        });
        let is_same = |known: &&mut Vec<&MeasureSums>| {
            let known = known.first();
            known.is_some_and(|known| {
                known.metric == summed.metric && known.headline == summed.headline
            })
        };
        match group.measures.iter_mut().find(is_same) {
            Some(known) => known.push(summed),
            None => group.measures.push(vec![summed]),
        }
    }
    found
}

impl AbilitySums<'_> {
    fn sums(&self) -> impl Iterator<Item = &MeasureSums> {
        self.measures.iter().flatten().copied()
    }

    /// Returns true if some measure cannot be computed from sums.
    fn is_of_rows(&self) -> bool {
        self.sums().any(|summed| summed.of_rows)
    }

    /// Returns the number of unreadable answers of each model; `None` for a model that did not
    /// answer.
    fn answered(&self, models: usize) -> Vec<Option<u64>> {
        let mut found = vec![None; models];
        for cell in self.sums().flat_map(|summed| &summed.cells) {
            if let Some(invalid) = found.get_mut(usize::from(cell.model)) {
                *invalid.get_or_insert(0) += cell.invalid;
            }
        }
        found
    }

    /// Returns the metric that scores the predictions.
    fn scored_as(&self) -> &str {
        let mut sums = self.sums();
        sums.next().map_or("", |summed| summed.scored_as.as_str())
    }

    /// Returns the evidence of each model, counted when its answers were published. `None` if it
    /// was not counted, or if samples were answered repeatedly: the repeats can be in several runs.
    fn evidence<'t>(&self, table: &'t Table) -> Vec<Option<&'t EvidenceCounts>> {
        let names = table.names();
        let ability = names.abilities.find(self.name);
        let ability = ability.and_then(|code| u16::try_from(code).ok());
        let mut cells = self.sums().flat_map(|summed| &summed.cells);
        let is_repeated = cells.any(|cell| cell.samples != cell.n);
        let of_model = |code: usize| {
            let key = (ModelId(u16::try_from(code).ok()?), AbilityId(ability?));
            let mut counts = names.whole.evidence.get(&key)?.iter();
            let is_own = |counts: &&EvidenceCounts| {
                counts.split.as_ref() == self.split && counts.metric == self.scored_as()
            };
            counts.find(is_own).filter(|_| !is_repeated)
        };
        (0..names.models.values().len()).map(of_model).collect()
    }

    /// Returns true if possibly no answer of any model could be read.
    fn is_unread(&self) -> bool {
        let own = self
            .sums()
            .filter(|summed| summed.metric == summed.scored_as);
        let cells = own.flat_map(|summed| &summed.cells);
        let (n, invalid) = cells.fold((0, 0), |(n, invalid), cell| {
            (n + cell.n, invalid + cell.invalid)
        });
        invalid > 0 && invalid >= n
    }

    /// Returns true if a score lies outside the range of its metric.
    fn is_outside(&self, table: &Table) -> bool {
        let own = self
            .sums()
            .filter(|summed| summed.metric == summed.scored_as);
        let mut cells = own
            .flat_map(|summed| &summed.cells)
            .filter(|cell| cell.n > 0);
        let range = table.names().range_of(self.scored_as());
        range.is_some_and(|range| {
            cells.any(|cell| range.excludes(cell.low) || range.excludes(cell.high))
        })
    }

    /// Returns for each model the reason not to score questions at all four rotations together.
    fn without_rotations(&self, models: usize) -> Vec<Option<OmissionReason>> {
        let [right_at_all, _] = ALL_ROTATIONS;
        let n = |metric: &str| {
            let mut found = vec![0; models];
            let own = self.sums().filter(|summed| summed.metric == metric);
            for cell in own.flat_map(|summed| &summed.cells) {
                if let Some(n) = found.get_mut(usize::from(cell.model)) {
                    *n += cell.n;
                }
            }
            found
        };
        let is_own = |it: &MeasureSums| it.metric == right_at_all && it.scored_as != right_at_all;
        if !self.sums().any(is_own) {
            return vec![None; models];
        }
        let both = n(right_at_all).into_iter().zip(n(Metric::Accuracy.name()));
        both.map(|(complete, answers)| OmissionReason::of_rotations(complete, answers))
            .collect()
    }

    /// Returns the names of the rules that score the answers.
    fn rule(&self) -> String {
        let rules = self.sums().flat_map(|summed| summed.rules.values());
        let rules: BTreeSet<Rule> = rules.flatten().copied().collect();
        rule_names(&rules)
    }

    /// Returns true if any score is neither 0 nor 1.
    fn is_graded(&self, metric: &str) -> bool {
        let own = self.sums().filter(|summed| summed.scored_as == metric);
        let mut cells = own.flat_map(|summed| &summed.cells);
        cells.any(|cell| cell.others > 0)
    }

    /// Computes the scores; `None` if they, or the ranks if wanted, need row-level data.
    fn scores(&self, selection: Selection<'_>, depth: Depth, ranked: bool) -> Option<Vec<Score>> {
        if self.is_of_rows() {
            return None;
        }
        let names = selection.table.names();
        let models = names.models.values();
        let heading = Heading {
            name: self.name,
            split: self.split,
            rule: self.rule(),
            runs: &names.runs,
        };
        let answered = self.answered(models.len());
        let evidence = self.evidence(selection.table);
        let incomplete = self.without_rotations(models.len());
        let reason = |counted: Option<&EvidenceCounts>| {
            let counted = counted?;
            OmissionReason::of_targets(counted.without_target, counted.counts.asked)
        };
        let unranked: Vec<Option<OmissionReason>> = evidence.iter().copied().map(reason).collect();
        // If models are unranked for one of these reasons, sums cannot rank the remaining models.
        let mut reasons = incomplete.iter().chain(&unranked);
        let is_any = reasons.any(Option::is_some) || self.is_unread();
        if ranked && (is_any || self.is_outside(selection.table)) {
            return None;
        }
        let (_, direction_from) = direction_in(selection.table, self.scored_as());
        let rests_on = |counted: Option<&EvidenceCounts>| {
            Some(Arc::new(Evidence::of_counts(counted?, direction_from)))
        };
        let evidence: Vec<Option<Arc<Evidence>>> = evidence.into_iter().map(rests_on).collect();
        let mut found = Vec::new();
        for sums in &self.measures {
            let measure = measure(selection.table, sums)?;
            let clusters = Clusters::of(sums);
            let standings = clusters.standings(&measure, models.len(), depth);
            let places = if ranked && measure.direction_from != Basis::Guess {
                clusters.placements(&measure, &standings, selection, depth)?
            } else {
                Vec::new()
            };
            let right = right_where(selection.table, &self.name.name, &measure.name, || {
                selection.table.is_graded(&measure.name) || self.is_graded(&measure.name)
            });
            let stand = model_results(models, answered.iter().copied(), standings, places);
            found.extend(stand.map(|placed| {
                let is_of_all = ALL_ROTATIONS.contains(&measure.name.as_str());
                let [rotations, targets] =
                    [&incomplete, &unranked].map(|it| it.get(placed.code)?.as_ref());
                let reason = targets.or(rotations.filter(|_| is_of_all));
                let own = evidence.get(placed.code).cloned().flatten();
                let score = heading.score(&measure, placed, threshold(right));
                score.resting_on(own, reason)
            }));
        }
        Some(found)
    }
}

/// Creates a measure without values from its sums; `None` without sums.
fn measure(table: &Table, sums: &[&MeasureSums]) -> Option<Measure> {
    let first = sums.first()?;
    let mut measure = Measure::mean(&first.metric, Vec::new());
    measure.headline = first.headline;
    (measure.direction, measure.direction_from) = direction_in(table, &first.metric);
    Some(measure.with(first.statistic))
}
