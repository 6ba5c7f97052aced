//! Draws the mouth of a face.

use kurbo::BezPath;

use super::{DARK, Face};
use crate::abilities::canvas::Canvas;

impl Face {
    /// Draws the mouth for an emotion, given by index.
    pub(super) fn mouth(&self, canvas: &mut Canvas, emotion: usize) {
        let size = self.radius;
        match emotion {
            0 => {
                let mut path = BezPath::new();
                path.move_to(self.point(-0.44, -0.36));
                path.quad_to(self.point(0.0, -1.1), self.point(0.44, -0.36));
                path.close_path();
                canvas.fill(&path, [150, 40, 50]);
                let teeth = [(-0.38, -0.37), (0.38, -0.37), (0.3, -0.48), (-0.3, -0.48)];
                canvas.polygon(&teeth.map(|(x, y)| self.point(x, y)), [250, 250, 245]);
            }
            1 => self.arc(canvas, (0.0, -0.68), (0.34, 0.13), 0.07),
            2 => self.teeth(canvas, -0.56, 0.12),
            3 => self.wave(canvas),
            4 => self.oval(canvas, (0.0, -0.6), (0.17, 0.25), [110, 35, 45]),
            5 => canvas.line(
                &[self.point(-0.28, -0.56), self.point(0.28, -0.56)],
                size * 0.06,
                DARK,
            ),
            _ => {
                self.arc(canvas, (0.0, -0.6), (0.36, 0.1), 0.07);
                let mut tongue = BezPath::new();
                tongue.move_to(self.point(0.0, -0.54));
                tongue.curve_to(
                    self.point(0.02, -0.95),
                    self.point(0.3, -0.95),
                    self.point(0.28, -0.58),
                );
                tongue.close_path();
                canvas.fill(&tongue, [225, 95, 110]);
            }
        }
    }

    /// Draws clenched teeth.
    fn teeth(&self, canvas: &mut Canvas, y: f64, high: f64) {
        let width = self.radius * 0.045;
        let corners = [
            (-0.34, y - high),
            (0.34, y - high),
            (0.26, y + high),
            (-0.26, y + high),
        ];
        canvas.polygon(&corners.map(|(x, y)| self.point(x, y)), [250, 250, 245]);
        let closed = [corners[0], corners[1], corners[2], corners[3], corners[0]];
        canvas.line(&closed.map(|(x, y)| self.point(x, y)), width, DARK);
        canvas.line(
            &[self.point(-0.3, y), self.point(0.3, y)],
            width * 0.7,
            DARK,
        );
        for x in [-0.15, 0.0, 0.15] {
            canvas.line(
                &[self.point(x, y - high), self.point(x, y + high)],
                width * 0.7,
                DARK,
            );
        }
    }

    /// Draws a trembling mouth.
    fn wave(&self, canvas: &mut Canvas) {
        let points: Vec<(f64, f64)> = (0..9_i8)
            .map(|at| {
                let up = if at % 2 == 0 { 0.06 } else { -0.06 };
                self.point(-0.36 + 0.09 * f64::from(at), -0.6 + up)
            })
            .collect();
        canvas.line(&points, self.radius * 0.07, DARK);
    }
}
