//! The subgroups that depart from the rest of their ability, as a list whose rows open their samples.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::app::{App, Effect};
use crate::keymap::View;
use crate::screen;
use crate::widget::table::{Column, ColumnWidth, Rows, Table, TableCell, TableState};
use analysis::slices::{Search, Slice, Slices, Who};
use format::{compact, fixed, probability, visible};
use workspace::Lens;
use workspace::page::Sort;

use super::Popup;
use super::draw::open as open_frame;

/// The lens of the search: all models, no bin.
fn lens(app: &App) -> Lens {
    Lens {
        model: None,
        versus: None,
        bin: None,
        ..app.lens.clone()
    }
}

/// Who departs: the two models that are compared or picked, else the one that charts show.
pub fn who(app: &App) -> Who {
    let pair = match (app.view, app.picked.as_slice()) {
        (View::Compare, _) => screen::compared_models(app),
        (_, [a, b]) => Some([a.clone(), b.clone()]),
        _ => None,
    };
    match (pair, app.charted().first()) {
        (Some([a, b]), _) => Who::Pair(a, b),
        (None, Some(model)) => Who::Model(model.clone()),
        (None, None) => Who::Everyone,
    }
}

/// The search.
pub fn query(app: &App) -> engine::Slices {
    engine::Slices {
        scope: app.scope(&lens(app)),
        search: Search {
            who: who(app),
            ..Search::default()
        },
    }
}

/// What the search found, if it is known.
pub fn known(app: &App) -> Option<&Slices> {
    let (asked, found) = app.answers.slices.as_ref()?;
    (*asked == query(app)).then_some(&**found)
}

/// `subgroups apart: dinov2 over counting`.
fn title(app: &App) -> String {
    let who = match who(app) {
        Who::Everyone => "all models".to_owned(),
        Who::Model(model) => model,
        Who::Pair(a, b) => format!("{a} less {b}"),
    };
    let over = app.lens.ability.as_deref().unwrap_or("all abilities");
    visible(&format!("subgroups apart: {who} over {over}")).into_owned()
}

struct List<'a> {
    app: &'a App,
    slices: &'a [Slice],
}

impl Rows for List<'_> {
    fn total(&self) -> usize {
        self.slices.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.app.theme;
        let Some(slice) = self.slices.get(row) else {
            return Vec::new();
        };
        let cell = |text: String, style| TableCell {
            text: text.into(),
            style,
        };
        let interval = slice.interval.map_or_else(
            || "–".to_owned(),
            |i| format!("[{}, {}]", fixed(Some(i.low), 3), fixed(Some(i.high), 3)),
        );
        let turns = if slice.reversed_by.is_some() {
            "⇄"
        } else {
            ""
        };
        vec![
            cell(visible(&slice.ability).into_owned(), theme.dim()),
            cell(visible(&slice.expression).into_owned(), theme.text()),
            cell(compact(slice.n), theme.dim()),
            cell(fixed(Some(slice.score), 3), theme.text()),
            cell(signed(slice.difference), theme.accent()),
            cell(interval, theme.dim()),
            cell(probability(slice.p_adjusted), theme.dim()),
            cell(signed(slice.held_out.difference), theme.dim()),
            cell(turns.to_owned(), theme.warning()),
        ]
    }
}

/// Three decimals with a sign.
fn signed(number: f64) -> String {
    let text = fixed(Some(number), 3);
    if number > 0.0 {
        format!("+{text}")
    } else {
        text
    }
}

fn columns(one_ability: bool) -> Vec<Column<'static>> {
    let hidden = u16::MAX;
    vec![
        Column::text("ability", ColumnWidth::Share(2)).from(if one_ability { hidden } else { 0 }),
        Column::text("where", ColumnWidth::Share(4)),
        Column::number("n", 5),
        Column::number("score", 6),
        Column::number("vs rest", 7),
        Column::number("95 %", 16).from(90),
        Column::number("p adj", 6).from(66),
        Column::number("other ½", 7).from(78),
        Column::text("", ColumnWidth::Fixed(1)),
    ]
}

