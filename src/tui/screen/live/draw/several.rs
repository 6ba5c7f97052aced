//! Runs side by side: a row a column, what is told between them, and everybody's answers sample by sample.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::drawn::{Drawn, Scrolled};
use crate::shared::Shared;
use format::{compact, counted, fixed, significant, visible};
use rerun::{Choice, Finished, Kind};
use widget::line::gauge;
use widget::table::{
    Column, ColumnWidth, ELSEWHERE, Rows, Table, TableCell, TableSpot, TableState,
};
use workspace::rerun_worker::CountedAll;

use super::super::progress::Progress;
use super::super::several::Several;

/// Columns of the screen for an answer, and for the id and the target of a sample.
const ANSWER: u16 = 15;
const ID: u16 = 14;
/// Columns of the screen for the log's own answer.
const BEFORE: u16 = 3;
/// Rows of what is told between columns.
const TOLD: u16 = 4;
/// Columns that are listed at most.
const LISTED: u16 = 8;

/// What the columns would take, and the key that begins.
pub fn counted_lines(shared: &Shared, all: &CountedAll, choice: Choice) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let mut lines: Vec<Line<'static>> = (all.columns.iter())
        .map(|(name, told)| {
            let estimate = told.estimate.of_some(told.requests(choice));
            Line::styled(
                visible(&format!("{name}: {estimate}")).into_owned(),
                theme.text(),
            )
        })
        .collect();
    lines.extend(all.excluded.iter().map(|(why, count)| {
        let samples = counted(*count as u64, "sample");
        let words = format!("excluded from every column, {why}: {samples}");
        Line::styled(words, theme.warning())
    }));
    lines.push(Line::default());
    let requests: usize = (all.columns.iter())
        .map(|(_, told)| told.requests(choice))
        .sum();
    let columns = counted(all.columns.len() as u64, "column");
    lines.push(Line::from(vec![
        Span::styled("r", theme.accent()),
        Span::styled(
            format!(
                " asks {columns} side by side, {}",
                counted(requests as u64, "request")
            ),
            theme.header(),
        ),
    ]));
    lines.push(Line::from(vec![
        Span::styled("x", theme.accent()),
        Span::styled(" goes back; nothing was sent yet", theme.dim()),
    ]));
    lines
}

/// How far the runs are, for the other views.
pub fn status(several: &Several) -> Option<String> {
    let (done, all) = several.done();
    let held = if several.is_paused() { ", paused" } else { "" };
    (!several.is_over).then(|| format!("asking {done} of {all}{held} (6)"))
}

/// The parts of the screen: head, columns, what is told between them, and answers.
fn parts(several: &Several, area: Rect) -> [Rect; 4] {
    let listed = u16::try_from(several.columns.len())
        .unwrap_or(LISTED)
        .min(LISTED);
    Layout::vertical([
        Constraint::Length(2),
        Constraint::Length(listed + 2),
        // As many rows from the beginning on, so that nothing moves when there is something to say.
        Constraint::Length(TOLD.min(area.height / 5)),
        Constraint::Fill(1),
    ])
    .areas(area)
}

/// Draws the runs.
pub fn render(several: &Several, shared: &Shared, frame: &mut Frame<'_>, area: Rect) -> Drawn {
    let theme = &shared.theme;
    let [head, runs, told, below] = parts(several, area);
    frame.render_widget(
        Paragraph::new(head_lines(several, shared, head.width)),
        head,
    );
    let rows = Runs { several, shared };
    let columns = run_columns();
    let table = Table {
        theme,
        columns: &columns,
        rows: &rows,
        sorted: None,
    };
    let mut nowhere = TableState {
        selected: ELSEWHERE,
        offset: 0,
    };
    frame.render_stateful_widget(table, runs, &mut nowhere);
    let lines = several.told.iter().enumerate().map(|(at, words)| {
        let style = if at == 0 {
            theme.header()
        } else {
            theme.text()
        };
        Line::styled(visible(words).into_owned(), style)
    });
    let lines: Vec<Line<'_>> = lines.collect();
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), told);
    answers(several, shared, frame, below)
}

