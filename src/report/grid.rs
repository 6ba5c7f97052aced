//! A table before it is known how it will be written.

use format::visible;

/// On which side a column's cells stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// Texts.
    #[default]
    Left,
    /// Numbers.
    Right,
}

/// A titled table of harmless texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// What it shows.
    pub title: String,
    /// Columns.
    pub columns: Vec<(String, Align)>,
    /// Rows of as many cells as there are columns.
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// An empty table. A column whose name ends in `>` holds numbers.
    #[must_use]
    pub fn new(title: &str, columns: &[&str]) -> Self {
        let column = |name: &&str| match name.strip_suffix('>') {
            Some(name) => (name.to_owned(), Align::Right),
            None => ((*name).to_owned(), Align::Left),
        };
        Self {
            title: title.to_owned(),
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; its texts are neutralised.
    pub fn push<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) {
        self.rows.push(
            cells
                .into_iter()
                .map(|cell| visible(cell).into_owned())
                .collect(),
        );
    }
}
