//! Popup with subgroups that differ from the rest of their ability. Each row opens its samples, as
//! a list or as pictures.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::change::{Change, DrillDown, Reply};
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::keymap::ViewId;
use crate::screen::{instead, interval, records_read};
use crate::shared::{AppState, Look};
use crate::widget::table::{Column, ColumnWidth, ItemRows, Table, TableCell, TableState};
use analysis::slices::{Search, SearchedModels, Slice, Slices};
use base::format::{compact, fixed, probability, visible};
use engine::Query;
use workspace::Lens;
use workspace::page::Sort;

use super::part::{CLOSE, KeyLabel, MOVE, Overlay, open as open_frame, screen_less};

/// Returns the lens of the search: all models, and no bin of a subgroup.
fn lens(shared: &AppState) -> Lens {
    Lens {
        model: None,
        versus: None,
        bin: None,
        ..shared.lens.clone()
    }
}

/// Returns the models to search: two compared or selected models, otherwise the model in the chart.
fn searched_models(shared: &AppState) -> SearchedModels {
    let pair = match (shared.view, shared.picked.as_slice()) {
        (ViewId::Compare, _) => shared.compared(),
        (_, [a, b]) => Some([a.clone(), b.clone()]),
        _ => None,
    };
    match (pair, shared.charted().first()) {
        (Some([a, b]), _) => SearchedModels::Pair(a, b),
        (None, Some(model)) => SearchedModels::Model(model.clone()),
        (None, None) => SearchedModels::Everyone,
    }
}

fn query(shared: &AppState) -> engine::Slices {
    engine::Slices {
        scope: shared.scope(&lens(shared)),
        search: Search {
            who: searched_models(shared),
            ..Search::default()
        },
    }
}

/// Returns the result of the current search, if it has arrived.
fn known(shared: &AppState) -> Option<&Slices> {
    let (asked, found) = shared.answers.slices.as_ref()?;
    (*asked == query(shared)).then_some(&**found)
}

/// Returns the title: `subgroups that differ: dinov2 over counting`.
fn title(shared: &AppState) -> String {
    let who = match searched_models(shared) {
        SearchedModels::Everyone => "all models".to_owned(),
        SearchedModels::Model(model) => model,
        SearchedModels::Pair(a, b) => format!("{a} minus {b}"),
    };
    let over = shared.lens.ability.as_deref().unwrap_or("all abilities");
    visible(&format!("subgroups that differ: {who} over {over}")).into_owned()
}

fn cells(shared: &AppState, slice: &Slice) -> Vec<TableCell<'static>> {
    let theme = &shared.theme;
    let cell = |text: String, style| TableCell::new(text, style);
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
        cell(interval(slice.interval), theme.dim()),
        cell(probability(slice.p_adjusted), theme.dim()),
        cell(signed(slice.held_out.difference), theme.dim()),
        cell(turns.to_owned(), theme.warning()),
    ]
}

/// Formats a number with three decimals and a sign.
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
        Column::text("ability", ColumnWidth::Share(2))
            .keeping_ends()
            .from(if one_ability { hidden } else { 0 }),
        Column::text("where", ColumnWidth::Share(4)),
        Column::number("n", 5),
        Column::number("score", 6),
        Column::number("vs rest", 7),
        Column::number("95 %", 16).from(90),
        Column::number("p adj", 6).from(66),
        Column::number("held-out", 8).from(78),
        Column::text("", ColumnWidth::Fixed(1)),
    ]
}

fn draw_message(shared: &AppState, text: &str, frame: &mut Frame<'_>, area: Rect) {
    let lines: Vec<Line<'_>> = text
        .lines()
        .map(|line| Line::styled(line.to_owned(), shared.theme.dim()))
        .collect();
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), area);
}

/// Describes the slice under the cursor.
fn detail(shared: &AppState, slice: &Slice, width: u16) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let held = &slice.held_out;
    let sentence = slice.sentence(&query(shared).search);
    let line = |name: &str, text: String| {
        Line::from(vec![
            Span::styled(format!("{name:<13} "), theme.dim()),
            Span::styled(visible(&text).into_owned(), theme.text()),
        ])
    };
    let other = format!(
        "{}   n {}   p {} (one-sided), on other images",
        signed(held.difference),
        compact(held.n),
        probability(held.p_value)
    );
    let turns = match &slice.reversed_by {
        Some(tag) => line(
            "⇄ reversed",
            format!("the difference reverses when split by {tag}"),
        ),
        None => Line::default(),
    };
    vec![
        Line::styled("─".repeat(usize::from(width)), theme.border()),
        Line::styled(visible(&sentence).into_owned(), theme.text()),
        line("held-out half", other),
        turns,
    ]
}

