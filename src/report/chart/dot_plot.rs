//! A dot plot: one row per name, with marks and intervals on a common axis.

use plotters::prelude::ChartBuilder;
use plotters::style::TRANSPARENT;
use plotters::style::text_anchor::HPos;

use super::canvas::{
    Area, DrawError, Ink, Shape, line, mark, shortened, span, svg, text_style, tick, width, write,
};
use base::format::visible;

/// A value with its interval, drawn as one mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChartMark {
    /// Position on the axis.
    pub value: f64,
    /// The ends of the interval.
    pub interval: Option<(f64, f64)>,
    /// Shape, which distinguishes marks without colour.
    pub shape: Shape,
    /// Colour of mark and interval.
    pub ink: Ink,
}

impl ChartMark {
    /// A disc in the first colour.
    pub const fn disc(value: f64, interval: Option<(f64, f64)>) -> Self {
        Self {
            value,
            interval,
            shape: Shape::Disc,
            ink: Ink::Series(0),
        }
    }
}

/// A row of marks on the common axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DotPlotRow {
    /// Name at the left edge.
    pub label: String,
    /// Text at the right edge.
    pub note: String,
    /// Marks, in the order in which they are drawn.
    pub marks: Vec<ChartMark>,
}

/// A chart with one row per name, and marks on a common axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DotPlot {
    /// Title for screen readers.
    pub title: String,
    /// The axis label with unit and direction.
    pub axis: String,
    /// A value marked by a vertical line.
    pub reference: Option<f64>,
    /// Marks and their meanings.
    pub legend: Vec<(Shape, Ink, String)>,
    /// Rows from top to bottom.
    pub rows: Vec<DotPlotRow>,
}

/// Width in pixels.
const WIDE: u32 = 560;
/// Height of a row in pixels.
const ROW: i32 = 22;
/// Height of the axis with its labels in pixels.
const AXIS: i32 = 42;
/// Height of the legend in pixels.
const LEGEND: i32 = 24;
/// Maximum width of a name in pixels.
const WIDEST: i32 = 210;

/// Draws the chart as SVG.
pub fn dot_plot(chart: &DotPlot) -> String {
    let head = if chart.legend.is_empty() { 4 } else { LEGEND };
    let count = i32::try_from(chart.rows.len()).unwrap_or(i32::MAX / ROW);
    let high = u32::try_from(head + count * ROW + AXIS).unwrap_or_default();
    svg((WIDE, high), &chart.title, &described(chart), |area| {
        draw(chart, head, area)
    })
}

/// The numbers as text, for screen readers.
fn described(chart: &DotPlot) -> String {
    let rows = chart
        .rows
        .iter()
        .map(|row| format!("{} {}", row.label, row.note));
    format!("{}: {}.", chart.axis, rows.collect::<Vec<_>>().join("; "))
}

fn draw(chart: &DotPlot, head: i32, area: &Area<'_>) -> Result<(), DrawError> {
    let widest = |texts: &mut dyn Iterator<Item = &String>| {
        texts.map(|text| width(text)).max().unwrap_or_default()
    };
    let left = widest(&mut chart.rows.iter().map(|row| &row.label)).min(WIDEST) + 12;
    let right = widest(&mut chart.rows.iter().map(|row| &row.note)) + 14;
    let marks = chart.rows.iter().flat_map(|row| &row.marks);
    let values = marks.flat_map(|mark| {
        let (low, high) = mark.interval.unwrap_or((mark.value, mark.value));
        [mark.value, low, high]
    });
    let (low, high) = span(values.chain(chart.reference));
    let mut plot = ChartBuilder::on(area)
        .margin_top(head)
        .margin_right(right)
        .x_label_area_size(AXIS)
        .set_label_area_size(plotters::prelude::LabelAreaPosition::Left, left)
        .build_cartesian_2d(low..high, 0.0..1.0)?;
    plot.configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .x_labels(6)
        .x_desc(visible(&chart.axis))
        .x_label_formatter(&|value| tick(*value, (low, high)))
        .label_style(text_style(Ink::Dim, HPos::Center))
        .axis_desc_style(text_style(Ink::Dim, HPos::Center))
        .axis_style(Ink::Rule.color())
        .bold_line_style(Ink::Rule.color())
        .light_line_style(TRANSPARENT)
        .draw()?;
    let across = |value: f64| plot.backend_coord(&(value, 0.0)).0;
    let count = i32::try_from(chart.rows.len()).unwrap_or_default();
    if let Some(reference) = chart.reference {
        let x = across(reference);
        line(area, vec![(x, head), (x, head + count * ROW)], Ink::Dim, 1)?;
    }
    for (row, at) in chart.rows.iter().zip(0..) {
        let y = head + at * ROW + ROW / 2;
        let label = shortened(&row.label, left - 12);
        write(area, &label, Ink::Text, HPos::Right, (left - 8, y))?;
        let edge = i32::try_from(WIDE).unwrap_or_default() - 4;
        write(area, &row.note, Ink::Dim, HPos::Right, (edge, y))?;
        for each in &row.marks {
            if let Some((low, high)) = each.interval {
                line(area, vec![(across(low), y), (across(high), y)], each.ink, 2)?;
            }
        }
        for each in row.marks.iter().filter(|mark| mark.value.is_finite()) {
            mark(area, each.shape, each.ink, (across(each.value), y))?;
        }
    }
    legend(&chart.legend, left, area)
}

/// Draws a legend of marks in one line at the top.
pub fn legend(
    entries: &[(Shape, Ink, String)],
    left: i32,
    area: &Area<'_>,
) -> Result<(), DrawError> {
    let mut x = left;
    for (shape, ink, words) in entries {
        mark(area, *shape, *ink, (x + 6, LEGEND / 2))?;
        write(area, words, Ink::Dim, HPos::Left, (x + 17, LEGEND / 2))?;
        x += width(words) + 34;
    }
    Ok(())
}