/// Draws the list, or what stands in its place.
pub fn draw(app: &mut App, state: &mut TableState, frame: &mut Frame<'_>) {
    let screen = frame.area();
    let (width, height) = (
        screen.width.saturating_sub(6).min(130),
        screen.height.saturating_sub(6).min(30),
    );
    let title = title(app);
    let inner = open_frame(app, frame, &title, width, height);
    let Some(found) = known(app) else {
        return say(
            app,
            "searching every tag, condition and pair of them",
            frame,
            inner,
        );
    };
    let headline = found.sentence(Search::default().q);
    if found.slices.is_empty() {
        let hint = "Esc goes back: there m takes another model, a another ability, / a filter.";
        return say(app, &format!("{headline}.\n\n{hint}"), frame, inner);
    }
    let [head, table, foot] = Layout::vertical([
        Constraint::Length(2),
        Constraint::Fill(1),
        Constraint::Length(4),
    ])
    .areas(inner);
    say(app, &headline, frame, head);
    let columns = columns(app.lens.ability.is_some());
    let list = List {
        app,
        slices: &found.slices,
    };
    let widget = Table {
        theme: &app.theme,
        columns: &columns,
        rows: &list,
        sorted: None,
    };
    frame.render_stateful_widget(widget, table, state);
    if let Some(slice) = found.slices.get(state.selected) {
        frame.render_widget(Paragraph::new(detail(app, slice, inner.width)), foot);
    }
}

fn say(app: &App, text: &str, frame: &mut Frame<'_>, area: Rect) {
    let lines: Vec<Line<'_>> = text
        .lines()
        .map(|line| Line::styled(line.to_owned(), app.theme.dim()))
        .collect();
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), area);
}

/// The slice under the cursor in words.
fn detail(app: &App, slice: &Slice, width: u16) -> Vec<Line<'static>> {
    let theme = &app.theme;
    let held = &slice.held_out;
    let line = |name: &str, text: String| {
        Line::from(vec![
            Span::styled(format!("{name:<9} "), theme.dim()),
            Span::styled(visible(&text).into_owned(), theme.text()),
        ])
    };
    let arrow = slice.direction.arrow();
    let inside = format!(
        "{} {arrow} inside {}, rest {}; n {}",
        slice.metric,
        fixed(Some(slice.score), 3),
        fixed(Some(slice.rest), 3),
        compact(slice.n)
    );
    let other = format!(
        "{}   n {}   p {} (one-sided), on other images",
        signed(held.difference),
        compact(held.n),
        probability(held.p_value)
    );
    let turns = match &slice.reversed_by {
        Some(tag) => line("⇄", format!("the direction turns round by {tag}")),
        None => Line::styled("Enter opens these samples", theme.dim()),
    };
    vec![
        Line::styled("─".repeat(usize::from(width)), theme.border()),
        line("where", format!("{}   {inside}", slice.expression)),
        line("other half", other),
        turns,
    ]
}

/// Opens the samples of the slice under the cursor.
pub fn open(app: &mut App) -> Vec<Effect> {
    let Some(Popup::Slices(state)) = app.popups.last() else {
        return Vec::new();
    };
    let slice = known(app)
        .and_then(|found| found.slices.get(state.selected))
        .cloned();
    let (Some(slice), who) = (slice, who(app)) else {
        return Vec::new();
    };
    app.popups.pop();
    app.remember();
    let (model, versus) = match who {
        Who::Pair(a, b) => (Some(a), Some(b)),
        Who::Everyone | Who::Model(_) => (slice.model, None),
    };
    let filter = match app.lens.filter.as_str() {
        "" => slice.expression,
        before => format!("({before}) {}", slice.expression),
    };
    app.sample.second = screen::Second::default();
    app.sort = if versus.is_some() {
        Sort::Gap
    } else {
        Sort::Worst
    };
    app.reverse = false;
    app.lens = Lens {
        ability: Some(slice.ability),
        model,
        versus,
        bin: None,
        filter,
        ..app.lens.clone()
    };
    app.view = View::Samples;
    app.samples.table = TableState::default();
    app.ask_all()
}
