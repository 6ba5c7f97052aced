//! The table that bootstrap draws add up, laid out for speed.
//!
//! A column's sums, and its counts where they vary, become lanes of short rows, one row per
//! cluster, so that a draw is a few thousand additions of rows, each a few vector instructions. Two
//! alternatives were measured and are not faster: single precision, and counting how often each
//! cluster is picked before one weighted pass.

use super::ClusterSums;
use super::picker::Picker;
use crate::metric::real;

/// Most lanes of a row: twelve doubles, two to a vector register, leave some of baseline x86-64's
/// sixteen free.
const WIDEST_ROW: usize = 12;
/// Clusters picked at a time; the picks stay in the nearest cache while they are added up.
const BATCH: usize = 64;

/// What a column's sum is divided by.
enum Divisor {
    /// Every cluster has as many scores: every draw holds this many.
    Fixed(f64),
    /// The lane whose total counts the scores of a draw.
    Lane(usize),
}

impl Divisor {
    fn of(&self, totals: &[f64]) -> f64 {
        match self {
            Self::Fixed(count) => *count,
            Self::Lane(lane) => totals[*lane],
        }
    }
}

/// The table that draws add up: one lane per column, then one per distinct list of varying counts.
pub(super) struct Lanes {
    clusters: usize,
    /// Lanes in a row, padded to 4, 8 or 12.
    width: usize,
    /// How many tables of `clusters x width` it takes to hold all lanes.
    strips: usize,
    /// `strips x clusters x width`.
    rows: Vec<f64>,
    /// One per column.
    divisors: Vec<Divisor>,
}

impl Lanes {
    pub(super) fn new(data: &ClusterSums) -> Self {
        let clusters = data.clusters();
        let (divisors, counted) = divisors(data);
        let lanes = data.columns + counted.len();
        let strips = lanes.div_ceil(WIDEST_ROW);
        let width = lanes.div_ceil(strips).next_multiple_of(4);
        let mut rows = vec![0.0; strips * clusters * width];
        for cluster in 0..clusters {
            let start = cluster * data.columns;
            let sums = data.sums[start..start + data.columns].iter().copied();
            let counts = counted
                .iter()
                .map(|&column| f64::from(data.counts[start + column]));
            for (lane, value) in sums.chain(counts).enumerate() {
                rows[((lane / width) * clusters + cluster) * width + lane % width] = value;
            }
        }
        Self {
            clusters,
            width,
            strips,
            rows,
            divisors,
        }
    }

    /// Room for the totals of a draw.
    pub(super) fn totals(&self) -> Vec<f64> {
        vec![0.0; self.strips * self.width]
    }

    /// The mean of each column, NaN without a score.
    pub(super) fn means(&self, totals: &[f64]) -> impl Iterator<Item = f64> {
        self.divisors
            .iter()
            .zip(totals)
            .map(|(divisor, sum)| sum / divisor.of(totals))
    }

    /// The totals of all lanes over as many picked clusters as there are.
    pub(super) fn draw(&self, picker: &mut Picker, totals: &mut [f64]) {
        totals.fill(0.0);
        let mut picks = [0; BATCH];
        for start in (0..self.clusters).step_by(BATCH) {
            let picks = &mut picks[..BATCH.min(self.clusters - start)];
            picker.fill(picks);
            let strips = self.rows.chunks_exact(self.clusters * self.width);
            for (rows, totals) in strips.zip(totals.chunks_exact_mut(self.width)) {
                match self.width {
                    4 => add_rows::<4>(rows, picks, totals),
                    8 => add_rows::<8>(rows, picks, totals),
                    _ => add_rows::<WIDEST_ROW>(rows, picks, totals),
                }
            }
        }
    }
}

/// Each column's divisor, and the columns whose counts need a lane; columns with equal counts share
/// one.
fn divisors(data: &ClusterSums) -> (Vec<Divisor>, Vec<usize>) {
    let mut counted: Vec<usize> = Vec::new();
    let divisors = (0..data.columns).map(|column| {
        let first = data.counts.get(column).copied().unwrap_or(0);
        if data.counts_of(column).all(|count| count == first) {
            return Divisor::Fixed(f64::from(first) * real(data.clusters() as u64));
        }
        let shared = counted
            .iter()
            .position(|&other| data.counts_of(other).eq(data.counts_of(column)));
        Divisor::Lane(
            data.columns
                + shared.unwrap_or_else(|| {
                    counted.push(column);
                    counted.len() - 1
                }),
        )
    });
    (divisors.collect(), counted)
}

/// Adds the picked rows of a strip to its totals.
fn add_rows<const WIDTH: usize>(rows: &[f64], picks: &[u32], totals: &mut [f64]) {
    let (rows, _) = rows.as_chunks::<WIDTH>();
    if let Some(totals) = totals.first_chunk_mut::<WIDTH>() {
        *totals = picks.iter().fold(*totals, |sums, &pick| {
            let row = &rows[pick as usize];
            std::array::from_fn(|lane| sums[lane] + row[lane])
        });
    }
}
