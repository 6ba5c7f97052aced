//! Computes scores and ranks of all models in all abilities, from samples and from papers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::claims::{self, Contestant};
use super::common::{CommonSamples, Exclusion, Keys};
use super::evidence::{Evidence, GroupEvidence};
use super::measure::{Measure, MeasureOptions};
use super::model_result::{ModelResult, standings_of};
use super::omission::OmissionReason;
use super::ranking::Contest;
use super::standing::{Depth, Standing};
use super::{Selection, by_harness, groups_by_split, right_in};
use crate::metric::{Interval, competition_ranks};
use record::benchmark::{Direction, MetricRange, RightThreshold, is_headline, order_of};
use record::{
    Ability, AbilityId, Basis, Kind, ModelId, Names, PublishedScore, Row, Rule, Run, Scoring,
    Table, UNCOMPARED,
};

/// Metrics of surface normals: correlation along each axis, and their mean.
const AXES: [&str; 3] = ["rho_x", "rho_y", "rho_z"];
const MEAN_OF_AXES: &str = "rho_mean";

base::named_enum! {
    /// Source of a score.
    ///
    /// The names appear in JSON.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Origin {
        /// Computed from samples.
        #[default]
        Samples = "samples",
        /// Printed in a paper.
        Published = "published",
        /// Printed by the harness; used if the log lacks the data to compute the score.
        Harness = "harness",
    }
}

/// Score of one model in one ability under one metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Model name, including the run if the model has several.
    pub model: String,
    /// Model and run if the model has several runs, else `None`.
    pub run: Option<Run>,
    /// Ability whose samples are scored.
    pub ability: String,
    /// Split of the data set, for example easy or hard; `None` without splits.
    pub split: Option<String>,
    /// Metric of the score.
    pub metric: String,
    /// Whether higher or lower is better; `None` if unknown.
    pub direction: Option<Direction>,
    /// Rule that scored the answers; `None` for printed scores.
    pub rule: Option<String>,
    /// Threshold from which graded scores count as right; `None` if scores are 0 or 1, or if it is
    /// unknown.
    pub threshold: Option<f64>,
    /// True if models are ranked by this metric.
    pub headline: bool,
    /// Number of samples in the score's denominator; 0 for printed scores.
    pub n: u64,
    /// Number of predictions that could not be read.
    pub invalid: u64,
    /// Score, in the metric's unit; shares lie between 0 and 1.
    pub score: Option<f64>,
    /// 95 % interval of the score; `None` if it cannot be estimated.
    pub ci: Option<Interval>,
    /// True if the samples form too few clusters for an interval.
    pub few: bool,
    /// 1 + number of models from the same source with a strictly better `rank_score`.
    pub rank: Option<u32>,
    /// Lowest and highest possible rank. The sets of all models in the ability hold together with
    /// 95 % confidence; over all abilities the false discovery rate is 5 %
    /// ([`crate::metric::adjust_family`]). `None` for printed scores.
    pub rank_ci: Option<(u32, u32)>,
    /// Tie groups, numbered from 1: the models of a group are not significantly different from the
    /// best model of the group. Ties are not transitive, so a model can be in several groups. Empty
    /// for printed scores.
    pub tie_groups: Vec<u32>,
    /// Score over the samples that all ranked models answered.
    pub rank_score: Option<f64>,
    /// Number of samples behind `rank_score`.
    pub rank_n: u64,
    /// Reason why the model is not ranked, if it answered too few samples.
    pub excluded: Option<Exclusion>,
    /// Evidence of the score; `None` for sums of published data sets that do not contain it.
    pub evidence: Option<Arc<Evidence>>,
    /// Reason why the score has no rank, or not even an interval.
    pub why_not: Option<OmissionReason>,
    /// Tests of the ability, stored until all abilities are complete; see [`ranked_with_printed`].
    pub contestant: Option<Contestant>,
    /// Source of the score.
    pub origin: Origin,
    /// Kind of the scored system, for example model, human or chance.
    pub kind: Kind,
    /// True if the row is ranked; false for a paper's aggregates and for reference systems.
    pub ranked: bool,
}

/// Computes the scores of a selection, and ranks them together with the scores of opened papers.
/// [`Depth::Scores`] gives a fast first result.
pub fn scores(selection: Selection<'_>, depth: Depth) -> Vec<Score> {
    let found = scores_of_samples(selection, depth);
    let cut = cut_runs(selection.table.names(), left_out(selection));
    ranked_with_printed(found, selection, &cut)
}

