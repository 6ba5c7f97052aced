//! Computes standings and placements of models from the sums of a measure by cluster.

use crate::Selection;
use crate::cells::{Cell, MeasureSums};
use crate::common::{Answers, CommonUnits};
use crate::measure::Measure;
use crate::ranking::{PairTestData, Placement, RankedModels, place};
use crate::standing::{Depth, Standing, ValueSums, clusters_by_model, standings_of_sums};

/// Cells of a measure that have values: one for each pair of cluster and model, sorted by cluster
/// and model.
pub struct Clusters {
    cells: Vec<Cell>,
    /// Cluster number of each cell, counted from 0.
    numbers: Vec<u32>,
}

impl Clusters {
    /// Merges the cells of one measure over all parts.
    pub fn of(sums: &[&MeasureSums]) -> Self {
        let cells = sums.iter().flat_map(|summed| &summed.cells);
        let mut cells: Vec<Cell> = cells.filter(|cell| cell.n > 0).copied().collect();
        cells.sort_unstable_by_key(|cell| (cell.cluster, cell.model, cell.part));
        cells.dedup_by(|next, kept| {
            let is_same = (next.cluster, next.model) == (kept.cluster, kept.model);
            if is_same {
                kept.join(next);
            }
            is_same
        });
        let mut numbers = Vec::with_capacity(cells.len());
        let (mut number, mut last) = (0, None);
        for cell in &cells {
            if last.is_some_and(|last| last != cell.cluster) {
                number += 1;
            }
            last = Some(cell.cluster);
            numbers.push(number);
        }
        Self { cells, numbers }
    }

    /// Returns the number of clusters with values.
    fn count(&self) -> usize {
        self.numbers.last().map_or(0, |last| *last as usize + 1)
    }

    /// Computes the standing of each of `models` model codes.
    pub fn standings(&self, measure: &Measure, models: usize, depth: Depth) -> Vec<Standing> {
        let mut tallies = vec![ValueSums::default(); models];
        for cell in &self.cells {
            if let Some(tally) = tallies.get_mut(usize::from(cell.model)) {
                tally.n += cell.n;
                tally.sum += cell.sum;
                tally.others += cell.others;
                tally.low = tally.low.min(cell.low);
                tally.high = tally.high.max(cell.high);
            }
        }
        let clusters = (depth == Depth::Intervals).then(|| {
            let cells = self.cells.iter().zip(&self.numbers);
            let sums = cells.map(|(cell, &number)| {
                let n = u32::try_from(cell.n).unwrap_or(u32::MAX);
                (cell.model, number, (cell.sum, n))
            });
            clusters_by_model(sums, models)
        });
        standings_of_sums(measure, &tallies, clusters.as_deref())
    }

    /// Returns the number of samples in each cluster; `None` if models answered samples repeatedly,
    /// or different samples of a cluster.
    fn sizes(&self) -> Option<Vec<u32>> {
        let mut sizes: Vec<u32> = Vec::with_capacity(self.count());
        let mut same: Option<(u32, u64, u64)> = None;
        for (cell, &number) in self.cells.iter().zip(&self.numbers) {
            let own = (number, cell.samples, cell.items);
            match same {
                Some(known) if known.0 == number && known != own => return None,
                Some(known) if known.0 == number => {}
                _ => sizes.push(u32::try_from(cell.samples).ok()?),
            }
            if cell.samples != cell.n {
                return None;
            }
            same = Some(own);
        }
        Some(sizes)
    }

    /// Computes the placement of each model code on the clusters that all ranked models answered;
    /// `None` if sums are not sufficient.
    pub fn placements(
        &self,
        measure: &Measure,
        standings: &[Standing],
        selection: Selection<'_>,
        depth: Depth,
    ) -> Option<Vec<Placement>> {
        let sizes = self.sizes()?;
        let models = self.cells.iter().map(|cell| cell.model);
        let pairs = models.zip(self.numbers.iter().copied());
        let shared = Answers::new(pairs, sizes.clone()).shared(selection.coverage);
        let contest = ClusterContest::new(self, &shared, &sizes);
        let field = RankedModels {
            models: &shared.models,
            excluded: &shared.excluded,
            n: shared.n,
            scores: contest.scores(measure, standings),
        };
        let tests = measure.headline && depth == Depth::Intervals && selection.ticket.is_wanted();
        Some(place(&field, measure.direction, standings.len(), |order| {
            tests.then(|| {
                let pairs = PairTestData::of_sums(contest.sums, contest.sizes);
                pairs.tests(order, selection.ticket)
            })
        }))
    }
}

/// Ranked models on the clusters that all of them answered.
struct ClusterContest<'a> {
    shared: &'a CommonUnits,
    /// Sums by ranked model and common cluster.
    sums: Vec<Vec<f64>>,
    /// Number of samples by common cluster.
    sizes: Vec<f64>,
}

impl<'a> ClusterContest<'a> {
    fn new(clusters: &Clusters, shared: &'a CommonUnits, sizes: &[u32]) -> Self {
        let places = sizes.iter().zip(&shared.places);
        let sizes: Vec<f64> = places
            .filter(|(_, place)| place.is_some())
            .map(|(size, _)| f64::from(*size))
            .collect();
        let mut sums = vec![vec![0.0; sizes.len()]; shared.models.len()];
        for (cell, &number) in clusters.cells.iter().zip(&clusters.numbers) {
            let column = shared.models.binary_search(&cell.model);
            if let (Ok(column), Some(place)) = (column, shared.places[number as usize]) {
                sums[column][place as usize] = cell.sum;
            }
        }
        Self {
            shared,
            sums,
            sizes,
        }
    }

    /// Returns the score of each ranked model on the common clusters.
    #[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 samples")]
    fn scores(&self, measure: &Measure, standings: &[Standing]) -> Vec<Option<f64>> {
        if self.shared.is_all {
            let own = |model: &u16| standings[usize::from(*model)].score;
            return self.shared.models.iter().map(own).collect();
        }
        let n = self.shared.n;
        let score =
            |sums: &Vec<f64>| (n > 0).then(|| measure.finish(sums.iter().sum::<f64>() / n as f64));
        self.sums.iter().map(score).collect()
    }
}
