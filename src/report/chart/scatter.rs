//! A scatter plot of models, such as score against size, with a line through each family.

use plotters::style::text_anchor::HPos;

use super::canvas::{Area, DrawError, Ink, Shape, line, mark, shortened, span, svg, tick, write};
use base::format::significant;

/// One model's point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScatterPoint {
    /// Name of the model, for the label.
    pub name: String,
    /// Value on the x axis.
    pub x: f64,
    /// Value on the y axis.
    pub y: f64,
    /// The ends of the confidence interval of `y`.
    pub interval: Option<(f64, f64)>,
    /// Index of its series; `None` for a point without a series.
    pub series: Option<usize>,
}

/// A horizontal line at a reference score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScatterLine {
    /// Name of the line, for its label.
    pub name: String,
    /// Score on the y axis.
    pub y: f64,
}

/// Scale of the x axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScatterScale {
    /// Linear, with a tick at every round number.
    #[default]
    Linear,
    /// Logarithmic, base 10.
    Log,
    /// Linear, with a tick at whole years only.
    Years,
}

/// A plot of models by two values, with a line through each family.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scatter {
    /// Title for screen readers.
    pub title: String,
    /// Label of the x axis.
    pub across: String,
    /// Label of the y axis.
    pub up: String,
    /// Scale of the x axis.
    pub scale: ScatterScale,
    /// Names of the series; points of a series are joined from left to right.
    pub series: Vec<String>,
    /// The models, from left to right.
    pub points: Vec<ScatterPoint>,
    /// Horizontal reference lines.
    pub lines: Vec<ScatterLine>,
}

/// Width in pixels.
const WIDE: i32 = 760;
/// Height of the plot in pixels.
const HIGH: i32 = 340;
/// Height of the y label in pixels.
const HEAD: i32 = 28;
/// Left margin in pixels.
const LEFT: i32 = 56;
/// Right margin in pixels, which holds the names of the series.
const RIGHT: i32 = 170;
/// Height of the x axis in pixels.
const FOOT: i32 = 44;
/// Height of a label in pixels.
const LINE: i32 = 16;

/// Draws the plot as SVG.
pub fn scatter(chart: &Scatter) -> String {
    let size = (
        u32::try_from(WIDE).unwrap_or_default(),
        u32::try_from(HEAD + HIGH + FOOT).unwrap_or_default(),
    );
    svg(size, &chart.title, &described(chart), |area| {
        draw(chart, area)
    })
}

fn described(chart: &Scatter) -> String {
    let point = |point: &ScatterPoint| {
        format!(
            "{} at {}: {}",
            point.name,
            significant(point.x, 4),
            significant(point.y, 3)
        )
    };
    let points: Vec<String> = chart.points.iter().map(point).collect();
    format!("{} by {}. {}.", chart.up, chart.across, points.join("; "))
}

/// Maps values to pixels.
struct Plane {
    x: (f64, f64),
    y: (f64, f64),
    scale: ScatterScale,
}

impl Plane {
    fn of(chart: &Scatter) -> Self {
        let across = chart
            .points
            .iter()
            .map(|point| scaled(point.x, chart.scale));
        let up = chart.points.iter().flat_map(|point| {
            let (low, high) = point.interval.unwrap_or((point.y, point.y));
            [low, high, point.y]
        });
        // At least one unit wide, so that no tick divides a year.
        let (low, high) = span(across);
        let is_years = chart.scale == ScatterScale::Years;
        let x = if !is_years || high - low > 1.0 && high - low < 100.0 {
            (low, high)
        } else {
            let middle = f64::midpoint(low, high);
            (middle - 0.5, middle + 0.5)
        };
        Self {
            x,
            y: span(up.chain(chart.lines.iter().map(|line| line.y))),
            scale: chart.scale,
        }
    }

    fn across(&self, x: f64) -> i32 {
        LEFT + pixels(share(scaled(x, self.scale), self.x), WIDE - LEFT - RIGHT)
    }

