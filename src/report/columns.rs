//! Columns of a table: heading, format and value of each, listed once for all output formats.

use std::borrow::Borrow;

use super::Grid;
use super::cells::{count, interval_to, number};
use analysis::metric::Interval;
use base::format::{compact, fixed, visible};
use record::benchmark::Direction;

/// Columns of a table with rows of type `R`, from left to right. A column whose heading ends in
/// `>` is right-aligned.
pub struct Columns<'a, R>(Vec<Column<'a, R>>);

struct Column<'a, R> {
    heading: String,
    cell: Box<dyn Fn(&R) -> String + 'a>,
}

impl<'a, R> Columns<'a, R> {
    /// A table without columns.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a column of texts that the rows contain.
    pub fn text(self, heading: &str, value: impl Fn(&R) -> &str + 'a) -> Self {
        self.words(heading, move |row| value(row).to_owned())
    }

    /// Adds a column of texts made from the rows.
    pub fn words(mut self, heading: &str, value: impl Fn(&R) -> String + 'a) -> Self {
        self.0.push(Column {
            heading: heading.to_owned(),
            cell: Box::new(value),
        });
        self
    }

    /// Adds a column with metrics and their directions.
    pub fn metric<D: Into<Option<Direction>>>(
        self,
        name: impl Fn(&R) -> &str + 'a,
        direction: impl Fn(&R) -> D + 'a,
    ) -> Self {
        self.words("metric", move |row| metric(name(row), direction(row)))
    }

    /// Adds a column of counts, right-aligned; a missing count is a dash.
    pub fn count<N: Into<Option<u64>>>(self, heading: &str, value: impl Fn(&R) -> N + 'a) -> Self {
        self.words(&format!("{heading}>"), move |row| {
            let value: Option<u64> = value(row).into();
            value.map_or_else(|| count(0), compact)
        })
    }

    /// Adds a column of scores, right-aligned, with four decimals.
    pub fn number<N: Into<Option<f64>>>(self, heading: &str, value: impl Fn(&R) -> N + 'a) -> Self {
        self.words(&format!("{heading}>"), move |row| number(value(row).into()))
    }

    /// Adds a column of numbers, right-aligned, with this many decimals.
    pub fn fixed<N: Into<Option<f64>>>(
        self,
        heading: &str,
        decimals: usize,
        value: impl Fn(&R) -> N + 'a,
    ) -> Self {
        self.words(&format!("{heading}>"), move |row| {
            fixed(value(row).into(), decimals)
        })
    }

    /// Adds a column of 95 % intervals, with this many decimals.
    pub fn interval(self, decimals: usize, value: impl Fn(&R) -> Option<Interval> + 'a) -> Self {
        self.words("95 %", move |row| interval_to(decimals, value(row)))
    }

    /// Leaves out the columns with these headings.
    pub fn without(mut self, headings: &[&str]) -> Self {
        self.0
            .retain(|it| !headings.contains(&it.heading.trim_end_matches('>')));
        self
    }

    /// Makes the table of these rows.
    pub fn grid<T: Borrow<R>>(&self, title: &str, rows: impl IntoIterator<Item = T>) -> Grid {
        let headings: Vec<&str> = self.0.iter().map(|it| it.heading.as_str()).collect();
        let mut grid = Grid::new(title, &headings);
        let cells = |row: T| {
            let cell = |it: &Column<'a, R>| visible(&(it.cell)(row.borrow())).into_owned();
            self.0.iter().map(cell).collect::<Vec<String>>()
        };
        grid.rows = rows.into_iter().map(cells).collect();
        grid
    }
}

/// A metric with an arrow in its better direction.
pub fn metric(name: &str, direction: impl Into<Option<Direction>>) -> String {
    let direction: Option<Direction> = direction.into();
    let arrow = direction.map_or("", Direction::arrow);
    format!("{name} {arrow}").trim_end().to_owned()
}

/// The name of an ability with its split in parentheses.
pub fn with_split(name: &str, split: Option<&str>) -> String {
    split.map_or_else(|| name.to_owned(), |split| format!("{name} ({split})"))
}

/// A value as text; empty if there is none.
pub fn written(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}
