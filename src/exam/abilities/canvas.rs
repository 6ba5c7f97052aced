//! A square canvas for filled and stroked shapes, which can be drawn at several sizes.

use image::{Rgb, RgbImage};
use kurbo::{Affine, BezPath, Circle, Ellipse, PathEl, Point, Rect, Shape};
use tiny_skia::{
    Color, FillRule, FilterQuality, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap,
    PixmapPaint, Transform,
};

use crate::Rng;
use crate::typeface::Typeface;

mod ground;
mod light;
mod rich;

pub use ground::Backdrop;
pub use light::Light;
pub use rich::Look;

/// Side of every picture, in pixels.
pub const SIDE: u32 = 256;
/// [`SIDE`] as a float.
pub const LENGTH: f64 = 256.0;
/// Maximum distance of a flattened curve from the true curve, in pixels.
const TOLERANCE: f64 = 0.05;
/// Line width of a drawn box, in pixels.
const LINE: u32 = 2;

/// An RGB colour.
pub type Ink = [u8; 3];

/// Colour of the box around the object in question; no other part of a picture has this colour.
pub const RED: Ink = [255, 0, 0];
/// Colour of the box around the object that the object in question is compared with.
pub const BLUE: Ink = [0, 0, 255];

/// A picture as a list of shapes. Positions are in units, [`LENGTH`] per side, so that it can be
/// rendered at any size.
pub struct Canvas(Vec<Stroke>);

/// Colour as a function of the position in units.
type Surface = Box<dyn Fn(f64, f64) -> Ink + Send>;

/// A magnified area of a picture.
#[derive(Clone, Copy, Debug)]
pub struct CloseUp {
    /// Centre of the area, which must lie within the picture.
    pub centre: (f64, f64),
    /// Factor by which the area is magnified.
    pub zoom: f64,
    /// True to mirror the area.
    pub mirrored: bool,
}

impl CloseUp {
    /// A random area that is magnified by at most `zoom`.
    pub fn somewhere(zoom: f64, rng: &mut Rng) -> Self {
        let zoom = rng.between(1.0, zoom);
        let reach = LENGTH / 2.0 / zoom;
        let mut middle = || rng.between(reach, LENGTH - reach + 0.01);
        Self {
            centre: (middle(), middle()),
            zoom,
            mirrored: rng.chance(0.5),
        }
    }
}

/// A shape that is filled, or stroked with a width.
#[derive(Clone, Copy)]
struct DrawnPath<'a> {
    path: &'a BezPath,
    width: Option<f64>,
}

impl<'a> DrawnPath<'a> {
    const fn filled(path: &'a BezPath) -> Self {
        Self { path, width: None }
    }

    const fn stroked(path: &'a BezPath, width: f64) -> Self {
        Self {
            path,
            width: Some(width),
        }
    }
}

/// A drawing step; later ones cover earlier ones.
enum Stroke {
    /// The whole canvas in one colour.
    Ground(Ink),
    /// A filled shape.
    Fill(BezPath, Ink),
    /// A stroked shape with round caps.
    Line(BezPath, f64, Ink),
    /// A vertical gradient between two rows, in `steps` bands.
    Bands {
        rows: (f64, f64),
        inks: (Ink, Ink),
        steps: u8,
    },
    /// A line of text.
    Word {
        face: Typeface,
        text: String,
        at: (f64, f64),
        size: f64,
        ink: Ink,
    },
    /// Colours every pixel by a function of its position.
    Surface(Surface),
    /// Magnifies an area.
    Closer(CloseUp),
    /// Blends a colour over everything, by a share.
    Veil(Ink, f64),
    /// How the following shapes look in a rich drawing.
    Look(Look),
    /// Material of everything drawn so far, in a rich drawing.
    Backdrop(Backdrop),
    /// A soft shadow, in a rich drawing only.
    Shadow(BezPath),
}

