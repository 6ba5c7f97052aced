//! Draws the sample list, one prediction per row. Only visible rows are created.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;

use crate::keymap::ViewId;
use crate::screen::labels::{label_cell, label_sign, label_span};
use crate::screen::part::grid_of;
use crate::screen::sample::sign;
use crate::shared::{AppState, ListColumn, OtherOrder};
use crate::view::Explanation;
use crate::widget::table::{
    Column, ColumnWidth, HEADER, Rows, SortOrder, Table, TableCell, TableSpot, TableState,
};
use crate::widget::text;
use base::format::{counted, significant, visible, within};
use record::Row;
use record::benchmark::{Direction, metric_letters, metric_symbol, short_name};
use report::Grid;
use workspace::page::{ListRow, Sort, list_row, score};

/// Width of a score, in cells.
const SCORE: u16 = 6;
/// Maximum number of characters of a metric in the title of the column of scores.
const SYMBOL: usize = 8;
/// Minimum width of the list to show full ability names, in cells.
const NAMED: u16 = 70;
/// Minimum width of the list to show verdicts as words, in cells. Narrower lists show verdicts as
/// signs.
const LABELLED: u16 = 60;

struct List<'a> {
    shared: &'a AppState,
    fields: &'a [ListColumn],
    /// Model with which the rows are compared.
    versus: Option<&'a str>,
    others: Others<'a>,
    /// Width of the list in columns.
    width: u16,
}

impl Rows for List<'_> {
    fn total(&self) -> usize {
        self.shared.list.rows.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let shared = self.shared;
        let Some(&row) = shared.list.rows.get(row) else {
            return Vec::new();
        };
        let list = list_row(&shared.table, Row(row), shared.lens.scoring);
        let cells = self.fields.iter().map(|field| self.cell(field, row, &list));
        cells.collect()
    }
}

impl List<'_> {
    fn cell(&self, field: &ListColumn, row: u32, list: &ListRow) -> TableCell<'static> {
        let shared = self.shared;
        let theme = &shared.theme;
        let (plain, dim) = (theme.text(), theme.dim());
        let (mark, style) = sign(theme, list);
        let text = TableCell::visible;
        let blind = shared.is_blind(row);
        let number = |score| within(score, 3, usize::from(SCORE));
        match field {
            ListColumn::Verdict if shared.marked.contains(&row) => text("●", theme.accent()),
            ListColumn::Verdict | ListColumn::Score | ListColumn::Versus if blind => text("", dim),
            ListColumn::Answer | ListColumn::AnswerOf(_) if blind => text("hidden", dim),
            ListColumn::Verdict => text(mark, style),
            ListColumn::Sample => text(&telling(shared, &list.sample_id), plain),
            ListColumn::Label if has_only_signs(shared, self.width) => {
                let sign = label_sign(shared, row);
                TableCell::new(sign.content, sign.style)
            }
            ListColumn::Label => label_cell(shared, list),
            ListColumn::Score => text(&number(list.score), plain),
            ListColumn::Versus => text(&self.gap(list, row), dim),
            ListColumn::Model => text(&list.model, dim),
            ListColumn::Ability if self.width < NAMED => text(&short_name(&list.ability), dim),
            ListColumn::Ability => text(&list.ability, dim),
            ListColumn::Condition => text(&condition(shared, list), dim),
            ListColumn::Target => text(target(shared, list), plain),
            ListColumn::Answer => {
                let (words, style) = answer_words(shared, list, plain);
                text(&words, style)
            }
            ListColumn::Pictures => text(&self.tag("auto.pictures", row), dim),
            ListColumn::Question => text(&list.question, dim),
            ListColumn::Tag(name) => text(&self.tag(name, row), plain),
            ListColumn::AnswerOf(model) => match self.others.of(shared, row, model) {
                None => text("·", dim),
                Some(other) => {
                    let list = list_row(&shared.table, Row(other), shared.lens.scoring);
                    let (mark, style) = sign(theme, &list);
                    let (words, _) = answer_words(shared, &list, style);
                    text(&format!("{mark} {words}"), style)
                }
            },
        }
    }

    /// Returns the score minus that of the model to compare with; empty without both.
    fn gap(&self, list: &ListRow, row: u32) -> String {
        let shared = self.shared;
        let other = self
            .versus
            .and_then(|other| self.others.of(shared, row, other));
        let other = other.and_then(|other| score(&shared.table, Row(other), shared.lens.scoring));
        let gap = list.score.zip(other).map(|(own, other)| own - other);
        within(gap, 3, usize::from(SCORE))
    }

    /// Returns a tag's value as text; empty if the sample lacks the tag.
    fn tag(&self, name: &str, row: u32) -> String {
        let table = &self.shared.table;
        let item = table.item(Row(row)).0 as usize;
        let value = table.tag(name).and_then(|tag| match tag.number(item) {
            Some(number) => Some(significant(number, 4)),
            None => tag.text(item).map(str::to_owned),
        });
        value.unwrap_or_default()
    }
}