fn head_lines(several: &Several, shared: &Shared, width: u16) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let (done, all) = several.done();
    let samples = counted(several.samples.len() as u64, "sample");
    let title = format!("{} columns on {samples}", several.columns.len());
    let (words, style) = match () {
        () if several.is_over => ("   over; r asks anew, Enter opens", theme.accent()),
        () if several.is_stopping() => ("   stopping …", theme.warning()),
        () if several.is_paused() => ("   paused; Space continues", theme.warning()),
        () => ("   Space pauses, x stops", theme.dim()),
    };
    let bar = width.saturating_sub(40).clamp(12, 60);
    let first = several.columns.first();
    let names = first.and_then(|(_, column)| column.counted.plan.compared_names());
    let compared = names.map(|names| format!("   log: {}", visible(&names)));
    vec![
        Line::from(vec![
            Span::styled(title, theme.header()),
            Span::styled(words, style),
        ]),
        Line::from(vec![
            Span::styled(gauge(done, all, bar), theme.text()),
            Span::styled(compared.unwrap_or_default(), theme.dim()),
        ]),
    ]
}

/// The columns, one a row.
struct Runs<'a> {
    several: &'a Several,
    shared: &'a Shared,
}

/// What the table of columns says of each.
fn run_columns() -> [Column<'static>; 7] {
    let column = |(title, width, from)| Column::text(title, width).from(from);
    [
        ("column", ColumnWidth::Share(3), 0),
        ("done", ColumnWidth::Fixed(11), 0),
        ("right", ColumnWidth::Fixed(6), 0),
        ("95 %", ColumnWidth::Fixed(9), 0),
        ("failed", ColumnWidth::Fixed(6), 0),
        ("cost", ColumnWidth::Fixed(7), 0),
        ("", ColumnWidth::Share(4), 70),
    ]
    .map(column)
}

impl Rows for Runs<'_> {
    fn total(&self) -> usize {
        self.several.columns.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.shared.theme;
        let Some((name, progress)) = self.several.columns.get(row) else {
            return Vec::new();
        };
        let cell = |text: String, style| TableCell {
            text: visible(&text).into_owned().into(),
            style,
        };
        let plan = &progress.counted.plan;
        // Of several steps, the last is what the protocol comes to.
        let step = progress.summary.steps.last();
        let range = step.map(super::steps::range);
        let failed: usize = progress.summary.failures().map(|(_, count)| count).sum();
        let cost = progress
            .counted
            .price
            .map(|price| progress.cost.money(price));
        let cost = cost.filter(|cost| *cost > 0.0);
        let (words, style) = match (&progress.stopped, &progress.waits) {
            (Some(why), _) => (why.clone(), theme.warning()),
            (None, Some(why)) => (format!("waiting: {why}"), theme.warning()),
            (None, None) => (plan.protocol.name(), theme.dim()),
        };
        let failed_style = if failed > 0 {
            theme.error()
        } else {
            theme.dim()
        };
        vec![
            cell(name.clone(), theme.text()),
            cell(
                format!(
                    "{} of {}",
                    compact(progress.done() as u64),
                    compact(plan.len() as u64)
                ),
                theme.text(),
            ),
            cell(
                fixed(step.and_then(rerun::StepScore::share), 3),
                theme.text(),
            ),
            cell(range.unwrap_or_default(), theme.dim()),
            cell(failed.to_string(), failed_style),
            cell(
                cost.map(|cost| significant(cost, 2)).unwrap_or_default(),
                theme.dim(),
            ),
            cell(words, style),
        ]
    }
}

/// The answers: a row a sample, a column a run.
struct Answers<'a> {
    several: &'a Several,
    shared: &'a Shared,
    /// The columns in sight.
    seen: std::ops::Range<usize>,
}

