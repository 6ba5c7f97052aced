//! Each model's rank in each ability: its fingerprint. Below it the ability under the cursor, model by model.

use std::collections::HashMap;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::analysis::{Origin, Score};
use crate::benchmark::{Direction, short_name};
use crate::format::{compact, fixed, visible};
use crate::tui::action::Action;
use crate::tui::app::{App, Effect};
use crate::tui::keymap::View;
use crate::tui::widget::bars::{Bar, BarRow, Bars, BarsState};
use crate::tui::widget::heat_grid::{HeatCell, HeatColumn, HeatGrid, HeatGridState, HeatRow};
use crate::tui::widget::radar::{Radar, RadarSeries};

use super::moved;

/// Columns beside the grid that a radar needs, and the narrowest screen that has room for both.
const RADAR: u16 = 40;
const WIDE: u16 = 110;
/// Most models that are picked.
const MOST_PICKED: usize = 3;

/// What the cells say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cells {
    /// Ranks.
    #[default]
    Ranks,
    /// Scores.
    Scores,
    /// How far from the best.
    Gaps,
}

/// The cursor.
#[derive(Clone, Copy, Debug, Default)]
pub struct FingerprintState {
    /// The grid's.
    pub grid: HeatGridState,
    /// What the cells say.
    pub cells: Cells,
    /// Whether the radar is hidden for more bars.
    pub no_radar: bool,
}

/// A column: one ability, or one of its splits.
#[derive(Clone, Debug, PartialEq)]
struct Column {
    ability: String,
    split: Option<String>,
    metric: String,
    direction: Option<Direction>,
}

/// The grid's rows and columns under the lens.
struct Fingerprint<'a> {
    models: Vec<(String, Option<f64>)>,
    columns: Vec<Column>,
    scores: HashMap<(usize, &'a str), &'a Score>,
}

impl<'a> Fingerprint<'a> {
    fn new(app: &'a App) -> Self {
        let mut columns: Vec<Column> = Vec::new();
        let mut scores = HashMap::new();
        let shown = app
            .answers
            .scores
            .iter()
            .filter(|score| score.benchmark == app.lens.benchmark && score.counts());
        for score in shown {
            let column = Column {
                ability: score.ability.clone(),
                split: score.split.clone(),
                metric: score.metric.clone(),
                direction: score.direction,
            };
            if columns.last() != Some(&column) {
                columns.push(column);
            }
            scores.insert((columns.len() - 1, score.model.as_str()), score);
        }
        let ranks = app
            .answers
            .average_ranks
            .iter()
            .filter(|rank| rank.benchmark == app.lens.benchmark);
        Self {
            models: ranks.map(|rank| (rank.model.clone(), rank.value)).collect(),
            columns,
            scores,
        }
    }

    fn score(&self, column: usize, row: usize) -> Option<&'a Score> {
        let (model, _) = self.models.get(row)?;
        self.scores.get(&(column, model.as_str())).copied()
    }

    /// The best and the worst score of a column.
    fn extremes(&self, column: usize) -> Option<(f64, f64)> {
        let scores = (0..self.models.len()).filter_map(|row| self.score(column, row)?.score);
        let (low, high) = scores.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| {
            (low.min(s), high.max(s))
        });
        let lower = self.columns.get(column)?.direction == Some(Direction::Lower);
        (low <= high).then_some(if lower { (low, high) } else { (high, low) })
    }

    fn cell(&self, column: usize, row: usize, cells: Cells) -> HeatCell<'static> {
        let Some(score) = self.score(column, row) else {
            return blank();
        };
        let ranked = (0..self.models.len())
            .filter(|&row| self.score(column, row).is_some_and(|s| s.rank.is_some()))
            .count();
        let Some(rank) = score.rank else {
            return blank();
        };
        let tied = (0..self.models.len())
            .filter(|&other| {
                self.score(column, other)
                    .is_some_and(|s| s.rank == Some(rank))
            })
            .count()
            > 1;
        let text = match (cells, score.score, self.extremes(column)) {
            (Cells::Ranks, _, _) => format!("{rank}{}", if tied { "=" } else { "" }),
            (Cells::Gaps, Some(score), Some((best, _))) => short((score - best).abs()),
            (_, score, _) => score.map_or_else(|| "–".to_owned(), short),
        };
        HeatCell {
            text: text.into(),
            heat: fraction(rank.saturating_sub(1), ranked.saturating_sub(1)),
            dim: score.rank_ci.is_some_and(|(low, high)| low < high),
            best: rank == 1,
        }
    }
}

fn blank() -> HeatCell<'static> {
    HeatCell {
        text: "–".into(),
        heat: f64::NAN,
        dim: false,
        best: false,
    }
}

fn fraction(part: u32, whole: usize) -> f64 {
    let whole = u32::try_from(whole.max(1)).unwrap_or(u32::MAX);
    f64::from(part) / f64::from(whole)
}

/// A score for a narrow cell: `.81`, `12.3`.
fn short(value: f64) -> String {
    let text = if value.abs() < 10.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.0}")
    };
    text.replacen("0.", ".", usize::from(value.abs() < 1.0))
}