/// Computes the scores of a selection's samples, unordered and without ranks; see
/// [`ranked_with_printed`].
pub fn scores_of_samples(selection: Selection<'_>, depth: Depth) -> Vec<Score> {
    let (groups, keys) = (groups_by_split(selection), Keys::of(selection.table));
    let groups = groups.par_iter();
    groups
        .flat_map_iter(|group| of_group(selection, group, &keys, depth))
        .collect()
}

/// Orders and ranks scores of samples together with the printed scores of a selection. `cut` holds
/// benchmark and model of runs whose samples are partly filtered out.
pub fn ranked_with_printed(
    mut found: Vec<Score>,
    selection: Selection<'_>,
    cut: &BTreeSet<(&str, &str)>,
) -> Vec<Score> {
    let Names {
        runs, directions, ..
    } = selection.table.names();
    let printed = |row: &PublishedScore| match directions.get(&row.metric) {
        Some((direction, Basis::User)) => printed(&PublishedScore {
            higher_is_better: Some(*direction == Direction::Higher),
            ..row.clone()
        }),
        _ => printed(row),
    };
    let is_whole = |(row, is_named): &(&PublishedScore, bool)| {
        let run = (row.benchmark.as_str(), row.model.as_str());
        !row.by_harness || *is_named || !cut.contains(&run)
    };
    let told = selection.published_or_named().filter(is_whole);
    let counted: Vec<Score> = told
        .map(|(row, _)| Score {
            run: runs.get(&row.model).cloned(),
            ..printed(row)
        })
        .filter(|score| !score.is_duplicated_in(&found))
        .collect();
    found.retain(|score| score.score.is_some() || !score.is_duplicated_in(&counted));
    let mut ranked: Vec<Score> = counted
        .into_iter()
        .map(|score| score.yielding_headline_to(&found))
        .collect();
    by_harness::one_headline(&mut ranked);
    // If no sample has a score, models are ranked by the harness's figure.
    for score in found.iter_mut().filter(|score| score.score.is_none()) {
        score.headline &= !ranked.iter().any(|other| score.ranks_as(other));
    }
    found.extend(ranked);
    found.extend(mean_axes(&found));
    order(&mut found);
    rank(&mut found, selection.table.names());
    claims::settle(&mut found);
    found
}

/// Returns the abilities and models with samples that the filter excludes; empty without harness
/// figures.
fn left_out(selection: Selection<'_>) -> BTreeSet<(AbilityId, ModelId)> {
    let table = selection.table;
    if selection.mask.is_none() || !table.published().iter().any(|row| row.by_harness) {
        return BTreeSet::new();
    }
    let (items, models) = (table.item_of(), table.model_of());
    let abilities = table.ability_of();
    let rows = (0..).zip(items.iter().zip(models));
    let left_out = rows.filter(|(row, _)| !selection.has(*row));
    let codes = left_out.filter_map(|(_, (item, model))| {
        let ability = abilities.get(*item as usize)?;
        Some((AbilityId(*ability), ModelId(*model)))
    });
    codes.collect()
}

/// Returns benchmark and model of runs whose samples are partly filtered out. Their harness
/// figures do not describe the remaining samples.
pub fn cut_runs(
    names: &Names,
    left_out: impl IntoIterator<Item = (AbilityId, ModelId)>,
) -> BTreeSet<(&str, &str)> {
    let run = |(ability, model): (AbilityId, ModelId)| {
        let ability = names.ability(ability)?;
        Some((ability.benchmark.as_str(), names.model(model)))
    };
    left_out.into_iter().filter_map(run).collect()
}

