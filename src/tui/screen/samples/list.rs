//! The samples as a list, one prediction a row; only the rows in sight are made.

use std::borrow::Cow;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::screen::labels::label_cell;
use crate::screen::sample::sign;
use crate::shared::Shared;
use format::{visible, within};
use record::Row;
use widget::table::{Column, ColumnWidth, Rows, Sorted, Table, TableCell, TableSpot, TableState};
use workspace::page::{ListRow, Sort, counterpart, list_row, score};

/// Columns of a score.
const SCORE: u16 = 6;
/// The rows of the list, and whether there is room for whole ids.
struct List<'a>(&'a Shared, bool);

impl Rows for List<'_> {
    fn total(&self) -> usize {
        self.0.list.rows.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let shared = self.0;
        let Some(&row) = shared.list.rows.get(row) else {
            return Vec::new();
        };
        let list = list_row(&shared.table, Row(row), shared.lens.scoring);
        let (sign, style) = sign(&shared.theme, &list);
        let text = |text: &str, style| TableCell {
            text: visible(text).into_owned().into(),
            style,
        };
        let versus = shared.lens.versus.as_ref();
        let versus = versus.and_then(|other| counterpart(&shared.table, Row(row), other));
        let versus = versus.and_then(|row| score(&shared.table, row, shared.lens.scoring));
        let plain = shared.theme.text();
        let dim = shared.theme.dim();
        let blind = shared.is_blind(row);
        let cell = |field: &Field| match field {
            Field::Verdict if shared.marked.contains(&row) => text("●", shared.theme.accent()),
            Field::Verdict | Field::Score | Field::Versus if blind => text("", dim),
            Field::Answer if blind => text("hidden", dim),
            Field::Verdict => text(sign, style),
            Field::Sample => text(&telling(shared, &list.sample_id), plain),
            Field::Label => label_cell(shared, &list),
            Field::Score => text(&within(list.score, 3, usize::from(SCORE)), style),
            Field::Versus => text(&within(versus, 3, usize::from(SCORE)), dim),
            Field::Model => text(&list.model, dim),
            Field::Ability => text(&list.ability, dim),
            Field::Condition => text(&list.condition, dim),
            Field::Target => text(&target(shared, &list), plain),
            Field::Answer => {
                let (words, style) = answer_words(shared, &list, style);
                text(&words, style)
            }
            Field::Question => text(&list.question, dim),
        };
        fields(shared).iter().map(cell).collect()
    }
}

/// An id without what all ids of the list begin with.
pub fn telling<'a>(shared: &Shared, id: &'a str) -> Cow<'a, str> {
    match id.get(shared.list.outline.prefix..) {
        Some(rest) if rest.len() < id.len() => format!("…{rest}").into(),
        _ => id.into(),
    }
}

/// The target, an option with its text as soon as its record was fetched.
pub fn target<'a>(shared: &'a Shared, list: &'a ListRow) -> &'a str {
    match shared.fetched.briefs.peek(&list.row.0) {
        Some(Ok(brief)) => &brief.target,
        _ => &list.target,
    }
}

/// What the model answered, once its record was fetched; nothing that can be read in it stands in quotes.
pub fn answer_words(shared: &Shared, list: &ListRow, style: Style) -> (String, Style) {
    let dim = shared.theme.dim();
    match shared.fetched.briefs.peek(&list.row.0) {
        None => (String::new(), dim),
        Some(Err(why)) => (why.clone(), shared.theme.error()),
        Some(Ok(brief)) => match &brief.answer {
            Some(answer) => (answer.clone(), style),
            None if brief.said.is_empty() => ("(no response)".to_owned(), dim),
            None => (format!("“{}”", brief.said), dim),
        },
    }
}

/// A column of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Verdict,
    Sample,
    Label,
    Score,
    Versus,
    Model,
    Ability,
    Condition,
    Target,
    Answer,
    Question,
}

/// The columns in their order. What the lens says already and what is the same in every row needs none.
fn fields(shared: &Shared) -> Vec<Field> {
    let outline = &shared.list.outline;
    let is_shown = |field: &Field| match field {
        Field::Verdict | Field::Sample | Field::Score | Field::Answer => true,
        Field::Label => !shared.verdicts.book.is_empty(),
        Field::Versus => shared.lens.versus.is_some(),
        Field::Model => outline.models,
        Field::Ability => outline.abilities,
        Field::Condition => outline.conditions,
        Field::Target => outline.targets,
        Field::Question => outline.questions,
    };
    Field::ALL.into_iter().filter(is_shown).collect()
}

impl Field {
    const ALL: [Self; 11] = [
        Self::Verdict,
        Self::Sample,
        Self::Target,
        Self::Answer,
        Self::Score,
        Self::Versus,
        Self::Model,
        Self::Ability,
        Self::Condition,
        Self::Label,
        Self::Question,
    ];
}

fn columns(shared: &Shared) -> Vec<Column<'static>> {
    let column = |field: Field| match field {
        Field::Verdict => Column::text("", ColumnWidth::Fixed(1)),
        Field::Sample => Column::text("sample", ColumnWidth::Share(3)),
        Field::Target => Column::text("target", ColumnWidth::Share(4)),
        Field::Answer => Column::text("answer", ColumnWidth::Share(4)),
        Field::Label => Column::text("label", ColumnWidth::Fixed(13)).from(60),
        Field::Score => Column::number("score", SCORE),
        Field::Versus => Column::number("other", SCORE),
        Field::Model => Column::text("model", ColumnWidth::Share(3)).from(50),
        Field::Ability => Column::text("ability", ColumnWidth::Share(3)).from(70),
        Field::Condition => Column::text("condition", ColumnWidth::Share(3)).from(76),
        Field::Question => Column::text("question", ColumnWidth::Share(6)).from(90),
    };
    fields(shared).into_iter().map(column).collect()
}

fn sorted(shared: &Shared) -> Option<Sorted> {
    let field = match shared.list.sort {
        Sort::Log
        | Sort::Suspect
        | Sort::Gap
        | Sort::Hard
        | Sort::Discrimination
        | Sort::Family
        | Sort::Parameters
        | Sort::Released => return None,
        Sort::Sample => Field::Sample,
        Sort::Worst => Field::Score,
        Sort::Model => Field::Model,
    };
    let column = fields(shared).iter().position(|known| *known == field)?;
    Some(Sorted {
        column,
        descending: shared.list.reverse,
    })
}

/// The table, lent: it borrows its rows.
fn with_table<T>(shared: &Shared, use_it: impl FnOnce(Table<'_, List<'_>>) -> T) -> T {
    use_it(Table {
        theme: &shared.theme,
        columns: &columns(shared),
        rows: &List(shared),
        sorted: sorted(shared),
    })
}

/// Draws the list; gives its cursor, and the predictions in sight.
pub fn draw(shared: &Shared, frame: &mut Frame<'_>, area: Rect) -> (TableState, Vec<u32>) {
    let mut state = shared.list.table;
    with_table(shared, |table| {
        frame.render_stateful_widget(table, area, &mut state);
    });
    let rows = shared.list.rows.iter().skip(state.offset);
    let seen = rows.take(area.height.into()).copied().collect();
    (state, seen)
}

/// What lies at a place of the list.
pub fn spot_at(shared: &Shared, area: Rect, (x, y): (u16, u16)) -> Option<TableSpot> {
    let cursor = &shared.list.table;
    with_table(shared, |table| table.spot_at(area, cursor, x, y))
}