/// Draws the screen.
pub fn render(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    let fingerprint = Fingerprint::new(app);
    let mut state = app.fingerprint.grid;
    let rows = u16::try_from(fingerprint.models.len()).unwrap_or(u16::MAX);
    let grid_height = rows.saturating_add(2).min((area.height * 3 / 5).max(8));
    let [top, detail, bottom] = Layout::vertical([
        Constraint::Length(grid_height),
        Constraint::Length(3),
        Constraint::Fill(1),
    ])
    .areas(area);
    draw_grid(app, &fingerprint, &mut state, frame, top);
    draw_detail(app, &fingerprint, &state, frame, detail);
    let radar = !app.fingerprint.no_radar && bottom.width >= WIDE && fingerprint.columns.len() > 2;
    let [left, right] = Layout::horizontal([
        Constraint::Fill(1),
        Constraint::Length(if radar {
            RADAR.max(bottom.width / 3)
        } else {
            0
        }),
    ])
    .areas(bottom);
    draw_bars(app, &fingerprint, &state, frame, left);
    if radar {
        draw_radar(app, &fingerprint, &state, frame, right);
    }
    app.fingerprint.grid = state;
}

fn labels(columns: &[Column]) -> Vec<(String, String)> {
    let label = |column: &Column| {
        let name = visible(&column.ability).replace('_', " ");
        let short = short_name(&column.ability);
        match column.split.as_deref().map(visible) {
            None => (short, name),
            Some(split) => (short_split(&short, &split), format!("{name} {split}")),
        }
    };
    columns.iter().map(label).collect()
}

/// `exe` and `exh` for existence, easy and hard; `cir` for classification, `imagenet_r`.
fn short_split(ability: &str, split: &str) -> String {
    let initials: String = split
        .split('_')
        .filter_map(|word| word.chars().next())
        .collect();
    let kept = 3_usize.saturating_sub(initials.chars().count()).max(1);
    ability
        .chars()
        .take(kept)
        .chain(initials.chars())
        .take(3)
        .collect()
}

fn draw_grid(
    app: &App,
    fingerprint: &Fingerprint<'_>,
    state: &mut HeatGridState,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let labels = labels(&fingerprint.columns);
    let columns: Vec<HeatColumn<'_>> = labels
        .iter()
        .map(|(short, long)| HeatColumn { short, long })
        .collect();
    let row = |(at, (model, average)): (usize, &(String, Option<f64>))| HeatRow {
        name: visible(model).into_owned().into(),
        series: app.picked.iter().position(|picked| picked == model),
        lead: vec![fixed(*average, 2).into()],
        cells: (0..columns.len())
            .map(|column| fingerprint.cell(column, at, app.fingerprint.cells))
            .collect(),
    };
    let rows: Vec<HeatRow<'_>> = fingerprint.models.iter().enumerate().map(row).collect();
    let grid = HeatGrid {
        theme: &app.theme,
        lead: &["avg"],
        columns: &columns,
        rows: &rows,
    };
    frame.render_stateful_widget(grid, area, state);
}

/// `localization  rank 1 [1-2] of 9   GIoU 0.674 [0.666, 0.682]   n 6,912   invalid 0`.
fn draw_detail(
    app: &App,
    fingerprint: &Fingerprint<'_>,
    state: &HeatGridState,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let theme = &app.theme;
    let (Some((model, _)), Some(column)) = (
        fingerprint.models.get(state.row),
        fingerprint.columns.get(state.column),
    ) else {
        return;
    };
    let wide = area.width >= WIDE;
    let mut spans = Vec::new();
    if wide {
        // The cursor shows the model too: on a narrow screen its name gives way to the numbers.
        spans.push(Span::styled(format!("{} ", visible(model)), theme.header()));
    }
    let ability = format!("{}  ", visible(&column.ability));
    spans.push(Span::styled(ability, theme.accent()));
    match fingerprint.score(state.column, state.row) {
        None => spans.push(Span::styled("not answered", theme.dim())),
        Some(score) => spans.extend(describe(
            app,
            score,
            wide.then_some(fingerprint.models.len()),
        )),
    }
    let rule = "─".repeat(usize::from(area.width));
    let lines = vec![
        Line::default(),
        Line::from(spans),
        Line::styled(rule, theme.border()),
    ];
    frame.render_widget(Paragraph::new(lines), area);
}

fn describe(app: &App, score: &Score, models: Option<usize>) -> Vec<Span<'static>> {
    let theme = &app.theme;
    let mut spans = Vec::new();
    let arrow = score.direction.map_or("", Direction::arrow);
    if let Some(rank) = score.rank {
        let interval = score
            .rank_ci
            .map(|(low, high)| format!(" [{low}-{high}]"))
            .unwrap_or_default();
        spans.push(Span::styled(format!("rank {rank}"), theme.text()));
        spans.push(Span::styled(
            format!(
                "{interval}{}   ",
                models
                    .map(|models| format!(" of {models}"))
                    .unwrap_or_default()
            ),
            theme.dim(),
        ));
    }
    spans.push(Span::styled(
        format!("{} {arrow} {}", score.metric, fixed(score.score, 3)),
        theme.text(),
    ));
    if let Some(ci) = score.ci {
        spans.push(Span::styled(
            format!(" [{}, {}]", fixed(Some(ci.low), 3), fixed(Some(ci.high), 3)),
            theme.dim(),
        ));
    }
    match score.origin {
        Origin::Published => spans.push(Span::styled("   printed, no samples", theme.dim())),
        Origin::Samples => {
            spans.push(Span::styled(
                format!("   n {}", compact(score.n)),
                theme.dim(),
            ));
            if score.invalid > 0 {
                let invalid = format!("   invalid {}", compact(score.invalid));
                spans.push(Span::styled(invalid, theme.warning()));
            }
        }
    }
    spans
}