/// Averages the three axes of surface normals if only the axes were printed.
fn mean_axes(scores: &[Score]) -> Vec<Score> {
    let of_axis = |first: &Score, axis: &str| {
        let same = |score: &&Score| {
            score.metric == axis
                && score.origin == first.origin
                && (&score.benchmark, &score.ability) == (&first.benchmark, &first.ability)
                && (&score.model, &score.split) == (&first.model, &first.split)
        };
        scores.iter().find(same)?.score
    };
    let first = scores.iter().filter(|score| score.metric == AXES[0]);
    let mean = |first: &Score| {
        let has_mean = of_axis(first, MEAN_OF_AXES).is_some();
        let axes: Option<Vec<f64>> = AXES.iter().map(|axis| of_axis(first, axis)).collect();
        let mean = axes.filter(|_| !has_mean)?.iter().sum::<f64>() / 3.0;
        let is_computed = scores.iter().any(|score| {
            score.origin == Origin::Samples
                && score.metric == MEAN_OF_AXES
                && (&score.benchmark, &score.ability) == (&first.benchmark, &first.ability)
                && score.model == first.model
        });
        (!is_computed).then(|| Score {
            metric: MEAN_OF_AXES.to_owned(),
            headline: is_headline(&first.benchmark, &first.ability, MEAN_OF_AXES),
            score: Some(mean),
            rank_score: Some(mean),
            ..first.clone()
        })
    };
    first.filter_map(mean).collect()
}

fn of_group(
    selection: Selection<'_>,
    group: &super::Group,
    keys: &Keys<'_>,
    depth: Depth,
) -> Vec<Score> {
    let wanted = MeasureOptions {
        all: true,
        rotational: true,
    };
    let evidence = GroupEvidence::new(selection, group);
    let place = |measure: &Measure, standings: &[Standing]| {
        let may_rank = evidence.may_rank(&measure.name);
        let allowed = measure.ranked(selection.table, &may_rank);
        let common = CommonSamples::of(&allowed, keys, selection.coverage);
        Contest::new(&allowed, &common).placements(standings, depth, selection.ticket)
    };
    let heading = Heading {
        name: &group.name,
        split: group.split.as_ref(),
        rule: rule_of(selection, group),
        runs: &selection.table.names().runs,
    };
    standings_of(selection, group, wanted, depth, place, |measure, placed| {
        let threshold = threshold(right_in(selection.table, &group.name.name, &measure.name));
        let model = placed.code;
        let score = heading.score(measure, placed, threshold);
        let reason = evidence.why_not(model, &measure.name);
        score.resting_on(evidence.of_model(model).cloned(), reason)
    })
}

/// Fields shared by all scores of an ability, or of one of its splits.
pub(super) struct Heading<'a> {
    /// Benchmark and ability.
    pub name: &'a Ability,
    /// Split of the data set, if there are several.
    pub split: Option<&'a String>,
    /// Names of the rules that score the answers.
    pub rule: String,
    /// Runs of the models with several runs, by model name.
    pub runs: &'a BTreeMap<String, Run>,
}

impl Heading<'_> {
    /// Creates the score of a model in a measure.
    pub fn score(&self, measure: &Measure, placed: ModelResult, threshold: Option<f64>) -> Score {
        // The mean of huge numbers can be infinite and is dropped.
        let is_finite = |score: &f64| score.is_finite();
        let is_guess = measure.direction_from == Basis::Guess;
        Score {
            benchmark: self.name.benchmark.clone(),
            run: self.runs.get(&placed.model).cloned(),
            model: placed.model,
            ability: self.name.name.clone(),
            split: self.split.cloned(),
            metric: measure.name.clone(),
            direction: (!is_guess).then_some(measure.direction),
            rule: Some(self.rule.clone()),
            threshold,
            headline: measure.headline,
            n: placed.standing.n,
            invalid: placed.invalid,
            score: placed.standing.score.filter(is_finite),
            ci: placed.standing.interval,
            few: placed.standing.few,
            rank_score: placed.placement.score.filter(is_finite),
            rank_n: placed.placement.n,
            excluded: placed.placement.excluded,
            why_not: if placed.standing.score.is_none() {
                Some(OmissionReason::NothingScored)
            } else {
                is_guess.then(|| OmissionReason::Direction(measure.name.clone()))
            },
            contestant: placed.placement.contestant,
            ranked: true,
            ..Score::default()
        }
    }
}

/// Returns the threshold from which graded scores count as right.
pub(super) fn threshold(right: Option<RightThreshold>) -> Option<f64> {
    let right = right?;
    right.words().and_then(|_| right.threshold())
}

/// Returns the names of the rules that score a group's answers.
fn rule_of(selection: Selection<'_>, group: &super::Group) -> String {
    if selection.scoring == Scoring::Strict {
        return "strict".to_owned();
    }
    let rule = |&row: &u32| rule_of_row(selection, row);
    rule_names(&group.rows.iter().map(rule).collect())
}

