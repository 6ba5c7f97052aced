//! Direction in which benchmarks rotate their pictures, from their own rotated pictures or a list.

use std::collections::BTreeMap;

use super::sample::Sample;
use media::{Source, Turn};

/// Maximum number of samples of a benchmark that are compared.
const LOOKED_AT: usize = 5;
/// Benchmarks that rotate anticlockwise, as `TDBench`'s own pictures do.
const COUNTER_CLOCKWISE: [&str; 1] = ["tdbench"];

base::named_enum! {
    /// Direction in which degrees of a rotation are counted.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Spin {
        /// Clockwise, the default.
        #[default]
        Clockwise = "clockwise",
        /// Anticlockwise, as in `TDBench`.
        CounterClockwise = "counter-clockwise",
    }
}

impl Spin {
    /// Converts degrees in this direction to a clockwise rotation.
    pub fn turn(self, degrees: Turn) -> Turn {
        match self {
            Self::Clockwise => degrees,
            Self::CounterClockwise => Turn::EACH[usize::from((360 - degrees.degrees()) % 360 / 90)],
        }
    }
}

/// Direction of each benchmark, and whether its pictures show it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spins(BTreeMap<String, (Spin, bool)>);

impl Spins {
    /// Finds the direction of each benchmark from samples with rotated
    /// pictures. Opens a few pictures.
    pub fn of(samples: &[Sample]) -> Self {
        let mut spins = BTreeMap::new();
        for sample in samples {
            let benchmark = &sample.record.benchmark;
            if spins.contains_key(benchmark) {
                continue;
            }
            let alike = samples
                .iter()
                .filter(|other| other.record.benchmark == *benchmark);
            let turned =
                alike.filter(|other| other.turned.keys().any(|degrees| degrees % 180 == 90));
            let seen = turned.take(LOOKED_AT).find_map(seen);
            spins.insert(
                benchmark.clone(),
                (seen.unwrap_or_else(|| known(benchmark)), seen.is_some()),
            );
        }
        Self(spins)
    }

    /// Returns the direction of a benchmark.
    pub fn get(&self, benchmark: &str) -> Spin {
        self.0
            .get(benchmark)
            .map_or_else(|| known(benchmark), |(spin, _)| *spin)
    }

    /// Describes the direction of each benchmark in a sentence.
    pub fn words(&self) -> Vec<String> {
        let words = |(benchmark, (spin, is_seen)): (&String, &(Spin, bool))| {
            let why = if *is_seen {
                ", as in the log's own rotated pictures"
            } else {
                ""
            };
            let benchmark = if benchmark.is_empty() {
                "the pictures"
            } else {
                benchmark
            };
            format!("{benchmark}: rotation angles are {}{why}", spin.name())
        };
        self.0.iter().map(words).collect()
    }
}

fn known(benchmark: &str) -> Spin {
    if COUNTER_CLOCKWISE.contains(&benchmark) {
        Spin::CounterClockwise
    } else {
        Spin::Clockwise
    }
}

/// Returns the direction that a sample's own pictures show.
fn seen(sample: &Sample) -> Option<Spin> {
    let load = |sources: &[Source]| media::load(sources.first()?).ok();
    let before = load(&sample.pictures)?;
    sample.turned.iter().find_map(|(degrees, turned)| {
        let turn = Turn::between(&before.pixels, &load(&turned.pictures)?.pixels)?;
        match (*degrees, turn.degrees()) {
            (90, 90) | (270, 270) => Some(Spin::Clockwise),
            (90, 270) | (270, 90) => Some(Spin::CounterClockwise),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_against_the_clock_is_three_with_it() {
        let [none, right, half, left] = Turn::EACH;
        let turned = |turn| Spin::CounterClockwise.turn(turn);
        assert_eq!(
            [none, right, half, left].map(turned),
            [none, left, half, right]
        );
        assert_eq!(Spins::default().get("tdbench"), Spin::CounterClockwise);
        assert_eq!(Spins::default().get("exam-topdown"), Spin::Clockwise);
    }
}
