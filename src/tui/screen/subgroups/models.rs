//! Draws a table with the scores of all models in all bins.

use std::collections::HashSet;
use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::screen::names::SharedEnds;
use crate::shared::AppState;
use crate::widget::curve::FEW;
use crate::widget::table::{
    Column, ColumnWidth, ELSEWHERE, HEADER, ItemRows, Table, TableCell, TableState,
};
use crate::widget::theme::Theme;
use crate::widget::width;
use analysis::Subgroup;
use base::format::{counted, fixed, visible};

use super::bins::{BinOrder, bins};

/// Minimum height of the table: its header and two models.
pub const LEAST: u16 = HEADER + 2;
/// Minimum width of the names, in cells.
const NAME: u16 = 14;
/// Minimum and maximum width of a bin's column, in cells.
const BIN: (u16, u16) = (6, 16);

/// Returns the height of a table with this many models; 0 for fewer than two.
pub fn height(models: usize) -> u16 {
    match u16::try_from(models).unwrap_or(u16::MAX) {
        0 | 1 => 0,
        count => count.saturating_add(HEADER),
    }
}

/// Returns the models with scores in the bins. Models in the chart come first, then the others by
/// average rank.
pub fn all(shared: &AppState, charted: &[String]) -> Vec<String> {
    let ability = shared.lens.ability.as_ref();
    let groups = shared.answers.subgroups.iter();
    let groups = groups.filter(|group| group.headline && Some(&group.ability) == ability);
    let answered: HashSet<&String> = groups.map(|group| &group.model).collect();
    let mut models = charted.to_vec();
    let others = shared.models().into_iter();
    models.extend(others.filter(|model| !charted.contains(model) && answered.contains(model)));
    models
}

/// Returns the shared parts of the names, which the table omits.
pub fn ends(models: &[String]) -> SharedEnds {
    SharedEnds::new(models.iter().map(String::as_str))
}

/// Range of the visible bins, and the width of their columns.
struct VisibleBins {
    range: Range<usize>,
    width: u16,
}

impl VisibleBins {
    /// Returns all bins. If they do not fit, returns as many bins as fit, including the bin under
    /// the cursor.
    fn new(labels: &[String], selected: usize, room: u16) -> Self {
        let (least, most) = BIN;
        let widest = labels.iter().map(|label| width(label)).max();
        let widest = widest.unwrap_or(least);
        let fitting = |width: u16| usize::from(room.saturating_sub(NAME + 1) / (width + 2)).max(1);
        let mut width = widest.clamp(least, most);
        if fitting(width) < labels.len() {
            // The first and last title also contain a mark for hidden bins.
            width = (widest + 2).clamp(least, most);
        }
        let fit = fitting(width);
        let first = (selected + 1).saturating_sub(fit);
        Self {
            range: first..(first + fit).min(labels.len()),
            width,
        }
    }
}

