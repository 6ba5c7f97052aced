//! Stores the searched values of one ability with their bins, split into two halves.

use super::axis::Axis;
use crate::Observation;
use crate::metric::{Contrast, Moments, RightCount, Tally, clustered_contrast, share_contrast};

/// Minimum number of clusters in a slice and outside it, in each half.
pub const MIN_CLUSTERS: u64 = 10;

/// Searched value of one sample.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    pub cluster: u32,
    /// Value minus the mean of all values.
    pub value: f64,
}

/// Selection of the clusters of one half, or of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halves {
    /// Half on which slices are found.
    Finding,
    /// Half that confirms the slices.
    Confirming,
    /// All clusters.
    Both,
}

/// Sums of one cell: a bin, or a pair of bins.
#[derive(Clone, Debug, Default)]
pub struct SliceCell {
    /// Sums over the finding half and the confirming half.
    pub halves: [Moments; 2],
    /// Fingerprint of the cell's set of units.
    pub mark: u64,
}

/// Searched values, sorted by cluster, with the bins of every axis.
#[derive(Clone, Debug)]
pub struct Field {
    pub units: Vec<Unit>,
    /// Bin of every unit by axis; [`Self::NOWHERE`] for a unit in no bin.
    pub bins: Vec<Vec<u16>>,
    /// Number of bins on each axis.
    pub widths: Vec<usize>,
    /// Whether each axis is searched in pairs.
    pub paired: Vec<bool>,
    /// Mean of all values, subtracted from each value.
    pub centre: f64,
    /// True if every value is 0 or 1 and has its own cluster.
    exact: bool,
    /// True if every value is 0 or 1.
    pub is_share: bool,
    pub all: [Moments; 2],
    /// Fingerprint of the set of all units.
    mark: u64,
    seed: u64,
}

impl Field {
    /// Bin code of a unit outside all bins.
    pub const NOWHERE: u16 = u16::MAX;

    /// Creates the field of some observations and axes; `seed` splits the halves.
    pub fn new(mut observations: Vec<Observation>, axes: &[&Axis], seed: u64) -> Self {
        observations.sort_by_key(|value| (value.cluster, value.item()));
        let sum: f64 = observations.iter().map(|value| value.value).sum();
        #[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
        let centre = sum / observations.len().max(1) as f64;
        let unit = |value: &Observation| Unit {
            cluster: value.cluster,
            value: value.value - centre,
        };
        let of_axis = |axis: &&Axis| -> Vec<u16> {
            let bin = |value: &Observation| axis.bin(value).unwrap_or(Self::NOWHERE);
            observations.iter().map(bin).collect()
        };
        let alone = observations
            .windows(2)
            .all(|pair| matches!(pair, [a, b] if a.cluster != b.cluster));
        let is_share = observations.iter().all(is_share);
        let mut field = Self {
            units: observations.iter().map(unit).collect(),
            bins: axes.iter().map(of_axis).collect(),
            widths: axes.iter().map(|axis| axis.width()).collect(),
            paired: axes.iter().map(|axis| axis.is_paired()).collect(),
            centre,
            exact: alone && is_share,
            is_share,
            all: [Moments::default(); 2],
            mark: 0,
            seed,
        };
        let all = field.cells(1, |_| Some(0)).pop().unwrap_or_default();
        (field.all, field.mark) = (all.halves, all.mark);
        field
    }

    /// Returns a fingerprint that a set of units shares with its complement.
    pub fn division(&self, mark: u64) -> u64 {
        mark.min(self.mark.wrapping_sub(mark))
    }

    /// Returns the bin of a unit on an axis.
    pub fn bin(&self, axis: usize, unit: usize) -> Option<usize> {
        let bin = *self.bins.get(axis)?.get(unit)?;
        (bin != Self::NOWHERE).then_some(usize::from(bin))
    }

