//! Materials of the ground in a rich drawing.

use super::LENGTH;
use super::light::Light;

/// Material of a picture's ground; positions are in units of the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Backdrop {
    /// No material, only uneven light.
    Even,
    /// Paper, or a painted wall.
    Paper,
    /// Ground up to a horizon row, and sky above.
    Land(f64),
    /// Floor boards below a row, and a wall above.
    Boards(f64),
}

/// Contrast of grass, clouds and wood.
const GRASS: f64 = 0.18;
const CLOUDS: f64 = 0.05;
const WOOD: f64 = 0.1;
/// Units below the horizon over which the ground's grain fades in.
const FADE: f64 = 36.0;

impl Backdrop {
    /// Relative brightness of the ground at a position; the mean is 1.
    pub fn at(self, x: f64, y: f64, light: &Light) -> f64 {
        let grain = match self {
            Self::Even => 1.0,
            Self::Land(horizon) if y > horizon => land(x, y - horizon, light),
            Self::Land(_) => {
                let cloud = light.waves([x / 70.0, y / 24.0, 3.5]);
                1.0 + CLOUDS * (cloud + 0.5 * light.waves([x / 26.0, y / 11.0, 4.5]))
            }
            Self::Boards(top) if y > top => {
                let fibre = light.waves([x / 60.0, y / 1.6, 1.5]);
                1.0 + WOOD * (fibre + 0.5 * light.waves([x / 14.0, y / 0.9, 2.5]))
            }
            Self::Paper | Self::Boards(_) => light.grain_at(x, y),
        };
        grain * light.fall(x, y)
    }
}

/// Grain of ground seen at a grazing angle, finer near the horizon; `below` is the distance from
/// the horizon.
fn land(x: f64, below: f64, light: &Light) -> f64 {
    // Distance along the ground is inversely proportional to the distance below the horizon.
    let away = 1.0 / below;
    let (across, along) = ((x - LENGTH / 2.0) * away, 60.0 * away);
    let coarse = light.waves([6.0 * across, 6.0 * along, 1.5]);
    let fine = light.waves([30.0 * across, 30.0 * along, 2.5]);
    let blades = light.waves([x / 1.1, below / 2.3, 3.5]);
    let share = GRASS * (below / FADE).min(1.0);
    1.0 + share * (0.5 * coarse + 0.35 * fine + 0.35 * blades)
}
