//! An SVG drawing surface with the primitives that charts need.

use plotters::coord::Shift;
use plotters::prelude::{
    Circle, Color as _, DrawingArea, DrawingAreaErrorKind, IntoDrawingArea, PathElement, Polygon,
    RGBColor, Rectangle, SVGBackend, ShapeStyle, TextStyle,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};

use base::format::{significant, visible};

/// Error of a drawing operation.
pub type DrawError = DrawingAreaErrorKind<std::io::Error>;
/// A drawing area in pixels.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// A point in pixels, from the upper left.
pub type Point = (i32, i32);

/// Average width of a label's character in pixels.
const LETTER: i32 = 7;
/// Letters wider than the average.
const WIDE_LETTERS: &str = "mwMWGOQ@%";
/// Extra width of a wide letter in pixels.
const WIDER: i32 = 4;
/// Factor by which plotters scales font sizes in SVG.
const FONT_SCALE: f64 = 1.24;
/// Font size of labels in pixels.
const FONT_SIZE: f64 = 12.0;

/// The colours of a chart, which the style sheet recognises by value. The series use Okabe and
/// Ito's palette, which colour-blind readers can distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Colour of main text.
    Text,
    /// Colour of secondary text and inconclusive marks.
    Dim,
    /// Colour of axes and grid.
    Rule,
    /// Colour of a series, counted from 0; cycles through four colours.
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
    pub const fn color(self) -> RGBColor {
        match self {
            Self::Text => RGBColor(0x1F, 0x23, 0x28),
            Self::Dim => RGBColor(0x5B, 0x65, 0x70),
            Self::Rule => RGBColor(0xD0, 0xD7, 0xDE),
            Self::Series(at) => Self::SERIES[at % Self::SERIES.len()],
        }
    }
}

/// Shape of a mark, which distinguishes series without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Filled circle.
    Disc,
    /// Filled square.
    Square,
    /// Filled triangle.
    Triangle,
    /// Filled diamond.
    Diamond,
    /// Circle without filling.
    Ring,
}

impl Shape {
    /// Shape of a series, counted from 0; cycles through four shapes.
    pub const fn of_series(at: usize) -> Self {
        match at % 4 {
            0 => Self::Disc,
            1 => Self::Square,
            2 => Self::Triangle,
            _ => Self::Diamond,
        }
    }
}

/// Draws an SVG with a title and a description for screen readers. An error gives an empty drawing.
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

/// A text style with horizontal alignment `across`.
pub fn text_style(ink: Ink, across: HPos) -> TextStyle<'static> {
    TextStyle {
        color: ink.color().to_backend_color(),
        pos: Pos::new(across, VPos::Center),
        ..TextStyle::from(("sans-serif", FONT_SIZE * FONT_SCALE))
    }
}

/// Draws text after making its control characters visible.
pub fn write(
    area: &Area<'_>,
    text: &str,
    ink: Ink,
    across: HPos,
    at: Point,
) -> Result<(), DrawError> {
    area.draw_text(&visible(text), &text_style(ink, across), at)
}

/// Draws a polyline.
pub fn line(area: &Area<'_>, points: Vec<Point>, ink: Ink, width: u32) -> Result<(), DrawError> {
    let style = ShapeStyle {
        color: ink.color().into(),
        filled: false,
        stroke_width: width,
    };
    area.draw(&PathElement::new(points, style))
}

/// Draws a mark centred at a point.
pub fn mark(area: &Area<'_>, shape: Shape, ink: Ink, (x, y): Point) -> Result<(), DrawError> {
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

/// Approximate width of a text in pixels.
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

/// A text cut to a width in pixels, with an ellipsis.
pub fn shortened(text: &str, most: i32) -> String {
    let text = visible(text);
    if width(&text) <= most {
        return text.into_owned();
    }
    let letters = usize::try_from(most / LETTER - 1).unwrap_or_default();
    text.chars().take(letters).chain(['…']).collect()
}

/// An axis range that covers all values with a margin; also defined for one value or none.
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

/// A tick label for a value on an axis. Negative zero is printed as zero.
pub fn tick(value: f64, (low, high): (f64, f64)) -> String {
    if value.abs() < (high - low) * 1e-9 {
        return "0".to_owned();
    }
    significant(value, 3)
}
