//! The table of a comparison: scores, the difference with its interval, and the conclusion.

use ratatui::layout::Alignment;
use ratatui::style::Style;

use crate::screen::part::grid_of;
use crate::shared::AppState;
use crate::view::Explanation;
use crate::widget::fit;
use crate::widget::forest::forest;
use crate::widget::table::{Column, ColumnWidth, Rows, TableCell};
use analysis::{Conclusion, PairedDifference};
use base::format::{compact, counted, fixed, visible};
use record::benchmark::{Direction, Metric};
use report::Grid;

/// Minimum width of the table to show the plot, in cells.
const WITH_PLOT: u16 = 62;
/// Minimum width for the column `n`.
const WITH_N: u16 = 88;
/// Minimum width for the conclusion column, in cells.
const WITH_WORDS: u16 = 116;
/// Minimum width for the difference column, in cells.
const WITH_DIFFERENCE: u16 = 130;
/// Minimum width for the metric column, in cells.
const WITH_METRIC: u16 = 140;
/// Maximum width of the plot, in cells. A wider plot would not show more detail.
const WIDEST_PLOT: u16 = 41;
/// Gap between two columns in cells.
const GAP: u16 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowField {
    Name,
    Metric,
    N,
    A,
    B,
    Difference,
    Plot,
    P,
    Conclusion,
    OnlyA,
    OnlyB,
}

/// Returns the rows: abilities, or one ability and its bins.
pub fn rows(shared: &AppState) -> Vec<&PairedDifference> {
    let Some(known) = shared
        .answers
        .comparison
        .as_ref()
        .filter(|_| !shared.is_comparison_stale())
    else {
        return Vec::new();
    };
    let of_lens = |row: &&PairedDifference| {
        let ability = shared.lens.ability.as_ref();
        row.headline && ability.is_none_or(|ability| *ability == row.ability.name)
    };
    let comparison = &known.comparison;
    let mut rows: Vec<&PairedDifference> = comparison.abilities.iter().filter(of_lens).collect();
    if shared.lens.ability.is_some() {
        let by = shared.split_of_samples().map(|split| split.text);
        let of_split = |row: &&PairedDifference| row.bin.as_ref().map(|(by, _)| by) == by.as_ref();
        let bins = comparison.subgroups.iter().filter(of_lens);
        rows.extend(bins.filter(of_split));
    }
    rows
}

/// Returns the rows for copying, with all numbers and without the plot. The titles contain the
/// names of the two models.
pub fn grid(shared: &AppState) -> Option<Grid> {
    let [a, b] = shared.compared()?;
    let rows = rows(shared);
    let list = List::new(shared, &rows, u16::MAX);
    let mut grid = grid_of(&list.columns(), &list, 0..rows.len());
    let plot = list
        .fields()
        .iter()
        .position(|field| *field == RowField::Plot)?;
    grid.columns.remove(plot);
    for row in &mut grid.rows {
        row.remove(plot);
    }
    for (title, _) in &mut grid.columns {
        match title.as_str() {
            "A" => *title = format!("A {}", visible(&a)),
            "B" => *title = format!("B {}", visible(&b)),
            _ => {}
        }
    }
    Some(grid)
}

/// Rows of the table, and the width available for it.
pub struct List<'a> {
    shared: &'a AppState,
    rows: &'a [&'a PairedDifference],
    /// Title of the first column: ability, or the tag of the bins.
    name: String,
    width: u16,
    plot: u16,
}