/// Draws one row per model and one column per bin. The column under the cursor is marked. `order`
/// is the order of the bins. If not all models fit, the last line contains the number of hidden
/// models.
pub fn draw(
    shared: &AppState,
    charted: &[String],
    (selected, order): (usize, BinOrder),
    frame: &mut Frame<'_>,
    area: Rect,
) {
    if area.height < LEAST {
        return;
    }
    let theme = &shared.theme;
    let models = all(shared, charted);
    let lines = usize::from(area.height - HEADER);
    let fitting = if models.len() > lines {
        lines - 1
    } else {
        models.len()
    };
    let (shown, hidden) = models.split_at(fitting);
    let bins = bins(shared, shown, order);
    let labels = bins.iter().map(|(label, _)| visible(label).into_owned());
    let labels: Vec<String> = labels.collect();
    let VisibleBins { range, width: each } = VisibleBins::new(&labels, selected, area.width);
    let first = range.start;
    let title = format!("all {}", counted(models.len() as u64, "model"));
    let ends = ends(&models);
    let short = |model: &String| visible(ends.cut(model)).into_owned();
    let names: Vec<String> = shown.iter().map(short).collect();
    let widest = names.iter().map(|name| width(name) + 2).max();
    // Bins are more important than names, so long names are cut.
    let taken = u16::try_from(range.len()).unwrap_or(u16::MAX);
    let room = area
        .width
        .saturating_sub(taken.saturating_mul(each + 2) + 1);
    let widest = widest.unwrap_or_default().min(room).max(NAME);
    let mut columns = vec![Column::text(&title, ColumnWidth::Fixed(widest)).keeping_ends()];
    let titles = titles(&labels, &range);
    columns.extend(titles.iter().map(|label| Column::number(label, each)));
    let rows: Vec<usize> = (0..fitting).collect();
    let rows = ItemRows::new(&rows, |at: &usize| {
        let bins = bins.get(range.clone()).unwrap_or_default().iter();
        let scores = bins.map(|(_, cells)| score(cells.get(*at).copied().flatten(), theme));
        let name = name(theme, &names, *at, charted.len());
        std::iter::once(name).chain(scores).collect()
    });
    let table = Table {
        column: Some(1 + selected - first),
        ..Table::new(theme, &columns, &rows)
    };
    let mut state = TableState {
        selected: ELSEWHERE,
        offset: 0,
    };
    frame.render_stateful_widget(table, area, &mut state);
    if !hidden.is_empty() {
        draw_hidden(shared, hidden.len(), frame, area);
    }
}

/// Returns the titles of the visible bins. The first and last title mark hidden bins.
fn titles(labels: &[String], range: &Range<usize>) -> Vec<String> {
    let mut titles = labels.get(range.clone()).unwrap_or_default().to_vec();
    if let (Some(title), 1..) = (titles.first_mut(), range.start) {
        *title = format!("‹ {title}");
    }
    if let (Some(title), true) = (titles.last_mut(), range.end < labels.len()) {
        *title = format!("{title} ›");
    }
    titles
}

/// Returns the name of a model. Models in the chart have a letter or a mark before it.
fn name(theme: &Theme, names: &[String], at: usize, charted: usize) -> TableCell<'static> {
    let (sign, style) = match charted {
        _ if at >= charted => (" ", theme.text()),
        1 => ("▸", theme.series(at)),
        _ => (theme.marker(at), theme.series(at)),
    };
    let name = names.get(at).map_or("", String::as_str);
    TableCell::new(format!("{sign} {name}"), style)
}

/// Draws the number of models that are not listed into the last line.
fn draw_hidden(shared: &AppState, hidden: usize, frame: &mut Frame<'_>, area: Rect) {
    let line = Rect {
        y: area.bottom().saturating_sub(1),
        height: 1,
        ..area
    };
    let words = format!("  … and {hidden} more");
    frame.render_widget(Line::styled(words, shared.theme.dim()), line);
}

/// Returns a score. It is dim if it is based on few samples.
fn score(group: Option<&Subgroup>, theme: &Theme) -> TableCell<'static> {
    let style = match group {
        Some(group) if group.n >= FEW => theme.text(),
        _ => theme.dim(),
    };
    TableCell::new(fixed(group.and_then(|group| group.score), 3), style)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(labels: &[&str], selected: usize, room: u16) -> Vec<String> {
        let labels: Vec<String> = labels.iter().map(|label| (*label).to_owned()).collect();
        let bins = VisibleBins::new(&labels, selected, room);
        titles(&labels, &bins.range)
    }

    #[test]
    fn hidden_bins_are_marked_in_the_titles_next_to_them() {
        let labels = ["[0, 1)", "[1, 2)", "[2, 3)", "[3, 4)"];
        // A name needs 14 cells and a gap of 1; a bin needs 6 and a gap of 2.
        assert_eq!(seen(&labels, 0, 15 + 4 * 8), labels);
        // With the marks, a bin needs 8 cells and a gap of 2.
        assert_eq!(seen(&labels, 0, 15 + 31), ["[0, 1)", "[1, 2)", "[2, 3) ›"]);
        assert_eq!(seen(&labels, 3, 15 + 31), ["‹ [1, 2)", "[2, 3)", "[3, 4)"]);
        assert_eq!(seen(&labels, 2, 15 + 10), ["‹ [2, 3) ›"]);
    }
}