/// State of the popup: cursor in the list of subgroups.
#[derive(Clone, Copy, Debug, Default)]
pub struct SliceTable(TableState);

impl SliceTable {
    /// Opens the samples of the slice under the cursor.
    fn open(self, shared: &AppState) -> Option<Change> {
        let slice = known(shared)?.slices.get(self.0.selected)?.clone();
        let (model, versus) = match searched_models(shared) {
            SearchedModels::Pair(a, b) => (Some(a), Some(b)),
            SearchedModels::Everyone | SearchedModels::Model(_) => (slice.model, None),
        };
        let by_gap = versus.is_some();
        let lens = Lens {
            ability: Some(slice.ability),
            model,
            versus,
            bin: None,
            step: slice.expression,
            ..shared.lens.clone()
        };
        let drill = DrillDown {
            sort: Some(if by_gap { Sort::Gap } else { Sort::Worst }),
            second: true,
            ..DrillDown::new(lens)
        };
        Some(drill.into())
    }
}

impl Overlay for SliceTable {
    /// Draws the list and the slice under the cursor, or a message if there is no list.
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let (width, height) = screen_less(frame, [6, 6]);
        // Height of the message, or of the list with the lines around it.
        let count = known(shared).map_or(0, |found| found.slices.len());
        let lines = if count == 0 { 4 } else { count + 9 };
        let most = height.min(30);
        let size = (
            width.min(130),
            u16::try_from(lines).unwrap_or(most).min(most),
        );
        let inner = open_frame(shared, frame, &title(shared), size);
        let mut state = self.0;
        let Some(found) = known(shared) else {
            let counts =
                records_read().map(|counts| format!("; reading pictures and answers: {counts}"));
            let words = format!(
                "searching all tags, conditions, words of the questions, and pairs of these{}",
                counts.unwrap_or_default()
            );
            draw_message(
                shared,
                &instead(shared, query(shared), &words),
                frame,
                inner,
            );
            return (inner, ScrollState::Table(state));
        };
        let headline = found.sentence(Search::default().q);
        if found.slices.is_empty() {
            let hint = "After Esc, m changes the model, a the ability, and / the filter.";
            draw_message(shared, &format!("{headline}.\n\n{hint}"), frame, inner);
            return (inner, ScrollState::Table(state));
        }
        let [head, table, foot] = Layout::vertical([Length(2), Fill(1), Length(5)]).areas(inner);
        draw_message(shared, &headline, frame, head);
        let rows = ItemRows::new(&found.slices, |slice| cells(shared, slice));
        let columns = columns(shared.lens.ability.is_some());
        let list = Table::new(&shared.theme, &columns, &rows);
        frame.render_stateful_widget(list, table, &mut state);
        if let Some(slice) = found.slices.get(state.selected) {
            let lines = detail(shared, slice, inner.width);
            let lines = Paragraph::new(lines).wrap(Wrap { trim: true });
            frame.render_widget(lines, foot);
        }
        (inner, ScrollState::Table(state))
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Table(&mut self.0)
    }

    fn keys(&self, shared: &AppState) -> Vec<KeyLabel> {
        if known(shared).is_none_or(|found| found.slices.is_empty()) {
            return vec![CLOSE];
        }
        vec![MOVE, ("Enter", "samples"), ("v", "pictures"), CLOSE]
    }

    fn key(&mut self, shared: &AppState, key: KeyEvent) -> Reply {
        if key.code != KeyCode::Char('v') || !key.modifiers.is_empty() {
            return Reply::PassOn;
        }
        match self.open(shared) {
            Some(change) => vec![Change::Close, change, Change::Look(Look::Sheet)].into(),
            None => Reply::DONE,
        }
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        match action {
            Action::Open => match self.open(shared) {
                Some(change) => vec![Change::Close, change].into(),
                None => Reply::DONE,
            },
            Action::CopyCommand => Reply::PassOn,
            _ => Reply::with(Change::Close),
        }
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        Some(query(shared).into())
    }

    fn is_known(&self, shared: &AppState) -> bool {
        known(shared).is_some()
    }
}
