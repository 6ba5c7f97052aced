//! One ability, split by a tag: where a model is good and where it fails.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use crate::action::Action;
use crate::app::{App, Effect};
use crate::keymap::View;
use crate::widget::Spacing;
use crate::widget::bars::{Bar, BarRow, Bars, BarsState, Reference};
use crate::widget::curve::{Curve, CurvePoint, CurveSeries};
use analysis::Subgroup;
use benchmark::Bins;
use format::{compact, fixed, visible};

use super::moved;

/// The narrowest screen with a curve beside the bars.
const WIDE: u16 = 110;
/// Tags whose axis is logarithmic (TDBench's case studies).
const LOGARITHMIC: [&str; 2] = ["altitude_m", "magnification"];

/// The cursor.
#[derive(Clone, Debug, Default)]
pub struct SubgroupsState {
    /// The tag that is wanted; where an ability lacks it, its first.
    pub tag: Option<String>,
    /// The user's bins.
    pub bins: Option<Bins>,
    /// The user's bins as the command line writes them.
    pub bins_text: Option<String>,
    /// The chart's cursor.
    pub bars: BarsState,
}

/// The charted models that have answered this ability; another one when none of them has.
fn charted(app: &App) -> Vec<String> {
    let answered: Vec<&String> = app
        .answers
        .subgroups
        .iter()
        .map(|group| &group.model)
        .collect();
    let mut models = app.charted();
    models.retain(|model| answered.contains(&model));
    if models.is_empty() {
        models.extend(
            app.models()
                .into_iter()
                .find(|model| answered.contains(&model)),
        );
    }
    models
}

/// The bins that the lens's ability has, in order, each with the charted models' scores.
fn bins<'a>(app: &'a App, models: &[String]) -> Vec<(&'a str, Vec<Option<&'a Subgroup>>)> {
    let mut found: Vec<(u16, &str, Vec<Option<&Subgroup>>)> = Vec::new();
    let wanted =
        |group: &&Subgroup| Some(&group.ability) == app.lens.ability.as_ref() && group.headline;
    for group in app.answers.subgroups.iter().filter(wanted) {
        let at = found
            .iter()
            .position(|(order, _, _)| *order == group.order)
            .unwrap_or_else(|| {
                found.push((group.order, &group.bin, vec![None; models.len()]));
                found.len() - 1
            });
        let model = models.iter().position(|model| *model == group.model);
        if let (Some(cell), true) = (
            found
                .get_mut(at)
                .and_then(|(_, _, cells)| model.and_then(|model| cells.get_mut(model))),
            group.by == split_text(app),
        ) {
            *cell = Some(group);
        }
    }
    found.sort_by_key(|(order, _, _)| *order);
    found
        .into_iter()
        .map(|(_, label, cells)| (label, cells))
        .collect()
}

fn split_text(app: &App) -> String {
    app.split().map(|split| split.text).unwrap_or_default()
}

/// Draws the screen.
pub fn render(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    let models = charted(app);
    let mut state = app.subgroups.bars;
    let bins = bins(app, &models);
    let split = split_text(app);
    if bins.is_empty() {
        return empty(app, &split, frame, area);
    }
    let first = bins.iter().flat_map(|(_, cells)| cells).flatten().next();
    let heading = first
        .map(|group| format!("{} {}", group.metric, group.direction.arrow()))
        .unwrap_or_default();
    let [head, chart] = Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(area);
    draw_head(app, &split, &models, frame, head);
    let points: Vec<Vec<CurvePoint>> = (0..models.len())
        .map(|model| points(&bins, model))
        .collect();
    let has_curve = chart.width >= WIDE && points.first().is_some_and(|points| points.len() > 2);
    let [left, right] = Layout::horizontal([
        Constraint::Fill(1),
        Constraint::Length(if has_curve { chart.width * 2 / 5 } else { 0 }),
    ])
    .areas(chart);
    draw_bars(app, &bins, &models, &heading, &mut state, frame, left);
    if has_curve {
        draw_curve(app, &split, &heading, &models, &points, frame, right);
    }
    app.subgroups.bars = state;
}

fn empty(app: &App, split: &str, frame: &mut Frame<'_>, area: Rect) {
    let ability = app.lens.ability.as_deref().map(visible).unwrap_or_default();
    let text = if app.table.is_empty() {
        "Printed scores have no samples to split.".to_owned()
    } else if split.is_empty() {
        format!("No tag tells the samples of {ability} apart; a for the next ability.")
    } else {
        format!("Splitting {ability} by {} …", visible(split))
    };
    super::say(app, &text, frame, area);
}

fn draw_head(app: &App, split: &str, models: &[String], frame: &mut Frame<'_>, area: Rect) {
    let splits = app.answers.splits.len();
    let names: Vec<String> = models
        .iter()
        .enumerate()
        .map(|(at, model)| format!("{} {}", app.theme.marker(at), visible(model)))
        .collect();
    let text = format!(
        "by {}  (tag {} of {splits}, t next, x bins)   {}",
        visible(split),
        app.split_index() + 1,
        names.join("   ")
    );
    frame.render_widget(Paragraph::new(Line::styled(text, app.theme.dim())), area);
}

type Rows<'a> = Vec<(&'a str, Vec<Option<&'a Subgroup>>)>;