impl<'a> List<'a> {
    /// Creates a table of this width.
    pub fn new(shared: &'a AppState, rows: &'a [&'a PairedDifference], width: u16) -> Self {
        let mut list = Self {
            shared,
            rows,
            name: match (&shared.lens.ability, shared.split_of_samples()) {
                (None, _) => "ability".to_owned(),
                (Some(_), None) => String::new(),
                (Some(_), Some(split)) => format!("by {}", visible(&split.name())),
            },
            width,
            plot: 0,
        };
        let others = list.fields().len().saturating_sub(1);
        let taken: u16 = list
            .fields()
            .iter()
            .map(|field| list.width_of(*field))
            .sum();
        let gaps = GAP * u16::try_from(others).unwrap_or_default() + 1;
        list.plot = width.saturating_sub(taken + gaps).min(WIDEST_PLOT);
        list
    }

    fn fields(&self) -> Vec<RowField> {
        let mut fields = vec![RowField::Name];
        if self.width >= WITH_METRIC {
            fields.push(RowField::Metric);
        }
        if self.width >= WITH_N {
            fields.push(RowField::N);
        }
        fields.extend([RowField::A, RowField::B]);
        if self.width >= WITH_DIFFERENCE {
            fields.push(RowField::Difference);
        }
        if self.width >= WITH_PLOT {
            fields.push(RowField::Plot);
        }
        fields.extend([
            RowField::P,
            RowField::Conclusion,
            RowField::OnlyA,
            RowField::OnlyB,
        ]);
        fields
    }

    fn width_of(&self, field: RowField) -> u16 {
        match field {
            RowField::Name if self.width >= WITH_METRIC => 26,
            RowField::Name if self.width >= WITH_WORDS => 20,
            RowField::Name if self.width >= WITH_PLOT => 17,
            RowField::Name => 12,
            RowField::Metric => 13,
            RowField::Plot => self.plot,
            RowField::Conclusion if self.width >= WITH_WORDS => 19,
            RowField::Conclusion => 1,
            RowField::A | RowField::B | RowField::Difference => 7,
            RowField::N | RowField::P | RowField::OnlyA | RowField::OnlyB => 6,
        }
    }

    /// Returns the columns that fit the table's width.
    pub fn columns(&self) -> Vec<Column<'_>> {
        let name = self.name.as_str();
        let column = |field: RowField| {
            let (title, align) = match field {
                RowField::Name => (name, Alignment::Left),
                RowField::Metric => ("metric", Alignment::Left),
                RowField::N => ("n", Alignment::Right),
                RowField::A => ("A", Alignment::Right),
                RowField::B => ("B", Alignment::Right),
                RowField::Difference => ("A - B", Alignment::Right),
                RowField::Plot if self.plot < 22 => ("B ◂ ▸ A", Alignment::Center),
                RowField::Plot => ("B better ◂ ▸ A better", Alignment::Center),
                RowField::P => ("p adj", Alignment::Right),
                RowField::Conclusion if self.width >= WITH_WORDS => ("verdict", Alignment::Left),
                RowField::Conclusion => ("", Alignment::Left),
                RowField::OnlyA => ("only A", Alignment::Right),
                RowField::OnlyB => ("only B", Alignment::Right),
            };
            Column {
                align,
                ..Column::text(title, ColumnWidth::Fixed(self.width_of(field))).keeping_ends()
            }
        };
        self.fields().into_iter().map(column).collect()
    }

    fn style_of(&self, conclusion: Conclusion) -> Style {
        let theme = &self.shared.theme;
        match conclusion {
            Conclusion::A => theme.model_a(),
            Conclusion::B => theme.model_b(),
            Conclusion::NotSeparable => theme.dim(),
        }
    }

    /// Plots the difference and its interval. A is better on the right side.
    fn plot(&self, row: &PairedDifference) -> String {
        let Some(difference) = row.difference else {
            return String::new();
        };
        let side = row.direction.sign();
        let ends = row.ci.map(|ci| (side * ci.low, side * ci.high));
        let interval = ends.map(|(one, other)| (one.min(other), one.max(other)));
        forest(side * difference, interval, self.reach(row), self.plot)
    }

    /// Returns the largest absolute difference among rows with the same scale.
    fn reach(&self, row: &PairedDifference) -> f64 {
        let same = |other: &&&PairedDifference| {
            (other.metric == row.metric && other.ability == row.ability)
                || (is_fraction(&other.metric) && is_fraction(&row.metric))
        };
        let ends = |row: &&PairedDifference| {
            let ends = row.ci.map_or([0.0; 2], |ci| [ci.low, ci.high]);
            [ends[0], ends[1], row.difference.unwrap_or_default()]
        };
        let rows = self.rows.iter().filter(same).flat_map(ends);
        rows.map(f64::abs).fold(0.0, f64::max)
    }
}

/// Returns true if a metric's scores are between 0 and 1.
fn is_fraction(metric: &str) -> bool {
    !matches!(
        Metric::from_name(metric),
        Some(Metric::Ciede2000 | Metric::MaeOverGt)
    ) && metric.chars().all(|c| c.is_ascii_lowercase())
}

