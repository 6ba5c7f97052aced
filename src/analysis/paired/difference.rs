//! Computes the difference from pairs: its size, interval and test, and the counts of right
//! answers.

use super::pairs::Pair;
use super::{Cells, PairedDifference, Sides, Test, Threshold};
use crate::measure::{Measure, Statistic};
use crate::metric::{
    ClusterSums, ClusteredPairs, DifferenceTest, Differences, Interval, PairedSpread, is_few,
    mcnemar_exact, paired_share_interval,
};
use crate::{Correctness, Group, LEVEL, right_in};
use record::benchmark::{Direction, RightThreshold};
use record::{Ability, Row};

/// Score of a right answer.
const RIGHT: f64 = 1.0;

/// Measure, and the pairs to compare by it.
#[derive(Clone, Copy, Debug)]
pub struct ComparedPairs<'a> {
    /// Measure of A's values.
    pub measure: &'a Measure,
    /// All pairs of the measure, or the pairs of one bin.
    pub pairs: &'a [Pair],
}

/// Scale of an ability's scores; its subgroups use the same scale.
#[derive(Clone, Debug)]
pub struct Scale<'a> {
    /// True if every score is 0 or 1.
    marks: bool,
    /// True if every score is 0 or 1 and higher is better: right or wrong.
    binary: bool,
    /// Rule by which a graded score counts as right.
    right: Option<RightThreshold>,
    /// Stored decision about right and wrong, as in lists of answers; used if the values are the
    /// predictions' own scores and no other threshold is set.
    stored: Option<Correctness<'a>>,
}

impl<'a> Scale<'a> {
    /// Determines the scale of an ability's pairs; `group` holds the predictions of one side.
    pub fn of(
        sides: Sides<'a>,
        group: &Group,
        compared: ComparedPairs<'_>,
        threshold: Threshold,
    ) -> Self {
        let ComparedPairs { measure, pairs } = compared;
        let is_share = |value: f64| value == 0.0 || value == RIGHT;
        let marks = measure.statistic == Statistic::Mean
            && pairs
                .iter()
                .all(|pair| is_share(pair.a) && is_share(pair.b));
        let binary = marks && measure.direction == Direction::Higher;
        let right = match threshold {
            _ if binary => None,
            Threshold::None => None,
            Threshold::Usual => right_in(sides.table, &group.name.name, &measure.name),
            Threshold::At(threshold) => {
                Some(RightThreshold::from_score(measure.direction, threshold))
            }
        };
        let is_own = measure.name == group.metric && !measure.by_question;
        let stored = (right.is_some() && is_own && threshold == Threshold::Usual)
            .then(|| Correctness::new(sides.table, sides.scoring));
        Self {
            marks,
            binary,
            right,
            stored,
        }
    }