fn draw_bars(
    app: &App,
    bins: &Rows<'_>,
    models: &[String],
    heading: &str,
    state: &mut BarsState,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let bar = |group: Option<&Subgroup>| match group {
        None => Bar {
            value: None,
            interval: None,
            text: "–".into(),
            note: "".into(),
        },
        Some(group) => Bar {
            value: group.score,
            interval: group.ci.map(|ci| (ci.low, ci.high)),
            text: fixed(group.score, 3).into(),
            note: format!("n {}", compact(group.n)).into(),
        },
    };
    let row = |(label, cells): &(&str, Vec<Option<&Subgroup>>)| BarRow {
        label: visible(label).into_owned().into(),
        bars: cells.iter().copied().map(bar).collect(),
    };
    let rows: Vec<BarRow<'_>> = bins.iter().map(row).collect();
    let overall = models.first().and_then(|model| overall(app, model));
    let of = if models.len() > 1 { "A " } else { "" };
    let words = overall
        .map(|value| format!("{of}overall {}", fixed(Some(value), 3)))
        .unwrap_or_default();
    let reference = overall.map(|value| Reference {
        value,
        label: &words,
    });
    let label = split_text(app);
    let label = visible(&label);
    let chart = Bars {
        theme: &app.theme,
        label: &label,
        heading,
        rows: &rows,
        baseline: 0.0,
        range: None,
        reference,
    };
    frame.render_stateful_widget(chart, area, state);
}

/// A model's score over the whole ability.
fn overall(app: &App, model: &str) -> Option<f64> {
    let same = |score: &&analysis::Score| {
        score.headline
            && score.benchmark == app.lens.benchmark
            && score.model == model
            && Some(&score.ability) == app.lens.ability.as_ref()
    };
    app.answers
        .scores
        .iter()
        .find(same)
        .and_then(|score| score.score)
}

/// A model's scores along the axis, where the tag is a measured quantity.
fn points(bins: &Rows<'_>, model: usize) -> Vec<CurvePoint> {
    let point = |(_, cells): &(&str, Vec<Option<&Subgroup>>)| {
        let group = cells.get(model).copied().flatten()?;
        let (y, x) = (group.score?, group.center.filter(|x| x.is_finite())?);
        let (low, high) = group.ci.map_or((y, y), |ci| (ci.low, ci.high));
        Some(CurvePoint { x, y, low, high })
    };
    bins.iter().filter_map(point).collect()
}

fn draw_curve(
    app: &App,
    split: &str,
    heading: &str,
    models: &[String],
    points: &[Vec<CurvePoint>],
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let names: Vec<String> = models
        .iter()
        .map(|model| visible(model).into_owned())
        .collect();
    let series: Vec<CurveSeries<'_>> = names
        .iter()
        .zip(points)
        .map(|(name, points)| CurveSeries { name, points })
        .collect();
    let positive = points.iter().flatten().all(|point| point.x > 0.0);
    let log = LOGARITHMIC.contains(&split) || app.subgroups.bins == Some(Bins::Log(5));
    let spacing = if log && positive {
        Spacing::Log
    } else {
        Spacing::Linear
    };
    let x_label = visible(split);
    frame.render_widget(
        Curve {
            theme: &app.theme,
            x_label: &x_label,
            y_label: heading,
            spacing,
            series: &series,
        },
        area,
    );
}

/// What an action does here.
pub fn update(app: &mut App, action: Action) -> Vec<Effect> {
    let models = charted(app);
    let bins = bins(app, &models);
    let count = bins.len();
    let label = bins
        .get(app.subgroups.bars.selected)
        .map(|(label, _)| (*label).to_owned());
    match action {
        Action::Left => app.act(Action::PreviousTag),
        Action::Right => app.act(Action::NextTag),
        Action::Open => {
            let (Some(split), Some(label)) = (app.split(), label) else {
                return Vec::new();
            };
            drop(app.go(View::Samples));
            app.lens.bin = Some((split, label));
            app.lens.model = models.first().cloned();
            app.samples.table = crate::widget::table::TableState::default();
            app.refresh()
        }
        other => {
            if let Some(row) = moved(app.subgroups.bars.selected, count, 10, other) {
                app.subgroups.bars.selected = row;
            }
            Vec::new()
        }
    }
}

/// A click moves the cursor; a click on the cursor opens.
pub fn click(app: &mut App, area: Rect, x: u16, y: u16) -> Vec<Effect> {
    let models = charted(app);
    let rows: Vec<BarRow<'_>> = bins(app, &models)
        .iter()
        .map(|(label, cells)| BarRow {
            label: (*label).into(),
            bars: cells
                .iter()
                .map(|_| Bar {
                    value: None,
                    interval: None,
                    text: "".into(),
                    note: "".into(),
                })
                .collect(),
        })
        .collect();
    let chart = Bars {
        theme: &app.theme,
        label: "",
        heading: "",
        rows: &rows,
        baseline: 0.0,
        range: None,
        reference: None,
    };
    let [_, chart_area] =
        Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(area);
    match chart.row_at(chart_area, &app.subgroups.bars, x, y) {
        Some(row) if row == app.subgroups.bars.selected => update(app, Action::Open),
        Some(row) => {
            app.subgroups.bars.selected = row;
            Vec::new()
        }
        None => Vec::new(),
    }
}
