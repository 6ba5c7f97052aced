//! The reliability view: `RotationalEval` and its decomposition, for each ability.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::change::{Change, DrillDown, Reply};
use crate::effect::{Effect, ask};
use crate::frame_output::{FrameOutput, ScrollSlot, ScrollState, ViewArea};
use crate::shared::AppState;
use crate::view::{Breadth, Explanation, View, ViewInfo};
use crate::widget::table::{
    Column, ColumnWidth, HEADER, ItemRows, Rows, Table, TableCell, TableState,
};
use analysis::metric::{Interval, Mixture, MixtureIntervals};
use analysis::{Reliability, Status};
use base::format::{compact, fixed, visible};
use engine::Query;
use report::Grid;
use workspace::Lens;

use super::SIDE_BY_SIDE;
use super::part::{click_again, draw_text, grid_of, interval, move_cursor};

const ABOUT: ViewInfo = ViewInfo {
    tab: Some(["5", "Reliability", "Reliab"]),
    opened_by: Some(Action::ViewReliability),
    breadth: Breadth::Ability,
    needs_ability: false,
    keeps_versus: false,
    help: "Rotated benchmarks ask each question four times. mean (VE) is the share of right answers, all right \
           (RE) the share of questions right at all four, all wrong (MA) wrong at all four. knows (theta) is the share \
           of questions that the model knows; it is right on those with probability r (right if known), on the others with \
           probability g (right by guess).",
};

/// Number of lines around a sentence, including the sentence's last line.
const SAID: u16 = 3;

/// State of the reliability view.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReliabilityView {
    /// Cursor of the table.
    pub table: TableState,
}

/// Returns the rows of the lens's ability, or of all abilities.
fn rows(shared: &AppState) -> Vec<&Reliability> {
    let held = |row: &&Reliability| {
        shared
            .lens
            .ability
            .as_ref()
            .is_none_or(|ability| *ability == row.ability)
            && shared
                .lens
                .model
                .as_ref()
                .is_none_or(|model| *model == row.model)
    };
    shared.answers.reliability.iter().filter(held).collect()
}

fn cells(shared: &AppState, row: &Reliability) -> Vec<TableCell<'static>> {
    let theme = &shared.theme;
    let solved = row.mixture.as_ref();
    let cell = |text: String, style| TableCell::new(text, style);
    let number = |value: Option<f64>| cell(fixed(value, 3), theme.text());
    let status = match row.status {
        Status::Ok => cell(String::new(), theme.dim()),
        other => cell(other.words().to_owned(), theme.warning()),
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
        number(solved.map(Mixture::a_adj)),
        status,
    ]
}

fn columns() -> [Column<'static>; 11] {
    let number = |title| Column::number(title, 6);
    [
        Column::text("ability", ColumnWidth::Share(3)).keeping_ends(),
        Column::text("model", ColumnWidth::Share(3)).keeping_ends(),
        number("n").from(70),
        number("mean ↑"),
        Column::number("all right ↑", 11),
        Column::number("all wrong ↓", 11),
        number("knows"),
        Column::number("if known", 8).from(90),
        Column::number("by guess", 8).from(90),
        Column::number("adjusted", 8).from(100),
        Column::text("", ColumnWidth::Fixed(19)).from(130),
    ]
}

/// Explains why there is no reliability to show, and which keys lead to it.
fn unmeasured(shared: &AppState) -> String {
    if !shared.is_loaded() {
        return "Reading …".to_owned();
    }
    let key = |action| shared.key(shared.view, action);
    format!(
        "No question of this benchmark was asked at several rotations, so reliability cannot be \
         measured. {} asks a live model about rotated pictures (protocol rotational); {} goes to \
         the next benchmark.",
        key(Action::ViewLive),
        key(Action::NextBenchmark)
    )
}

/// Splits the area into a table of `rows` rows, the details below its last row, and the rest.
fn parts(area: Rect, rows: usize) -> [Rect; 3] {
    let words = 9.min(area.height / 3);
    let rows = u16::try_from(rows).unwrap_or(u16::MAX);
    let table = rows.saturating_add(HEADER).min(area.height - words);
    let parts = [
        Constraint::Length(table),
        Constraint::Length(words),
        Constraint::Fill(1),
    ];
    Layout::vertical(parts).areas(area)
}

/// Describes the row under the cursor: intervals, rotations and patterns.
fn detail(shared: &AppState, row: &Reliability, width: u16) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let intervals = row.intervals.as_ref();
    let solved = row.mixture.is_some();
    let of = |part: fn(&MixtureIntervals) -> Option<Interval>| {
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
            "the model knows this share of the questions (theta); r and g: right if known, right by guess; adjusted: A_adj"
        }
        Status::NoSolution => {
            "knows, right if known and right by guess cannot be estimated: no values fit these \
             counts"
        }
        Status::Degenerate => {
            "knows (theta) cannot be estimated: these counts do not separate knowing from guessing"
        }
        Status::Incomplete => "not all four rotations were asked",
    };
    let line = |name: &str, text: String| {
        Line::from(vec![
            Span::styled(format!("{name:<9} "), theme.dim()),
            Span::styled(text, theme.text()),
        ])
    };
    vec![
        Line::styled("─".repeat(usize::from(width)), theme.border()),
        line(
            "intervals",
            format!(
                "all right (RE) {}   knows (theta) {}   right if known (r) {}   right by guess (g) {}",
                interval(intervals.and_then(|i| i.re)),
                of(|i| i.theta),
                of(|i| i.r),
                of(|i| i.g)
            ),
        ),
        line("right at", ve.join("   ")),
        line(
            "patterns",
            format!(
                "{}   (1 right, 0 wrong, at 0 90 180 270°)",
                patterns.join("   ")
            ),
        ),
        Line::styled(why, theme.dim()),
    ]
}

