//! Two sides by a figure of the whole set, such as AP, which is no mean over pictures.
//!
//! Every draw computes the figure anew: for the interval from resampled clusters of pictures, for the test
//! from sets in which whole clusters have changed sides.

use std::cmp::Ordering;

use hashbrown::HashMap;
use job::Ticket;
use rayon::prelude::*;

use super::difference::{beside_test, blank};
use super::pairs::Pair;
use super::sides::Pairing;
use super::{Matched, Paired, Terms};
use crate::detection::Pooled;
use crate::measure::Measure;
use crate::{LEVEL, SEED};
use metric::detection::{DetectionMetric, MatchedPicture, Pool, match_boxes, thresholds};
use metric::{Resamples, Spread, coins, detectable, error_interval};
use record::{Detections, Key, Row, Table};

/// Most clusters of which all ways to change sides are tried.
const MOST_EXACT: usize = 10;
/// Figures this close are equal but for rounding.
const ROUNDING: f64 = 1e-12;

/// The row of a measure's pairs, not yet adjusted; `None` where the measure is a mean.
pub fn row(
    pairing: &Pairing<'_>,
    groups: &Matched,
    measure: &Measure,
    pairs: &[Pair],
    terms: Terms,
) -> Option<Paired> {
    let figure = measure.pooled.as_ref()?.figure();
    let rows: Vec<[u32; 2]> = pairs.iter().map(|pair| [pair.a_row, pair.b_row]).collect();
    let contest = Contest::new(pairing.sides.table, &rows, pairs, figure);
    let [a_score, b_score] = contest.figures();
    let difference = contest.difference(None);
    let error = contest.error(terms.draws, pairing.sides.ticket);
    let p_value = difference.map(|seen| contest.p_value(seen, terms.flips, pairing.sides.ticket));
    let clusters = contest.clusters as u64;
    let interval = difference.zip(error);
    let interval = interval.and_then(|(seen, error)| error_interval(seen, error, clusters, LEVEL));
    let scores = pairing.sides.table.scores(pairing.sides.scoring);
    let order = |[a, b]: &[u32; 2]| {
        let score = |row: u32| scores.get(row as usize);
        score(*a)?.partial_cmp(score(*b)?)
    };
    let count = |wanted| {
        rows.iter()
            .filter(|rows| order(rows) == Some(wanted))
            .count() as u64
    };
    Some(Paired {
        n: pairs.len() as u64,
        clusters,
        a_score,
        b_score,
        difference,
        ci: interval
            .zip(p_value)
            .map(|(interval, p)| beside_test(interval, p)),
        p_value,
        a_better: count(Ordering::Greater),
        b_better: count(Ordering::Less),
        equal: count(Ordering::Equal),
        detectable: error.map(detectable),
        ..blank(&groups.a.name, measure)
    })
}

/// The boxes of both sides over the same pictures.
struct Contest {
    figure: DetectionMetric,
    sides: [Pool; 2],
    /// A's pictures, then B's.
    both: Pool,
    /// The cluster of each picture, from 0.
    cluster_of: Vec<usize>,
    clusters: usize,
}

impl Contest {
    fn new(table: &Table, rows: &[[u32; 2]], pairs: &[Pair], figure: DetectionMetric) -> Self {
        let mut classes = Key::default();
        let mut of_side = |side: usize| -> Vec<MatchedPicture> {
            let boxes = |rows: &[u32; 2]| table.detections(Row(*rows.get(side)?));
            let mut judged = |rows| {
                let boxes = boxes(rows);
                boxes.map_or_else(MatchedPicture::default, |boxes| {
                    judged(boxes, figure, &mut classes)
                })
            };
            rows.iter().map(&mut judged).collect()
        };
        let [of_a, of_b] = [of_side(0), of_side(1)];
        let mut known: HashMap<u32, usize> = HashMap::new();
        let mut index = |pair: &Pair| {
            let next = known.len();
            *known.entry(pair.cluster).or_insert(next)
        };
        Self {
            figure,
            cluster_of: pairs.iter().map(&mut index).collect(),
            clusters: known.len(),
            both: Pool::new(of_a.iter().chain(&of_b)),
            sides: [Pool::new(&of_a), Pool::new(&of_b)],
        }
    }

