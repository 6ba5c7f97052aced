//! A head for questions that differ: each pair of question and option is an example, right or
//! wrong.
//!
//! Kernel ridge regression with a product of kernels over questions, options and pictures (J.
//! Basilico and T. Hofmann, "Unifying collaborative and content-based filtering", 2004).

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use super::Example;
use super::ridge::Scaler;
use super::wording::{WordRarity, WordWeights, likeness};
use record::{Content, Target};

/// Candidate penalties.
const PENALTIES: [f64; 4] = [0.3, 1.0, 3.0, 10.0];
/// One in this many examples is held out to choose the penalty.
const HELD_OUT: usize = 4;
/// Maximum number of training examples.
const MOST: usize = 320;
/// Similarity of questions without a common informative word.
const COMMON: f64 = 0.2;
/// Scale of the kernel between numeric options: the log ratio of clearly different numbers.
const APART: f64 = 0.2;

/// Trained head on pairs of question and option.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pairs {
    wording: WordRarity,
    scaler: Scaler,
    known: Vec<PairExample>,
    /// One weight per option of each training example.
    weights: Vec<f64>,
}

/// A training example.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct PairExample {
    words: WordWeights,
    options: Vec<String>,
    right: Option<usize>,
    features: DVector<f64>,
}

impl Pairs {
    /// Trains a head. Returns `None` if no example has a right option.
    pub fn train(examples: &[Example<'_>], features: &[Vec<f32>]) -> Option<Self> {
        let step = examples.len().div_ceil(MOST).max(1);
        let wording = WordRarity::of(
            examples
                .iter()
                .map(|example| example.content.question.as_str()),
        );
        let (scaler, _) = Scaler::of(features);
        let known: Vec<PairExample> = examples
            .iter()
            .zip(features)
            .step_by(step)
            .map(|(example, features)| known(example.content, &wording, &scaler.scaled(features)))
            .filter(|known| known.right.is_some())
            .collect();
        let (held, kept): (Vec<_>, Vec<_>) = known
            .iter()
            .cloned()
            .enumerate()
            .partition(|(at, _)| at % HELD_OUT == 0);
        let of =
            |part: Vec<(usize, PairExample)>| part.into_iter().map(|(_, known)| known).collect();
        let (held, kept): (Vec<PairExample>, Vec<PairExample>) = (of(held), of(kept));
        let kernel = kernel(&kept);
        let tried = PENALTIES.iter().filter_map(|penalty| {
            let weights = solve(&kernel, &kept, *penalty)?;
            let right = held
                .iter()
                .filter(|asked| Some(best(&scores(&kept, &weights, asked))) == asked.right)
                .count();
            Some((right, *penalty))
        });
        // The stronger penalty wins a tie.
        let (_, penalty) = tried.max_by(|one, other| one.0.cmp(&other.0))?;
        let weights = solve(&self::kernel(&known), &known, penalty)?;
        Some(Self {
            wording,
            scaler,
            known,
            weights,
        })
    }

    /// Index of the most likely option.
    pub fn choose(&self, content: &Content, features: &[f32]) -> usize {
        let asked = known(content, &self.wording, &self.scaler.scaled(features));
        best(&scores(&self.known, &self.weights, &asked))
    }
}

fn known(content: &Content, wording: &WordRarity, features: &DVector<f64>) -> PairExample {
    let options = content.choices.iter();
    let right = options.clone().position(|choice| {
        let Some(Target::Text(target)) = &content.target else {
            return false;
        };
        choice.letter == *target || choice.text == *target
    });
    PairExample {
        words: wording.words(&content.question),
        options: options.map(|choice| choice.text.clone()).collect(),
        right,
        features: features / features.norm().max(f64::MIN_POSITIVE),
    }
}

/// Similarity of two examples, ignoring their options.
fn alike(one: &PairExample, other: &PairExample) -> f64 {
    let questions = COMMON + (1.0 - COMMON) * likeness(&one.words, &other.words);
    questions * (1.0 + one.features.dot(&other.features))
}

/// Similarity of two options: 1 for equal texts, by ratio for numbers.
fn same(one: &str, other: &str) -> f64 {
    if one == other {
        return 1.0;
    }
    match (one.parse::<f64>(), other.parse::<f64>()) {
        (Ok(one), Ok(other)) if one > 0.0 && other > 0.0 => {
            (-0.5 * ((one / other).ln() / APART).powi(2)).exp()
        }
        _ => 0.0,
    }
}

/// The kernel matrix over all pairs of example and option.
fn kernel(known: &[PairExample]) -> DMatrix<f64> {
    let options = || {
        known
            .iter()
            .enumerate()
            .flat_map(|(at, known)| known.options.iter().map(move |option| (at, option)))
    };
    let alike = DMatrix::from_fn(known.len(), known.len(), |row, column| {
        match (known.get(row), known.get(column)) {
            (Some(one), Some(other)) => alike(one, other),
            _ => 0.0,
        }
    });
    let pairs: Vec<(usize, &String)> = options().collect();
    DMatrix::from_fn(pairs.len(), pairs.len(), |row, column| {
        match (pairs.get(row), pairs.get(column)) {
            (Some((one, option)), Some((other, other_option))) => {
                alike[(*one, *other)] * same(option, other_option)
            }
            _ => 0.0,
        }
    })
}

fn solve(kernel: &DMatrix<f64>, known: &[PairExample], penalty: f64) -> Option<Vec<f64>> {
    let mut penalised = kernel.clone();
    for at in 0..penalised.nrows() {
        penalised[(at, at)] += penalty;
    }
    let outputs: Vec<f64> = known
        .iter()
        .flat_map(|known| {
            let share = 1.0 / f64::from(u32::try_from(known.options.len()).unwrap_or(u32::MAX));
            (0..known.options.len())
                .map(move |at| f64::from(u8::from(known.right == Some(at))) - share)
        })
        .collect();
    let solution = penalised.cholesky()?.solve(&DVector::from_vec(outputs));
    Some(solution.iter().copied().collect())
}

/// A score per option of a question.
fn scores(known: &[PairExample], weights: &[f64], asked: &PairExample) -> Vec<f64> {
    let mut scores = vec![0.0; asked.options.len()];
    let mut weights = weights.iter();
    for known in known {
        let alike = alike(known, asked);
        for (option, weight) in known.options.iter().zip(weights.by_ref()) {
            for (score, asked) in scores.iter_mut().zip(&asked.options) {
                *score += weight * alike * same(option, asked);
            }
        }
    }
    scores
}

/// Index of the largest score, the first among equals.
fn best(scores: &[f64]) -> usize {
    let best = scores
        .iter()
        .enumerate()
        .reduce(|best, other| if other.1 > best.1 { other } else { best });
    best.map_or(0, |(at, _)| at)
}
