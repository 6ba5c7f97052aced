//! Draws the answers of several runs: one row per sample, one column per run.

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::frame_output::{FrameOutput, ScrollState};
use crate::screen::live::several::ParallelRuns;
use crate::shared::AppState;
use crate::widget::table::{Column, ColumnWidth, Rows, Table, TableCell};
use crate::widget::{fit_end, width};
use ask::{Kind, StepResult};
use base::format::visible;

use super::columns::numbered;

/// Minimum widths of an answer: shown as symbols, and shown as text.
const ANSWER: [u16; 2] = [9, 16];
/// Maximum width of an answer, in cells.
const WIDEST: u16 = 32;
/// Maximum width of a sample's id, and of its target.
const ID: u16 = 14;
/// Width of the log's answer, in cells.
const BEFORE: u16 = 3;
/// Number of samples that are measured to determine the width of a column.
const LOOKED_AT: usize = 300;
/// Marker of the answer under the cursor.
const HERE: &str = "▸";

/// Layout of the table's columns.
struct Places {
    /// Widths of the columns for ids and targets.
    fixed: [u16; 2],
    /// Indices of the visible columns.
    seen: std::ops::Range<usize>,
    /// Width of each column of answers, in cells.
    each: u16,
}

impl Places {
    fn new(several: &ParallelRuns, area: Rect) -> Self {
        let samples = || several.samples.iter().take(LOOKED_AT);
        let widest = |of: &dyn Fn(&ask::Sample) -> u16| {
            samples().map(|(sample, _)| of(sample)).max().unwrap_or(0)
        };
        let id = widest(&|sample| width(&sample.record.sample_id));
        let target = widest(&|sample| {
            let target = sample.record.content.target.as_ref();
            target.map_or(0, |target| width(&target.to_string()))
        });
        let fixed = [id, target].map(|width| width.clamp(6, ID));
        let are_letters = samples().all(|(sample, _)| !sample.record.content.choices.is_empty());
        let [letter, words] = ANSWER;
        let least = if are_letters { letter } else { words };
        let count = several.columns.len();
        let left = area.width.saturating_sub(first(fixed) + 1);
        let fit = usize::from(left / (least + 2)).clamp(1, count.max(1));
        let from = (several.column + 1).saturating_sub(fit);
        let each = left / u16::try_from(fit).unwrap_or(1);
        Self {
            fixed,
            seen: from..(from + fit).min(count),
            each: each.saturating_sub(2).min(WIDEST),
        }
    }
}

/// Returns the first screen column of the answers.
fn first([id, target]: [u16; 2]) -> u16 {
    id + target + BEFORE + 6
}

struct AnswerRows<'a> {
    several: &'a ParallelRuns,
    shared: &'a AppState,
    /// Indices of the visible columns.
    seen: std::ops::Range<usize>,
}

impl Rows for AnswerRows<'_> {
    fn total(&self) -> usize {
        self.several.samples.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.shared.theme;
        let Some((sample, places)) = self.several.samples.get(row) else {
            return Vec::new();
        };
        let text = TableCell::visible;
        let target = sample.record.content.target.as_ref();
        let target = target.map(ToString::to_string).unwrap_or_default();
        let was = sample.before.as_ref().and_then(|before| before.right);
        let (was, was_style) = was.map_or(("–", theme.dim()), |right| theme.verdict(right));
        let mut cells = vec![
            text(&sample.record.sample_id, theme.text()),
            text(&target, theme.target()),
            text(was, was_style),
        ];
        for column in self.seen.clone() {
            let place = places.get(column).copied().flatten();
            let mut cell = self.answer(column, place);
            // The style of the cursor's row overrides the cell's style, so mark the cell with a
            // sign.
            let is_here = (self.several.table.selected, self.several.column) == (row, column);
            let sign = if is_here { HERE } else { " " };
            cell.text = format!("{sign}{}", cell.text).into();
            cells.push(cell);
        }
        cells
    }
}