/// Returns the rule that scores a prediction under the harness's scoring.
pub(super) fn rule_of_row(selection: Selection<'_>, row: u32) -> Rule {
    // Answers without a score in the log are scored by Eyechart's own rules.
    match selection.table.rule(Row(row)) {
        Rule::Unstated if selection.table.flags()[row as usize] & UNCOMPARED == 0 => Rule::Strict,
        rule => rule,
    }
}

/// Joins the names of some rules with `and`.
pub(super) fn rule_names(rules: &BTreeSet<Rule>) -> String {
    let names = rules.iter().map(|rule| rule.name().unwrap_or("unstated"));
    names.collect::<Vec<_>>().join(" and ")
}

fn printed(row: &PublishedScore) -> Score {
    Score {
        benchmark: row.benchmark.clone(),
        model: row.model.clone(),
        ability: row.ability.clone(),
        split: row.split.clone(),
        metric: row.metric.clone(),
        direction: row.higher_is_better.map(Direction::from_higher),
        headline: is_headline(&row.benchmark, &row.ability, &row.metric)
            && !(row.by_harness && row.is_aggregate()),
        n: row.n,
        // A harness prints `NaN` if it could not compute a number.
        score: Some(row.score).filter(|score| !score.is_nan()),
        rank_score: Some(row.score).filter(|score| !score.is_nan()),
        rank_n: row.n,
        evidence: Some(Arc::new(Evidence::of_printed(row))),
        origin: if row.by_harness {
            Origin::Harness
        } else {
            Origin::Published
        },
        kind: row.kind(),
        ranked: !row.is_aggregate() && row.kind() == Kind::Model && row.higher_is_better.is_some(),
        ..Score::default()
    }
}

/// Sorts by benchmark, by the papers' order of abilities, by metric with the headline first, then
/// by model in log order.
fn order(scores: &mut [Score]) {
    scores.sort_by_cached_key(|score| {
        let headline = !score.headline;
        let ability = (order_of(&score.ability), score.ability.clone());
        (
            score.benchmark.clone(),
            ability,
            score.split.clone(),
            headline,
            score.metric.clone(),
        )
    });
}

/// Ranks the scores of each benchmark, ability, split and metric; printed scores are ranked
/// separately.
fn rank(scores: &mut [Score], names: &Names) {
    for column in scores.chunk_by_mut(|a, b| a.column() == b.column()) {
        unrank_inconsistent_printed(column, names);
        let better = column.first().and_then(|score| score.direction);
        let better = better.unwrap_or(Direction::Higher);
        for is_printed in [false, true] {
            let takes_part = |score: &&Score| score.ranked && score.is_printed() == is_printed;
            let value = |score: &Score| Some(score).filter(takes_part)?.rank_score;
            let values: Vec<Option<f64>> = column.iter().map(value).collect();
            for (score, rank) in column.iter_mut().zip(competition_ranks(&values, better)) {
                score.rank = score.rank.or(rank);
            }
        }
    }
}

/// Removes the ranks of a column's printed scores if their directions differ, or if only some
/// exceed the metric's range.
fn unrank_inconsistent_printed(column: &mut [Score], names: &Names) {
    let printed = column.iter_mut();
    let printed = printed.filter(|score| score.ranked && score.is_printed());
    let printed: Vec<&mut Score> = printed.collect();
    let Some((metric, direction)) = printed.first().map(|it| (it.metric.clone(), it.direction))
    else {
        return;
    };
    let outside = |range: &MetricRange| {
        let values = printed.iter().filter_map(|score| score.score);
        let (within, beyond): (Vec<f64>, Vec<f64>) = values.partition(|it| !range.excludes(*it));
        let is_mixed = within.iter().any(|value| *value > 0.0);
        Some(beyond.len() as u64).filter(|n| *n > 0 && is_mixed)
    };
    let mixed = names.range_of(&metric);
    let mixed = mixed.and_then(|range| Some((outside(&range)?, range)));
    let why_not = if printed.iter().any(|score| score.direction != direction) {
        OmissionReason::Direction(metric)
    } else if let Some((n, range)) = mixed {
        OmissionReason::Range {
            metric,
            n,
            of: printed.len() as u64,
            range: range.to_string(),
        }
    } else {
        return;
    };
    for score in printed {
        score.ranked = false;
        score.why_not = Some(why_not.clone());
    }
}

