//! From pairs to a difference: its size, its interval, its test, and who is right where.

use super::pairs::Pair;
use super::{Cells, Conclusion, Paired, Sides, Terms, Test, Threshold};
use crate::measure::{Measure, Statistic};
use crate::{Correctness, Group, LEVEL, SEED, right_in};
use benchmark::{Direction, Right};
use job::Ticket;
use metric::{
    ALPHA, ClusterSums, Differences, Interval, Pairs, Range, bootstrap_means, is_few,
    mcnemar_exact, mean_interval, paired_share_interval, percentile_interval,
};
use record::{Ability, Row};

/// A right answer's score.
const RIGHT: f64 = 1.0;

/// What the scores of an ability are, which its subgroups inherit.
#[derive(Clone, Debug)]
pub struct Scale<'a> {
    /// Every score is 0 or 1.
    binary: bool,
    /// When a graded score counts as right.
    right: Option<Right>,
    /// What every list says of a prediction, where the values are the predictions' own scores and no other threshold
    /// is asked for.
    stored: Option<Correctness<'a>>,
}

impl<'a> Scale<'a> {
    /// The scale of an ability's pairs; `group` has the predictions of one side.
    pub fn of(
        sides: Sides<'a>,
        group: &Group,
        (measure, pairs): (&Measure, &[Pair]),
        threshold: Threshold,
    ) -> Self {
        let is_share = |value: f64| value == 0.0 || value == RIGHT;
        let binary = measure.direction == Direction::Higher
            && measure.statistic == Statistic::Mean
            && pairs
                .iter()
                .all(|pair| is_share(pair.a) && is_share(pair.b));
        let right = match threshold {
            _ if binary => None,
            Threshold::None => None,
            Threshold::Usual => right_in(sides.table, &group.name.name, &measure.name),
            Threshold::At(threshold) => Some(Right::from_score(measure.direction, threshold)),
        };
        let is_own = measure.name == group.metric && !measure.by_question;
        let stored = (right.is_some() && is_own && threshold == Threshold::Usual)
            .then(|| Correctness::new(sides.table, sides.scoring));
        Self {
            binary,
            right,
            stored,
        }
    }

    /// Who is right in how many pairs; `None` where scores are neither right nor wrong.
    fn cells(&self, pairs: &[Pair]) -> Option<Cells> {
        let usual = Right::from_score(Direction::Higher, RIGHT);
        let right = self.right.or(self.binary.then_some(usual))?;
        let is_right = |pair: &Pair, row: u32, score: f64| {
            let stored = self.stored.as_ref().filter(|_| !pair.joined);
            let judged =
                stored.map_or_else(|| right.judge(score, f64::NAN), |all| all.of(Row(row)));
            judged == Some(true)
        };
        let mut cells = Cells::default();
        for pair in pairs {
            let of_a = is_right(pair, pair.a_row, pair.a);
            let of_b = is_right(pair, pair.b_row, pair.b);
            let cell = match (of_a, of_b) {
                (true, true) => &mut cells.both,
                (true, false) => &mut cells.only_a,
                (false, true) => &mut cells.only_b,
                (false, false) => &mut cells.neither,
            };
            *cell += 1;
        }
        Some(cells)
    }
}

/// The row of some pairs, not yet adjusted.
pub fn row(
    ability: &Ability,
    measure: &Measure,
    pairs: &[Pair],
    scale: &Scale<'_>,
    terms: Terms,
    ticket: &Ticket,
) -> Paired {
    let clustered = Clustered::new(pairs);
    let (a_better, b_better) = better(pairs, measure.direction);
    let cells = scale.cells(pairs);
    let (test, p_value) = match cells {
        Some(cells) if scale.binary && !clustered.differences.has_shared_clusters() => (
            Test::McNemarExact,
            mcnemar_exact(cells.only_a, cells.only_b),
        ),
        _ => (
            Test::PairedPermutation,
            clustered
                .differences
                .permutation_p_value(terms.flips, SEED, ticket),
        ),
    };
    let [a_score, b_score] = clustered.scores(measure);
    let is_mean = measure.statistic == Statistic::Mean;
    Paired {
        n: pairs.len() as u64,
        clusters: clustered.differences.clusters() as u64,
        a_score,
        b_score,
        difference: a_score.zip(b_score).map(|(a, b)| a - b),
        ci: (clustered.interval(measure, scale, terms.draws, ticket))
            .map(|interval| beside_test(interval, p_value)),
        test,
        p_value: (!pairs.is_empty()).then_some(p_value),
        cells,
        right: scale.right,
        a_better,
        b_better,
        equal: pairs.len() as u64 - a_better - b_better,
        detectable: clustered.differences.detectable().filter(|_| is_mean),
        ..blank(ability, measure)
    }
}

/// The interval, widened to hold 0 where the test does not reject that there is no difference.
pub fn beside_test(interval: Interval, p_value: f64) -> Interval {
    if p_value < ALPHA {
        return interval;
    }
    Interval {
        low: interval.low.min(0.0),
        high: interval.high.max(0.0),
    }
}

