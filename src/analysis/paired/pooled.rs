//! Compares two sides by a pooled figure, for example AP, which is not a mean over pictures.
//!
//! Every draw recomputes the figure from resampled clusters of pictures. Test and interval use
//! the spread of the difference over the draws.

use std::cmp::Ordering;

use base::job::Ticket;
use hashbrown::HashMap;
use rayon::prelude::*;

use super::difference::{ComparedPairs, blank};
use super::pairs::Pair;
use super::sides::Pairing;
use super::{ComparisonOptions, MatchedGroups, PairedDifference};
use crate::detection::{PooledFigure, class_codes, pool};
use crate::metric::detection::{DetectionMetric, Pool};
use crate::metric::{PairedSpread, Resamples, Spread, detectable, error_interval, error_t_test};
use crate::{LEVEL, SEED};
use record::{Detections, Key, Row, Table};

/// Differences up to this size are rounding errors.
const ROUNDING: f64 = 1e-12;

/// Compares some pairs; the p value is not adjusted. `None` if the measure is a mean.
pub fn row(
    pairing: &Pairing<'_>,
    groups: &MatchedGroups,
    compared: ComparedPairs<'_>,
    options: ComparisonOptions,
) -> Option<PairedDifference> {
    row_with_spread(pairing, groups, compared, options).map(|(row, _)| row)
}

/// Like [`row`], but also returns the spread that intervals of the difference are computed from.
pub fn row_with_spread(
    pairing: &Pairing<'_>,
    groups: &MatchedGroups,
    compared: ComparedPairs<'_>,
    options: ComparisonOptions,
) -> Option<(PairedDifference, PairedSpread)> {
    let ComparedPairs { measure, pairs } = compared;
    let figure = measure.pooled.as_ref()?.figure();
    let rows: Vec<[u32; 2]> = pairs.iter().map(|pair| [pair.a_row, pair.b_row]).collect();
    let contest = PooledBoxes::new(pairing.sides.table, &rows, pairs, figure);
    let [a_score, b_score] = contest.figures();
    let difference = contest.difference(None);
    let error = contest.error(options.draws, pairing.sides.ticket);
    let clusters = contest.clusters as u64;
    let p_value = difference.map(|seen| error_t_test(seen, error.unwrap_or_default(), clusters));
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
    let spread = difference.zip(error);
    let spread = spread.map_or(PairedSpread::Unknown, |(difference, error)| {
        PairedSpread::Figure {
            difference,
            error,
            clusters,
        }
    });
    let row = PairedDifference {
        n: pairs.len() as u64,
        clusters,
        a_score,
        b_score,
        difference,
        ci: interval,
        p_value,
        a_better: count(Ordering::Greater),
        b_better: count(Ordering::Less),
        equal: count(Ordering::Equal),
        detectable: error.map(detectable),
        ..blank(&groups.a.name, measure)
    };
    Some((row, spread))
}

/// Boxes of both sides on the same pictures, pooled.
struct PooledBoxes {
    figure: DetectionMetric,
    sides: [Pool; 2],
    /// Cluster of each picture, numbered from 0.
    cluster_of: Vec<usize>,
    clusters: usize,
}

impl PooledBoxes {
    fn new(table: &Table, rows: &[[u32; 2]], pairs: &[Pair], figure: DetectionMetric) -> Self {
        let (none, mut classes) = (Detections::default(), Key::default());
        let mut of_side = |side: usize| -> Pool {
            let boxes = |rows: &[u32; 2]| table.detections(Row(*rows.get(side)?));
            let boxes: Vec<&Detections> = rows
                .iter()
                .map(|pair| boxes(pair).unwrap_or(&none))
                .collect();
            let codes = class_codes(&boxes, &mut classes);
            pool(&boxes, &codes, figure)
        };
        let sides = [of_side(0), of_side(1)];
        let mut known: HashMap<u32, usize> = HashMap::new();
        let mut index = |pair: &Pair| {
            let next = known.len();
            *known.entry(pair.cluster).or_insert(next)
        };
        Self {
            figure,
            cluster_of: pairs.iter().map(&mut index).collect(),
            clusters: known.len(),
            sides,
        }
    }

    /// Returns each side's figure; `None` if no picture has an annotated object.
    fn figures(&self) -> [Option<f64>; 2] {
        self.sides
            .each_ref()
            .map(|pool| self.figure.value(pool, None))
    }

    /// Returns A's figure minus B's, with pictures weighted by `weights`.
    fn difference(&self, weights: Option<&[u32]>) -> Option<f64> {
        let [a, b] = &self.sides;
        Some(self.figure.value(a, weights)? - self.figure.value(b, weights)?)
    }

    /// Returns the standard error of the difference over resampled clusters; `None` if the sides
    /// do not differ.
    fn error(&self, draws: usize, ticket: &Ticket) -> Option<f64> {
        let times =
            PooledFigure::affordable(self.sides.iter().map(Pool::len).sum(), self.figure, draws);
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
}