impl Canvas {
    /// Creates a canvas filled with one colour.
    pub fn new(ground: Ink) -> Self {
        Self(vec![Stroke::Ground(ground)])
    }

    /// Fills a shape with a colour.
    pub fn fill(&mut self, shape: &impl Shape, ink: Ink) {
        self.0.push(Stroke::Fill(shape.to_path(TOLERANCE), ink));
    }

    /// Strokes a shape with round caps.
    pub fn stroke(&mut self, shape: &impl Shape, width: f64, ink: Ink) {
        let path = shape.to_path(TOLERANCE);
        self.0.push(Stroke::Line(path, width, ink));
    }

    /// Draws a filled circle.
    pub fn disc(&mut self, (x, y): (f64, f64), radius: f64, ink: Ink) {
        self.fill(&Circle::new((x, y), radius), ink);
    }

    /// Draws a filled axis-aligned ellipse.
    pub fn oval(&mut self, (x, y): (f64, f64), (rx, ry): (f64, f64), ink: Ink) {
        self.fill(&Ellipse::new((x, y), (rx, ry), 0.0), ink);
    }

    /// Draws a filled ellipse rotated by an angle in radians.
    pub fn tilted_oval(&mut self, centre: (f64, f64), radii: (f64, f64), angle: f64, ink: Ink) {
        self.fill(&Ellipse::new(centre, radii, angle), ink);
    }

    /// Draws a filled rectangle `[x0, y0, x1, y1]`.
    pub fn rect(&mut self, [x0, y0, x1, y1]: [f64; 4], ink: Ink) {
        self.fill(&Rect::new(x0, y0, x1, y1), ink);
    }

    /// Draws a filled polygon.
    pub fn polygon(&mut self, corners: &[(f64, f64)], ink: Ink) {
        let mut path = line(corners);
        path.close_path();
        self.fill(&path, ink);
    }

    /// Draws a polyline with round caps.
    pub fn line(&mut self, points: &[(f64, f64)], width: f64, ink: Ink) {
        self.stroke(&line(points), width, ink);
    }

    /// Draws a vertical gradient between the rows `from` and `to`, in `steps` bands; smooth in a
    /// rich drawing.
    pub fn bands(&mut self, (from, to): (f64, f64), (first, last): (Ink, Ink), steps: u8) {
        self.0.push(Stroke::Bands {
            rows: (from, to),
            inks: (first, last),
            steps,
        });
    }

    /// Makes all gradients so far smooth.
    pub fn smooth(&mut self) {
        for stroke in &mut self.0 {
            if let Stroke::Bands { steps, .. } = stroke {
                *steps = u8::MAX;
            }
        }
    }

    /// Draws text; `at` is its upper left corner, `size` the line height.
    pub fn word(&mut self, face: Typeface, text: &str, at: (f64, f64), size: f64, ink: Ink) {
        self.0.push(Stroke::Word {
            face,
            text: text.to_owned(),
            at,
            size,
            ink,
        });
    }

    /// Strokes a box `[x0, y0, x1, y1]` in whole units without antialiasing.
    pub fn frame(&mut self, corners: [f64; 4], ink: Ink) {
        let [x0, y0, x1, y1] = corners.map(|at| at.round().clamp(0.0, LENGTH));
        let line = f64::from(LINE);
        self.rect([x0, y0, x1, y0 + line], ink);
        self.rect([x0, y1 - line, x1, y1], ink);
        self.rect([x0, y0, x0 + line, y1], ink);
        self.rect([x1 - line, y0, x1, y1], ink);
    }

    /// Sets every pixel from a function of its position.
    pub fn paint(&mut self, ink: impl Fn(f64, f64) -> Ink + Send + 'static) {
        self.0.push(Stroke::Surface(Box::new(ink)));
    }

    /// Magnifies an area to the whole picture.
    pub fn closer(&mut self, area: CloseUp) {
        self.0.push(Stroke::Closer(area));
    }

