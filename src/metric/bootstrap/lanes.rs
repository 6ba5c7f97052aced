//! The memory layout of the bootstrap's inner loop.
//!
//! A column's sums, and its counts where they vary, become lanes of short rows, one row per cluster, so that a draw
//! is a few thousand row additions of a few vector instructions each. Two alternatives were measured and are not
//! faster: single precision, and counting how often each cluster is picked before one weighted pass.

use super::ClusterSums;
use crate::real;

/// Maximum lanes per row: twelve doubles, two per vector register, leave some of baseline x86-64's sixteen free.
const WIDEST_ROW: usize = 12;
/// Draws summed in parallel: an addition waits for the previous one of its draw, so a second draw uses the idle
/// cycles. Two times twelve doubles still fit the registers.
pub(super) const ABREAST: usize = 2;

/// The divisor of a column's sum.
enum Divisor {
    /// Every cluster has the same number of scores, so every draw has this many.
    Fixed(f64),
    /// Index of the lane whose total is the number of scores in a draw.
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

/// Lanes of all clusters: one per column, then one per distinct list of varying counts.
pub(super) struct Lanes {
    clusters: usize,
    /// Lanes per row, padded to an even number.
    width: usize,
    /// Number of `clusters x width` strips that hold all lanes.
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
        let width = lanes.div_ceil(strips).next_multiple_of(2);
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

    /// Buffers for the totals of parallel draws.
    pub(super) fn totals(&self) -> [Vec<f64>; ABREAST] {
        [(); ABREAST].map(|()| vec![0.0; self.strips * self.width])
    }

    /// The mean of each column; NaN without a score.
    pub(super) fn means(&self, totals: &[f64]) -> impl Iterator<Item = f64> {
        self.divisors
            .iter()
            .zip(totals)
            .map(|(divisor, sum)| sum / divisor.of(totals))
    }

    /// Totals of all lanes over the picked clusters, for parallel draws.
    pub(super) fn draw(
        &self,
        picks: &[Vec<u32>; ABREAST],
        [first, second]: &mut [Vec<f64>; ABREAST],
    ) {
        let strips = self.rows.chunks_exact(self.clusters * self.width);
        let totals = first
            .chunks_exact_mut(self.width)
            .zip(second.chunks_exact_mut(self.width));
        for (rows, (first, second)) in strips.zip(totals) {
            let totals = [first, second];
            match self.width {
                2 => add_rows::<2>(rows, picks, totals),
                4 => add_rows::<4>(rows, picks, totals),
                6 => add_rows::<6>(rows, picks, totals),
                8 => add_rows::<8>(rows, picks, totals),
                10 => add_rows::<10>(rows, picks, totals),
                _ => add_rows::<WIDEST_ROW>(rows, picks, totals),
            }
        }
    }
}

/// Each column's divisor, and the columns whose counts need a lane; columns with equal counts share one.
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

/// Adds the picked rows of a strip for two draws.
fn add_rows<const WIDTH: usize>(
    rows: &[f64],
    [picks, others]: &[Vec<u32>; ABREAST],
    totals: [&mut [f64]; ABREAST],
) {
    let (rows, _) = rows.as_chunks::<WIDTH>();
    let plus = |sums: [f64; WIDTH], pick: u32| {
        let row = &rows[pick as usize];
        std::array::from_fn(|lane| sums[lane] + row[lane])
    };
    let (mut first, mut second) = ([0.0; WIDTH], [0.0; WIDTH]);
    for (&pick, &other) in picks.iter().zip(others) {
        first = plus(first, pick);
        second = plus(second, other);
    }
    for (totals, sums) in totals.into_iter().zip([first, second]) {
        totals.copy_from_slice(&sums);
    }
}