/// Returns an id without the prefix shared by all ids of the list.
pub fn telling<'a>(shared: &AppState, id: &'a str) -> Cow<'a, str> {
    match id.get(shared.list.outline.prefix..) {
        Some(rest) if rest.len() < id.len() => format!("…{rest}").into(),
        _ => id.into(),
    }
}

/// Returns the condition. If the rows differ in only one label, such as the filter of an answer,
/// returns only the value of that label.
pub fn condition<'a>(shared: &AppState, list: &'a ListRow) -> Cow<'a, str> {
    let table = &shared.table;
    let [name] = shared.list.outline.conditions.as_slice() else {
        return list.condition.as_str().into();
    };
    let labels = table.condition(table.item(list.row));
    let value = labels.and_then(|labels| labels.get(name));
    value.map_or_else(|| "–".into(), |value| value.to_string().into())
}

/// Returns the target. For an option, includes its text once the record is loaded.
pub fn target<'a>(shared: &'a AppState, list: &'a ListRow) -> &'a str {
    match shared.fetched.briefs.peek(&list.row.0) {
        Some(Ok(brief)) => &brief.target,
        _ => &list.target,
    }
}

/// Returns the model's answer, once its record is loaded. An unparsed response is in quotes.
pub fn answer_words(shared: &AppState, list: &ListRow, style: Style) -> (String, Style) {
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

/// Returns the columns in order. Columns whose value is constant or determined by the lens are
/// omitted, unless the user selected them.
pub fn fields(shared: &AppState) -> Vec<ListColumn> {
    let outline = &shared.list.outline;
    let chosen = &shared.list.columns.shown;
    let is_shown = |column: &ListColumn| {
        let usual = || match column {
            ListColumn::Verdict | ListColumn::Sample | ListColumn::Score | ListColumn::Answer => {
                true
            }
            ListColumn::Label => !shared.verdicts.book.is_empty(),
            ListColumn::Model => outline.models,
            ListColumn::Ability => outline.abilities,
            ListColumn::Condition => !outline.conditions.is_empty(),
            ListColumn::Target => outline.targets,
            ListColumn::Pictures => outline.pictures,
            ListColumn::Question => outline.questions,
            ListColumn::Versus => shared.versus().is_some(),
            ListColumn::AnswerOf(model) => shared.versus() == Some(model.as_str()),
            ListColumn::Tag(_) => false,
        };
        chosen.get(column).copied().unwrap_or_else(usual)
    };
    let mut all: Vec<ListColumn> = ListColumn::OWN.into();
    let answer = all.iter().position(|column| *column == ListColumn::Answer);
    if let (Some(other), Some(answer)) = (shared.versus(), answer) {
        all.insert(answer + 1, ListColumn::AnswerOf(other.to_owned()));
    }
    let added = chosen.keys().filter(|column| !all.contains(column));
    let added: Vec<ListColumn> = added.cloned().collect();
    all.extend(added);
    all.into_iter().filter(is_shown).collect()
}

/// Returns the column at an index of the header.
pub fn column_at(shared: &AppState, at: usize) -> Option<ListColumn> {
    fields(shared).into_iter().nth(at)
}

/// Returns true if the column of verdicts shows signs instead of words.
fn has_only_signs(shared: &AppState, room: u16) -> bool {
    room < LABELLED && !shared.list.columns.shown.contains_key(&ListColumn::Label)
}

/// Returns the title of the column of scores: the metric with its direction. With several metrics,
/// the order if the list is sorted by it.
fn score_title(shared: &AppState) -> String {
    let list = &shared.list;
    let Some(metric) = &list.outline.metric else {
        let is_sorted = list.sort == Sort::Worst && list.other.is_none();
        let title = match (is_sorted, list.reverse) {
            (false, _) => ListColumn::Score.title(),
            (true, false) => "worst",
            (true, true) => "best",
        };
        return title.to_owned();
    };
    let symbol = metric_symbol(&metric.name);
    let symbol = Some(&*symbol).filter(|symbol| symbol.chars().count() <= SYMBOL);
    let symbol = symbol.or_else(|| metric_letters(&metric.name));
    let symbol = visible(symbol.unwrap_or(ListColumn::Score.title())).into_owned();
    format!("{symbol} {}", metric.direction.arrow())
}

/// Returns the layout of a column. Columns that the user selected are also shown in narrow lists.
fn column<'a>(
    shared: &'a AppState,
    field: &'a ListColumn,
    score_title: &'a str,
    room: u16,
) -> Column<'a> {
    let (width, from) = match field {
        ListColumn::Verdict => (ColumnWidth::Fixed(1), 0),
        ListColumn::Target | ListColumn::Answer | ListColumn::AnswerOf(_) => {
            (ColumnWidth::Share(8), 0)
        }
        ListColumn::Label if has_only_signs(shared, room) => (ColumnWidth::Fixed(1), 30),
        ListColumn::Label => (ColumnWidth::Fixed(13), LABELLED),
        ListColumn::Score => (
            ColumnWidth::Fixed(SCORE.max(text::width(score_title) + 1)),
            0,
        ),
        ListColumn::Versus => (ColumnWidth::Fixed(SCORE), 0),
        ListColumn::Model => (ColumnWidth::Share(6), 50),
        ListColumn::Ability if room < NAMED => (ColumnWidth::Fixed(3), 44),
        ListColumn::Sample | ListColumn::Tag(_) | ListColumn::Ability => (ColumnWidth::Share(6), 0),
        ListColumn::Condition => (ColumnWidth::Share(6), 40),
        ListColumn::Pictures => (ColumnWidth::Fixed(8), 60),
        ListColumn::Question => (ColumnWidth::Share(12), 90),
    };
    let choice = &shared.list.columns;
    let steps = choice.wider.get(field).copied().unwrap_or_default();
    let turned = |columns: u16| columns.saturating_add_signed(2 * steps).max(1);
    let width = match width {
        ColumnWidth::Fixed(columns) => ColumnWidth::Fixed(turned(columns)),
        ColumnWidth::Share(share) => ColumnWidth::Share(turned(share)),
    };
    let is_chosen = choice.shown.contains_key(field);
    let title = match (field, shared.list.outline.conditions.as_slice()) {
        (ListColumn::Condition, [name]) => name.as_str(),
        (ListColumn::Ability, _) if room < NAMED => "abi",
        (ListColumn::Label, _) if has_only_signs(shared, room) => "",
        (ListColumn::Score, _) => score_title,
        _ => field.title(),
    };
    let column = Column::text(title, width).from(if is_chosen { 0 } else { from });
    match field {
        ListColumn::Sample => column.keeping_end(),
        ListColumn::Model | ListColumn::Ability => column.keeping_ends(),
        ListColumn::Score | ListColumn::Versus | ListColumn::Pictures => Column {
            align: Alignment::Right,
            ..column
        },
        _ => column,
    }
}