    /// Each side's figure; `None` where no picture has anything to find.
    fn figures(&self) -> [Option<f64>; 2] {
        self.sides
            .each_ref()
            .map(|pool| self.figure.value(pool, None))
    }

    /// A less B, each picture as often as its weight says.
    fn difference(&self, weights: Option<&[u32]>) -> Option<f64> {
        let [a, b] = &self.sides;
        Some(self.figure.value(a, weights)? - self.figure.value(b, weights)?)
    }

    /// The standard error of the difference over resamples of the clusters; `None` where they do not differ.
    fn error(&self, draws: usize, ticket: &Ticket) -> Option<f64> {
        let times = Pooled::affordable(self.both.len(), self.figure, draws);
        let mut resamples = Resamples::new(self.clusters, SEED)?;
        let weights: Vec<Vec<u32>> = (0..times)
            .map(|_| {
                let counts = resamples.draw();
                let weight = |cluster: &usize| counts.get(*cluster).copied().unwrap_or_default();
                self.cluster_of.iter().map(weight).collect()
            })
            .collect();
        let found: Vec<f64> = weights
            .par_iter()
            .take_any_while(|_| ticket.is_wanted())
            .filter_map(|weights| self.difference(Some(weights)))
            .collect();
        let error = Spread::of(found.into_iter()).error;
        (self.clusters > 1 && error > ROUNDING).then_some(error)
    }

    /// How often sets in which clusters change sides by chance differ as much, in 0 to 1 and never 0.
    fn p_value(&self, seen: f64, flips: usize, ticket: &Ticket) -> f64 {
        let is_far = |swapped: &[bool]| {
            let difference = self.swapped(swapped);
            difference.is_none_or(|difference| difference.abs() >= seen.abs() - ROUNDING)
        };
        if self.clusters <= MOST_EXACT {
            let ways = 1_usize << self.clusters.saturating_sub(1);
            let swapped = |way: usize| {
                (0..self.clusters)
                    .map(|at| way >> at & 1 == 1)
                    .collect::<Vec<_>>()
            };
            let far = (0..ways)
                .into_par_iter()
                .filter(|way| is_far(&swapped(*way)));
            return share(far.count(), ways);
        }
        let flips = Pooled::affordable(2 * self.both.len(), self.figure, flips);
        let far = (0..flips)
            .into_par_iter()
            .take_any_while(|_| ticket.is_wanted())
            .filter(|draw| is_far(&coins(self.clusters, SEED, *draw)));
        share(1 + far.count(), 1 + flips)
    }

    /// A less B where the pictures of some clusters have changed sides.
    fn swapped(&self, swapped: &[bool]) -> Option<f64> {
        let has_swapped = |cluster: &usize| swapped.get(*cluster).copied().unwrap_or_default();
        let changed: Vec<bool> = self.cluster_of.iter().map(has_swapped).collect();
        let stays = changed.iter().map(|changed| u32::from(!changed));
        let comes = changed.iter().map(|changed| u32::from(*changed));
        let of_a: Vec<u32> = stays.clone().chain(comes.clone()).collect();
        let of_b: Vec<u32> = comes.chain(stays).collect();
        let value = |weights: &[u32]| self.figure.value(&self.both, Some(weights));
        Some(value(&of_a)? - value(&of_b)?)
    }
}

fn judged(
    boxes: &Detections,
    figure: DetectionMetric,
    classes: &mut Key<String>,
) -> MatchedPicture {
    let names = boxes.classes.iter();
    let codes: Vec<u32> = names.map(|name| classes.code(name.as_str())).collect();
    let judged = match_boxes(&boxes.truth, &boxes.found, &thresholds(), figure.size);
    judged.with_classes(|class| codes.get(class as usize).copied())
}

#[expect(clippy::cast_precision_loss, reason = "counts of draws")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}
