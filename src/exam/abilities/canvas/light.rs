//! The light of a rich drawing: where it comes from, and the random grain that it shows.

use noise::{NoiseFn as _, Perlin};

use crate::Rng;

/// The light comes from above, at most so far to the side, in radians.
const ASIDE: f64 = 0.8;
/// How high it stands: the share of its direction that points out of the picture.
const HIGH: f64 = 0.8;
/// How much brighter the picture is where the light comes from than in its middle.
const FALL: f64 = 0.08;
/// Sizes of a grain in units, and how strong it is.
const GRAINS: [(f64, f64); 2] = [(1.3, 0.05), (9.0, 0.05)];

/// One lamp, and a grain of its own for each picture.
#[derive(Clone, Copy, Debug)]
pub struct Light {
    /// Towards the lamp: to the right, downwards, out of the picture; of length 1.
    towards: [f64; 3],
    noise: Perlin,
}

impl Light {
    /// Any light.
    pub fn new(rng: &mut Rng) -> Self {
        let (sine, cosine) = rng.between(-ASIDE, ASIDE).sin_cos();
        let flat = (1.0 - HIGH * HIGH).sqrt();
        #[expect(clippy::cast_possible_truncation, reason = "any 32 bits will do")]
        let seed = rng.bits() as u32;
        Self {
            towards: [flat * sine, -flat * cosine, HIGH],
            noise: Perlin::new(seed),
        }
    }

    /// Where shadows fall: to the right and downwards, of length 1.
    pub fn away(&self) -> [f64; 2] {
        let [x, y, _] = self.towards;
        let flat = x.hypot(y).max(1e-9);
        [-x / flat, -y / flat]
    }

    /// How much light falls on a slope, of that which falls on what is level. The slope is how far the surface leans to the
    /// right and downwards.
    pub fn facing(&self, right: f64, down: f64) -> f64 {
        let [x, y, out] = self.towards;
        let length = (1.0 + right * right + down * down).sqrt();
        ((x * right + y * down + out) / length / out).max(0.0)
    }

    /// How bright a place of the picture is, in units of the canvas, with 1 as the mean.
    pub fn fall(&self, x: f64, y: f64) -> f64 {
        let half = super::LENGTH / 2.0;
        let [away_x, away_y] = self.away();
        1.0 - FALL * ((x - half) * away_x + (y - half) * away_y) / half
    }

    /// How bright the grain of a material is at a place, with 1 as the mean.
    pub fn grain_at(&self, x: f64, y: f64) -> f64 {
        let part = |(size, share): &(f64, f64)| share * self.waves([x / size, y / size, 0.5]);
        1.0 + GRAINS.iter().map(part).sum::<f64>()
    }

    /// Smooth noise about 0.
    pub fn waves(&self, at: [f64; 3]) -> f64 {
        self.noise.get(at)
    }
}