fn sorted(shared: &AppState, fields: &[ListColumn]) -> Option<SortOrder> {
    let list = &shared.list;
    // These views sort their samples in another way. The comparison sorts by the difference between
    // the two models, and the audit by how likely a label is wrong.
    if matches!(shared.view, ViewId::Compare | ViewId::Audit) {
        return None;
    }
    let gives = |field: &ListColumn| match (&list.other, field) {
        (Some(OtherOrder::Tag(tag)), ListColumn::Tag(name)) => tag == name,
        (Some(_), _) | (None, ListColumn::Verdict) => false,
        (None, field) => field.sort() == Some(list.sort),
    };
    let column = fields.iter().position(gives)?;
    let is_largest_first = match (&fields[column], &list.outline.metric) {
        // With several metrics, the title says which end is on top.
        (ListColumn::Score, None) => {
            return Some(SortOrder {
                column,
                descending: true,
            });
        }
        (ListColumn::Score, Some(metric)) => metric.direction == Direction::Lower,
        (ListColumn::Versus, _) => true,
        _ => false,
    };
    Some(SortOrder {
        column,
        descending: is_largest_first != list.reverse,
    })
}

/// Builds the table and passes it to `use_it`. The table borrows its rows, so it cannot be
/// returned.
fn with_table<T>(
    shared: &AppState,
    area: Rect,
    use_it: impl FnOnce(Table<'_, List<'_>>) -> T,
) -> T {
    let (fields, score_title) = (fields(shared), score_title(shared));
    let column = |field| column(shared, field, &score_title, area.width);
    let columns: Vec<Column<'_>> = fields.iter().map(column).collect();
    let versus = shared.versus();
    use_it(Table {
        theme: &shared.theme,
        columns: &columns,
        rows: &List {
            shared,
            fields: &fields,
            versus,
            others: Others::in_sight(shared, &fields, versus, area.height.into()),
            width: area.width,
        },
        sorted: sorted(shared, &fields),
        lines: 1,
        column: None,
    })
}

