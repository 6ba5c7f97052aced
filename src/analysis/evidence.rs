//! Collects the evidence of a score: its samples, left-out rows and sources, and the reasons not
//! to rank it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::common::Keys;
use super::direction::direction_in;
use super::measure::{ALL_ROTATIONS, incomplete};
use super::omission::{NO_USABLE_TARGET, OmissionReason};
use super::{Group, Selection};
use base::format::{compact, counted};
use hashbrown::HashMap;
use record::benchmark::MetricRange;
use record::{
    Basis, CUT, EvidenceCounts, NAMED_METRIC, NO_TARGET, PublishedScore, Row, Rule, SampleCounts,
    Scoring, Source, UNANSWERED, UNTIL_CLEAR,
};

/// Number of rows left out of the score's sources for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOutRows {
    /// Reason, one sentence without a full stop.
    pub why: String,
    /// Number of rows left out.
    pub n: u64,
}

/// Evidence that a score is based on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Sample counts; `None` if the source contains only the score.
    pub counts: Option<SampleCounts>,
    /// Rows left out of the sources, by reason.
    pub left_out: Vec<LeftOutRows>,
    /// Source of the metric.
    pub metric_from: Basis,
    /// Source of the metric's direction.
    pub direction_from: Basis,
    /// Terms of the filter that select samples by outcome; `None` without such a term.
    pub selected_by: Option<String>,
    /// True if the run sent no more requests once its comparison was clear.
    pub until_clear: bool,
}

impl Evidence {
    /// Creates the evidence of a score that is printed without its samples.
    pub fn of_printed(row: &PublishedScore) -> Self {
        let from = if row.by_harness {
            Basis::Harness
        } else {
            Basis::Log
        };
        Self {
            counts: None,
            left_out: Vec::new(),
            metric_from: from,
            direction_from: row.higher_is_better.map_or(Basis::Guess, |_| from),
            selected_by: None,
            until_clear: false,
        }
    }

    /// Creates the evidence from counts that were stored when the scores were published.
    pub fn of_counts(counted: &EvidenceCounts, direction_from: Basis) -> Self {
        Self {
            counts: Some(counted.counts),
            left_out: left_out(&[], counted.without_target),
            metric_from: counted.metric_from,
            direction_from,
            selected_by: None,
            until_clear: false,
        }
    }

    /// Returns the total number of rows left out.
    pub fn rows_left_out(&self) -> u64 {
        self.left_out.iter().map(|left| left.n).sum()
    }

    /// Returns the evidence as text: `560 asked, 548 answered, 541 read`, then rows left out and
    /// the filter. A count equal to the previous count is skipped. `None` if the text would have
    /// only one part.
    pub fn words(&self) -> Option<String> {
        let mut words: Vec<String> = Vec::new();
        if let Some(counts) = self.counts {
            let SampleCounts {
                asked,
                answered,
                read,
                scored,
            } = counts;
            let mut before = None;
            for (n, what) in [
                (asked, "asked"),
                (answered, "answered"),
                (read, "read"),
                (scored, "scored"),
            ] {
                if before != Some(n) {
                    words.push(format!("{} {what}", compact(n)));
                }
                before = Some(n);
            }
        }
        let left_out = self.rows_left_out();
        if left_out > 0 {
            words.push(format!("{} left out", counted(left_out, "row")));
        }
        if let Some(filter) = &self.selected_by {
            words.push(format!("selected by {filter}"));
        }
        if self.until_clear {
            words.push("asked until clear".to_owned());
        }
        (words.len() > 1).then(|| words.join(", "))
    }
}

/// Counts the evidence of a group by part, so that it can be stored without the predictions.
/// `part_of` maps rows to parts, each of one model.
pub fn counts_by_part(
    selection: Selection<'_>,
    group: &Group,
    part_of: &[u32],
) -> BTreeMap<u32, EvidenceCounts> {
    let (keys, scores) = (
        Keys::of(selection.table),
        selection.table.scores(selection.scoring),
    );
    let mut tallies: BTreeMap<u32, RowTally> = BTreeMap::new();
    for &row in &group.rows {
        let at = row as usize;
        if let (Some(part), Some(score)) = (part_of.get(at), scores.get(at)) {
            let tally = tallies.entry(*part).or_default();
            tally.add(selection, &keys, row, *score);
        }
    }
    let counts = |(part, tally): (u32, RowTally)| {
        let counts = EvidenceCounts {
            split: group.split.clone(),
            metric: group.metric.clone(),
            counts: tally.counts,
            without_target: tally.without_target,
            metric_from: tally.metric_from(selection.scoring, group),
        };
        (part, counts)
    };
    tallies.into_iter().map(counts).collect()
}

/// Evidence of each model's scores in a group, with the reason not to rank them.
#[derive(Clone, Debug)]
pub struct GroupEvidence {
    metric: String,
    by_model: Vec<Option<ModelEvidence>>,
    /// Models that lack rotations of their questions, by model code.
    incomplete: BTreeMap<u16, OmissionReason>,
}