impl AnswerRows<'_> {
    /// Returns the cell of a run and a sample. With several steps, the cell has a symbol per step.
    /// With a single step, it contains the answer as text.
    fn answer(&self, column: usize, place: Option<usize>) -> TableCell<'static> {
        let theme = &self.shared.theme;
        let progress = self
            .several
            .columns
            .get(column)
            .map(|(_, progress)| progress);
        let answers = progress
            .zip(place)
            .and_then(|(progress, at)| progress.answers.get(&at));
        let Some(answers) = answers else {
            return TableCell::new("·", theme.dim());
        };
        let sign = |one: &StepResult| match (one.judged.right, one.judged.kind) {
            (Some(right), _) => theme.verdict(right),
            (None, Kind::Failed(_)) => ("!", theme.error()),
            (None, _) => ("?", theme.warning()),
        };
        match answers.as_slice() {
            [Some(one)] => {
                let (sign, style) = sign(one);
                let words = match (&one.judged.read, one.judged.kind) {
                    (Some(read), Kind::Ok) => read.clone(),
                    (None, Kind::Ok) => one.done.text.clone(),
                    (_, Kind::Failed(class)) => class.to_string(),
                    (_, kind) => kind.to_string(),
                };
                TableCell::new(format!("{sign} {}", visible(&words)), style)
            }
            several => {
                let signs = several.iter().map(|one| match one {
                    Some(one) => sign(one).0,
                    None => "·",
                });
                TableCell::new(signs.collect::<String>(), theme.text())
            }
        }
    }
}

/// Draws the table of answers.
pub fn render(
    several: &ParallelRuns,
    shared: &AppState,
    frame: &mut Frame<'_>,
    area: Rect,
) -> FrameOutput {
    with_table(several, shared, area, |table, _| {
        let mut state = several.table;
        frame.render_stateful_widget(table, area, &mut state);
        ScrollState::Table(state).into()
    })
}

/// Returns the sample and column of the answer at a screen position. On a sample's id, returns the
/// current column.
pub fn spot_at(
    several: &ParallelRuns,
    shared: &AppState,
    area: Rect,
    (x, y): (u16, u16),
) -> Option<(usize, usize)> {
    let (row, places) = with_table(several, shared, area, |table, places| {
        (table.row_at(area, &several.table, x, y), places)
    });
    let row = row?;
    let Places { fixed, seen, each } = places;
    let column = match x.checked_sub(area.x + first(fixed)) {
        Some(x) => (seen.start + usize::from(x / (each + 2))).min(seen.end.saturating_sub(1)),
        None => several.column,
    };
    Some((row, column))
}

/// Builds the table of answers and passes it to `use_table`. The table borrows its rows, so it
/// cannot be returned.
fn with_table<T>(
    several: &ParallelRuns,
    shared: &AppState,
    area: Rect,
    use_table: impl FnOnce(Table<'_, AnswerRows<'_>>, Places) -> T,
) -> T {
    let places = Places::new(several, area);
    let (seen, each) = (places.seen.clone(), places.each);
    let count = several.columns.len();
    let title = |at: usize| {
        let (name, _) = several.columns.get(at)?;
        let number = numbered(at, "");
        // Mark hidden columns.
        let (before, after) = match at {
            _ if at == seen.start && at > 0 => ("‹", ""),
            _ if at + 1 == seen.end && seen.end < count => ("", " ›"),
            _ => ("", ""),
        };
        let here = if at == several.column { HERE } else { " " };
        let room = each.saturating_sub(width(&number) + width(before) + width(after) + 1);
        // Keep the end of the name, which contains the protocol.
        let name = visible(name).into_owned();
        Some(format!(
            "{here}{before}{number}{}{after}",
            fit_end(&name, room)
        ))
    };
    let titles: Vec<String> = seen.clone().filter_map(title).collect();
    let [id, target] = places.fixed;
    let mut columns = vec![
        Column::text("sample", ColumnWidth::Fixed(id)).keeping_end(),
        Column::text("target", ColumnWidth::Fixed(target)),
        Column::text("log", ColumnWidth::Fixed(BEFORE)),
    ];
    let answers = titles.iter();
    columns.extend(answers.map(|title| Column::text(title, ColumnWidth::Fixed(each))));
    let rows = AnswerRows {
        several,
        shared,
        seen: seen.clone(),
    };
    let table = Table::new(&shared.theme, &columns, &rows);
    use_table(table, places)
}