    /// Counts the pairs by which side is right; `None` if scores are neither right nor wrong.
    fn cells(&self, pairs: &[Pair]) -> Option<Cells> {
        let usual = RightThreshold::from_score(Direction::Higher, RIGHT);
        let right = self.right.or(self.binary.then_some(usual))?;
        let is_right = |pair: &Pair, row: u32, score: f64| {
            let stored = self.stored.as_ref().filter(|_| !pair.joined);
            let judged = stored.map_or_else(
                || right.judge(score, f64::NAN),
                |all| all.is_right(Row(row)),
            );
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

/// Returns the number of pairs with a larger value of A, and with a larger value of B.
fn more_and_less(pairs: &[Pair]) -> (u64, u64) {
    let count = |is_it: fn(&Pair) -> bool| pairs.iter().filter(|pair| is_it(pair)).count() as u64;
    (count(|pair| pair.a > pair.b), count(|pair| pair.a < pair.b))
}

/// Compares some pairs; the p value is not adjusted.
pub fn row(ability: &Ability, compared: ComparedPairs<'_>, scale: &Scale<'_>) -> PairedDifference {
    let ComparedPairs { measure, pairs } = compared;
    let clustered = PairSums::new(pairs);
    let (more, less) = more_and_less(pairs);
    let (a_better, b_better) = match measure.direction {
        Direction::Higher => (more, less),
        Direction::Lower => (less, more),
    };
    let cells = scale.cells(pairs);
    let n = pairs.len() as u64;
    let (test, p_value, ci) = if scale.marks && !clustered.differences.has_shared_clusters() {
        (
            Test::McNemarExact,
            mcnemar_exact(more, less),
            paired_share_interval(more, less, n, LEVEL).filter(|_| n > 1),
        )
    } else {
        let test = clustered.test(measure);
        (Test::PairedT, test.p_value(), clustered.interval(&test))
    };
    let [a_score, b_score] = clustered.scores(measure);
    let is_mean = measure.statistic == Statistic::Mean;
    PairedDifference {
        n,
        clusters: clustered.differences.clusters() as u64,
        a_score,
        b_score,
        difference: a_score.zip(b_score).map(|(a, b)| a - b),
        ci,
        test,
        p_value: (!pairs.is_empty()).then_some(p_value),
        cells,
        right: scale.right,
        a_better,
        b_better,
        equal: n - a_better - b_better,
        detectable: clustered.differences.detectable().filter(|_| is_mean),
        ..blank(ability, measure)
    }
}

/// Returns the difference over some pairs, for intervals at any level. `width` is the largest
/// possible difference of two scores; `None` for an unlimited metric.
pub fn spread(compared: ComparedPairs<'_>, scale: &Scale<'_>, width: Option<f64>) -> PairedSpread {
    let ComparedPairs { measure, pairs } = compared;
    let clustered = PairSums::new(pairs);
    let (more, less) = more_and_less(pairs);
    let n = pairs.len() as u64;
    let clusters: Vec<(f64, u32)> = clustered.differences.sums().collect();
    if scale.marks && !clustered.differences.has_shared_clusters() {
        return PairedSpread::Shares { more, less, n };
    }
    if is_few(&clusters) || clusters.len() < 2 {
        return PairedSpread::Unknown;
    }
    let sizes = clusters.iter().map(|(_, of)| f64::from(*of));
    let all = f64::from(clustered.n);
    PairedSpread::Clustered(ClusteredPairs {
        test: clustered.test(measure),
        is_binary: scale.marks,
        more,
        less,
        n,
        independent: all * all / sizes.map(|of| of * of).sum::<f64>(),
        moved: clusters.iter().filter(|(sum, _)| *sum != 0.0).count() as u64,
        width: if scale.marks { Some(1.0) } else { width },
    })
}

/// Returns the row of a measure without a pair.
pub fn blank(ability: &Ability, measure: &Measure) -> PairedDifference {
    PairedDifference {
        ability: ability.clone(),
        metric: measure.name.clone(),
        direction: measure.direction,
        headline: measure.headline,
        by_question: measure.by_question,
        ..PairedDifference::default()
    }
}

/// Differences and sums of pairs by cluster.
struct PairSums {
    differences: Differences,
    /// Sums of A's and of B's values by cluster.
    values: ClusterSums,
    sums: [f64; 2],
    /// Lowest and highest value of either side.
    ends: [f64; 2],
    n: u32,
}

impl PairSums {
    fn new(pairs: &[Pair]) -> Self {
        let mut clustered = Self {
            differences: Differences::default(),
            values: ClusterSums::new(2),
            sums: [0.0; 2],
            ends: [0.0; 2],
            n: 0,
        };
        let clusters = pairs.iter().map(|pair| pair.cluster);
        let (Some(first), Some(last)) = (clusters.clone().min(), clusters.max()) else {
            return clustered;
        };
        // Clusters of an ability have neighbouring numbers, so a list over their range is small,
        // and faster than hashing.
        let mut index_of: Vec<Option<usize>> = vec![None; (last - first) as usize + 1];
        for pair in pairs {
            let Some(index) = index_of.get_mut((pair.cluster - first) as usize) else {
                continue;
            };
            let index = *index.get_or_insert_with(|| {
                clustered.values.push_cluster();
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
        self.sums[0] += pair.a;
        self.sums[1] += pair.b;
        self.n += 1;
    }

    /// Returns both sides' scores; `None` without a pair.
    fn scores(&self, measure: &Measure) -> [Option<f64>; 2] {
        let score = |sum: f64| (self.n > 0).then(|| measure.finish(sum / f64::from(self.n)));
        self.sums.map(score)
    }

    /// Tests the difference of the two scores.
    fn test(&self, measure: &Measure) -> DifferenceTest {
        if measure.statistic == Statistic::Mean {
            return self.differences.test();
        }
        // Delta method: a cluster changes the root of a mean by its change of the mean, divided by
        // twice the root.
        let means = self.sums.map(|sum| sum / f64::from(self.n));
        let roots = means.map(|mean| measure.finish(mean));
        let moves = |side: usize, sum: f64, n: f64| {
            let apart = sum - means[side] * n;
            if roots[side] > 0.0 {
                apart / (2.0 * roots[side])
            } else {
                0.0
            }
        };
        let columns = self.values.column(0).zip(self.values.column(1));
        let influences = columns.map(|((a, n), (b, _))| {
            let n = f64::from(n);
            (
                n * (roots[0] - roots[1]) + moves(0, a, n) - moves(1, b, n),
                n,
            )
        });
        let unequal = self.differences.sums().filter(|(sum, _)| *sum != 0.0);
        DifferenceTest::of_influences(influences, unequal.count() as u64)
    }

    /// Returns the interval of the difference that matches the test; `None` if pairs share clusters
    /// and there are too few clusters.
    fn interval(&self, test: &DifferenceTest) -> Option<Interval> {
        let clusters: Vec<(f64, u32)> = self.differences.sums().collect();
        let interval = test.interval(LEVEL).filter(|_| !is_few(&clusters))?;
        let [low, high] = self.ends;
        if low < 0.0 || high > 1.0 {
            return Some(interval);
        }
        Some(Interval {
            low: interval.low.max(-1.0),
            high: interval.high.min(1.0),
        })
    }
}
