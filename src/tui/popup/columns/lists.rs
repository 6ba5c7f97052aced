//! Lists of the form: its lines, the fields to choose from, and the scores.

use std::collections::HashSet;

use ratatui::Frame;
use ratatui::layout::Rect;

use super::{ColumnForm, FormLine};
use crate::shared::AppState;
use crate::widget::table::{Column, ColumnWidth, ELSEWHERE, Rows, Table, TableCell, TableState};
use crate::widget::text::width;
use analysis::Score;
use base::config::{ColumnMap, RowKind};
use base::format::{compact, counted, fixed, visible};
use record::benchmark::{Direction, metric_symbol};

/// Fields that a column can have, each with its description.
const FIELDS: [(&str, &str); 21] = [
    ("sample_id", "id of the sample (default: row number)"),
    ("model", "model that answered (default: file name)"),
    ("ability", "what is tested (default: folder name)"),
    ("benchmark", "benchmark (default: folder name)"),
    ("question", "text that was asked"),
    ("target", "annotated answer"),
    ("response", "answer of the model"),
    ("responses", "answers of one model; one column for each"),
    ("parsed", "the answer read from the response"),
    ("score", "a number, or right and wrong"),
    (
        "scores",
        "a column of scores; one for each model or ability",
    ),
    ("metric", "name of the metric"),
    ("direction", "`higher` or `lower`: which scores are better"),
    ("split", "split of the data set, such as `test`"),
    ("image", "path or address of the picture, or its bytes"),
    ("choices", "all options, or one column for each option"),
    ("tags", "a property to split the samples by"),
    (
        "condition",
        "what changes between repeats of a sample: prompt, seed",
    ),
    ("unit", "`percent`, or `share` of one"),
    ("group", "group of models, as in a paper's table"),
    ("", "is not read"),
];
/// Headings of the example rows, each with the minimum table width that shows it.
const ROWS: [(&str, u16); 6] = [
    ("row 1", 0),
    ("row 2", 50),
    ("row 3", 70),
    ("row 4", 100),
    ("row 5", 120),
    ("row 6", 140),
];
/// Maximum width of a column's name, in cells.
const NAME: usize = 20;
/// Maximum width of a score's title, in cells.
const TITLE: usize = 14;

fn size(text: &str, most: usize) -> u16 {
    u16::try_from(usize::from(width(text)).min(most)).unwrap_or(u16::MAX)
}

/// Lines of the form, and the data to draw them.
pub struct FormLines<'a> {
    pub shared: &'a AppState,
    pub form: &'a ColumnForm,
    pub lines: Vec<FormLine>,
    pub map: ColumnMap,
}

impl FormLines<'_> {
    /// Returns the columns: name, meaning and first cells.
    pub fn columns(form: &ColumnForm) -> Vec<Column<'static>> {
        let names = form.table.columns.iter().map(|(name, _)| size(name, NAME));
        let longest = names.max().unwrap_or_default().max(17);
        let first = [
            Column::text("column", ColumnWidth::Fixed(longest)),
            Column::text("meaning", ColumnWidth::Fixed(12)),
        ];
        let rows = form.table.columns.iter().map(|(_, cells)| cells.len());
        let rows = ROWS.into_iter().take(rows.max().unwrap_or_default());
        let rows = rows.map(|(title, from)| Column::text(title, ColumnWidth::Share(1)).from(from));
        first.into_iter().chain(rows).collect()
    }

    /// Returns the name of a line and its value, if it has one.
    fn words(&self, line: FormLine) -> (&str, Option<&'static str>) {
        let form = self.form;
        match line {
            FormLine::Kind if form.kind == RowKind::Published => {
                ("each row has", Some("scores only"))
            }
            FormLine::Kind => ("each row has", Some("a prediction")),
            FormLine::Column(at) => {
                let name = form.table.columns.get(at).map(|(name, _)| name.as_str());
                (
                    name.unwrap_or_default(),
                    form.fields.get(at).copied().flatten(),
                )
            }
            FormLine::ScoreNames if form.names_abilities => {
                ("score columns are", Some("abilities"))
            }
            FormLine::ScoreNames => ("score columns are", Some("metrics")),
            FormLine::Direction => ("better scores are", form.direction.map(Direction::name)),
        }
    }
}