type ModelEvidence = (Arc<Evidence>, Option<OmissionReason>);

impl GroupEvidence {
    /// Collects the evidence of a group's predictions.
    pub fn new(selection: Selection<'_>, group: &Group) -> Self {
        let table = selection.table;
        let (_, direction_from) = direction_in(table, &group.metric);
        let range = table.names().range_of(&group.metric);
        let mut tallies: Vec<Option<RowTally>> = vec![None; table.names().models.values().len()];
        let (models, scores) = (table.model_of(), table.scores(selection.scoring));
        let keys = Keys::of(table);
        for &row in &group.rows {
            let model = models
                .get(row as usize)
                .map_or(usize::MAX, |it| usize::from(*it));
            let score = scores.get(row as usize).copied().unwrap_or(f64::NAN);
            if let Some(tally) = tallies.get_mut(model) {
                let tally = tally.get_or_insert_with(RowTally::default);
                tally.add(selection, &keys, row, score);
                let range = range.as_ref();
                tally.outside += u64::from(range.is_some_and(|range| range.excludes(score)));
            }
        }
        let sum = |all: (u64, u64), tally: &RowTally| (all.0 + tally.rows, all.1 + tally.invalid);
        let (answers, invalid) = tallies.iter().flatten().fold((0, 0), sum);
        let unread = (answers == invalid).then_some(OmissionReason::NothingRead { answers });
        let finish = |tally: RowTally| {
            let (evidence, why) = tally.finish(selection, group, direction_from, range.as_ref());
            (evidence, why.or_else(|| unread.clone()))
        };
        Self {
            metric: group.metric.clone(),
            by_model: tallies.into_iter().map(|it| it.map(finish)).collect(),
            incomplete: incomplete(selection, group),
        }
    }

    /// Returns the evidence of a model, by model code.
    pub fn of_model(&self, model: usize) -> Option<&Arc<Evidence>> {
        Some(&self.by_model.get(model)?.as_ref()?.0)
    }

    /// Returns the reason not to rank a model by a metric; `None` if it can be ranked.
    pub fn why_not(&self, model: usize, metric: &str) -> Option<&OmissionReason> {
        let reason = self.reason(self.by_model.get(model)?.as_ref()?, metric);
        let code = u16::try_from(model)
            .ok()
            .filter(|_| ALL_ROTATIONS.contains(&metric));
        reason.or_else(|| self.incomplete.get(&code?))
    }

    /// Returns the first reason among all models not to test a metric. Missing rotations are
    /// ignored: two models are compared on the questions that both answered at all rotations.
    pub fn first_reason(&self, metric: &str) -> Option<&OmissionReason> {
        let mut models = self.by_model.iter().flatten();
        models.find_map(|model| self.reason(model, metric))
    }

    /// Returns a model's reason for a metric. Reasons about the group's metric do not apply to
    /// other metrics.
    fn reason<'a>(&self, (_, why): &'a ModelEvidence, metric: &str) -> Option<&'a OmissionReason> {
        let why = why.as_ref();
        why.filter(|why| metric == self.metric || !why.is_of_metric())
    }

    /// Returns for each model code whether it can be ranked by a metric.
    pub fn may_rank(&self, metric: &str) -> Vec<bool> {
        let models = 0..self.by_model.len();
        models
            .map(|model| self.why_not(model, metric).is_none())
            .collect()
    }
}

/// Counts over the rows of one model.
#[derive(Clone, Debug, Default)]
struct RowTally {
    counts: SampleCounts,
    outside: u64,
    /// Number of samples without a target to compare answers with.
    without_target: u64,
    /// Number of predictions whose question differs from the question of the sample's first
    /// prediction.
    asked_otherwise: u64,
    /// Number of predictions, of those that the token limit cut, and of those whose answers could
    /// not be read.
    rows: u64,
    cut: u64,
    invalid: u64,
    units: BTreeSet<u32>,
    /// Source added last: neighbouring rows mostly belong to the same source.
    last: Option<u32>,
    is_named: bool,
    /// True if the answers decided the number of samples.
    until_clear: bool,
    /// True if a harness rule scores any sample.
    has_rule: bool,
    /// Whether any repeat of a sample was answered, read and scored; empty without repeats.
    by_sample: HashMap<(u32, u16), [bool; 3]>,
}

