//! What a model truly knows: RotationalEval and its decomposition, ability by ability.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::action::Action;
use crate::app::{App, Effect};
use crate::keymap::View;
use crate::widget::table::{Column, ColumnWidth, Rows, Table, TableCell, TableSpot, TableState};
use analysis::{Reliability, Status};
use format::{compact, fixed, visible};
use metric::Interval;

use super::moved;

/// The cursor.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReliabilityState {
    /// The table's.
    pub table: TableState,
}

/// The rows under the lens.
fn rows(app: &App) -> Vec<&Reliability> {
    let held = |row: &&Reliability| {
        app.lens
            .ability
            .as_ref()
            .is_none_or(|ability| *ability == row.ability)
            && app
                .lens
                .model
                .as_ref()
                .is_none_or(|model| *model == row.model)
    };
    app.answers.reliability.iter().filter(held).collect()
}

struct List<'a> {
    app: &'a App,
    rows: Vec<&'a Reliability>,
}

impl Rows for List<'_> {
    fn total(&self) -> usize {
        self.rows.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.app.theme;
        let Some(row) = self.rows.get(row) else {
            return Vec::new();
        };
        let solved = row.mixture.as_ref();
        let cell = |text: String, style| TableCell {
            text: text.into(),
            style,
        };
        let number = |value: Option<f64>| cell(fixed(value, 3), theme.text());
        let status = match row.status {
            Status::Ok => cell(String::new(), theme.dim()),
            other => cell(other.name().replace('_', " "), theme.warning()),
        };
        vec![
            cell(visible(&row.ability).into_owned(), theme.text()),
            cell(visible(&row.model).into_owned(), theme.dim()),
            cell(compact(row.n), theme.dim()),
            number(row.ve_mean),
            number(row.re),
            number(row.ma),
            number(solved.map(|mixture| mixture.theta)),
            number(solved.map(|mixture| mixture.r)),
            number(solved.map(|mixture| mixture.g)),
            number(solved.map(metric::Mixture::a_adj)),
            status,
        ]
    }
}

fn columns() -> [Column<'static>; 11] {
    let number = |title| Column::number(title, 6);
    [
        Column::text("ability", ColumnWidth::Share(3)),
        Column::text("model", ColumnWidth::Share(3)),
        number("n").from(70),
        number("VE ↑"),
        number("RE ↑"),
        number("MA ↓"),
        number("theta"),
        number("r").from(90),
        number("g").from(90),
        number("A_adj").from(100),
        Column::text("", ColumnWidth::Fixed(11)).from(76),
    ]
}

/// The table, and the row under the cursor in words.
fn parts(area: Rect) -> [Rect; 2] {
    let words = 6.min(area.height / 3);
    Layout::vertical([Constraint::Fill(1), Constraint::Length(words)]).areas(area)
}

/// Draws the screen.
pub fn render(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    let rows = rows(app);
    if rows.is_empty() {
        let text = if super::is_loaded(app) {
            "No question of this benchmark was asked at several rotations, so nothing tells how reliable its \
             answers are; b leads to the next benchmark."
        } else {
            "Reading …"
        };
        return super::say(app, text, frame, area);
    }
    let [top, bottom] = parts(area);
    let mut state = app.reliability.table;
    let columns = columns();
    let list = List { app, rows };
    frame.render_stateful_widget(
        Table {
            theme: &app.theme,
            columns: &columns,
            rows: &list,
            sorted: None,
        },
        top,
        &mut state,
    );
    if let Some(row) = list.rows.get(state.selected) {
        frame.render_widget(Paragraph::new(detail(app, row)), bottom);
    }
    app.reliability.table = state;
}

/// The row under the cursor in words: its intervals, its rotations, its patterns.
fn detail(app: &App, row: &Reliability) -> Vec<Line<'static>> {
    let theme = &app.theme;
    let interval = |interval: Option<Interval>| {
        interval.map_or_else(
            || "–".to_owned(),
            |i| format!("[{}, {}]", fixed(Some(i.low), 3), fixed(Some(i.high), 3)),
        )
    };
    let intervals = row.intervals.as_ref();
    let solved = row.mixture.is_some();
    let of = |part: fn(&metric::MixtureIntervals) -> Option<Interval>| {
        interval(intervals.filter(|_| solved).and_then(part))
    };
    let ve: Vec<String> = [0, 90, 180, 270]
        .iter()
        .zip(row.ve)
        .map(|(at, ve)| format!("{at}° {}", fixed(ve, 3)))
        .collect();
    let mut patterns: Vec<(&String, &u64)> = row.patterns.iter().collect();
    patterns.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), (*name).clone()));
    let patterns: Vec<String> = patterns
        .iter()
        .take(8)
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    let why = match row.status {
        Status::Ok => {
            "theta of the questions are known and answered with r; the rest is guessed with g"
        }
        Status::NoSolution => "no theta, r and g give these counts",
        Status::Degenerate => "VE or MA is 0 or 1, or r = g: nothing to separate",
        Status::Incomplete => "not all four rotations were asked",
    };
    let line = |name: &str, text: String| {
        Line::from(vec![
            Span::styled(format!("{name:<9} "), theme.dim()),
            Span::styled(text, theme.text()),
        ])
    };
    vec![
        Line::styled("─".repeat(400), theme.border()),
        line(
            "intervals",
            format!(
                "RE {}   theta {}   r {}   g {}",
                interval(intervals.and_then(|i| i.re)),
                of(|i| i.theta),
                of(|i| i.r),
                of(|i| i.g)
            ),
        ),
        line("VE at", ve.join("   ")),
        line("patterns", patterns.join("   ")),
        Line::styled(why, theme.dim()),
    ]
}

/// What an action does here.
pub fn update(app: &mut App, action: Action) -> Vec<Effect> {
    let rows = rows(app);
    let count = rows.len();
    let chosen = rows
        .get(app.reliability.table.selected)
        .map(|row| (row.ability.clone(), row.model.clone()));
    match (action, chosen) {
        (Action::Open, Some((ability, model))) => {
            drop(app.go(View::Samples));
            app.lens.ability = Some(ability);
            app.lens.model = Some(model);
            app.samples.table = TableState::default();
            return app.refresh();
        }
        (other, _) => {
            if let Some(row) = moved(app.reliability.table.selected, count, 20, other) {
                app.reliability.table.selected = row;
            }
        }
    }
    Vec::new()
}

/// A click moves the cursor; a click on the cursor opens.
pub fn click(app: &mut App, area: Rect, x: u16, y: u16) -> Vec<Effect> {
    let columns = columns();
    let list = List {
        app,
        rows: rows(app),
    };
    let table = Table {
        theme: &app.theme,
        columns: &columns,
        rows: &list,
        sorted: None,
    };
    let [top, _] = parts(area);
    match table.spot_at(top, &app.reliability.table, x, y) {
        Some(TableSpot::Row(row)) if row == app.reliability.table.selected => {
            update(app, Action::Open)
        }
        Some(TableSpot::Row(row)) => {
            app.reliability.table.selected = row;
            Vec::new()
        }
        _ => Vec::new(),
    }
}