/// The row of a measure without a pair.
pub fn blank(ability: &Ability, measure: &Measure) -> Paired {
    Paired {
        ability: ability.clone(),
        bin: None,
        order: 0,
        metric: measure.name.clone(),
        direction: measure.direction,
        headline: measure.headline,
        by_question: measure.by_question,
        n: 0,
        clusters: 0,
        a_score: None,
        b_score: None,
        difference: None,
        ci: None,
        test: Test::PairedPermutation,
        p_value: None,
        p_adjusted: None,
        family: 0,
        cells: None,
        right: None,
        a_better: 0,
        b_better: 0,
        equal: 0,
        conclusion: Conclusion::NotSeparable,
        detectable: None,
        why_not: None,
    }
}

/// In how many pairs A, and in how many B, scores better.
fn better(pairs: &[Pair], direction: Direction) -> (u64, u64) {
    let count = |wanted: fn(&Pair) -> bool| pairs.iter().filter(|pair| wanted(pair)).count() as u64;
    let (more, less) = (count(|pair| pair.a > pair.b), count(|pair| pair.a < pair.b));
    match direction {
        Direction::Higher => (more, less),
        Direction::Lower => (less, more),
    }
}

/// Pairs by what is resampled together.
struct Clustered {
    differences: Differences,
    /// A's values and B's.
    values: ClusterSums,
    /// Who alone is right, where scores are right or wrong.
    cells: Vec<Pairs>,
    sums: [f64; 2],
    /// The lowest and the highest value.
    ends: [f64; 2],
    n: u32,
}

impl Clustered {
    fn new(pairs: &[Pair]) -> Self {
        let mut clustered = Self {
            differences: Differences::default(),
            values: ClusterSums::new(2),
            cells: Vec::new(),
            sums: [0.0; 2],
            ends: [0.0; 2],
            n: 0,
        };
        let clusters = pairs.iter().map(|pair| pair.cluster);
        let (Some(first), Some(last)) = (clusters.clone().min(), clusters.max()) else {
            return clustered;
        };
        // The clusters of an ability are neighbours: a list over their range is small, and faster than hashing.
        let mut index_of: Vec<Option<usize>> = vec![None; (last - first) as usize + 1];
        for pair in pairs {
            let Some(index) = index_of.get_mut((pair.cluster - first) as usize) else {
                continue;
            };
            let index = *index.get_or_insert_with(|| {
                clustered.values.push_cluster();
                clustered.cells.push(Pairs::default());
                clustered.differences.push_cluster()
            });
            clustered.add(index, pair);
        }
        clustered
    }

    fn add(&mut self, cluster: usize, pair: &Pair) {
        self.differences.add(cluster, pair.a - pair.b);
        for (column, value) in [pair.a, pair.b].into_iter().enumerate() {
            self.values.add(cluster, column, value);
            self.ends = [self.ends[0].min(value), self.ends[1].max(value)];
        }
        let cells = &mut self.cells[cluster];
        cells.n += 1;
        cells.only_a += u32::from(pair.a == RIGHT && pair.b != RIGHT);
        cells.only_b += u32::from(pair.a != RIGHT && pair.b == RIGHT);
        self.sums[0] += pair.a;
        self.sums[1] += pair.b;
        self.n += 1;
    }

    /// The scale of the differences.
    fn range(&self) -> Range {
        let [low, high] = self.ends;
        if low >= 0.0 && high <= 1.0 {
            Range::Difference
        } else {
            Range::Real
        }
    }

    /// Both sides' scores; `None` without a pair.
    fn scores(&self, measure: &Measure) -> [Option<f64>; 2] {
        let score = |sum: f64| (self.n > 0).then(|| measure.finish(sum / f64::from(self.n)));
        self.sums.map(score)
    }

    /// The interval of the difference of the two scores; `None` where several pairs share a cluster and clusters
    /// are few.
    fn interval(
        &self,
        measure: &Measure,
        scale: &Scale<'_>,
        draws: usize,
        ticket: &Ticket,
    ) -> Option<Interval> {
        if self.differences.clusters() < 2 {
            return None;
        }
        if measure.statistic == Statistic::Mean && scale.binary {
            return paired_share_interval(&self.cells, LEVEL);
        }
        let clusters: Vec<(f64, u32)> = self.differences.sums().collect();
        if measure.statistic == Statistic::Mean {
            return mean_interval(&clusters, self.range(), LEVEL);
        }
        if is_few(&clusters) {
            return None;
        }
        self.differences.detectable()?;
        let means = bootstrap_means(&self.values, draws, SEED, ticket);
        let (pairs, _) = means.as_chunks();
        let difference = |[a, b]: &[f64; 2]| measure.finish(*a) - measure.finish(*b);
        percentile_interval(&mut pairs.iter().map(difference).collect::<Vec<_>>(), LEVEL)
    }
}
