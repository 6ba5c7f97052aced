//! The predictions that the lens holds, one a row; only the rows in sight are made.

use std::borrow::Cow;

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::app::{App, Effect};
use crate::keymap::View;
use crate::widget::table::{
    Column, ColumnWidth, Rows, Sorted, Table, TableCell, TableSpot, TableState,
};
use format::{visible, within};
use record::Row;
use workspace::page::{Sort, counterpart, list_row, score};

use super::{audit, moved};

/// Columns of a score.
const SCORE: u16 = 7;
/// The narrowest list with whole ids.
const WIDE: u16 = 120;
/// Ids of this length are shown whole everywhere.
const SHORT: usize = 12;

/// The cursor.
#[derive(Clone, Copy, Debug, Default)]
pub struct SamplesState {
    /// The table's.
    pub table: TableState,
}

/// The rows of the list, and whether there is room for whole ids.
struct List<'a>(&'a App, bool);

impl Rows for List<'_> {
    fn total(&self) -> usize {
        self.0.answers.samples.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let app = self.0;
        let Some(&row) = app.answers.samples.get(row) else {
            return Vec::new();
        };
        let list = list_row(&app.table, Row(row), app.lens.scoring);
        let (sign, style) = match (list.invalid, list.correct) {
            (true, _) => ("?", app.theme.warning()),
            (_, Some(right)) => app.theme.verdict(right),
            (_, None) => (" ", app.theme.dim()),
        };
        let text = |text: &str, style| TableCell {
            text: visible(text).into_owned().into(),
            style,
        };
        let versus = app.lens.versus.as_ref();
        let versus = versus.and_then(|other| counterpart(&app.table, Row(row), other));
        let versus = versus.and_then(|row| score(&app.table, row, app.lens.scoring));
        let plain = app.theme.text();
        let dim = app.theme.dim();
        let cell = |field: &Field| match field {
            Field::Verdict => text(sign, style),
            Field::Sample if self.1 => text(&list.sample_id, plain),
            Field::Sample => text(&telling(&list.sample_id), plain),
            Field::Label => audit::label_cell(app, &list),
            Field::Score => text(&within(list.score, 3, usize::from(SCORE)), style),
            Field::Versus => text(&within(versus, 3, usize::from(SCORE)), dim),
            Field::Model => text(&list.model, dim),
            Field::Ability => text(&list.ability, dim),
            Field::Condition => text(&list.condition, dim),
            Field::Target => text(&list.target, plain),
            Field::Question => text(&list.question, dim),
        };
        fields(app).iter().map(cell).collect()
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
fn fields(app: &App) -> Vec<Field> {
    let mut fields = vec![Field::Verdict, Field::Sample, Field::Score];
    if !app.audit.book.is_empty() {
        fields.push(Field::Label);
    }
    if app.lens.versus.is_some() {
        fields.push(Field::Versus);
    }
    if app.lens.model.is_none() {
        fields.push(Field::Model);
    }
    if app.lens.ability.is_none() {
        fields.push(Field::Ability);
    }
    if app.table.names().conditions.len() > 1 {
        fields.push(Field::Condition);
    }
    fields.extend([Field::Target, Field::Question]);
    fields
}

fn columns(app: &App) -> Vec<Column<'static>> {
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
    fields(app).into_iter().map(column).collect()
}

fn sorted(app: &App) -> Option<Sorted> {
    let field = match app.sort {
        Sort::Log | Sort::Suspect | Sort::Gap => return None,
        Sort::Sample => Field::Sample,
        Sort::Worst => Field::Score,
        Sort::Model => Field::Model,
    };
    let column = fields(app).iter().position(|known| *known == field)?;
    Some(Sorted {
        column,
        descending: app.reverse,
    })
}

/// Draws the screen.
pub fn render(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    if app.answers.samples.is_empty() {
        let why = if app.table.is_empty() {
            "Printed scores have no samples behind them; b leads to the next benchmark."
        } else if super::is_loaded(app) {
            "No sample passes; F drops the filter, Esc walks back."
        } else {
            "Reading …"
        };
        return super::say(app, why, frame, area);
    }
    let mut state = app.samples.table;
    let columns = columns(app);
    let list = List(app, area.width >= WIDE);
    let table = Table {
        theme: &app.theme,
        columns: &columns,
        rows: &list,
        sorted: sorted(app),
    };
    frame.render_stateful_widget(table, area, &mut state);
    app.samples.table = state;
}

/// What an action does here.
pub fn update(app: &mut App, action: Action) -> Vec<Effect> {
    let count = app.answers.samples.len();
    match action {
        Action::Open if count > 0 => {
            app.sample.reset_view();
            return app.go(View::Sample);
        }
        Action::Copy => return copied(app),
        other => {
            if let Some(row) = moved(app.samples.table.selected, count, 20, other) {
                app.samples.table.selected = row;
            }
        }
    }
    Vec::new()
}

fn copied(app: &mut App) -> Vec<Effect> {
    let Some(&row) = app.answers.samples.get(app.samples.table.selected) else {
        return Vec::new();
    };
    let list = list_row(&app.table, Row(row), app.lens.scoring);
    let id = visible(&list.sample_id).into_owned();
    app.notice = Some(format!("copied {id}"));
    vec![Effect::Copy(id)]
}

/// A click moves the cursor; a click on the cursor opens.
pub fn click(app: &mut App, area: Rect, x: u16, y: u16) -> Vec<Effect> {
    let columns = columns(app);
    let list = List(app, area.width >= WIDE);
    let table = Table {
        theme: &app.theme,
        columns: &columns,
        rows: &list,
        sorted: None,
    };
    match table.spot_at(area, &app.samples.table, x, y) {
        Some(TableSpot::Row(row)) if row == app.samples.table.selected => update(app, Action::Open),
        Some(TableSpot::Row(row)) => {
            app.samples.table.selected = row;
            Vec::new()
        }
        Some(TableSpot::Title(_)) => app.act(Action::SortNext),
        None => Vec::new(),
    }
}
