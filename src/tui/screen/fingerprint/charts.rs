//! Draws two charts: all models in the ability under the cursor, and all abilities of a model.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use crate::shared::AppState;
use crate::widget::dot_plot::{Dot, DotPlot, DotPlotState, DotRow};
use crate::widget::heat_grid::HeatGridState;
use crate::widget::radar::{Radar, RadarSeries};
use analysis::Score;
use base::format::{compact, fixed, visible};
use record::Kind;
use record::benchmark::Direction;

use super::data::{Column, Fingerprint, share};
use super::grid::labels;

/// Draws all models in the ability under the cursor, best first. Unranked rows come last.
pub fn draw_models(
    shared: &AppState,
    fingerprint: &Fingerprint<'_>,
    state: &HeatGridState,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let Some(column) = fingerprint.columns.get(state.column) else {
        return;
    };
    let mut scores: Vec<&Score> = (0..fingerprint.models.len())
        .filter_map(|row| fingerprint.score(state.column, row))
        .collect();
    let lower = column.direction == Some(Direction::Lower);
    let worth = |score: &Score| {
        score
            .score
            .map_or(f64::NEG_INFINITY, |s| if lower { -s } else { s })
    };
    scores.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
    let row = |score: &&Score| DotRow {
        label: visible(fingerprint.short_name(&score.model))
            .into_owned()
            .into(),
        dots: vec![Dot {
            note: match score.kind {
                Kind::Model if score.n > 0 => format!("n {}", compact(score.n)).into(),
                Kind::Model => "".into(),
                kind => kind.words().into(),
            },
            ..dot(score)
        }],
    };
    let rows: Vec<DotRow<'_>> = scores.iter().map(row).collect();
    let heading = format!(
        "{} {}",
        record::benchmark::metric_words(&column.metric),
        column.direction.map_or("", Direction::arrow)
    );
    let cursor = fingerprint.score(state.column, state.row);
    let selected = scores
        .iter()
        .position(|score| Some(*score) == cursor)
        .unwrap_or_default();
    let chart = DotPlot {
        label: &visible(&column.ability),
        heading: &heading,
        ..chart(shared, &rows)
    };
    frame.render_stateful_widget(chart, area, &mut at(selected));
}

/// Draws all abilities of the model under the cursor. Scores between 0 and 1 are dots on a common
/// axis. Other scores are shown as text only.
pub fn draw_abilities(
    shared: &AppState,
    fingerprint: &Fingerprint<'_>,
    state: &HeatGridState,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let names = labels(&fingerprint.columns);
    let columns = fingerprint.columns.iter().zip(names).enumerate();
    let row = |(at, (column, (_, name))): (usize, (&Column, (String, String)))| {
        let score = fingerprint.score(at, state.row);
        let n = score.filter(|score| score.n > 0);
        let n = n.map_or_else(String::new, |score| format!("  n {}", compact(score.n)));
        let metric = record::benchmark::metric_symbol(&column.metric);
        let arrow = column.direction.map_or("", Direction::arrow);
        let shown = score.map(|score| match share(score) {
            Some(_) => dot(score),
            None => Dot {
                value: None,
                interval: None,
                ..dot(score)
            },
        });
        DotRow {
            label: name.into(),
            dots: vec![Dot {
                note: format!("{} {arrow}{n}", visible(&metric)).into(),
                ..shown.unwrap_or_default()
            }],
        }
    };
    let rows: Vec<DotRow<'_>> = columns.map(row).collect();
    let chart = DotPlot {
        range: Some((0.0, 1.0)),
        ..chart(shared, &rows)
    };
    frame.render_stateful_widget(chart, area, &mut at(state.column));
}

/// Returns a chart of scores with their intervals, one row per ability by default.
fn chart<'a>(shared: &'a AppState, rows: &'a [DotRow<'a>]) -> DotPlot<'a> {
    DotPlot {
        theme: &shared.theme,
        label: "ability",
        heading: "score, and its 95 % interval",
        rows,
        range: None,
        reference: None,
    }
}

/// Returns a chart state with the cursor on this row.
const fn at(selected: usize) -> DotPlotState {
    DotPlotState {
        selected,
        offset: 0,
    }
}

