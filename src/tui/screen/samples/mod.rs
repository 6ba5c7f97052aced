//! The samples view. It shows the predictions of the lens in one of four looks: a list with a
//! preview, a sheet of pictures, a matrix of all answers, or a confusion matrix.

mod confusion;
mod list;
mod matrix;
mod measures;
mod sheet;
mod shelves;
mod tile;

use std::collections::HashSet;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::effect::{Effect, ask};
use crate::frame_output::{FrameOutput, Pane, ScrollState, ViewArea};
use crate::shared::{AppState, Look, OtherOrder};
use crate::view::{Breadth, Explanation, View, ViewInfo};
use crate::widget::line::Piece;
use crate::widget::table::TableSpot;
use base::format::{compact, counted, visible};
use engine::Query;
use record::Row;
use report::Grid;
use workspace::Lens;
use workspace::filter::all_of;
use workspace::page::list_row;

use super::THREE_PANES;
use super::part::{draw_text, moved, records_read, why_empty};
use super::sample::preview;
pub use confusion::ConfusionGrid;
pub use list::{explain, fields};
pub use matrix::{Matrix, models_words};
pub use sheet::{Sheet, draw_strip};

/// Minimum screen width to show a preview next to the list.
const WITH_PREVIEW: u16 = 100;
/// Minimum height of the view to show a preview below the list, in rows.
const WITH_BELOW: u16 = 7;
/// Minimum and maximum height of a preview below the list, in rows.
const BELOW: (u16, u16) = (3, 18);
/// Number of rows that a page key moves.
const PAGE: usize = 20;
/// Filter term for wrong answers.
const WRONG: &str = "correct:false";
/// Filter term for samples with at least one wrong answer.
const SOME_WRONG: &str = "hard>0";
/// Filter term for samples on which models differ.
const DIFFERENT: &str = "disagreement>0";

const ABOUT: ViewInfo = ViewInfo {
    tab: Some(["3", "Samples", "Samples"]),
    opened_by: Some(Action::ViewSamples),
    breadth: Breadth::Samples,
    needs_ability: false,
    keeps_versus: true,
    help: "The predictions in the lens, the worst first, next to the sample under the cursor. \
           Where abilities are scored in different units, worst is relative to the answers of the \
           same ability. The line on top shows the lens: benchmark, ability, model, bin, \
           filter. / narrows it, Enter shows the sample on the whole screen, v shows a sheet of \
           pictures instead, the answers of all models side by side, and targets against answers. \
            + enlarges the pictures, and shows them next to the answers of all models. H groups the \
            sheet by answer, target, look or a tag, ~ shows what looks most like the sample under \
            the cursor, @ a map. Space selects, * selects the whole group.",
};

/// State of the samples view. Its cursor is shared with the sample view.
#[derive(Clone, Copy, Debug, Default)]
pub struct SamplesView {
    sheet: Sheet,
    /// The matrix of all answers, which has its own cursor.
    pub matrix: Matrix,
    confusion: ConfusionGrid,
}

/// Splits the area into the list and, if it fits, the preview. The preview is on the right, or
/// below on a narrow screen.
fn parts(area: Rect) -> (Rect, Option<Rect>) {
    // Add the margins of the screen.
    let width = area.width.saturating_add(2);
    if width >= WITH_PREVIEW {
        let share = if width >= THREE_PANES { 44 } else { 52 };
        let [list, sample] =
            Layout::horizontal([Constraint::Percentage(share), Constraint::Fill(1)])
                .spacing(3)
                .areas(area);
        return (list, Some(sample));
    }
    if area.height < WITH_BELOW {
        return (area, None);
    }
    let (least, most) = BELOW;
    let lines = (area.height / 5 * 2).clamp(least, most);
    let [list, sample] = Layout::vertical([Constraint::Fill(1), Constraint::Length(lines)])
        .spacing(1)
        .areas(area);
    (list, Some(sample))
}