impl Rows for FormLines<'_> {
    fn total(&self) -> usize {
        self.lines.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.shared.theme;
        let Some(&line) = self.lines.get(row) else {
            return Vec::new();
        };
        let cell = TableCell::visible;
        let (name, value) = self.words(line);
        let is_column = matches!(line, FormLine::Column(_));
        // If several columns have the same field, only one is read.
        let is_read = !is_column || self.map.field_of(name) == value;
        let style = if is_read { theme.accent() } else { theme.dim() };
        let first = [
            cell(name, if is_column { theme.text() } else { theme.dim() }),
            value.map_or_else(|| cell("–", theme.dim()), |value| cell(value, style)),
        ];
        let cells = match line {
            FormLine::Column(at) => {
                let column = self.form.table.columns.get(at);
                column.map_or(&[] as &[String], |(_, cells)| cells.as_slice())
            }
            _ => &[],
        };
        let cells = cells.iter().take(ROWS.len());
        let cells = cells.map(|text| cell(text, theme.dim()));
        first.into_iter().chain(cells).collect()
    }
}

/// Returns the cells of a field in the list: its name and its description.
pub fn field_cells(shared: &AppState, field: Option<&'static str>) -> Vec<TableCell<'static>> {
    let theme = &shared.theme;
    let field = field.unwrap_or_default();
    let about = FIELDS.iter().find(|(name, _)| *name == field);
    let about = about.map(|(_, about)| *about).unwrap_or_default();
    let name = if field.is_empty() { "–" } else { field };
    vec![
        TableCell::new(name, theme.accent()),
        TableCell::new(about, theme.text()),
    ]
}

/// Scores of models (rows) in abilities (columns).
pub struct ScoreGrid<'a> {
    shared: &'a AppState,
    scores: Vec<&'a Score>,
    models: Vec<&'a str>,
    /// First score of each column, which defines the column.
    columns: Vec<&'a Score>,
    /// Number of samples; `None` if scores differ in it.
    n: Option<u64>,
    /// Numbers of models and columns. At most [`MOST`] of each are drawn.
    counts: [usize; 2],
}

/// Maximum number of models, and of columns, that are drawn.
const MOST: usize = 100;

impl<'a> ScoreGrid<'a> {
    /// Arranges the scores; models and columns keep the order of the scores.
    pub fn new(shared: &'a AppState, scores: &'a [Score]) -> Self {
        let scores: Vec<&Score> = scores.iter().filter(|score| score.headline).collect();
        let (mut seen, mut known) = (HashSet::new(), HashSet::new());
        let (mut models, mut columns): (Vec<&str>, Vec<&Score>) = (Vec::new(), Vec::new());
        for score in &scores {
            if seen.insert(score.model.as_str()) && models.len() < MOST {
                models.push(&score.model);
            }
            if known.insert(column_of(score)) && columns.len() < MOST {
                columns.push(score);
            }
        }
        let counts = [seen.len(), known.len()];
        let is_shown = |score: &&Score| {
            let has_column = || {
                columns
                    .iter()
                    .any(|known| column_of(known) == column_of(score))
            };
            models.contains(&score.model.as_str()) && has_column()
        };
        let is_all = counts.iter().all(|count| *count <= MOST);
        let scores = scores.into_iter().filter(|score| is_all || is_shown(score));
        let scores: Vec<&Score> = scores.collect();
        let n = scores.first().map(|score| score.n);
        let n = n.filter(|n| scores.iter().all(|score| score.n == *n));
        Self {
            shared,
            scores,
            models,
            columns,
            n,
            counts,
        }
    }

    /// Returns the number of models, including models that are not drawn.
    pub const fn models(&self) -> usize {
        self.counts[0]
    }