/// Converts a score to a dot with its interval.
fn dot(score: &Score) -> Dot<'static> {
    Dot {
        value: score.score,
        interval: score.ci.map(|ci| (ci.low, ci.high)),
        text: fixed(score.score, 3).into(),
        note: "".into(),
    }
}

/// Returns the models in the radar: the selected models, or else the model under the cursor.
fn in_radar(
    shared: &AppState,
    fingerprint: &Fingerprint<'_>,
    state: &HeatGridState,
) -> Vec<String> {
    let cursor = fingerprint.models.get(state.row);
    if shared.picked.is_empty() {
        cursor.map(|row| row.model.clone()).into_iter().collect()
    } else {
        shared.picked.clone()
    }
}

/// Returns a model's position on each axis of the radar; `None` for a missing score.
fn values(fingerprint: &Fingerprint<'_>, model: &str) -> Vec<Option<f64>> {
    let row = fingerprint.models.iter().position(|row| row.model == model);
    let columns = 0..fingerprint.columns.len();
    columns
        .map(|column| scaled(fingerprint, column, row?))
        .collect()
}

/// Returns true if the radar shows at least one model. This requires scores in at least three
/// abilities.
pub fn has_radar(shared: &AppState, fingerprint: &Fingerprint<'_>, state: &HeatGridState) -> bool {
    let models = in_radar(shared, fingerprint, state);
    let scores = |model: &String| values(fingerprint, model).iter().flatten().count();
    models.iter().any(|model| scores(model) > 2)
}

/// Draws a radar of scores that are scaled per ability. The centre is the blind guess, and the rim
/// is the best specialist. If these are missing, the centre is near the worst model, and the rim is
/// the best model.
pub fn draw_radar(
    shared: &AppState,
    fingerprint: &Fingerprint<'_>,
    state: &HeatGridState,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let labels = labels(&fingerprint.columns);
    let axes: Vec<&str> = labels.iter().map(|(short, _)| short.as_str()).collect();
    let columns = 0..fingerprint.columns.len();
    let named = |model: &String| {
        let name = visible(fingerprint.short_name(model)).into_owned();
        (name, values(fingerprint, model))
    };
    let models = in_radar(shared, fingerprint, state);
    let all: Vec<(String, Vec<Option<f64>>)> = models.iter().map(named).collect();
    let series: Vec<RadarSeries<'_>> = all
        .iter()
        .map(|(name, values)| RadarSeries { name, values })
        .collect();
    let between = columns
        .zip(&axes)
        .filter(|(column, _)| fingerprint.controls(*column).is_some());
    let between: Vec<&str> = between.map(|(_, axis)| *axis).collect();
    let words = ends(&between, axes.len());
    let words = Paragraph::new(Line::styled(words, shared.theme.dim())).wrap(Wrap { trim: true });
    let rows = if between.is_empty() { 1 } else { 2 };
    let [chart, below] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(rows)]).areas(area);
    frame.render_widget(words, below);
    frame.render_widget(
        Radar {
            theme: &shared.theme,
            axes: &axes,
            series: &series,
            selected: Some(state.column),
        },
        chart,
    );
}

/// Returns the position of a score on its axis: 0 at the centre, 1 at the rim.
fn scaled(fingerprint: &Fingerprint<'_>, column: usize, row: usize) -> Option<f64> {
    let score = fingerprint.score(column, row)?.score?;
    if let Some((blind, specialist)) = fingerprint.controls(column) {
        return Some(((score - blind) / (specialist - blind)).clamp(0.0, 1.0));
    }
    let (best, worst) = fingerprint.extremes(column)?;
    let span = best - worst;
    // Keep the worst model away from the centre, because its score is not zero.
    let share = if span == 0.0 {
        1.0
    } else {
        (score - worst) / span
    };
    Some((0.1 + 0.9 * share).clamp(0.0, 1.0))
}

/// Explains the centre and the rim of the radar.
fn ends(between: &[&str], axes: usize) -> String {
    match between.len() {
        0 => "centre: worst model, edge: best".to_owned(),
        all if all == axes => "centre: blind guess, edge: best specialist".to_owned(),
        _ => format!(
            "{}: centre blind guess, edge best specialist; others worst to best",
            between.join(" ")
        ),
    }
}
