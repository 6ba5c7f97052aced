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

/// A titled table; control characters in its texts are neutralised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// Title above the table; may be empty.
    pub title: String,
    /// Names and alignments of the columns.
    pub columns: Vec<(String, Align)>,
    /// Rows with one cell per column.
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// Creates an empty table. A column whose name ends in `>` is right-aligned.
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

    /// A table with only the wanted columns, under another title.
    #[must_use]
    pub fn only(&self, wanted: &[&str], title: &str) -> Self {
        let places = wanted.iter().filter_map(|name| {
            let mut known = self.columns.iter();
            known.position(|(known, _)| known == name)
        });
        let places: Vec<usize> = places.collect();
        let of = |row: &Vec<String>| {
            let cells = places.iter().filter_map(|at| row.get(*at).cloned());
            cells.collect()
        };
        Self {
            title: title.to_owned(),
            columns: places
                .iter()
                .filter_map(|at| self.columns.get(*at).cloned())
                .collect(),
            rows: self.rows.iter().map(of).collect(),
        }
    }

    /// Adds a row and neutralises its texts.
    pub fn push<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) {
        self.rows.push(
            cells
                .into_iter()
                .map(|cell| visible(cell).into_owned())
                .collect(),
        );
    }
}
