//! Colour scales for ranks and differences, perceptually uniform: equal steps look equal.

use colorous::Gradient;

use super::color::{Rgb, mix};

/// Colour maps by name. Brightness changes evenly in all of them, also for colour-blind viewers.
pub const MAPS: [(&str, Gradient); 4] = [
    ("cividis", colorous::CIVIDIS),
    ("viridis", colorous::VIRIDIS),
    ("magma", colorous::MAGMA),
    ("inferno", colorous::INFERNO),
];

/// A colour for each number from 0 to 1.
#[derive(Clone, Debug)]
pub enum Ramp {
    /// One of [`MAPS`]. 0 is the bright end, or the dark end if `reversed`.
    Map {
        /// The colour map.
        gradient: Gradient,
        /// True if 0 is the dark end.
        reversed: bool,
    },
    /// Linear interpolation between these colours, at least one.
    Stops(Vec<Rgb>),
}

impl Ramp {
    /// Returns the colour at `t`, clamped to 0 to 1.
    pub fn at(&self, t: f64) -> Rgb {
        let t = t.clamp(0.0, 1.0);
        match self {
            Self::Map { gradient, reversed } => gradient
                .eval_continuous(if *reversed { t } else { 1.0 - t })
                .as_array(),
            Self::Stops(stops) => between(stops, t),
        }
    }
}

/// Interpolates between `stops` at `t`.
fn between(stops: &[Rgb], t: f64) -> Rgb {
    let mut start = 0.0;
    let step = 1.0
        / f64::from(
            u32::try_from(stops.len().saturating_sub(1))
                .unwrap_or(u32::MAX)
                .max(1),
        );
    for pair in stops.windows(2) {
        if t <= start + step {
            return mix(pair[0], pair[1], (t - start) / step);
        }
        start += step;
    }
    stops.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_are_met_exactly() {
        let ramp = Ramp::Stops(vec![[0, 0, 0], [100, 0, 0], [100, 200, 0]]);
        assert_eq!(ramp.at(-1.0), [0, 0, 0]);
        assert_eq!(ramp.at(0.5), [100, 0, 0]);
        assert_eq!(ramp.at(0.75), [100, 100, 0]);
        assert_eq!(ramp.at(7.0), [100, 200, 0]);
    }

    #[test]
    fn best_is_the_bright_end_unless_reversed() {
        use super::super::color::luminance;
        for (name, gradient) in MAPS {
            let bright = Ramp::Map {
                gradient,
                reversed: false,
            };
            let dark = Ramp::Map {
                gradient,
                reversed: true,
            };
            assert!(
                luminance(bright.at(0.0)) > luminance(bright.at(1.0)),
                "{name}"
            );
            assert!(luminance(dark.at(0.0)) < luminance(dark.at(1.0)), "{name}");
        }
    }
}