    fn up(&self, y: f64) -> i32 {
        HEAD + HIGH - pixels(share(y, self.y), HIGH)
    }

    /// Round numbers along the x axis.
    fn ticks(&self) -> Vec<f64> {
        let (low, high) = self.x;
        if self.scale == ScatterScale::Linear {
            return round_steps(low, high);
        }
        if self.scale == ScatterScale::Years {
            let first = low.ceil();
            let years = (high - first).max(0.0);
            let step = (years / 6.0).ceil().max(1.0);
            let count = (years / step).floor();
            return numbers(count).map(|at| first + at * step).collect();
        }
        let decades = numbers((high - low).ceil() + 1.0).map(|at| low.floor() + at);
        let all =
            decades.flat_map(|decade| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powf(decade)));
        all.filter(|tick| (low..=high).contains(&tick.log10()))
            .collect()
    }
}

/// Round values on an axis, about five.
fn round_steps(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = 10_f64.powf(rough.log10().floor());
    let digits = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    let step = digits.into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(rough);
    let first = (low / step).ceil();
    let count = (high / step).floor() - first;
    numbers(count).map(|at| (first + at) * step).collect()
}

/// 0, 1, 2, ... up to `most`, below 100.
fn numbers(most: f64) -> impl Iterator<Item = f64> {
    (0..100).map(f64::from).take_while(move |at| *at <= most)
}

fn scaled(x: f64, scale: ScatterScale) -> f64 {
    if scale == ScatterScale::Log {
        x.log10()
    } else {
        x
    }
}

fn share(value: f64, (low, high): (f64, f64)) -> f64 {
    ((value - low) / (high - low)).clamp(0.0, 1.0)
}

#[expect(clippy::cast_possible_truncation, reason = "within the picture")]
fn pixels(share: f64, room: i32) -> i32 {
    (share * f64::from(room)).round() as i32
}

fn draw(chart: &Scatter, area: &Area<'_>) -> Result<(), DrawError> {
    let plane = Plane::of(chart);
    let right = WIDE - RIGHT;
    write(area, &chart.up, Ink::Dim, HPos::Left, (8, HEAD - 14))?;
    let (low, high) = plane.y;
    for value in round_steps(low, high) {
        let y = plane.up(value);
        line(area, vec![(LEFT, y), (right, y)], Ink::Rule, 1)?;
        write(
            area,
            &tick(value, (low, high)),
            Ink::Dim,
            HPos::Right,
            (LEFT - 6, y),
        )?;
    }
    for value in plane.ticks() {
        let x = plane.across(value);
        line(
            area,
            vec![(x, HEAD + HIGH), (x, HEAD + HIGH + 4)],
            Ink::Dim,
            1,
        )?;
        write(
            area,
            &significant(value, 4),
            Ink::Dim,
            HPos::Center,
            (x, HEAD + HIGH + 14),
        )?;
    }
    let middle = LEFT + (right - LEFT) / 2;
    write(
        area,
        &chart.across,
        Ink::Dim,
        HPos::Center,
        (middle, HEAD + HIGH + 33),
    )?;
    for reference in &chart.lines {
        let y = plane.up(reference.y);
        let dashes = (LEFT..right).step_by(10);
        for x in dashes {
            line(area, vec![(x, y), (x + 5, y)], Ink::Dim, 1)?;
        }
        write(
            area,
            &shortened(&reference.name, RIGHT - 12),
            Ink::Dim,
            HPos::Left,
            (right + 6, y),
        )?;
    }
    for (at, _) in chart.series.iter().enumerate() {
        let own = chart.points.iter().filter(|point| point.series == Some(at));
        let path = own.map(|point| (plane.across(point.x), plane.up(point.y)));
        line(area, path.collect(), Ink::Series(at), 1)?;
    }
    for point in &chart.points {
        let (x, y) = (plane.across(point.x), plane.up(point.y));
        let (ink, shape) = match point.series {
            Some(at) => (Ink::Series(at), Shape::of_series(at / 4 + at)),
            None => (Ink::Dim, Shape::Ring),
        };
        if let Some((low, high)) = point.interval {
            line(area, vec![(x, plane.up(low)), (x, plane.up(high))], ink, 1)?;
        }
        mark(area, shape, ink, (x, y))?;
    }
    legend(chart, &plane, area)
}