/// Other models' predictions for the visible samples. One pass over the table collects them.
struct Others<'a>(HashMap<(u32, &'a str), u32>);

impl<'a> Others<'a> {
    /// Collects predictions for rows around the cursor, from the models that have a column.
    fn in_sight(
        shared: &'a AppState,
        fields: &'a [ListColumn],
        versus: Option<&'a str>,
        lines: usize,
    ) -> Self {
        let table = &shared.table;
        let models = table.names().models.values();
        let named = fields.iter().filter_map(|field| match field {
            ListColumn::AnswerOf(model) => Some(model.as_str()),
            ListColumn::Versus => versus,
            _ => None,
        });
        let coded = named.filter_map(|name| {
            let code = models.iter().position(|model| model == name)?;
            Some((name, code))
        });
        let wanted: Vec<(&str, usize)> = coded.collect();
        if wanted.is_empty() {
            return Self(HashMap::new());
        }
        let first = shared.list.table.selected.saturating_sub(lines);
        let rows = shared.list.rows.iter().skip(first).take(2 * lines + 1);
        let items: HashSet<u32> = rows.map(|row| table.item(Row(*row)).0).collect();
        let mut found = HashMap::new();
        let all = (0..).zip(table.item_of().iter().zip(table.model_of()));
        for (row, (item, model)) in all.filter(|(_, (item, _))| items.contains(item)) {
            for (name, code) in &wanted {
                if usize::from(*model) == *code {
                    found.entry((*item, *name)).or_insert(row);
                }
            }
        }
        Self(found)
    }

