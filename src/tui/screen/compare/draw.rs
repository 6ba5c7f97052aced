//! Draws the comparison: the two models, the table, and details of the row under the cursor.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::facet::facets;
use super::rows::{List, rows};
use super::{CompareView, cells, worse};
use crate::frame_output::{FrameOutput, Pane, ScrollState};
use crate::screen::part::{draw_text, instead};
use crate::shared::AppState;
use crate::widget::table::Table;
use analysis::{Comparison, PairedDifference, coverage, sentence};
use base::format::visible;
use base::format::wrap;
use record::benchmark::{RightThreshold, metric_symbol};

/// Maximum number of warnings above the table.
const WARNINGS: usize = 3;
/// Lines below the table: a rule, then the sentences and the cells.
const FOOT: u16 = 8;
/// Maximum number of lines of a sentence that contains the names of the models.
const SENTENCE: usize = 4;
/// Minimum width for the cells next to the sentences, in screen columns.
const BESIDE: u16 = 62;
/// Number of lines of the cells if they are above the sentences.
const CELLS: u16 = 4;
/// Width below which the cells need another line, in screen columns.
const CELLS_WIDE: u16 = 50;
/// Number of lines above the rows of the table: titles and a rule.
const TITLES: u16 = 2;

/// Splits the area into head, table, foot and the rest. The foot is directly below the last row.
pub fn parts(shared: &AppState, area: Rect) -> [Rect; 4] {
    let head = u16::try_from(head(shared, area.width).len()).unwrap_or_default() + 1;
    let head = head.min(area.height / 3);
    let is_narrow = area.width < BESIDE;
    let foot = FOOT.min(area.height / if is_narrow { 2 } else { 3 });
    let room = area.height.saturating_sub(head + foot);
    let table = match u16::try_from(rows(shared).len()).unwrap_or(u16::MAX) {
        0 => room,
        rows => rows.saturating_add(TITLES).min(room),
    };
    Layout::vertical([Length(head), Length(table), Length(foot), Fill(1)]).areas(area)
}

/// Splits the foot into its rule, the sentences and the cells.
fn foot_parts(foot: Rect) -> [Rect; 3] {
    let [rule, below] = Layout::vertical([Length(1), Fill(1)]).areas(foot);
    if foot.width < BESIDE {
        let lines = CELLS + u16::from(foot.width < CELLS_WIDE);
        let [cells, words] = Layout::vertical([Length(lines), Fill(1)]).areas(below);
        return [rule, words, cells];
    }
    let sides = [Fill(1), Length(cells::WIDTH)];
    let [words, cells] = Layout::horizontal(sides).spacing(2).areas(below);
    [rule, words, cells]
}

/// Returns the area of the cells in the foot.
pub fn cells_of(foot: Rect) -> Rect {
    let [.., cells] = foot_parts(foot);
    cells
}

/// Builds the table and passes it to `use_it`. The table borrows its rows, so it cannot be
/// returned.
pub fn with_table<T>(
    shared: &AppState,
    width: u16,
    use_it: impl FnOnce(Table<'_, List<'_>>) -> T,
) -> T {
    let rows = rows(shared);
    let list = List::new(shared, &rows, width);
    use_it(Table::new(&shared.theme, &list.columns(), &list))
}

/// Draws the screen with its cursor and the selected facet.
pub fn draw(
    view: &CompareView,
    shared: &AppState,
    frame: &mut Frame<'_>,
    area: Rect,
) -> FrameOutput {
    if shared.is_published_only(&shared.lens.benchmark) {
        let text = "Published scores have no samples to compare; b goes to the next benchmark.";
        return draw_text(shared, text, frame, area);
    }
    let Some([a, b]) = shared.compared() else {
        let text = if shared.lens.filter.is_empty() {
            "Two models are needed here; this benchmark has one. b goes to the next benchmark."
        } else {
            "Two models are needed here; the filter leaves one at most. F clears the filter."
        };
        return draw_text(shared, text, frame, area);
    };
    let [head, middle, foot, _] = parts(shared, area);
    draw_head(shared, [&a, &b], frame, head);
    let rows = rows(shared);
    if rows.is_empty() {
        let text = match &shared.answers.comparison {
            Some(known) if known.models == [a, b] => {
                "No sample was answered by both; m, M and | change the models.".to_owned()
            }
            _ => CompareView::compared(shared, true)
                .map_or_else(String::new, |it| instead(shared, it, "Comparing …")),
        };
        return draw_text(shared, &text, frame, middle);
    }
    let mut state = view.table;
    state.selected = state.selected.min(rows.len().saturating_sub(1));
    let row = rows.get(state.selected).copied();
    with_table(shared, middle.width, |table| {
        frame.render_stateful_widget(table, middle, &mut state);
    });
    let mut drawn = FrameOutput::from(ScrollState::Table(state));
    if let Some(row) = row {
        draw_foot(view, shared, row, frame, foot);
        drawn.panes.push(Pane::Cells);
    }
    drawn.wanted.gate = worse::missing_query(view, shared);
    drawn
}