    /// Blends a colour over the whole picture, to imitate another time of day.
    pub fn veil(&mut self, ink: Ink, share: f64) {
        self.0.push(Stroke::Veil(ink, share));
    }

    /// Sets how the following shapes look in a rich drawing.
    pub fn look(&mut self, look: Look) {
        self.0.push(Stroke::Look(look));
    }

    /// Gives everything drawn so far a material, in a rich drawing.
    pub fn backdrop(&mut self, backdrop: Backdrop) {
        self.0.push(Stroke::Backdrop(backdrop));
    }

    /// Draws a soft shadow on the ground around an object's foot, in a rich drawing.
    pub fn foot(&mut self, (x, y): (f64, f64), reach: f64) {
        let shadow = Ellipse::new((x, y), (reach, 0.22 * reach), 0.0);
        self.0.push(Stroke::Shadow(shadow.to_path(TOLERANCE)));
    }

    /// Renders at one pixel per unit.
    pub fn pixels(&self) -> RgbImage {
        self.pixels_at(1)
    }

    /// Renders at `scale` pixels per unit; empty if memory is insufficient.
    pub fn pixels_at(&self, scale: u32) -> RgbImage {
        let side = SIDE * scale;
        let Some(mut pixmap) = Pixmap::new(side, side) else {
            return RgbImage::default();
        };
        for stroke in &self.0 {
            stroke.draw(&mut pixmap, f64::from(scale));
        }
        rgb(&pixmap)
    }
}

impl Stroke {
    fn draw(&self, pixmap: &mut Pixmap, scale: f64) {
        let transform = Transform::from_scale(short(scale), short(scale));
        match self {
            Self::Ground(ink) => pixmap.fill(color(*ink)),
            Self::Fill(shape, ink) => put(pixmap, DrawnPath::filled(shape), *ink, transform),
            Self::Line(shape, width, ink) => {
                put(pixmap, DrawnPath::stroked(shape, *width), *ink, transform);
            }
            Self::Bands {
                rows: (from, to),
                inks: (first, last),
                steps,
            } => {
                let height = (to - from) / f64::from(*steps);
                for step in 0..*steps {
                    let share = f64::from(step) / f64::from(steps.saturating_sub(1).max(1));
                    let top = from + height * f64::from(step);
                    let band = Rect::new(0.0, top, LENGTH, top + height + 1.0).to_path(TOLERANCE);
                    put(
                        pixmap,
                        DrawnPath::filled(&band),
                        mixed(*first, *last, share),
                        transform,
                    );
                }
            }
            Self::Word {
                face,
                text,
                at,
                size,
                ink,
            } => {
                let mut pixels = rgb(pixmap);
                let at = (short(at.0 * scale), short(at.1 * scale));
                face.draw(&mut pixels, text, at, short(size * scale), Rgb(*ink));
                for (under, over) in pixmap.data_mut().chunks_exact_mut(4).zip(pixels.pixels()) {
                    for (channel, value) in under.iter_mut().zip(over.0) {
                        *channel = value;
                    }
                }
            }
            Self::Surface(ink) => {
                let side = pixmap.width();
                for (at, pixel) in (0..).zip(pixmap.data_mut().chunks_exact_mut(4)) {
                    let (x, y): (u32, u32) = (at % side, at / side);
                    let ink = ink(f64::from(x) / scale, f64::from(y) / scale);
                    for (channel, value) in pixel.iter_mut().zip(ink) {
                        *channel = value;
                    }
                }
            }
            Self::Closer(area) => closer(pixmap, *area, scale),
            Self::Veil(ink, share) => {
                for pixel in pixmap.data_mut().chunks_exact_mut(4) {
                    if let [r, g, b, _] = pixel {
                        [*r, *g, *b] = mixed([*r, *g, *b], *ink, *share);
                    }
                }
            }
            Self::Look(_) | Self::Backdrop(_) | Self::Shadow(_) => {}
        }
    }
}