    /// Returns the size of the grid, and the metric, direction and number of samples if all scores
    /// share them.
    pub fn common(&self) -> Vec<String> {
        let Some(first) = self.columns.first() else {
            return Vec::new();
        };
        let mut found = vec![
            counted(self.counts[0] as u64, "model"),
            counted(self.counts[1] as u64, "column"),
        ];
        if self.columns.iter().all(|one| one.metric == first.metric) {
            let sign = first.direction.map_or("", Direction::arrow);
            let metric = format!("{} {sign}", visible(&metric_symbol(&first.metric)));
            found.push(metric.trim_end().to_owned());
        }
        if let Some(n) = self.n.filter(|n| *n > 0) {
            found.push(format!("n {}", compact(n)));
        }
        found
    }

    /// Returns the title of a column: only the names that differ between columns.
    fn title(&self, column: &Score) -> String {
        let differ = |name: &fn(&Score) -> &str| {
            let mut others = self.columns.iter();
            others.any(|other| name(other) != name(column))
        };
        let names: [fn(&Score) -> &str; 4] = [
            |score| &score.benchmark,
            |score| &score.ability,
            |score| score.split.as_deref().unwrap_or_default(),
            |score| &score.metric,
        ];
        let shown = names.iter().filter(|name| differ(name));
        let title = shown.map(|name| metric_symbol(name(column)).into_owned());
        let title: Vec<String> = title.collect();
        let title = if title.is_empty() {
            column.ability.clone()
        } else {
            title.join(" ")
        };
        visible(&title).into_owned()
    }

    /// Returns a score as text. Adds the number of samples if it differs between scores.
    fn text(&self, score: &Score) -> String {
        let value = fixed(score.score, 3);
        let n = (self.n.is_none() && score.n > 0).then(|| format!("n {}", compact(score.n)));
        let unread = (score.invalid > 0).then(|| format!("{} unread", compact(score.invalid)));
        let [n, unread] =
            [n, unread].map(|words| words.map_or_else(String::new, |it| format!(" {it}")));
        format!("{value}{n}{unread}")
    }

    /// Draws the grid. Columns that do not fit are left out.
    pub fn draw(&self, frame: &mut Frame<'_>, area: Rect) {
        let titles: Vec<String> = self
            .columns
            .iter()
            .map(|column| self.title(column))
            .collect();
        let longest = self
            .scores
            .iter()
            .map(|score| size(&self.text(score), TITLE))
            .max();
        let names = self.models.iter().map(|model| size(model, 2 * NAME));
        let mut taken = names.max().unwrap_or_default().max(5);
        let mut columns = vec![Column::text("model", ColumnWidth::Fixed(taken))];
        for title in &titles {
            let wide = size(title, TITLE).max(longest.unwrap_or_default());
            taken = taken.saturating_add(wide + 2);
            columns.push(Column::number(title, wide).from(taken.saturating_add(1)));
        }
        let widget = Table::new(&self.shared.theme, &columns, self);
        let mut state = TableState {
            selected: ELSEWHERE,
            offset: 0,
        };
        frame.render_stateful_widget(widget, area, &mut state);
    }
}

/// Returns the key that scores of the same column share.
fn column_of(score: &Score) -> (&str, &str, Option<&str>, &str) {
    let Score {
        benchmark,
        ability,
        split,
        metric,
        ..
    } = score;
    (benchmark, ability, split.as_deref(), metric)
}

impl Rows for ScoreGrid<'_> {
    fn total(&self) -> usize {
        self.models.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.shared.theme;
        let Some(&model) = self.models.get(row) else {
            return Vec::new();
        };
        let cell = |text: String| TableCell::new(text, theme.text());
        let of_column = |column: &&Score| {
            let mut scores = self.scores.iter();
            let score =
                scores.find(|score| score.model == model && column_of(score) == column_of(column));
            cell(score.map_or_else(|| "–".to_owned(), |score| self.text(score)))
        };
        let first = std::iter::once(cell(visible(model).into_owned()));
        first.chain(self.columns.iter().map(of_column)).collect()
    }
}