impl RowTally {
    /// Adds a prediction; with repeats, each step of a sample counts once.
    fn add(&mut self, selection: Selection<'_>, keys: &Keys<'_>, row: u32, score: f64) {
        let table = selection.table;
        let flags = table.flags().get(row as usize).copied().unwrap_or_default();
        let has = |flag: u16| flags & flag != 0;
        let is_read = !has(UNANSWERED) && !has(selection.scoring.invalid_flag());
        let steps = [!has(UNANSWERED), is_read, !score.is_nan()];
        let (mut is_new, mut before) = (true, [false; 3]);
        if let Some(sample) = keys.repeated_sample(row) {
            let known = self.by_sample.get(&sample).copied();
            (is_new, before) = (known.is_none(), known.unwrap_or_default());
            let now = std::array::from_fn(|at| before[at] || steps[at]);
            self.by_sample.insert(sample, now);
        }
        let [answered, read, scored] =
            std::array::from_fn(|at| u64::from(steps[at] && !before[at]));
        let counts = &mut self.counts;
        counts.asked += u64::from(is_new);
        self.without_target += u64::from(is_new && has(NO_TARGET));
        counts.answered += answered;
        counts.read += read;
        counts.scored += scored;
        self.is_named |= has(NAMED_METRIC);
        self.until_clear |= has(UNTIL_CLEAR);
        self.rows += 1;
        self.cut += u64::from(has(CUT));
        self.invalid += u64::from(has(selection.scoring.invalid_flag()));
        let is_other = table.has_changed_requests() && !table.request_change(Row(row)).is_none();
        self.asked_otherwise += u64::from(is_other);
        let unit = table.unit_of().get(row as usize).copied();
        if unit != self.last {
            self.units.extend(unit);
            self.last = unit;
        }
        self.has_rule |= table.rule(Row(row)) != Rule::Unstated;
    }

    fn finish(
        self,
        selection: Selection<'_>,
        group: &Group,
        direction_from: Basis,
        range: Option<&MetricRange>,
    ) -> ModelEvidence {
        let sources = selection.table.sources();
        let sources = self
            .units
            .iter()
            .filter_map(|unit| sources.get(*unit as usize));
        let sources: Vec<&Source> = sources.collect();
        let why_not = if let Some(filter) = selection.selected_by {
            Some(OmissionReason::Selected(filter.to_owned()))
        } else if self.until_clear {
            Some(OmissionReason::UntilClear)
        } else if let Some(why) = sources
            .iter()
            .find_map(|source| OmissionReason::of_source(source))
        {
            Some(why)
        } else if self.counts.scored == 0 {
            Some(OmissionReason::NothingScored)
        } else if let Some(why) = OmissionReason::of_targets(self.without_target, self.counts.asked)
        {
            Some(why)
        } else if 2 * self.asked_otherwise > self.counts.asked {
            Some(OmissionReason::OtherQuestions {
                n: self.asked_otherwise,
                of: self.counts.asked,
            })
        } else if let Some(why) = OmissionReason::of_cut(self.cut, self.rows) {
            Some(why)
        } else if direction_from == Basis::Guess {
            Some(OmissionReason::Direction(group.metric.clone()))
        } else {
            range
                .filter(|_| self.outside > 0)
                .map(|range| OmissionReason::Range {
                    metric: group.metric.clone(),
                    n: self.outside,
                    of: self.counts.scored,
                    range: range.to_string(),
                })
        };
        let evidence = Evidence {
            counts: Some(self.counts),
            left_out: left_out(&sources, self.without_target),
            metric_from: self.metric_from(selection.scoring, group),
            direction_from,
            selected_by: selection.selected_by.map(str::to_owned),
            until_clear: self.until_clear,
        };
        (Arc::new(evidence), why_not)
    }

    fn metric_from(&self, scoring: Scoring, group: &Group) -> Basis {
        let is_unnamed = group.metric == record::benchmark::SCORE && !self.is_named;
        match scoring {
            _ if is_unnamed => Basis::Guess,
            Scoring::Harness if self.is_named => Basis::Log,
            Scoring::Harness if self.has_rule => Basis::Harness,
            _ => Basis::KnownName,
        }
    }
}

/// Number of reasons that are listed; the rest are combined into one.
const MOST_REASONS: usize = 3;

/// Counts the rows left out, by reason: missing targets first, then the most frequent reasons of
/// the sources.
fn left_out(sources: &[&Source], without_target: u64) -> Vec<LeftOutRows> {
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    let mut rest = 0;
    for source in sources {
        for problem in source
            .problems
            .iter()
            .filter(|problem| problem.left_out > 0)
        {
            *reasons.entry(problem.what.as_str()).or_default() += problem.left_out;
        }
        rest += source.more_left_out;
    }
    let mut found: Vec<(&str, u64)> = reasons.into_iter().collect();
    found.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    rest += found.iter().skip(MOST_REASONS).map(|(_, n)| n).sum::<u64>();
    found.truncate(MOST_REASONS);
    let rest = (rest > 0).then_some(("other reasons", rest));
    let unusable = (without_target > 0).then_some((NO_USABLE_TARGET, without_target));
    let left_out = unusable.into_iter().chain(found).chain(rest);
    left_out
        .map(|(why, n)| LeftOutRows {
            why: why.to_owned(),
            n,
        })
        .collect()
}