    /// Sums the units of `count` cells.
    pub fn cells(&self, count: usize, cell_of: impl Fn(usize) -> Option<usize>) -> Vec<SliceCell> {
        let mut cells = vec![SliceCell::default(); count];
        let mut own = vec![Tally::default(); count];
        let mut touched: Vec<usize> = Vec::new();
        for (start, run) in self.runs() {
            let mut whole = Tally::default();
            for (unit, Unit { value, .. }) in (start..).zip(run) {
                whole.add(*value);
                let Some(cell) = cell_of(unit) else { continue };
                let (Some(tally), Some(known)) = (own.get_mut(cell), cells.get_mut(cell)) else {
                    continue;
                };
                if tally.n <= 0.0 {
                    touched.push(cell);
                }
                tally.add(*value);
                known.mark = known.mark.wrapping_add(mixed(unit as u64));
            }
            let half = self.half(run);
            for cell in touched.drain(..) {
                let tally = own.get_mut(cell).map(std::mem::take).unwrap_or_default();
                let moments = cells
                    .get_mut(cell)
                    .and_then(|cell| cell.halves.get_mut(half));
                if let Some(moments) = moments {
                    moments.add(tally, whole);
                }
            }
        }
        cells
    }

    /// Computes the sums of `count` strata: of the part inside the slice, and of the whole stratum.
    pub fn strata(
        &self,
        count: usize,
        halves: Halves,
        place_of: impl Fn(usize) -> Option<(usize, bool)>,
    ) -> Vec<(Moments, Moments)> {
        let mut strata = vec![(Moments::default(), Moments::default()); count];
        let mut own = vec![(Tally::default(), Tally::default()); count];
        let mut touched: Vec<usize> = Vec::new();
        let is_wanted = |run: &[Unit]| match halves {
            Halves::Finding => self.half(run) == 0,
            Halves::Confirming => self.half(run) == 1,
            Halves::Both => true,
        };
        for (start, run) in self.runs().filter(|(_, run)| is_wanted(run)) {
            for (unit, Unit { value, .. }) in (start..).zip(run) {
                let Some((stratum, is_inside)) = place_of(unit) else {
                    continue;
                };
                let Some((inside, whole)) = own.get_mut(stratum) else {
                    continue;
                };
                if whole.n <= 0.0 {
                    touched.push(stratum);
                }
                whole.add(*value);
                if is_inside {
                    inside.add(*value);
                }
            }
            for stratum in touched.drain(..) {
                let (inside, whole) = own.get_mut(stratum).map(std::mem::take).unwrap_or_default();
                if let Some((part, all)) = strata.get_mut(stratum) {
                    all.add(whole, whole);
                    if inside.n > 0.0 {
                        part.add(inside, whole);
                    }
                }
            }
        }
        strata
    }

    /// Iterates over the units of each cluster, with the index of the first unit.
    fn runs(&self) -> impl Iterator<Item = (usize, &[Unit])> {
        let mut start = 0;
        self.units
            .chunk_by(|a, b| a.cluster == b.cluster)
            .map(move |run| {
                let first = start;
                start += run.len();
                (first, run)
            })
    }

    /// Returns the half of a cluster: 0 for finding, 1 for confirming.
    fn half(&self, run: &[Unit]) -> usize {
        let cluster = run.first().map_or(0, |unit| u64::from(unit.cluster));
        usize::from(mixed(self.seed ^ mixed(cluster)) & 1 == 1)
    }

    /// Compares a part with the rest of `all`: exactly for shares of independent samples, else by
    /// a clustered test.
    pub fn contrast(&self, part: &Moments, all: &Moments, level: Option<f64>) -> Option<Contrast> {
        if !self.exact {
            return clustered_contrast(part, all, level);
        }
        let (inside, all) = (self.counts(part), self.counts(all));
        let rest = RightCount {
            right: all.right.checked_sub(inside.right)?,
            n: all.n.checked_sub(inside.n)?,
        };
        share_contrast(inside, rest, level.unwrap_or(crate::LEVEL))
    }

    /// Returns the number of right answers and of all answers in a part.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "counts"
    )]
    fn counts(&self, part: &Moments) -> RightCount {
        let Tally { n, sum, .. } = part.tally;
        RightCount {
            right: (sum + n * self.centre).round() as u64,
            n: n as u64,
        }
    }

    /// Returns the name of the test in machine-readable output.
    pub const fn test(&self) -> &'static str {
        if self.exact {
            "fisher_exact"
        } else {
            "clustered_t"
        }
    }
}

#[expect(clippy::float_cmp, reason = "a right answer scores exactly 1")]
fn is_share(value: &Observation) -> bool {
    value.value == 0.0 || value.value == 1.0
}

/// Mixes the bits of a number by the finaliser of `SplitMix64` (G. Steele, D. Lea and C. Flood,
/// "Fast splittable pseudorandom number generators", OOPSLA 2014).
pub const fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
