//! A table independent of its output format.

use base::format::visible;

/// Alignment of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// For text columns.
    #[default]
    Left,
    /// For number columns.
    Right,
}

/// A titled table; control characters in its texts are made visible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// Title above the table; can be empty.
    pub title: String,
    /// Names and alignments of the columns.
    pub columns: Vec<(String, Align)>,
    /// Rows with one cell per column.
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// Creates an empty table. A column whose name ends in `>` is right-aligned.
    pub fn new(title: &str, columns: &[&str]) -> Self {
        let column = |name: &&str| match name.strip_suffix('>') {
            Some(name) => (visible(name).into_owned(), Align::Right),
            None => (visible(name).into_owned(), Align::Left),
        };
        Self {
            title: visible(title).into_owned(),
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row and makes control characters in its texts visible.
    pub fn push<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) {
        self.rows.push(
            cells
                .into_iter()
                .map(|cell| visible(cell).into_owned())
                .collect(),
        );
    }
}
