//! What grounds are made of in a rich drawing.

use super::LENGTH;
use super::light::Light;

/// What the ground of a picture is made of, and where; positions are in units of the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Backdrop {
    /// Nothing: only the light falls unevenly.
    Even,
    /// Paper, or a painted wall.
    Paper,
    /// Flat ground up to a horizon, and sky above.
    Land(f64),
    /// Boards of a floor below a row, and a wall above.
    Boards(f64),
}

/// How strong grass, clouds and wood are.
const GRASS: f64 = 0.18;
const CLOUDS: f64 = 0.05;
const WOOD: f64 = 0.1;
/// Below the horizon the grain of the ground fades in over so many units.
const FADE: f64 = 36.0;

impl Backdrop {
    /// How bright the ground is at a place, with 1 as the mean.
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

/// Ground seen at a grazing angle: finer the nearer it is to the horizon, `below` it.
fn land(x: f64, below: f64, light: &Light) -> f64 {
    // Distances on the ground are inversely proportional to how far below the horizon they are seen.
    let away = 1.0 / below;
    let (across, along) = ((x - LENGTH / 2.0) * away, 60.0 * away);
    let coarse = light.waves([6.0 * across, 6.0 * along, 1.5]);
    let fine = light.waves([30.0 * across, 30.0 * along, 2.5]);
    let blades = light.waves([x / 1.1, below / 2.3, 3.5]);
    let share = GRASS * (below / FADE).min(1.0);
    1.0 + share * (0.5 * coarse + 0.35 * fine + 0.35 * blades)
}