impl Rows for Answers<'_> {
    fn total(&self) -> usize {
        self.several.samples.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.shared.theme;
        let Some((sample, places)) = self.several.samples.get(row) else {
            return Vec::new();
        };
        let text = |text: &str, style| TableCell {
            text: visible(text).into_owned().into(),
            style,
        };
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
            if (self.several.table.selected, self.several.column) == (row, column) {
                cell.style = cell.style.add_modifier(Modifier::REVERSED);
            }
            cells.push(cell);
        }
        cells
    }
}

impl Answers<'_> {
    /// What a column says of a sample: of several steps a sign each, of one its words too.
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
            return TableCell {
                text: "·".into(),
                style: theme.dim(),
            };
        };
        let sign = |one: &Finished| match (one.judged.right, one.judged.kind) {
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
                    (_, kind) => kind.to_string(),
                };
                TableCell {
                    text: format!("{sign} {}", visible(&words)).into(),
                    style,
                }
            }
            several => {
                let signs = several.iter().map(|one| match one {
                    Some(one) => sign(one).0,
                    None => "·",
                });
                TableCell {
                    text: signs.collect::<String>().into(),
                    style: theme.text(),
                }
            }
        }
    }
}

/// The columns in sight, and of the screen each has.
fn in_sight(several: &Several, area: Rect) -> (std::ops::Range<usize>, u16) {
    let count = several.columns.len();
    let left = area.width.saturating_sub(2 * (ID + 2) + BEFORE + 3);
    let fit = usize::from(left / (ANSWER + 2)).clamp(1, count.max(1));
    let first = (several.column + 1).saturating_sub(fit);
    let each = left / u16::try_from(fit).unwrap_or(1);
    (
        first..(first + fit).min(count),
        each.saturating_sub(2).min(32),
    )
}

fn answers(several: &Several, shared: &Shared, frame: &mut Frame<'_>, area: Rect) -> Drawn {
    with_table(several, shared, area, |table| {
        let mut state = several.table;
        frame.render_stateful_widget(table, area, &mut state);
        Scrolled::Table(state).into()
    })
}

/// The sample and the column whose answer lies at a place of the screen; a sample's id stands for the column under the
/// cursor.
pub fn spot_at(
    several: &Several,
    shared: &Shared,
    area: Rect,
    (x, y): (u16, u16),
) -> Option<(usize, usize)> {
    let [.., area] = parts(several, area);
    let spot = with_table(several, shared, area, |table| {
        table.spot_at(area, &several.table, x, y)
    });
    let Some(TableSpot::Row(row)) = spot else {
        return None;
    };
    let (seen, each) = in_sight(several, area);
    let first = area.x + 2 * (ID + 2) + BEFORE + 2;
    let column = match x.checked_sub(first) {
        Some(x) => (seen.start + usize::from(x / (each + 2))).min(seen.end.saturating_sub(1)),
        None => several.column,
    };
    Some((row, column))
}

/// Gives the table of answers.
fn with_table<T>(
    several: &Several,
    shared: &Shared,
    area: Rect,
    use_table: impl FnOnce(Table<'_, Answers<'_>>) -> T,
) -> T {
    let (seen, each) = in_sight(several, area);
    let title = |(name, _): &(String, Progress)| visible(name).into_owned();
    let shown = several.columns.get(seen.clone()).unwrap_or_default();
    let mut titles: Vec<String> = shown.iter().map(title).collect();
    // What is cut off is said.
    if let (Some(title), true) = (titles.first_mut(), seen.start > 0) {
        *title = format!("‹ {title}");
    }
    if let (Some(title), true) = (titles.last_mut(), seen.end < several.columns.len()) {
        *title = format!("{title} ›");
    }
    let mut columns = vec![
        Column::text("sample", ColumnWidth::Fixed(ID)).keeping_end(),
        Column::text("target", ColumnWidth::Fixed(ID)),
        Column::text("log", ColumnWidth::Fixed(BEFORE)),
    ];
    let answers = titles.iter();
    columns.extend(answers.map(|title| Column::text(title, ColumnWidth::Fixed(each))));
    let rows = Answers {
        several,
        shared,
        seen,
    };
    use_table(Table {
        theme: &shared.theme,
        columns: &columns,
        rows: &rows,
        sorted: None,
    })
}
