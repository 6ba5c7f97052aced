//! Light of a rich drawing: its direction, and random grain.

use noise::{NoiseFn as _, Perlin};

use crate::Rng;

/// Maximum sideways angle of the light from above, in radians.
const ASIDE: f64 = 0.8;
/// Share of the light's direction that points out of the picture.
const HIGH: f64 = 0.8;
/// Extra brightness at the lit edge, compared with the centre.
const FALL: f64 = 0.08;
/// Grain sizes in units, with their contrasts.
const GRAINS: [(f64, f64); 2] = [(1.3, 0.05), (9.0, 0.05)];

/// A lamp, and random grain for one picture.
#[derive(Clone, Copy, Debug)]
pub struct Light {
    /// Unit vector towards the lamp: right, down, out of the picture.
    towards: [f64; 3],
    noise: Perlin,
}

impl Light {
    /// Creates light from a random direction.
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

    /// Unit vector in which shadows fall: right, down.
    pub fn away(&self) -> [f64; 2] {
        let [x, y, _] = self.towards;
        let flat = x.hypot(y).max(1e-9);
        [-x / flat, -y / flat]
    }

    /// Light on a sloped surface relative to a level one. The arguments are the slopes to the right
    /// and downwards.
    pub fn facing(&self, right: f64, down: f64) -> f64 {
        let [x, y, out] = self.towards;
        let length = (1.0 + right * right + down * down).sqrt();
        ((x * right + y * down + out) / length / out).max(0.0)
    }

    /// Relative brightness at a position in units of the canvas; the mean is 1.
    pub fn fall(&self, x: f64, y: f64) -> f64 {
        let half = super::LENGTH / 2.0;
        let [away_x, away_y] = self.away();
        1.0 - FALL * ((x - half) * away_x + (y - half) * away_y) / half
    }

    /// Relative brightness of a material's grain at a position; the mean is 1.
    pub fn grain_at(&self, x: f64, y: f64) -> f64 {
        let part = |(size, share): &(f64, f64)| share * self.waves([x / size, y / size, 0.5]);
        1.0 + GRAINS.iter().map(part).sum::<f64>()
    }

    /// Smooth noise with mean 0.
    pub fn waves(&self, at: [f64; 3]) -> f64 {
        self.noise.get(at)
    }
}