/// Fills a shape, or strokes it with a width.
fn put(pixmap: &mut Pixmap, form: DrawnPath<'_>, ink: Ink, transform: Transform) {
    let Some(path) = path(form.path) else { return };
    let Some(width) = form.width else {
        pixmap.fill_path(&path, &paint(ink), FillRule::EvenOdd, transform, None);
        return;
    };
    let stroke = tiny_skia::Stroke {
        width: short(width),
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        ..tiny_skia::Stroke::default()
    };
    pixmap.stroke_path(&path, &paint(ink), &stroke, transform, None);
}

/// Magnifies an area of a picture with `scale` pixels per unit.
fn closer(pixmap: &mut Pixmap, area: CloseUp, scale: f64) {
    let CloseUp {
        centre,
        zoom,
        mirrored,
    } = area;
    let centre = (centre.0 * scale, centre.1 * scale);
    let before = pixmap.clone();
    let across = if mirrored { -zoom } else { zoom };
    let half = f64::from(pixmap.width()) / 2.0;
    let transform = Transform::from_row(
        short(across),
        0.0,
        0.0,
        short(zoom),
        short(half - across * centre.0),
        short(half - zoom * centre.1),
    );
    let paint = PixmapPaint {
        quality: FilterQuality::Bilinear,
        ..PixmapPaint::default()
    };
    pixmap.draw_pixmap(0, 0, before.as_ref(), &paint, transform, None);
}

fn rgb(pixmap: &Pixmap) -> RgbImage {
    let colors = pixmap.data().chunks_exact(4);
    let colors = colors.flat_map(|pixel| pixel.iter().copied().take(3));
    RgbImage::from_raw(pixmap.width(), pixmap.height(), colors.collect()).unwrap_or_default()
}

/// Transform from the unit square `[0, 1] x [0, 1]` to a box.
pub fn into_box([x0, y0, x1, y1]: [f64; 4]) -> Affine {
    Affine::new([x1 - x0, 0.0, 0.0, y1 - y0, x0, y0])
}

/// Mixes two colours; `share` is the weight of the second.
pub fn mixed(one: Ink, other: Ink, share: f64) -> Ink {
    let mut both = one;
    for (channel, other) in both.iter_mut().zip(other) {
        *channel = byte(f64::from(*channel) * (1.0 - share) + f64::from(other) * share);
    }
    both
}

/// Rounds and clamps a channel to 0 to 255.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a byte"
)]
pub fn byte(value: f64) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

fn line(points: &[(f64, f64)]) -> BezPath {
    let mut path = BezPath::new();
    for (at, point) in points.iter().enumerate() {
        if at == 0 {
            path.move_to(*point);
        } else {
            path.line_to(*point);
        }
    }
    path
}

fn color([r, g, b]: Ink) -> Color {
    Color::from_rgba8(r, g, b, 255)
}

fn paint(ink: Ink) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(color(ink));
    paint.anti_alias = true;
    paint
}

#[expect(clippy::cast_possible_truncation, reason = "pixels of a small picture")]
fn short(number: f64) -> f32 {
    number as f32
}

fn path(shape: &BezPath) -> Option<Path> {
    let mut path = PathBuilder::new();
    let at = |point: Point| (short(point.x), short(point.y));
    for element in shape.elements() {
        match *element {
            PathEl::MoveTo(to) => path.move_to(at(to).0, at(to).1),
            PathEl::LineTo(to) => path.line_to(at(to).0, at(to).1),
            PathEl::QuadTo(over, to) => {
                path.quad_to(at(over).0, at(over).1, at(to).0, at(to).1);
            }
            PathEl::CurveTo(one, other, to) => path.cubic_to(
                at(one).0,
                at(one).1,
                at(other).0,
                at(other).1,
                at(to).0,
                at(to).1,
            ),
            PathEl::ClosePath => path.close(),
        }
    }
    path.finish()
}