/// Draws the rule between a list and its preview. The rule is bright while the preview has the
/// focus.
fn draw_rule(shared: &AppState, frame: &mut Frame<'_>, list: Rect, sample: Rect) {
    let style = if shared.pane == Pane::Preview {
        shared.theme.accent()
    } else {
        shared.theme.border()
    };
    let (rule, lines) = if sample.y > list.y {
        let y = sample.y.saturating_sub(1);
        let line = Line::styled("─".repeat(usize::from(sample.width)), style);
        (
            Rect {
                y,
                height: 1,
                ..sample
            },
            vec![line],
        )
    } else {
        let x = sample.x.saturating_sub(2);
        let lines = vec![Line::styled("│", style); usize::from(sample.height)];
        (
            Rect {
                x,
                width: 1,
                ..sample
            },
            lines,
        )
    };
    frame.render_widget(Paragraph::new(lines), rule);
}

/// Draws the list with a preview, whatever the look of the view is.
pub fn draw_list(shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
    if shared.list.rows.is_empty() {
        return draw_text(shared, &why_empty(shared), frame, room.area);
    }
    let (list, sample) = parts(room.area);
    let (state, briefs) = list::draw(shared, frame, list);
    let mut drawn = FrameOutput::default();
    if let Some(area) = sample {
        draw_rule(shared, frame, list, area);
        drawn = preview(shared, frame, ViewArea { area, ..room });
    }
    drawn.wanted.briefs.extend(briefs);
    drawn.view = ScrollState::Samples(state);
    drawn
}

/// Handles a click on the list. A click on a title sorts. A click on a row moves the cursor there;
/// a second click opens the row.
pub fn click_list(shared: &AppState, area: Rect, at: (u16, u16)) -> Vec<Change> {
    match list::spot_at(shared, parts(area).0, at) {
        Some(TableSpot::Title(at)) => {
            let column = list::column_at(shared, at);
            column.map(Change::SortBy).into_iter().collect()
        }
        Some(TableSpot::Row(row)) => clicked(shared, Some(row)),
        None => Vec::new(),
    }
}

/// Handles a click on a sample of the list.
fn clicked(shared: &AppState, row: Option<usize>) -> Vec<Change> {
    match row {
        Some(row) if row == shared.list.table.selected => vec![Change::OpenSample],
        Some(row) => vec![Change::Select(row)],
        None => Vec::new(),
    }
}

/// Returns the position of the list's cursor.
pub fn position(shared: &AppState) -> Option<Piece<'static>> {
    let total = shared.list.rows.len();
    let at = shared.list.table.selected + 1;
    let words = || format!("{at} of {}", compact(total as u64));
    (total > 0).then(|| Piece::new(words(), shared.theme.dim()))
}

/// Returns the prefix shared by all ids of the list.
fn prefix(shared: &AppState) -> Option<Piece<'static>> {
    let row = shared.list.rows.first()?;
    let id = shared.table.sample_id(shared.table.item(Row(*row)));
    let prefix = id.get(..shared.list.outline.prefix)?;
    let words = || format!("ids begin with {}", visible(prefix));
    (!prefix.is_empty()).then(|| Piece::new(words(), shared.theme.dim()))
}

/// Returns the grouping of the list. The grouping may still be in progress.
fn groups(shared: &AppState) -> Option<Piece<'static>> {
    let list = &shared.list;
    let by = list.group.as_ref().filter(|_| !shared.shows_matrix())?;
    let words = if list.grouped.as_ref() == Some(by) {
        format!("grouped by {}", visible(by.words()))
    } else if let Some(counts) = counts(shared) {
        format!("grouping by {}: {counts}", visible(by.words()))
    } else {
        format!("grouping by {} …", visible(by.words()))
    };
    Some(Piece::new(words, shared.theme.text()))
}

/// Returns the progress of reading pictures for the list: `120 of 640`. Returns `None` if no
/// pictures are being read.
fn counts(shared: &AppState) -> Option<String> {
    records_read().filter(|_| shared.is_comparing())
}