impl Rows for List<'_> {
    fn total(&self) -> usize {
        self.rows.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let Some(&row) = self.rows.get(row) else {
            return Vec::new();
        };
        let theme = &self.shared.theme;
        let told = self.style_of(row.conclusion);
        let (plain, dim) = (theme.text(), theme.dim());
        let name = match &row.bin {
            Some((_, bin)) => bin,
            None => &row.ability.name,
        };
        let only = |count: Option<u64>| count.map_or_else(|| "–".to_owned(), compact);
        let cell = |field: &RowField| {
            let (text, style) = match field {
                // Directions differ between rows, so mark the direction in each row.
                RowField::Name if row.bin.is_none() && self.width < WITH_METRIC => {
                    let room = self.width_of(*field).saturating_sub(2);
                    let name = visible(name);
                    let arrow = row.direction.arrow();
                    (format!("{} {arrow}", fit(&name, room)), plain)
                }
                RowField::Name => (visible(name).into_owned(), plain),
                RowField::Metric => (
                    format!(
                        "{} {}",
                        visible(&record::benchmark::metric_symbol(&row.metric)),
                        row.direction.arrow()
                    ),
                    dim,
                ),
                RowField::N => (compact(row.n), dim),
                RowField::A => (fixed(row.a_score, 3), plain),
                RowField::B => (fixed(row.b_score, 3), plain),
                RowField::Difference => (fixed(row.difference, 3), told),
                RowField::Plot => (self.plot(row), told),
                RowField::P => (p_text(row.p_adjusted), dim),
                RowField::Conclusion if self.width >= WITH_WORDS => (row.words().to_owned(), told),
                RowField::Conclusion => (sign(row).to_owned(), told),
                RowField::OnlyA => (only(row.cells.map(|cells| cells.only_a)), plain),
                RowField::OnlyB => (only(row.cells.map(|cells| cells.only_b)), plain),
            };
            TableCell::new(text, style)
        };
        self.fields().iter().map(cell).collect()
    }
}

/// Returns the conclusion as one letter, or a dash if nothing was tested.
fn sign(row: &PairedDifference) -> &'static str {
    match row.conclusion {
        Conclusion::A => "A",
        Conclusion::B => "B",
        Conclusion::NotSeparable if row.is_tested() => "=",
        Conclusion::NotSeparable => "–",
    }
}

fn p_text(p: Option<f64>) -> String {
    match p {
        Some(p) if p < 0.001 => "<0.001".to_owned(),
        p => fixed(p, 3),
    }
}

/// Explains the row's numbers in the order of the columns.
pub fn explain(
    shared: &AppState,
    row: &PairedDifference,
    [a, b]: [&String; 2],
) -> Vec<Explanation> {
    let theme = &shared.theme;
    let metric = record::benchmark::metric_words(&row.metric);
    let better = match row.direction {
        Direction::Higher => "more is better",
        Direction::Lower => "less is better",
    };
    let score = |score, letter: &str, model: &String, style| {
        let words =
            format!("{metric} of {letter}, {model}, over the samples that both answered; {better}");
        Explanation::new(fixed(score, 3), style, words)
    };
    let pairs = if row.by_question {
        "questions, each at all its rotations, that both answered"
    } else {
        "samples that both answered"
    };
    let mut explained = vec![
        Explanation::new(format!("n {}", compact(row.n)), theme.dim(), pairs),
        score(row.a_score, "A", a, theme.model_a()),
        score(row.b_score, "B", b, theme.model_b()),
    ];
    if let Some(difference) = row.difference {
        let sign = format!("──●── {}", fixed(Some(difference), 3));
        let ci = row.ci.map_or_else(String::new, |ci| {
            let (low, high) = (fixed(Some(ci.low), 3), fixed(Some(ci.high), 3));
            format!(" and its 95 % interval [{low}, {high}]")
        });
        let words = format!("A minus B{ci}; right of │ A is better, left of it B");
        explained.push(Explanation::new(sign, theme.text(), words));
    }
    if let Some(p) = row.p_adjusted {
        let words = format!(
            "p adj: the p value of the paired test, adjusted for {}",
            counted(row.family, "test")
        );
        explained.push(Explanation::new(fixed(Some(p), 3), theme.text(), words));
    }
    let (style, why) = match row.conclusion {
        Conclusion::A => (theme.model_a(), "A is better by the adjusted test"),
        Conclusion::B => (theme.model_b(), "B is better by the adjusted test"),
        Conclusion::NotSeparable if row.is_tested() => {
            (theme.dim(), "these samples show no clear difference")
        }
        Conclusion::NotSeparable => (theme.dim(), "too few samples or images for a test"),
    };
    explained.push(Explanation::new(row.words(), style, why));
    if let Some(cells) = row.cells {
        let words = "only A: samples that only A gets right; Enter opens them";
        explained.push(Explanation::new(
            compact(cells.only_a),
            theme.model_a(),
            words,
        ));
        let words = "only B: samples that only B gets right";
        explained.push(Explanation::new(
            compact(cells.only_b),
            theme.model_b(),
            words,
        ));
    }
    explained
}
