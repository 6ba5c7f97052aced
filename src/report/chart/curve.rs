//! A line chart: scores over the bins of a numeric tag, one line per model.

use plotters::prelude::{ChartBuilder, LabelAreaPosition};
use plotters::style::TRANSPARENT;
use plotters::style::text_anchor::HPos;

use super::canvas::{
    Area, DrawError, Ink, Shape, line, mark, shortened, span, svg, text_style, tick, width, write,
};
use super::dot_plot::legend;
use base::format::significant;

/// A score in one bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Index of the bin, from 0.
    pub bin: usize,
    /// Score of the model in the bin.
    pub value: f64,
    /// The ends of the confidence interval.
    pub interval: Option<(f64, f64)>,
}

/// One model's scores over the bins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurveSeries {
    /// Name of the model, for the legend.
    pub name: String,
    /// The scores of its bins, in order.
    pub points: Vec<CurvePoint>,
}

/// A line chart of scores over bins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Title for screen readers.
    pub title: String,
    /// Label of the x axis.
    pub across: String,
    /// Label of the y axis: the metric with its direction.
    pub up: String,
    /// Names of the bins, drawn at equal distances.
    pub bins: Vec<String>,
    /// At most four lines.
    pub series: Vec<CurveSeries>,
    /// Extra values that the y axis must cover, so that several charts share one axis.
    pub ends: Vec<f64>,
}

/// Width in pixels.
const WIDE: u32 = 560;
/// Height of the plot in pixels.
const HIGH: i32 = 200;
/// Height of the legend and the y label in pixels.
const HEAD: i32 = 42;
/// Left margin in pixels.
const LEFT: i32 = 56;
/// Right margin in pixels.
const RIGHT: i32 = 14;
/// Distance between the series of one bin in pixels.
const APART: i32 = 7;

/// Draws the chart as SVG.
pub fn curve(chart: &Curve) -> String {
    let bins = i32::try_from(chart.bins.len()).unwrap_or(i32::MAX).max(1);
    let step = (i32::try_from(WIDE).unwrap_or_default() - LEFT - RIGHT) / bins;
    // Labels that do not fit side by side alternate between two lines.
    let lines = 1 + i32::from(chart.bins.iter().any(|bin| width(bin) + 8 > step));
    let foot = 22 + lines * 16;
    let high = u32::try_from(HEAD + HIGH + foot).unwrap_or_default();
    let labels = Labels { step, lines, foot };
    svg((WIDE, high), &chart.title, &described(chart), |area| {
        draw(chart, &labels, area)
    })
}

fn described(chart: &Curve) -> String {
    let of = |series: &CurveSeries| {
        let points = series.points.iter().filter_map(|point| {
            let bin = chart.bins.get(point.bin)?;
            Some(format!("{bin} {}", significant(point.value, 3)))
        });
        format!("{}: {}", series.name, points.collect::<Vec<_>>().join(", "))
    };
    let series: Vec<String> = chart.series.iter().map(of).collect();
    format!("{} by {}. {}.", chart.up, chart.across, series.join("; "))
}

/// Layout of the bin labels.
struct Labels {
    /// Distance between two bins in pixels.
    step: i32,
    /// Number of lines.
    lines: i32,
    /// Height with the label of the axis in pixels.
    foot: i32,
}

fn draw(chart: &Curve, labels: &Labels, area: &Area<'_>) -> Result<(), DrawError> {
    let Labels { step, lines, foot } = *labels;
    let points = chart.series.iter().flat_map(|series| &series.points);
    let values = points.flat_map(|point| {
        let (low, high) = point.interval.unwrap_or((point.value, point.value));
        [point.value, low, high]
    });
    let (low, high) = span(values.chain(chart.ends.iter().copied()));
    let mut plot = ChartBuilder::on(area)
        .margin_top(HEAD)
        .margin_right(RIGHT)
        .x_label_area_size(foot)
        .set_label_area_size(LabelAreaPosition::Left, LEFT)
        .build_cartesian_2d(0.0..1.0, low..high)?;
    plot.configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .y_labels(6)
        .y_label_formatter(&|value| tick(*value, (low, high)))
        .label_style(text_style(Ink::Dim, HPos::Right))
        .axis_style(Ink::Rule.color())
        .bold_line_style(Ink::Rule.color())
        .light_line_style(TRANSPARENT)
        .draw()?;
    let middle = |bin: usize| LEFT + step / 2 + step * i32::try_from(bin).unwrap_or_default();
    for (at, label) in chart.bins.iter().enumerate() {
        let line = i32::try_from(at).unwrap_or_default() % lines;
        let label = shortened(label, step * lines - 6);
        let y = HEAD + HIGH + 11 + line * 16;
        write(area, &label, Ink::Dim, HPos::Center, (middle(at), y))?;
    }
    let center = LEFT + (i32::try_from(WIDE).unwrap_or_default() - LEFT - RIGHT) / 2;
    let bottom = HEAD + HIGH + foot - 11;
    write(
        area,
        &chart.across,
        Ink::Dim,
        HPos::Center,
        (center, bottom),
    )?;
    write(area, &chart.up, Ink::Dim, HPos::Left, (8, HEAD - 10))?;
    let up = |value: f64| plot.backend_coord(&(0.0, value)).1;
    let count = i32::try_from(chart.series.len()).unwrap_or_default();
    for (series, at) in chart.series.iter().zip(0..) {
        let aside = at * APART - (count - 1) * APART / 2;
        let ink = Ink::Series(usize::try_from(at).unwrap_or_default());
        let place = |point: &CurvePoint| (middle(point.bin) + aside, up(point.value));
        line(area, series.points.iter().map(place).collect(), ink, 2)?;
        for point in &series.points {
            let (x, y) = place(point);
            if let Some((low, high)) = point.interval {
                line(area, vec![(x, up(low)), (x, up(high))], ink, 1)?;
            }
            let shape = Shape::of_series(usize::try_from(at).unwrap_or_default());
            mark(area, shape, ink, (x, y))?;
        }
    }
    let names = chart.series.iter().enumerate().map(|(at, series)| {
        (
            Shape::of_series(at),
            Ink::Series(at),
            shortened(&series.name, 170),
        )
    });
    legend(&names.collect::<Vec<_>>(), 8, area)
}