/// Builds the table and passes it to `use_it`. The table borrows its rows, so it cannot be
/// returned.
fn with_table<T>(shared: &AppState, use_it: impl FnOnce(Table<'_, dyn Rows + '_>) -> T) -> T {
    let rows = rows(shared);
    let rows: &dyn Rows = &ItemRows::new(&rows, |row| cells(shared, row));
    use_it(Table::new(&shared.theme, &columns(), rows))
}

impl ReliabilityView {
    /// Opens the samples of the row under the cursor.
    fn open(&self, shared: &AppState) -> Vec<Change> {
        Vec::from_iter(self.drill_down(shared).map(Change::from))
    }
}

impl View for ReliabilityView {
    fn about(&self) -> &'static ViewInfo {
        &ABOUT
    }

    fn explain(&self, shared: &AppState) -> Vec<Explanation> {
        let rows = rows(shared);
        let Some(row) = rows.get(self.table.selected) else {
            return Vec::new();
        };
        let theme = &shared.theme;
        let solved = row.mixture.as_ref();
        let (n, model) = (compact(row.n), &row.model);
        let told = [
            (row.ve_mean, format!("mean (VE): the share of right answers of {model}, over all rotations")),
            (row.re, format!("all right (RE): the share of {n} questions right at all four rotations")),
            (row.ma, "all wrong (MA): the share wrong at all four".to_owned()),
            (
                solved.map(|mixture| mixture.theta),
                "knows (theta): the share of questions that the model knows, estimated from the patterns".to_owned(),
            ),
            (
                solved.map(|mixture| mixture.r),
                "right if known (r): how often it is right on those".to_owned(),
            ),
            (
                solved.map(|mixture| mixture.g),
                "right by guess (g): how often it is right on the others".to_owned(),
            ),
            (
                solved.map(Mixture::a_adj),
                "adjusted (A_adj): accuracy without guessing".to_owned(),
            ),
        ];
        let told = told.into_iter().filter(|(value, _)| value.is_some());
        let one = |(value, words)| Explanation::new(fixed(value, 3), theme.text(), words);
        let mut explained: Vec<Explanation> = told.map(one).collect();
        let most = row.patterns.iter().max_by_key(|(_, count)| **count);
        if let Some((pattern, count)) = most {
            let count = compact(*count);
            let words = format!(
                "{count} questions have this pattern: right (1), wrong (0) at 0, 90, 180, 270°"
            );
            explained.push(Explanation::new(pattern, theme.text(), words));
        }
        explained
    }

    fn samples_from(&self, shared: &AppState) -> u16 {
        // Samples are shown next to a table, but below a message.
        if rows(shared).is_empty() {
            u16::MAX
        } else {
            SIDE_BY_SIDE
        }
    }

    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        let rows = rows(shared);
        if rows.is_empty() {
            return draw_text(shared, &unmeasured(shared), frame, room.area);
        }
        let [top, bottom, _] = parts(room.area, rows.len());
        let mut state = self.table;
        with_table(shared, |table| {
            frame.render_stateful_widget(table, top, &mut state);
        });
        if let Some(row) = rows.get(state.selected) {
            let words = Paragraph::new(detail(shared, row, bottom.width));
            frame.render_widget(words.wrap(Wrap { trim: true }), bottom);
        }
        ScrollState::Table(state).into()
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Table(&mut self.table)
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        if action == Action::Open {
            return self.open(shared).into();
        }
        let count = rows(shared).len();
        move_cursor(&mut self.table.selected, count, 20, action)
    }

    fn click(&mut self, shared: &AppState, area: Rect, (x, y): (u16, u16)) -> Vec<Change> {
        let [top, ..] = parts(area, rows(shared).len());
        let row = with_table(shared, |table| table.row_at(top, &self.table, x, y));
        if click_again(&mut self.table.selected, row) {
            return self.open(shared);
        }
        Vec::new()
    }

    fn ask(&self, shared: &AppState) -> Vec<Effect> {
        self.query(shared).map(ask).into_iter().collect()
    }

    fn free_area(&self, shared: &AppState, area: Rect) -> Rect {
        let rows = rows(shared).len();
        if rows > 0 {
            let [.., rest] = parts(area, rows);
            return rest;
        }
        let text = unmeasured(shared).len() / usize::from(area.width.max(1));
        let text = u16::try_from(text).unwrap_or(u16::MAX).saturating_add(SAID);
        Rect {
            y: area.y.saturating_add(text),
            height: area.height.saturating_sub(text),
            ..area
        }
    }

    fn drill_down(&self, shared: &AppState) -> Option<DrillDown> {
        let rows = rows(shared);
        if rows.is_empty() && shared.is_loaded() {
            return shared.lens_samples();
        }
        let row = rows.get(self.table.selected)?;
        Some(DrillDown::new(Lens {
            ability: Some(row.ability.clone()),
            model: Some(row.model.clone()),
            ..shared.lens.clone()
        }))
    }

    fn grid(&self, shared: &AppState, _: Rect) -> Option<Grid> {
        Some(with_table(shared, |table| {
            grid_of(table.columns, table.rows, 0..table.rows.total())
        }))
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        let scope = shared.scope(&shared.lens.whole());
        Some(engine::Reliability { scope }.into())
    }
}
