//! Checks the error rates of intervals, tests and rank sets by simulation. Every draw is seeded, so
//! that a run is the same on every machine.
//!
//! The default tests are small. Print the tables of the large tests with
//! `cargo test --release -p eyechart-analysis --lib -- --ignored --nocapture simulations`.

mod agree;
mod detection;
mod gate;
mod graded;
mod memory;
mod paired;
mod powered;
mod ranks;
mod shares;
mod steps;

use super::Interval;
use super::student::student;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const LEVEL: f64 = 0.95;

/// Returns the number that an environment variable sets for a larger run, else `ordinary`.
fn amount(variable: &str, ordinary: usize) -> usize {
    let set = std::env::var(variable).ok();
    set.and_then(|set| set.parse().ok()).unwrap_or(ordinary)
}

/// Seeded random numbers.
struct Random(Xoshiro256PlusPlus);

impl Random {
    fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Creates a generator seeded by the name of a setting.
    fn named(name: &str, start: u64) -> Self {
        let hashed = |hash, byte| (hash * 31 + u64::from(byte)) % 1_000_003;
        Self::new(name.bytes().fold(start, hashed))
    }

    /// Draws a uniform number in [0, 1).
    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn happens(&mut self, chance: f64) -> bool {
        self.unit() < chance
    }

    /// Draws a standard normal number.
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    fn exponential(&mut self) -> f64 {
        -(1.0 - self.unit()).ln()
    }

    /// Draws a geometric number, 1 or more.
    fn geometric(&mut self, chance: f64) -> u32 {
        1 + ((1.0 - self.unit()).ln() / (1.0 - chance).ln()) as u32
    }
}

/// Distribution of cluster sizes, in samples.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sizes {
    /// One sample each.
    One,
    /// Four samples each.
    Equal,
    /// Four on average; a quarter of the clusters have 1.
    Geometric,
    /// 1 to 3; the first cluster has 10.
    Heavy,
    /// 1 to 3; the first cluster has 40.
    VeryHeavy,
}

impl Sizes {
    fn of(self, random: &mut Random, cluster: usize) -> u32 {
        let few = |random: &mut Random| 1 + (3.0 * random.unit()) as u32;
        match (self, cluster) {
            (Self::One, _) => 1,
            (Self::Equal, _) => 4,
            (Self::Geometric, _) => random.geometric(0.25),
            (Self::Heavy, 0) => 10,
            (Self::VeryHeavy, 0) => 40,
            (Self::Heavy | Self::VeryHeavy, _) => few(random),
        }
    }
}

/// Name, truth and number of draws of a simulation.
struct Setting {
    name: String,
    /// True mean that intervals should contain.
    truth: f64,
    draws: usize,
}

/// Coverage and width over the draws of one setting.
struct Cell {
    name: String,
    coverage: f64,
    width: f64,
    /// Coverage and width of `mean ± t(G - 1) SE` with the usual cluster-robust error (CR1).
    usual: [f64; 2],
}

impl Cell {
    /// Draws clusters as sums and numbers, and counts how often their interval contains the truth.
    fn new(
        setting: Setting,
        mut clusters: impl FnMut(&mut Random) -> Vec<(f64, u32)>,
        interval: impl Fn(&[(f64, u32)]) -> Option<Interval>,
    ) -> Self {
        let Setting { name, truth, draws } = setting;
        let mut random = Random::new(name.bytes().fold(7, |hash, byte| {
            hash * 31_u64.wrapping_add(u64::from(byte)) % 1_000_003
        }));
        let (mut held, mut width, mut usual) = (0, 0.0, [0.0; 2]);
        for _ in 0..draws {
            let drawn = clusters(&mut random);
            let found = interval(&drawn).expect("an interval");
            held += u32::from(found.low - 1e-12 <= truth && truth <= found.high + 1e-12);
            width += found.high - found.low;
            let [low, high] = usual_interval(&drawn);
            usual[0] += f64::from(u8::from(low <= truth && truth <= high));
            usual[1] += high - low;
        }
        let of = draws as f64;
        Self {
            name,
            coverage: f64::from(held) / of,
            width: width / of,
            usual: usual.map(|sum| sum / of),
        }
    }

    fn print(&self) {
        let [coverage, width] = self.usual;
        println!(
            "{:40} {:.3}, width {:.2} of CR1 (covers {coverage:.3})",
            self.name,
            self.coverage,
            self.width / width
        );
    }
}

/// Computes `mean ± t(G - 1) SE` with the cluster-robust SE and the factor `G / (G - 1)`.
fn usual_interval(clusters: &[(f64, u32)]) -> [f64; 2] {
    let groups = clusters.len() as f64;
    let n: f64 = clusters.iter().map(|(_, n)| f64::from(*n)).sum();
    let mean = clusters.iter().map(|(sum, _)| sum).sum::<f64>() / n;
    let squares: f64 = clusters
        .iter()
        .map(|(sum, of)| (sum - mean * f64::from(*of)).powi(2))
        .sum();
    let error = (groups / (groups - 1.0) * squares).sqrt() / n;
    let reach = student(groups - 1.0, LEVEL).unwrap() * error;
    [mean - reach, mean + reach]
}

/// Asserts bounds on the mean coverage of all cells, and on the coverage of each cell.
fn assert_coverage(cells: &[Cell], mean: [f64; 2], each: [f64; 2]) {
    let found = cells.iter().map(|cell| cell.coverage).sum::<f64>() / cells.len() as f64;
    let all: Vec<String> = cells
        .iter()
        .map(|cell| format!("{} {:.3}", cell.name, cell.coverage))
        .collect();
    assert!(
        (mean[0]..=mean[1]).contains(&found),
        "mean coverage {found}: {all:#?}"
    );
    let outside = cells
        .iter()
        .filter(|cell| !(each[0]..=each[1]).contains(&cell.coverage));
    let outside: Vec<String> = outside
        .map(|cell| format!("{} {:.3}", cell.name, cell.coverage))
        .collect();
    assert!(outside.is_empty(), "{outside:#?}");
}

/// Asserts that intervals are at most 1.15 times as wide as the usual intervals, in cells where the
/// usual intervals cover at least 94 %.
fn assert_width(cells: &[Cell]) {
    let covers = cells.iter().filter(|cell| cell.usual[0] >= 0.94);
    let wide: Vec<String> = covers
        .filter(|cell| cell.width > 1.15 * cell.usual[1])
        .map(|cell| format!("{} {:.2}", cell.name, cell.width / cell.usual[1]))
        .collect();
    assert!(wide.is_empty(), "{wide:#?}");
}