/// All models in the ability under the cursor, best first.
fn draw_bars(
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
fn draw_radar(
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

/// The ability under the cursor.
pub fn ability_under_cursor(app: &App) -> Option<String> {
    let fingerprint = Fingerprint::new(app);
    let column = fingerprint
        .columns
        .get(app.fingerprint.grid.column)
        .or(fingerprint.columns.first());
    column.map(|column| column.ability.clone())
}

/// What an action does here.
pub fn update(app: &mut App, action: Action) -> Vec<Effect> {
    let fingerprint = Fingerprint::new(app);
    let (rows, columns) = (fingerprint.models.len(), fingerprint.columns.len());
    let grid = app.fingerprint.grid;
    let model = fingerprint
        .models
        .get(grid.row)
        .map(|(model, _)| model.clone());
    let ability = fingerprint
        .columns
        .get(grid.column)
        .map(|column| column.ability.clone());
    match action {
        Action::Left => app.fingerprint.grid.column = grid.column.saturating_sub(1),
        Action::Right => {
            app.fingerprint.grid.column = (grid.column + 1).min(columns.saturating_sub(1));
        }
        Action::Select => pick(app, model),
        Action::ToggleChart => app.fingerprint.no_radar = !app.fingerprint.no_radar,
        Action::ToggleRanks => {
            app.fingerprint.cells = match app.fingerprint.cells {
                Cells::Ranks => Cells::Scores,
                Cells::Scores => Cells::Gaps,
                Cells::Gaps => Cells::Ranks,
            };
        }
        Action::Open => return open(app, ability, model),
        Action::Copy => return model.map(Effect::Copy).into_iter().collect(),
        other => {
            if let Some(row) = moved(grid.row, rows, 10, other) {
                app.fingerprint.grid.row = row;
            }
        }
    }
    Vec::new()
}

/// The samples behind the cell, if it has any.
fn open(app: &mut App, ability: Option<String>, model: Option<String>) -> Vec<Effect> {
    let column = app.fingerprint.grid.column;
    let fingerprint = Fingerprint::new(app);
    if fingerprint
        .score(column, app.fingerprint.grid.row)
        .is_none_or(|score| score.origin == Origin::Published)
    {
        app.notice = Some("a printed score has no samples behind it".to_owned());
        return Vec::new();
    }
    let effects = app.go(View::Samples);
    app.lens.ability = ability;
    app.lens.model = model;
    app.lens.bin = None;
    drop(effects);
    app.refresh()
}

fn pick(app: &mut App, model: Option<String>) {
    let Some(model) = model else { return };
    if let Some(at) = app.picked.iter().position(|picked| *picked == model) {
        app.picked.remove(at);
    } else if app.picked.len() < MOST_PICKED {
        app.picked.push(model);
    } else {
        app.notice = Some("at most three models can be picked".to_owned());
    }
}

/// A click moves the cursor; a click on the cursor opens.
pub fn click(app: &mut App, area: Rect, x: u16, y: u16) -> Vec<Effect> {
    let fingerprint = Fingerprint::new(app);
    let labels = labels(&fingerprint.columns);
    let columns: Vec<HeatColumn<'_>> = labels
        .iter()
        .map(|(short, long)| HeatColumn { short, long })
        .collect();
    let row = |(at, (model, average)): (usize, &(String, Option<f64>))| HeatRow {
        name: visible(model).into_owned().into(),
        series: None,
        lead: vec![fixed(*average, 2).into()],
        cells: (0..columns.len())
            .map(|column| fingerprint.cell(column, at, app.fingerprint.cells))
            .collect(),
    };
    let rows: Vec<HeatRow<'_>> = fingerprint.models.iter().enumerate().map(row).collect();
    let grid = HeatGrid {
        theme: &app.theme,
        lead: &["avg"],
        columns: &columns,
        rows: &rows,
    };
    let Some(spot) = grid.cell_at(area, &app.fingerprint.grid, x, y) else {
        return Vec::new();
    };
    let before = (app.fingerprint.grid.row, app.fingerprint.grid.column);
    if let Some(row) = spot.row {
        app.fingerprint.grid.row = row;
    }
    if let Some(column) = spot.column {
        app.fingerprint.grid.column = column;
    }
    let same = before == (app.fingerprint.grid.row, app.fingerprint.grid.column);
    if same && spot.row.is_some() && spot.column.is_some() {
        update(app, Action::Open)
    } else {
        Vec::new()
    }
}