/// Draws the two models, warnings about the comparison, and the common samples.
fn draw_head(shared: &AppState, [a, b]: [&str; 2], frame: &mut Frame<'_>, area: Rect) {
    let theme = &shared.theme;
    let is_quick = shared
        .answers
        .comparison
        .as_ref()
        .is_some_and(|known| known.quick);
    let more = if is_quick { "   first results …" } else { "" };
    let names = Line::from(vec![
        Span::styled(format!("A {}", visible(a)), theme.model_a()),
        Span::raw("   "),
        Span::styled(format!("B {}", visible(b)), theme.model_b()),
        Span::styled(more, theme.dim()),
    ]);
    let mut lines = vec![names];
    lines.extend(head(shared, area.width));
    frame.render_widget(Paragraph::new(lines), area);
}

/// Returns the lines below the names of the models, warnings first.
fn head(shared: &AppState, width: u16) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let Some(known) = &shared.answers.comparison else {
        return vec![Line::default()];
    };
    let comparison = &known.comparison;
    let mismatches = &comparison.mismatches;
    let shown = if mismatches.len() > WARNINGS {
        WARNINGS - 1
    } else {
        mismatches.len()
    };
    let mut lines = Vec::new();
    for mismatch in mismatches.iter().take(shown) {
        let text = format!("Careful: {mismatch}");
        lines.extend(wrapped(&text, width, theme.warning()));
    }
    if mismatches.len() > shown {
        let text = format!(
            "Careful: {} more; Y copies the command that lists them",
            mismatches.len() - shown
        );
        lines.push(Line::styled(text, theme.warning()));
    }
    let words = coverage(comparison, "A", "B");
    let families = Comparison::families(&comparison.abilities);
    let text = match families.as_str() {
        "" | "1" => words,
        families => format!("{words} p adjusted over {families} tests."),
    };
    lines.extend(wrapped(&text, width, theme.dim()));
    lines
}

/// Wraps a text into styled lines.
fn wrapped(text: &str, width: u16, style: Style) -> Vec<Line<'static>> {
    let text = visible(text);
    wrap(&text, width)
        .filter_map(|line| text.get(line))
        .map(|line| Line::styled(line.to_owned(), style))
        .collect()
}

/// Describes the row under the cursor and its facets, and whether B is worse by a margin.
fn draw_foot(
    view: &CompareView,
    shared: &AppState,
    row: &PairedDifference,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let theme = &shared.theme;
    let [a, b] = shared.compared().unwrap_or_default();
    let [rule, words_at, cells_at] = foot_parts(area);
    // Use the letters A and B if the names are too long. The letters are above the table, next to
    // the names.
    let said = [sentence(row, &a, &b), sentence(row, "A", "B")];
    let most = SENTENCE.min(words_at.height.into());
    let fits = |words: &&String| wrap(&visible(words), words_at.width).count() <= most;
    let said = said.iter().find(fits).unwrap_or(&said[1]);
    let mut lines = vec![Line::styled(visible(said).into_owned(), theme.text())];
    let worse = worse::words(view, shared, row);
    // The answer to a margin comes first, because a small screen cuts the last lines.
    let (first, last) = match view.margin {
        Some(_) => (Some(worse), None),
        None => (None, Some(worse)),
    };
    lines.splice(..0, first);
    if let Some(words) = row.right.and_then(RightThreshold::words) {
        let cut = format!("right if {} {words}", visible(&metric_symbol(&row.metric)));
        lines.push(Line::styled(cut, theme.dim()));
    }
    lines.extend(last);
    let line = Line::styled("─".repeat(usize::from(rule.width)), theme.border());
    frame.render_widget(line, rule);
    let words = Paragraph::new(lines).wrap(Wrap { trim: false });
    frame.render_widget(words, words_at);
    let chosen = view.facet.min(facets(row).len().saturating_sub(1));
    cells::draw(shared, row, chosen, frame, cells_at);
}