/// Returns the sample with which the listed samples are compared, and the progress of the
/// comparison.
fn likeness(shared: &AppState) -> Option<Piece<'static>> {
    let Some(OtherOrder::Like(like)) = &shared.list.other else {
        return None;
    };
    let sample = visible(&like.sample);
    let words = match counts(shared) {
        Some(counts) => format!("comparing pictures with {sample}: {counts}"),
        None if shared.is_comparing() => format!("comparing with {sample} …"),
        None => format!("most like {sample} first"),
    };
    Some(Piece::new(words, shared.theme.text()))
}

/// Copies the ids of the selected samples, one per line.
fn copy_chosen(shared: &AppState) -> Reply {
    let table = &shared.table;
    let chosen = shared.chosen().into_iter();
    let ids = chosen.map(|row| table.sample_id(table.item(Row(row))));
    let mut known: HashSet<&str> = HashSet::new();
    let ids = ids.filter(|id| known.insert(*id));
    let ids: Vec<String> = ids.map(|id| visible(id).into_owned()).collect();
    let said = format!("copied {}", counted(ids.len() as u64, "id"));
    vec![Change::Say(said), Effect::Copy(ids.join("\n")).into()].into()
}

/// Returns the lens with the next outcome: only wrong answers, then only samples on which models
/// differ, then all samples. In the matrix, all answers to a sample stay, even correct answers.
fn next_outcome(shared: &AppState) -> Lens {
    let lens = &shared.lens;
    let of_matrix = shared.list.look == Look::Matrix;
    let shown = of_matrix.then(|| matrix::terms_of_shown(shared)).flatten();
    let [wrong, different] = shown.unwrap_or_else(|| {
        let wrong = if of_matrix { SOME_WRONG } else { WRONG };
        [wrong, DIFFERENT].map(str::to_owned)
    });
    let known = [WRONG, SOME_WRONG, DIFFERENT].into_iter();
    let of_all = |term: &'static str| Some((term == DIFFERENT, lens.step.strip_prefix(term)?));
    // The expression may contain terms for models that were selected earlier.
    let mut now = known
        .filter_map(of_all)
        .chain(matrix::without_terms_of_models(&lens.step));
    let now = now.find(|(_, rest)| rest.is_empty() || rest.starts_with(' '));
    let several = shared.answered().len() > 1;
    let (next, rest) = match now {
        None => (Some(&wrong), lens.step.as_str()),
        Some((true, rest)) => (None, rest),
        Some((false, rest)) => (several.then_some(&different), rest),
    };
    Lens {
        step: all_of(next.cloned().into_iter().collect(), rest),
        ..lens.clone()
    }
}

/// Selects the group of the sample under the cursor. Without groups, selects the whole list.
fn select_all(shared: &AppState) -> Reply {
    let list = &shared.list;
    let range = if list.look == Look::Sheet {
        Sheet::group(shared)
    } else {
        0..list.rows.len()
    };
    let rows = list.rows.get(range).unwrap_or_default();
    Reply::with(Change::MarkAll(rows.to_vec()))
}

/// Selects the samples from the last selected one to the one under the cursor.
fn select_range(shared: &AppState, here: u32) -> Reply {
    let list = &shared.list;
    let place = |row: u32| list.rows.iter().position(|known| *known == row);
    let (Some(from), Some(to)) = (list.anchor.and_then(place), place(here)) else {
        return Reply::say("press Space first where the range begins");
    };
    let rows = list.rows.get(from.min(to)..=from.max(to));
    let mut rows = rows.unwrap_or_default().to_vec();
    // Keep only unselected samples, because `MarkAll` deselects a range that is already selected.
    rows.retain(|row| !shared.marked.contains(row));
    if rows.is_empty() {
        return Reply::say("this whole range is already selected");
    }
    Reply::with(Change::MarkAll(rows))
}