    /// Returns a model's prediction for the same sample.
    fn of(&self, shared: &AppState, row: u32, model: &str) -> Option<u32> {
        let item = shared.table.item(Row(row)).0;
        self.0.get(&(item, model)).copied()
    }
}

/// Draws the list. Returns its scroll state and the visible predictions.
pub fn draw(shared: &AppState, frame: &mut Frame<'_>, area: Rect) -> (TableState, Vec<u32>) {
    let mut state = shared.list.table;
    let mut others: Vec<u32> = Vec::new();
    with_table(shared, area, |table| {
        others.extend(table.rows.others.0.values());
        frame.render_stateful_widget(table, area, &mut state);
    });
    let rows = shared.list.rows.iter().skip(state.offset);
    let mut seen: Vec<u32> = rows.take(area.height.into()).copied().collect();
    others.sort_unstable();
    seen.extend(others);
    (state, seen)
}

/// Returns the visible rows for copying, because the answers of other rows are not loaded.
pub fn grid(shared: &AppState, area: Rect) -> Grid {
    let first = shared.list.table.offset;
    let last = first + usize::from(area.height.saturating_sub(HEADER)).max(1);
    with_table(shared, area, |table| {
        grid_of(table.columns, table.rows, first..last)
    })
}

/// Returns the title or row at a screen position.
pub fn spot_at(shared: &AppState, area: Rect, (x, y): (u16, u16)) -> Option<TableSpot> {
    let cursor = &shared.list.table;
    with_table(shared, area, |table| table.spot_at(area, cursor, x, y))
}

/// Explains the row's symbol, score, target and answer.
pub fn explain(shared: &AppState) -> Vec<Explanation> {
    let Some(row) = shared.list.here() else {
        return Vec::new();
    };
    let theme = &shared.theme;
    if shared.is_blind(row) {
        let words = "answers are hidden until you give a verdict; R shows them";
        return vec![Explanation::new("hidden", theme.dim(), words)];
    }
    let list = list_row(&shared.table, Row(row), shared.lens.scoring);
    let (mark, style) = sign(theme, &list);
    let model = &list.model;
    let meaning = match (list.invalid, list.correct) {
        (true, _) => format!("the answer of {model} could not be read"),
        (_, Some(true)) => {
            format!("the answer of {model} counts as right (✗ wrong, ? not readable)")
        }
        (_, Some(false)) => {
            format!("the answer of {model} counts as wrong (✓ right, ? not readable)")
        }
        (_, None) => format!("the answer of {model} has no score"),
    };
    let mut explained = vec![Explanation::new(mark, style, meaning)];
    if let Some(score) = list.score {
        let metric = record::benchmark::metric_words(&list.metric);
        let words = format!("{metric} of this answer");
        explained.push(Explanation::new(significant(score, 3), style, words));
    }
    let target = target(shared, &list);
    if !target.is_empty() {
        explained.push(Explanation::new(
            target,
            theme.text(),
            "the target: the annotated answer",
        ));
    }
    let (answer, style) = answer_words(shared, &list, style);
    if !answer.is_empty() {
        let words = "the parsed answer, with the text of its option where it has one";
        explained.push(Explanation::new(answer, style, words));
    }
    let label = label_span(shared, row);
    if !label.content.is_empty() {
        let words = "the verdict on this sample's label";
        explained.push(Explanation::new(label.content, label.style, words));
    }
    if !shared.marked.is_empty() {
        let count = counted(shared.marked.len() as u64, "answer");
        let words = format!("selected with Space: {count}; K shows only these");
        explained.push(Explanation::new("●", theme.accent(), words));
    }
    explained
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{opened, press};

    #[test]
    fn a_copied_list_has_the_rows_on_screen() {
        let mut app = opened("sample_runs/exam");
        press(&mut app, "3");
        let area = Rect::new(0, 0, 80, 12);
        assert_eq!(grid(&app.shared, area).rows.len(), 10);
    }
}
