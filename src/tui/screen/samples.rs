//! The predictions that the lens holds, one a row; only the rows in sight are made.

use std::borrow::Cow;

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::drawn::{Drawn, Room, Scrolled};
use crate::effect::{Effect, ask};
use crate::shared::Shared;
use crate::view::{About, View};
use engine::Query;
use format::{compact, visible, within};
use record::Row;
use widget::line::Piece;
use widget::table::{Column, ColumnWidth, Rows, Sorted, Table, TableCell, TableSpot};
use workspace::page::{Sort, counterpart, list_row, score};

use super::labels::label_cell;
use super::part::{moved, say};

/// Columns of a score.
const SCORE: u16 = 7;
/// The narrowest list with whole ids.
const WIDE: u16 = 120;
/// Ids of this length are shown whole everywhere.
const SHORT: usize = 12;

const ABOUT: About = About {
    tab: Some(("3", "Samples")),
    opened_by: Some(Action::ViewSamples),
    needs_ability: false,
    keeps_versus: true,
    help: "The predictions that the lens holds, the worst first. The line on top spells the lens out: benchmark, \
           ability, model, bin, filter. / narrows it, Enter opens one.",
};

/// The list of samples. Its cursor is shared: the sample on screen is the one under it.
#[derive(Clone, Copy, Debug, Default)]
pub struct SamplesView;

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
        let (sign, style) = match (list.invalid, list.correct) {
            (true, _) => ("?", shared.theme.warning()),
            (_, Some(right)) => shared.theme.verdict(right),
            (_, None) => (" ", shared.theme.dim()),
        };
        let text = |text: &str, style| TableCell {
            text: visible(text).into_owned().into(),
            style,
        };
        let versus = shared.lens.versus.as_ref();
        let versus = versus.and_then(|other| counterpart(&shared.table, Row(row), other));
        let versus = versus.and_then(|row| score(&shared.table, row, shared.lens.scoring));
        let plain = shared.theme.text();
        let dim = shared.theme.dim();
        let cell = |field: &Field| match field {
            Field::Verdict => text(sign, style),
            Field::Sample if self.1 => text(&list.sample_id, plain),
            Field::Sample => text(&telling(&list.sample_id), plain),
            Field::Label => label_cell(shared, &list),
            Field::Score => text(&within(list.score, 3, usize::from(SCORE)), style),
            Field::Versus => text(&within(versus, 3, usize::from(SCORE)), dim),
            Field::Model => text(&list.model, dim),
            Field::Ability => text(&list.ability, dim),
            Field::Condition => text(&list.condition, dim),
            Field::Target => text(&list.target, plain),
            Field::Question => text(&list.question, dim),
        };
        fields(shared).iter().map(cell).collect()
    }
}

/// The end of an id that is a long path: what tells it from its neighbours.
fn telling(id: &str) -> Cow<'_, str> {
    match id.rsplit_once('/') {
        Some((_, end)) if id.chars().count() > SHORT => format!("…/{end}").into(),
        _ => id.into(),
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
    Question,
}

/// What the lens already says needs no column.
fn fields(shared: &Shared) -> Vec<Field> {
    let mut fields = vec![Field::Verdict, Field::Sample, Field::Score];
    if !shared.verdicts.book.is_empty() {
        fields.push(Field::Label);
    }
    if shared.lens.versus.is_some() {
        fields.push(Field::Versus);
    }
    if shared.lens.model.is_none() {
        fields.push(Field::Model);
    }
    if shared.lens.ability.is_none() {
        fields.push(Field::Ability);
    }
    if shared.table.names().conditions.len() > 1 {
        fields.push(Field::Condition);
    }
    fields.extend([Field::Target, Field::Question]);
    fields
}

fn columns(shared: &Shared) -> Vec<Column<'static>> {
    let column = |field: Field| match field {
        Field::Verdict => Column::text("", ColumnWidth::Fixed(1)),
        Field::Sample => Column::text("sample", ColumnWidth::Share(4)),
        Field::Label => Column::text("label", ColumnWidth::Fixed(13)).from(60),
        Field::Score => Column::number("score", SCORE),
        Field::Versus => Column::number("other", SCORE),
        Field::Model => Column::text("model", ColumnWidth::Share(4)).from(60),
        Field::Ability => Column::text("ability", ColumnWidth::Share(3)).from(70),
        Field::Condition => Column::text("condition", ColumnWidth::Share(3)).from(90),
        Field::Target => Column::text("target", ColumnWidth::Share(3)).from(40),
        Field::Question => Column::text("question", ColumnWidth::Share(6)).from(80),
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
fn with_table<T>(shared: &Shared, area: Rect, use_it: impl FnOnce(Table<'_, List<'_>>) -> T) -> T {
    use_it(Table {
        theme: &shared.theme,
        columns: &columns(shared),
        rows: &List(shared, area.width >= WIDE),
        sorted: sorted(shared),
    })
}

/// Where the cursor of the list is, in words.
pub fn position(shared: &Shared) -> Option<Piece<'static>> {
    let total = shared.list.rows.len();
    let at = shared.list.table.selected + 1;
    let words = || format!("{at} of {}", compact(total as u64));
    (total > 0).then(|| Piece::new(words(), shared.theme.dim()))
}

impl View for SamplesView {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame<'_>, room: Room) -> Drawn {
        if shared.list.rows.is_empty() {
            let why = if shared.table.is_empty() {
                "Printed scores have no samples behind them; b leads to the next benchmark."
            } else if shared.is_loaded() {
                "No sample passes; F drops the filter, Esc walks back."
            } else {
                "Reading …"
            };
            return say(shared, why, frame, room.area);
        }
        let mut state = shared.list.table;
        with_table(shared, room.area, |table| {
            frame.render_stateful_widget(table, room.area, &mut state);
        });
        Scrolled::Samples(state).into()
    }

    fn act(&mut self, shared: &Shared, action: Action) -> Reply {
        let list = &shared.list;
        match (action, list.here()) {
            (Action::Open, Some(_)) => Reply::with(Change::OpenSample),
            (Action::Copy, Some(row)) => {
                let sample = list_row(&shared.table, Row(row), shared.lens.scoring);
                let id = visible(&sample.sample_id).into_owned();
                vec![Change::Say(format!("copied {id}")), Effect::Copy(id).into()].into()
            }
            _ => match moved(list.table.selected, list.rows.len(), 20, action) {
                Some(row) => Reply::with(Change::Select(row)),
                None => Reply::PassOn,
            },
        }
    }

    fn click(&mut self, shared: &Shared, area: Rect, (x, y): (u16, u16)) -> Vec<Change> {
        let cursor = &shared.list.table;
        match with_table(shared, area, |table| table.spot_at(area, cursor, x, y)) {
            Some(TableSpot::Row(row)) if row == cursor.selected => vec![Change::OpenSample],
            Some(TableSpot::Row(row)) => vec![Change::Select(row)],
            Some(TableSpot::Title(_)) => vec![Change::Act(Action::SortNext)],
            None => Vec::new(),
        }
    }

    fn ask(&self, shared: &Shared) -> Vec<Effect> {
        vec![ask(shared.samples_query())]
    }

    fn query(&self, shared: &Shared) -> Option<Query> {
        Some(shared.samples_query().into())
    }

    fn status(&self, shared: &Shared) -> Vec<Piece<'static>> {
        let right = shared
            .right()
            .map(|words| Piece::new(words, shared.theme.dim()));
        position(shared).into_iter().chain(right).collect()
    }
}
