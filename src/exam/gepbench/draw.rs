//! Draws figures as coloured outlines on white.

use image::{Rgb, RgbImage};
use kurbo::{BezPath, PathEl, Point};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap, Stroke, Transform,
};

use super::{Figure, Shape, ShapeKind};
use crate::Rng;

/// Width and height of a figure in pixels (section 4.1).
pub const SIDE: u32 = 640;
/// Range of outline widths in pixels.
const WIDTH: (f64, f64) = (5.0, 7.0);
/// Dark, clearly different colours with their names.
const COLORS: [(&str, [u8; 3]); 10] = [
    ("black", [0, 0, 0]),
    ("red", [213, 40, 30]),
    ("blue", [0, 90, 200]),
    ("green", [0, 130, 60]),
    ("orange", [225, 120, 0]),
    ("purple", [125, 50, 170]),
    ("brown", [120, 75, 30]),
    ("cyan", [0, 160, 190]),
    ("pink", [230, 80, 160]),
    ("grey", [115, 115, 115]),
];

/// A drawn figure: colours, line width and pixels.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// Colour of each shape.
    pub colors: Vec<Rgb<u8>>,
    /// Name of each shape's colour.
    pub color_names: Vec<&'static str>,
    /// Width of outlines in pixels.
    pub width: f64,
    canvas: Option<Pixmap>,
}

impl Drawing {
    /// Pixels of the drawing, on white.
    pub fn pixels(&self) -> RgbImage {
        self.canvas
            .as_ref()
            .map_or_else(|| RgbImage::new(SIDE, SIDE), opaque)
    }
}

/// Draws a figure with random colours and line width.
pub fn draw(figure: &Figure, rng: &mut Rng) -> Drawing {
    let mut palette = COLORS;
    rng.shuffle(&mut palette);
    let width = rng.between(WIDTH.0, WIDTH.1);
    let chosen: Vec<_> = palette.iter().cycle().take(figure.shapes.len()).collect();
    let colors: Vec<Rgb<u8>> = chosen.iter().map(|(_, color)| Rgb(*color)).collect();
    let paths: Vec<BezPath> = figure.shapes.iter().map(Shape::path).collect();
    let canvas = outlines(figure, &paths, &colors, width);
    Drawing {
        colors,
        color_names: chosen.iter().map(|(name, _)| *name).collect(),
        width,
        canvas,
    }
}

/// Strokes the paths of a figure's shapes on white, lines last so that an axis is not hidden.
///
/// Each shape gets its own half of a shared edge, so that no shape looks open.
pub fn outlines(
    figure: &Figure,
    paths: &[BezPath],
    colors: &[Rgb<u8>],
    width: f64,
) -> Option<Pixmap> {
    let mut canvas = Pixmap::new(SIDE, SIDE)?;
    canvas.fill(Color::WHITE);
    #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
    let stroke = Stroke {
        width: width as f32,
        line_join: LineJoin::Round,
        line_cap: LineCap::Butt,
        ..Stroke::default()
    };
    let shapes = figure.shapes.iter().zip(paths.iter().zip(colors));
    let mut shapes: Vec<_> = shapes.enumerate().collect();
    shapes.sort_by_key(|(_, (shape, _))| shape.kind == ShapeKind::Line);
    for (at, (_, (path, color))) in shapes {
        let mut paint = Paint::default();
        let [red, green, blue] = color.0;
        paint.set_color_rgba8(red, green, blue, 255);
        let neighbour = figure.neighbour_before(at);
        let kept = neighbour.and_then(|neighbour| outside(paths.get(neighbour)?));
        if let Some(path) = scaled(path) {
            let upright = Transform::identity();
            canvas.stroke_path(&path, &paint, &stroke, upright, kept.as_ref());
        }
    }
    Some(canvas)
}

/// Mask of everything outside a closed path.
fn outside(path: &BezPath) -> Option<Mask> {
    let mut mask = Mask::new(SIDE, SIDE)?;
    mask.fill_path(
        &scaled(path)?,
        FillRule::Winding,
        true,
        Transform::identity(),
    );
    mask.invert();
    Some(mask)
}

/// A path from the unit square scaled to pixels.
pub fn scaled(path: &BezPath) -> Option<Path> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a pixel's place needs no more"
    )]
    let place = |point: Point| {
        let point = point.to_vec2() * f64::from(SIDE);
        (point.x as f32, point.y as f32)
    };
    let mut builder = PathBuilder::new();
    for element in path.elements() {
        match *element {
            PathEl::MoveTo(to) => {
                let (x, y) = place(to);
                builder.move_to(x, y);
            }
            PathEl::LineTo(to) => {
                let (x, y) = place(to);
                builder.line_to(x, y);
            }
            PathEl::QuadTo(by, to) => {
                let ((x1, y1), (x, y)) = (place(by), place(to));
                builder.quad_to(x1, y1, x, y);
            }
            PathEl::CurveTo(by, then, to) => {
                let ((x1, y1), (x2, y2), (x, y)) = (place(by), place(then), place(to));
                builder.cubic_to(x1, y1, x2, y2, x, y);
            }
            PathEl::ClosePath => builder.close(),
        }
    }
    builder.finish()
}

/// Converts an opaque pixmap to RGB.
pub fn opaque(canvas: &Pixmap) -> RgbImage {
    let colors = canvas.pixels().iter();
    let bytes = colors.flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
    RgbImage::from_raw(canvas.width(), canvas.height(), bytes.collect())
        .unwrap_or_else(|| RgbImage::new(SIDE, SIDE))
}