/// Draws the names of the series at their last points, moved apart if they overlap.
fn legend(chart: &Scatter, plane: &Plane, area: &Area<'_>) -> Result<(), DrawError> {
    let taken: Vec<i32> = chart.lines.iter().map(|line| plane.up(line.y)).collect();
    let mut names: Vec<(i32, usize)> = Vec::new();
    for at in 0..chart.series.len() {
        let own = chart.points.iter().rev();
        let last = own.clone().find(|point| point.series == Some(at));
        names.extend(last.map(|point| (plane.up(point.y), at)));
    }
    names.sort_unstable();
    let mut free = HEAD;
    for (wanted, at) in names {
        let mut y = wanted.max(free);
        while taken.iter().any(|taken| (taken - y).abs() < LINE) {
            y += LINE;
        }
        free = y + LINE;
        let Some(name) = chart.series.get(at) else {
            continue;
        };
        let right = WIDE - RIGHT;
        let shape = Shape::of_series(at / 4 + at);
        mark(area, shape, Ink::Series(at), (right + 12, y))?;
        let name = shortened(name, RIGHT - 30);
        write(area, &name, Ink::Text, HPos::Left, (right + 22, y))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> Scatter {
        let point = |x, y, series| ScatterPoint {
            name: format!("m{x}"),
            x,
            y,
            interval: None,
            series,
        };
        Scatter {
            title: "t".to_owned(),
            across: "size".to_owned(),
            up: "accuracy".to_owned(),
            scale: ScatterScale::Log,
            series: vec!["Family <A>".to_owned()],
            points: vec![
                point(1.0, 0.2, Some(0)),
                point(10.0, 0.4, None),
                point(100.0, 0.8, Some(0)),
            ],
            lines: vec![ScatterLine {
                name: "Human".to_owned(),
                y: 0.9,
            }],
        }
    }

    #[test]
    fn a_log_axis_puts_ten_half_way_between_one_and_a_hundred() {
        let plane = Plane::of(&chart());
        let [one, ten, hundred] = [1.0, 10.0, 100.0].map(|x| plane.across(x));
        assert!(
            ((one + hundred) / 2 - ten).abs() <= 1,
            "{one} {ten} {hundred}"
        );
        assert!(plane.up(0.8) < plane.up(0.2));
        assert!(plane.ticks().contains(&10.0));
    }

    #[test]
    fn a_linear_axis_has_round_numbers_within_its_ends() {
        let linear = Scatter {
            scale: ScatterScale::Linear,
            ..chart()
        };
        let plane = Plane::of(&linear);
        assert_eq!(plane.ticks(), [0.0, 50.0, 100.0]);
        assert!((plane.across(50.5) - (plane.across(1.0) + plane.across(100.0)) / 2).abs() <= 1);
    }

    #[test]
    fn an_axis_has_round_numbers() {
        let shown = |low, high| -> Vec<String> {
            let steps = round_steps(low, high).into_iter();
            steps.map(|step| tick(step, (low, high))).collect()
        };
        assert_eq!(shown(0.205, 1.04), ["0.4", "0.6", "0.8", "1"]);
        assert_eq!(shown(-0.1, 0.35), ["-0.1", "0", "0.1", "0.2", "0.3"]);
    }

    #[test]
    fn names_are_escaped_and_lines_are_named() {
        let drawn = scatter(&chart());
        assert!(
            drawn.contains("Family &lt;A&gt;") && drawn.contains("Human"),
            "{drawn}"
        );
    }
}