impl View for SamplesView {
    fn about(&self) -> &'static ViewInfo {
        &ABOUT
    }

    fn explain(&self, shared: &AppState) -> Vec<Explanation> {
        match shared.list.look {
            Look::Confusion => self.confusion.explain(shared),
            _ => explain(shared),
        }
    }

    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        match shared.list.look {
            _ if shared.list.rows.is_empty() => {
                draw_text(shared, &why_empty(shared), frame, room.area)
            }
            Look::List => draw_list(shared, frame, room),
            Look::Sheet => self.sheet.draw(shared, frame, room),
            Look::Matrix => self.matrix.draw(shared, frame, room),
            Look::Confusion => self.confusion.draw(shared, frame, room),
        }
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        let list = &shared.list;
        match (action, list.here()) {
            (Action::NextLook, _) => {
                return Reply::with(Change::Look(list.look.next()));
            }
            (Action::NextOutcome, _) => return Reply::with(Change::Narrow(next_outcome(shared))),
            _ if list.look == Look::Matrix => return self.matrix.act(shared, action),
            _ if list.look == Look::Confusion => return self.confusion.act(shared, action),
            (Action::SelectAll, _) => return select_all(shared),
            (Action::SelectRange, Some(here)) => return select_range(shared, here),
            (Action::Open, Some(_)) => return Reply::with(Change::OpenSample),
            (Action::Copy, Some(_)) if !shared.marked.is_empty() => return copy_chosen(shared),
            (Action::Copy, Some(row)) => {
                let sample = list_row(&shared.table, Row(row), shared.lens.scoring);
                let id = visible(&sample.sample_id).into_owned();
                return Change::copied(id).into();
            }
            _ => {}
        }
        if list.look == Look::Sheet {
            return self.sheet.act(shared, action);
        }
        match moved(list.table.selected, list.rows.len(), PAGE, action) {
            Some(row) => Reply::with(Change::Select(row)),
            None => Reply::PassOn,
        }
    }

    fn keep(&mut self, scrolled: ScrollState) {
        match scrolled {
            ScrollState::Sheet(sheet) => self.sheet = sheet,
            ScrollState::Matrix(matrix) => self.matrix = matrix,
            ScrollState::Confusion(grid) => self.confusion = grid,
            _ => {}
        }
    }

    fn click(&mut self, shared: &AppState, area: Rect, at: (u16, u16)) -> Vec<Change> {
        match shared.list.look {
            Look::Matrix => self.matrix.click(shared, area, at),
            Look::Confusion => self.confusion.click(shared, area, at),
            Look::Sheet => clicked(shared, self.sheet.sample_at(shared, area, at)),
            Look::List => click_list(shared, area, at),
        }
    }

    fn ask(&self, shared: &AppState) -> Vec<Effect> {
        vec![ask(shared.samples_query())]
    }

    fn grid(&self, shared: &AppState, area: Rect) -> Option<Grid> {
        match shared.list.look {
            Look::Matrix => self.matrix.grid(shared, area),
            Look::Confusion => confusion::grid(shared),
            Look::List | Look::Sheet => Some(list::grid(shared, parts(area).0)),
        }
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        Some(shared.samples_query().into())
    }

    fn status(&self, shared: &AppState) -> Vec<Piece<'static>> {
        let dim = shared.theme.dim();
        let mut pieces = match shared.list.look {
            Look::Matrix => self.matrix.status(shared),
            Look::Confusion => ConfusionGrid::status(shared),
            Look::List | Look::Sheet => Vec::from_iter(position(shared)),
        };
        if !shared.marked.is_empty() {
            let words = format!("{} selected", compact(shared.marked.len() as u64));
            pieces.push(Piece::new(words, shared.theme.accent()));
        }
        pieces.extend(groups(shared));
        pieces.extend(likeness(shared));
        pieces.extend(shared.right().map(|words| Piece::new(words, dim)));
        pieces.extend(prefix(shared));
        pieces
    }
}