impl Score {
    /// Sets the evidence, and removes the numbers that the evidence does not support.
    pub(super) fn resting_on(
        mut self,
        evidence: Option<Arc<Evidence>>,
        why_not: Option<&OmissionReason>,
    ) -> Self {
        self.evidence = evidence;
        self.why_not = why_not.cloned().or(self.why_not);
        if self
            .why_not
            .as_ref()
            .is_some_and(OmissionReason::forbids_scores)
        {
            (self.score, self.ci) = (None, None);
        }
        self
    }

    /// Returns the reason why the score has no rank, as text.
    pub fn why_not_ranked(&self) -> Option<String> {
        let why_not = self.why_not.as_ref().map(ToString::to_string);
        why_not.or_else(|| self.excluded.map(Exclusion::words))
    }

    /// Returns benchmark, ability, split and metric. Scores with equal values form a column and are
    /// ranked together.
    #[must_use]
    pub fn column(&self) -> (&str, &str, Option<&str>, &str) {
        let split = self.split.as_deref();
        (&self.benchmark, &self.ability, split, &self.metric)
    }

    /// Returns true if two scores are ranked against each other: in the same column, and both
    /// printed or both not.
    #[must_use]
    pub fn is_rival_of(&self, other: &Self) -> bool {
        self.column() == other.column() && self.is_printed() == other.is_printed()
    }

    /// Returns the model's name without the run.
    pub fn plain_model(&self) -> &str {
        self.run.as_ref().map_or(&self.model, |run| &run.model)
    }

    /// Returns true if higher is better, or if the direction is unknown.
    pub fn higher_is_better(&self) -> bool {
        self.direction != Some(Direction::Lower)
    }

    /// Returns 1, or -1 if lower is better.
    #[must_use]
    pub fn sign(&self) -> f64 {
        self.direction.map_or(1.0, Direction::sign)
    }

    /// Returns true if a paper printed the score.
    pub fn is_printed(&self) -> bool {
        self.origin == Origin::Published
    }

    /// Returns true if `others` contain the same figure from the other of two sources: samples and
    /// harness.
    fn is_duplicated_in(&self, others: &[Self]) -> bool {
        let by_harness = |score: &Self| score.origin == Origin::Harness;
        let same = |other: &&Self| {
            other.score.is_some()
                && self.column() == other.column()
                && self.model == other.model
                && by_harness(self) != by_harness(other)
        };
        others.iter().any(|other| same(&other))
    }

    /// Clears the headline flag of a harness figure if a score computed from samples is the
    /// headline.
    fn yielding_headline_to(mut self, computed: &[Self]) -> Self {
        let ranks = |other: &Self| other.score.is_some() && self.ranks_as(other);
        self.headline &= self.origin != Origin::Harness || !computed.iter().any(ranks);
        self
    }

    /// Returns true if `other` is the headline of the same ability and model.
    fn ranks_as(&self, other: &Self) -> bool {
        other.headline
            && other.benchmark == self.benchmark
            && other.ability == self.ability
            && other.model == self.model
    }

    /// Returns true if the score is shown with the ranked scores but not ranked itself:
    /// specialists, blind guesses and others.
    pub fn is_shown_unranked(&self) -> bool {
        self.headline && self.kind != Kind::Model && !self.is_aggregate()
    }

    /// Returns true if the score is a paper's own aggregate over abilities.
    #[must_use]
    pub fn is_aggregate(&self) -> bool {
        PublishedScore::names_aggregate(&self.ability)
    }

    /// Returns true if the score counts towards average ranks.
    pub fn counts(&self) -> bool {
        self.headline && self.ranked
    }
}

/// Returns the benchmarks of a table, with the largest number of samples first.
pub fn benchmarks(table: &Table) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in table.published() {
        counts.entry(&row.benchmark).or_default();
    }
    let abilities = table.names().abilities.values();
    for ability in abilities {
        counts.entry(&ability.benchmark).or_default();
    }
    for &code in table.ability_of() {
        if let Some(ability) = abilities.get(usize::from(code)) {
            *counts.entry(&ability.benchmark).or_default() += 1;
        }
    }
    let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
    names.sort_by_key(|(name, samples)| (std::cmp::Reverse(*samples), *name));
    names.into_iter().map(|(name, _)| name.to_owned()).collect()
}
