//! A drawing of so many pixels, and the few things that charts draw on it.

use plotters::coord::Shift;
use plotters::prelude::{
    Circle, Color as _, DrawingArea, DrawingAreaErrorKind, IntoDrawingArea, PathElement, Polygon,
    RGBColor, Rectangle, SVGBackend, ShapeStyle, TextStyle,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};

use format::{significant, visible};

/// What a drawing may fail of.
pub type DrawError = DrawingAreaErrorKind<std::io::Error>;
/// A drawing, in pixels.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// A place in pixels, from the upper left.
pub type Place = (i32, i32);

/// Pixels of a character of a label, on average.
const LETTER: i32 = 7;
/// Letters that take more.
const WIDE_LETTERS: &str = "mwMWGOQ@%";
/// How many pixels more.
const WIDER: i32 = 4;
/// How plotters writes a font size down in SVG.
const FONT_SCALE: f64 = 1.24;
/// The labels' font size in pixels.
const FONT_SIZE: f64 = 12.0;

/// The colours of a chart. The style sheet knows each by its value. The series are Okabe and Ito's, which
/// colour-blind readers tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Words.
    Text,
    /// Secondary words, and marks that say nothing certain.
    Dim,
    /// Axes and grid.
    Rule,
    /// One of the series, counted from 0.
    Series(usize),
}

impl Ink {
    /// The colours of the series.
    const SERIES: [RGBColor; 4] = [
        RGBColor(0x00, 0x72, 0xB2),
        RGBColor(0xD5, 0x5E, 0x00),
        RGBColor(0x00, 0x8A, 0x64),
        RGBColor(0xB0, 0x4A, 0x8C),
    ];

    /// The colour on a light page.
    #[must_use]
    pub const fn color(self) -> RGBColor {
        match self {
            Self::Text => RGBColor(0x1F, 0x23, 0x28),
            Self::Dim => RGBColor(0x5B, 0x65, 0x70),
            Self::Rule => RGBColor(0xD0, 0xD7, 0xDE),
            Self::Series(at) => Self::SERIES[at % Self::SERIES.len()],
        }
    }
}

/// The form of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A disc.
    Disc,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
    /// A diamond.
    Diamond,
    /// A circle that is empty inside.
    Ring,
}

impl Shape {
    /// The shape of a series.
    #[must_use]
    pub const fn of_series(at: usize) -> Self {
        match at % 4 {
            0 => Self::Disc,
            1 => Self::Square,
            2 => Self::Triangle,
            _ => Self::Diamond,
        }
    }
}

/// Draws an SVG with a title and a description. A text cannot fail to be written, so that a failure leaves
/// nothing but an empty drawing.
pub fn svg(
    size: (u32, u32),
    title: &str,
    description: &str,
    draw: impl FnOnce(&Area<'_>) -> Result<(), DrawError>,
) -> String {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        if draw(&area).and_then(|()| area.present()).is_err() {
            return String::new();
        }
    }
    let escape = crate::html::escape;
    let words = format!(
        ">\n<title>{}</title>\n<desc>{}</desc>\n",
        escape(title),
        escape(description)
    );
    text.replacen("<svg ", "<svg role=\"img\" ", 1)
        .replacen(">\n", &words, 1)
}

/// The style of a text.
pub fn text_style(ink: Ink, across: HPos) -> TextStyle<'static> {
    TextStyle {
        color: ink.color().to_backend_color(),
        pos: Pos::new(across, VPos::Center),
        ..TextStyle::from(("sans-serif", FONT_SIZE * FONT_SCALE))
    }
}

/// Writes a text from outside, made harmless.
pub fn write(
    area: &Area<'_>,
    text: &str,
    ink: Ink,
    across: HPos,
    at: Place,
) -> Result<(), DrawError> {
    area.draw_text(&visible(text), &text_style(ink, across), at)
}

/// Draws a line.
pub fn line(area: &Area<'_>, points: Vec<Place>, ink: Ink, width: u32) -> Result<(), DrawError> {
    let style = ShapeStyle {
        color: ink.color().into(),
        filled: false,
        stroke_width: width,
    };
    area.draw(&PathElement::new(points, style))
}

/// Draws a mark.
pub fn mark(area: &Area<'_>, shape: Shape, ink: Ink, (x, y): Place) -> Result<(), DrawError> {
    let style = ShapeStyle {
        color: ink.color().into(),
        filled: shape != Shape::Ring,
        stroke_width: 2,
    };
    match shape {
        Shape::Disc => area.draw(&Circle::new((x, y), 5, style)),
        Shape::Ring => area.draw(&Circle::new((x, y), 4, style)),
        Shape::Square => area.draw(&Rectangle::new([(x - 4, y - 4), (x + 4, y + 4)], style)),
        Shape::Triangle => area.draw(&Polygon::new(
            vec![(x, y - 6), (x + 6, y + 5), (x - 6, y + 5)],
            style,
        )),
        Shape::Diamond => area.draw(&Polygon::new(
            vec![(x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y)],
            style,
        )),
    }
}

/// Pixels that a text takes, about.
pub fn width(text: &str) -> i32 {
    let wide = text.chars().filter(|c| WIDE_LETTERS.contains(*c)).count();
    let letters = unicode_width::UnicodeWidthStr::width(text);
    let pixels = |count: usize, each: i32| {
        i32::try_from(count)
            .unwrap_or(i32::MAX / each)
            .saturating_mul(each)
    };
    pixels(letters, LETTER).saturating_add(pixels(wide, WIDER))
}

/// A text of at most so many pixels; what does not fit is an ellipsis.
pub fn shortened(text: &str, most: i32) -> String {
    let text = visible(text);
    if width(&text) <= most {
        return text.into_owned();
    }
    let letters = usize::try_from(most / LETTER - 1).unwrap_or_default();
    text.chars().take(letters).chain(['…']).collect()
}

/// The range of an axis that shows all values with some air around them. One value, or none, still has a range.
pub fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low > high {
        return (0.0, 1.0);
    }
    let air = match (high - low) * 0.06 {
        air if air > 0.0 => air,
        _ if low == 0.0 => 0.5,
        _ => low.abs() * 0.1,
    };
    (low - air, high + air)
}

/// A value beside an axis of a range. What rounding leaves of zero is zero.
pub fn tick(value: f64, (low, high): (f64, f64)) -> String {
    if value.abs() < (high - low) * 1e-9 {
        return "0".to_owned();
    }
    significant(value, 3)
}
