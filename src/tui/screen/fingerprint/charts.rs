//! The ability under the cursor, model by model, and a model's scores over all abilities.

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::analysis::Score;
use crate::benchmark::Direction;
use crate::format::{compact, fixed, visible};
use crate::tui::app::App;
use crate::tui::widget::bars::{Bar, BarRow, Bars, BarsState};
use crate::tui::widget::heat_grid::HeatGridState;
use crate::tui::widget::radar::{Radar, RadarSeries};

use super::data::Fingerprint;
use super::grid::labels;

/// All models in the ability under the cursor, best first.
pub fn draw_bars(
    app: &App,
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
    scores.sort_by_key(|score| score.rank.unwrap_or(u32::MAX));
    let row = |score: &&Score| BarRow {
        label: visible(&score.model).into_owned().into(),
        bars: vec![Bar {
            value: score.score,
            interval: score.ci.map(|ci| (ci.low, ci.high)),
            text: fixed(score.score, 3).into(),
            note: if score.n > 0 {
                format!("n {}", compact(score.n)).into()
            } else {
                "".into()
            },
        }],
    };
    let rows: Vec<BarRow<'_>> = scores.iter().map(row).collect();
    let heading = format!(
        "{} {}",
        column.metric,
        column.direction.map_or("", Direction::arrow)
    );
    let cursor = fingerprint.models.get(state.row).map(|(model, _)| model);
    let selected = scores
        .iter()
        .position(|score| Some(&score.model) == cursor)
        .unwrap_or_default();
    let mut bars = BarsState {
        selected,
        offset: 0,
    };
    let label = visible(&column.ability);
    let chart = Bars {
        theme: &app.theme,
        label: &label,
        heading: &heading,
        rows: &rows,
        baseline: 0.0,
        range: None,
        reference: None,
    };
    frame.render_stateful_widget(chart, area, &mut bars);
}

/// Scores scaled within each ability, the best at the rim.
pub fn draw_radar(
    app: &App,
    fingerprint: &Fingerprint<'_>,
    state: &HeatGridState,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let labels = labels(&fingerprint.columns);
    let axes: Vec<&str> = labels.iter().map(|(short, _)| short.as_str()).collect();
    let cursor = fingerprint
        .models
        .get(state.row)
        .map(|(model, _)| model.clone());
    let shown: Vec<String> = if app.picked.is_empty() {
        cursor.into_iter().collect()
    } else {
        app.picked.clone()
    };
    let values = |model: &String| -> Vec<Option<f64>> {
        let row = fingerprint
            .models
            .iter()
            .position(|(known, _)| known == model);
        let scaled = |column: usize| {
            let score = fingerprint.score(column, row?)?.score?;
            let (best, worst) = fingerprint.extremes(column)?;
            let span = best - worst;
            Some(if span == 0.0 {
                1.0
            } else {
                0.1 + 0.9 * (score - worst) / span
            })
        };
        (0..fingerprint.columns.len()).map(scaled).collect()
    };
    let all: Vec<(String, Vec<Option<f64>>)> = shown
        .iter()
        .map(|model| (visible(model).into_owned(), values(model)))
        .collect();
    let series: Vec<RadarSeries<'_>> = all
        .iter()
        .map(|(name, values)| RadarSeries { name, values })
        .collect();
    frame.render_widget(
        Radar {
            theme: &app.theme,
            axes: &axes,
            series: &series,
            selected: Some(state.column),
        },
        area,
    );
}
