//! Which way a benchmark turns its pictures: as its own turned pictures show, else as it is known to do.

use std::collections::BTreeMap;

use super::sample::Sample;
use media::{Source, Turn};

/// Samples of a benchmark that are looked at until one tells.
const LOOKED_AT: usize = 5;
/// Benchmarks whose rotations count against the clock: `TDBench`'s own pictures of 90 degrees do.
const COUNTER_CLOCKWISE: [&str; 1] = ["tdbench"];

/// Which way the degrees of a rotation count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spin {
    /// With the clock.
    #[default]
    Clockwise,
    /// Against the clock.
    CounterClockwise,
}

impl Spin {
    /// The turn of so many degrees.
    #[must_use]
    pub fn turn(self, degrees: Turn) -> Turn {
        match self {
            Self::Clockwise => degrees,
            Self::CounterClockwise => Turn::EACH[usize::from((360 - degrees.degrees()) % 360 / 90)],
        }
    }

    /// `clockwise`, `counter-clockwise`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clockwise => "clockwise",
            Self::CounterClockwise => "counter-clockwise",
        }
    }
}

/// The spin of each benchmark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spins(BTreeMap<String, (Spin, bool)>);

impl Spins {
    /// Looks at the samples that have turned pictures of their own. Opens a few pictures.
    #[must_use]
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

    /// The spin of a benchmark.
    #[must_use]
    pub fn get(&self, benchmark: &str) -> Spin {
        self.0
            .get(benchmark)
            .map_or_else(|| known(benchmark), |(spin, _)| *spin)
    }

    /// How pictures are turned, one sentence for each way.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let words = |(benchmark, (spin, is_seen)): (&String, &(Spin, bool))| {
            let why = if *is_seen {
                ", as in the log's own turned pictures"
            } else {
                ""
            };
            let benchmark = if benchmark.is_empty() {
                "the pictures"
            } else {
                benchmark
            };
            format!("{benchmark}: degrees count {}{why}", spin.name())
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

/// The spin that a sample's own pictures show.
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
