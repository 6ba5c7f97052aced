//! A pinhole camera above flat ground, with which depths are exact.

/// A camera that looks along the ground. Lengths are in metres, picture coordinates in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Ground {
    /// Row of the horizon, in pixels.
    pub horizon: f64,
    /// Focal length in pixels.
    pub focal: f64,
    /// Height of the camera above the ground, in metres.
    pub height: f64,
}

impl Ground {
    /// Projects the point `right` of the camera, `up` from the ground and `ahead`, in metres, to
    /// pixels.
    pub fn point(&self, right: f64, up: f64, ahead: f64) -> (f64, f64) {
        let scale = self.focal / ahead;
        (
            super::canvas::LENGTH / 2.0 + right * scale,
            self.horizon + (self.height - up) * scale,
        )
    }

    /// Minimum depth at which the ground is visible, in metres.
    pub fn nearest(&self) -> f64 {
        self.focal * self.height / (super::canvas::LENGTH - self.horizon)
    }

    /// Box of an upright rectangle on the ground that faces the camera, centred at `right`; in
    /// whole pixels.
    pub fn standing(&self, right: f64, ahead: f64, (width, height): (f64, f64)) -> [f64; 4] {
        let (x0, y0) = self.point(right - width / 2.0, height, ahead);
        let (x1, y1) = self.point(right + width / 2.0, 0.0, ahead);
        [x0, y0, x1, y1].map(f64::round)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_as_far_is_half_as_large() {
        let ground = Ground {
            horizon: 80.0,
            focal: 200.0,
            height: 1.5,
        };
        let size = |ahead: f64| {
            let (_, top) = ground.point(0.0, 1.0, ahead);
            let (_, foot) = ground.point(0.0, 0.0, ahead);
            foot - top
        };
        assert!((size(2.0) - 2.0 * size(4.0)).abs() < 1e-9);
        let (_, row) = ground.point(3.0, 0.0, ground.nearest());
        assert!((row - 256.0).abs() < 1e-9);
        assert_eq!(ground.point(0.0, 1.5, 7.0), (128.0, 80.0));
    }
}
