//! The building blocks of a page.

use super::Card;
use crate::{Align, Grid};

/// A page before it is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// Short descriptions below the title.
    pub about: Vec<String>,
    /// Its blocks.
    pub blocks: Vec<Block>,
}

/// A block of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading of level 2, 3 or 4. Levels 2 and 3 appear in the contents list and may not be nested in other
    /// blocks.
    Heading(u8, String),
    /// A paragraph.
    Text(String),
    /// A shell command.
    Command(String),
    /// A table.
    Table(Table),
    /// A chart.
    Figure(Figure),
    /// Blocks side by side where there is space.
    Beside(Vec<Block>),
    /// Blocks below each other, as one of several side by side.
    Stack(Vec<Block>),
    /// A block that can be unfolded.
    Folded(String, Vec<Block>),
    /// Blocks to which a link leads, by an id that no other part of the page has.
    Anchored(String, Vec<Block>),
    /// Samples, side by side.
    Cards(Vec<Card>),
}

/// A chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// SVG from [`crate::chart`].
    pub svg: String,
    /// Its caption.
    pub caption: String,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Its caption; hidden if a heading already says it.
    pub caption: String,
    /// Columns.
    pub columns: Vec<Column>,
    /// Number of leading cells that name a row.
    pub heads: usize,
    /// Rows with one cell per column.
    pub rows: Vec<Vec<Cell>>,
}

/// A column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Unit, metric and direction, dim below the name.
    pub note: String,
    /// Alignment of its cells.
    pub align: Align,
    /// True for secondary information.
    pub dim: bool,
    /// True for coloured, centred cells.
    pub heat: bool,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// Number of samples, dim beside the text.
    pub n: Option<u64>,
    /// A note, dim below the text.
    pub note: String,
    /// Tooltip.
    pub title: String,
    /// Position between best (0) and worst (1), for coloured cells.
    pub heat: Option<f64>,
    /// True for bold text.
    pub bold: bool,
    /// The id of the part of the page to which the text leads.
    pub link: Option<String>,
    /// The sign before an answer.
    pub mark: Mark,
}

/// Whether an answer is right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// It is.
    Right,
    /// Nobody says, or it is no answer.
    #[default]
    None,
    /// It is wrong.
    Wrong,
    /// It could not be read.
    Unread,
}

impl Column {
    /// A text column.
    #[must_use]
    pub fn text(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// A number column.
    #[must_use]
    pub fn number(name: &str) -> Self {
        Self {
            align: Align::Right,
            ..Self::text(name)
        }
    }

    /// Adds unit, metric and direction.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Self {
        Self {
            note: note.into(),
            ..self
        }
    }

    /// A column of coloured cells.
    #[must_use]
    pub fn heat(name: &str) -> Self {
        Self {
            heat: true,
            ..Self::text(name)
        }
    }

    /// Marks the column as secondary.
    #[must_use]
    pub fn dim(self) -> Self {
        Self { dim: true, ..self }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }
}

impl Page {
    /// A page of sentences and tables.
    #[must_use]
    pub fn of_grids(title: &str, preface: &[String], grids: &[Grid]) -> Self {
        let mut blocks: Vec<Block> = preface.iter().cloned().map(Block::Text).collect();
        for grid in grids.iter().filter(|grid| !grid.rows.is_empty()) {
            if !grid.title.is_empty() {
                blocks.push(Block::Heading(2, grid.title.clone()));
            }
            blocks.push(Block::Table(grid.into()));
        }
        Self {
            title: title.to_owned(),
            about: Vec::new(),
            blocks,
        }
    }
}

impl From<&Grid> for Table {
    fn from(grid: &Grid) -> Self {
        let column = |(name, align): &(String, Align)| Column {
            name: name.clone(),
            align: *align,
            dim: name == "95 %",
            ..Column::default()
        };
        Self {
            caption: grid.title.clone(),
            columns: grid.columns.iter().map(column).collect(),
            heads: 1,
            rows: grid
                .rows
                .iter()
                .map(|row| row.iter().map(Cell::from).collect())
                .collect(),
        }
    }
}
