//! Detects the object that a question names: which of 8 x 8 cells show it, and its usual size.
//!
//! A sliding-window detector (N. Dalal and B. Triggs, 2005) over cells: one ridge head per
//! question, the same for every cell.

use std::collections::BTreeMap;

use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};

use super::ridge::Ridge;
use super::view::View;
use super::{Encoder, Example};
use media::Region;

/// Cells per side.
pub const CELLS: usize = 8;
/// Minimum number of examples per question.
const MIN_EXAMPLES: usize = 6;
/// Approximate maximum number of training cells per question.
const MOST: usize = 300;
/// Weight of the neighbours' mean score relative to the cell's own.
const AROUND: f64 = 0.5;

/// Features of each cell of a picture.
pub type CellFeatures = Vec<Vec<f32>>;

/// Detectors by question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Spots(BTreeMap<String, Spot>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Spot {
    ridge: Ridge,
    /// Mean log width and log height.
    size: [f64; 2],
}

/// The features of each cell of a picture together with the mean features of its neighbours.
pub fn shown(encoder: Encoder, example: &Example<'_>) -> CellFeatures {
    let Some(view) = View::of(example.picture, Region::WHOLE) else {
        return Vec::new();
    };
    let cells = encoder.of_cells(&view);
    let with_neighbours = |at: usize| {
        let own = &cells[at];
        let around: Vec<&Vec<f32>> = neighbours(at).filter_map(|at| cells.get(at)).collect();
        let share = 1.0 / f32::from(u16::try_from(around.len()).unwrap_or(u16::MAX));
        let mean = (0..own.len())
            .map(|part| share * around.iter().filter_map(|cell| cell.get(part)).sum::<f32>());
        own.iter().copied().chain(mean).collect()
    };
    (0..cells.len()).map(with_neighbours).collect()
}

impl Spots {
    /// Trains on boxes given as centre and log sides, in fractions of the picture. Returns `None`
    /// if no question has enough examples.
    pub fn train(questions: &[&str], shown: &[CellFeatures], boxes: &[[f64; 4]]) -> Option<Self> {
        let mut asked: BTreeMap<&str, Vec<(&CellFeatures, [f64; 4])>> = BTreeMap::new();
        for ((question, shown), corners) in questions.iter().zip(shown).zip(boxes) {
            asked.entry(*question).or_default().push((shown, *corners));
        }
        let often = asked
            .into_iter()
            .filter(|(_, known)| known.len() >= MIN_EXAMPLES);
        let spots =
            often.filter_map(|(question, known)| Some((question.to_owned(), Spot::of(&known)?)));
        let spots: BTreeMap<String, Spot> = spots.collect();
        (!spots.is_empty()).then_some(Self(spots))
    }

    /// Predicted centre and log sides; `None` for an unknown question.
    pub fn find(&self, question: &str, shown: &CellFeatures) -> Option<[f64; 4]> {
        self.0.get(question)?.find(shown)
    }
}

impl Spot {
    fn of(known: &[(&CellFeatures, [f64; 4])]) -> Option<Self> {
        let cells = || {
            known.iter().flat_map(|(shown, corners)| {
                let cells = shown.iter().enumerate();
                cells.map(move |(at, cell)| (cell, is_within(at, *corners)))
            })
        };
        let positive = cells().filter(|(_, within)| *within);
        let count = cells().count();
        let step = count.div_ceil(MOST).max(1);
        // An odd step, because an even one would skip columns of the grid.
        let step = if step.is_multiple_of(2) {
            step + 1
        } else {
            step
        };
        let negative = cells().filter(|(_, within)| !within).step_by(step);
        let (features, within): (Vec<Vec<f32>>, Vec<bool>) = positive
            .chain(negative)
            .map(|(cell, within)| (cell.clone(), within))
            .unzip();
        let outputs = DMatrix::from_fn(within.len(), 1, |row, _| {
            f64::from(u8::from(within.get(row) == Some(&true)))
        });
        let mean = |part: usize| {
            let parts = known.iter().filter_map(|(_, corners)| corners.get(part));
            parts.sum::<f64>() / f64::from(u32::try_from(known.len()).unwrap_or(u32::MAX))
        };
        Some(Self {
            ridge: Ridge::fit(&features, &outputs)?,
            size: [mean(2), mean(3)],
        })
    }

    fn find(&self, shown: &CellFeatures) -> Option<[f64; 4]> {
        let scores: Vec<f64> = shown
            .iter()
            .map(|cell| self.ridge.predict(cell)[0])
            .collect();
        let score = |at: usize| scores[at];
        let smooth = |at: usize| {
            let around: Vec<f64> = neighbours(at).map(score).collect();
            let count = f64::from(u8::try_from(around.len()).unwrap_or(u8::MAX));
            score(at) + AROUND * around.iter().sum::<f64>() / count
        };
        let best =
            (0..scores.len()).max_by(|one, other| smooth(*one).total_cmp(&smooth(*other)))?;
        let parts = neighbours(best)
            .chain([best])
            .map(|at| (at, score(at).max(0.0)));
        let mut sums = [0.0, 0.0, 0.0];
        for (at, weight) in parts {
            let (x, y) = middle(at);
            sums = [sums[0] + weight * x, sums[1] + weight * y, sums[2] + weight];
        }
        let (x, y) = if sums[2] > 0.0 {
            (sums[0] / sums[2], sums[1] / sums[2])
        } else {
            middle(best)
        };
        Some([x, y, self.size[0], self.size[1]])
    }
}

/// The up to eight neighbours of a cell.
fn neighbours(at: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (at % CELLS, at / CELLS);
    let near = |at: usize| at.saturating_sub(1)..(at + 2).min(CELLS);
    near(y)
        .flat_map(move |row| near(x).map(move |column| row * CELLS + column))
        .filter(move |other| *other != at)
}

/// The centre of a cell, in fractions of the picture.
fn middle(at: usize) -> (f64, f64) {
    let place = |cell: usize| {
        let cells = f64::from(u32::try_from(CELLS).unwrap_or(1));
        (f64::from(u32::try_from(cell).unwrap_or(0)) + 0.5) / cells
    };
    (place(at % CELLS), place(at / CELLS))
}

/// Returns true if a cell's centre lies in a box; the cell at the box's own centre always does.
fn is_within(at: usize, [x, y, width, height]: [f64; 4]) -> bool {
    let (cell_x, cell_y) = middle(at);
    let half = 0.5 / f64::from(u32::try_from(CELLS).unwrap_or(1));
    (cell_x - x).abs() <= half.max(width.exp() / 2.0)
        && (cell_y - y).abs() <= half.max(height.exp() / 2.0)
}
