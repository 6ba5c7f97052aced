//! What a page is made of.

use crate::{Align, Grid};

/// A page before it is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// What it is, in a few short pieces below the title.
    pub about: Vec<String>,
    /// Its content.
    pub blocks: Vec<Block>,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading of level 2, 3 or 4; those of level 2 and 3 are in the contents list and stand in no other block.
    Heading(u8, String),
    /// A sentence or two.
    Text(String),
    /// Something to be typed into a shell.
    Command(String),
    /// A table.
    Table(Table),
    /// A chart.
    Figure(Figure),
    /// Side by side where there is room.
    Beside(Vec<Block>),
    /// Below each other as one of those that stand side by side.
    Stack(Vec<Block>),
    /// Shown when it is asked for.
    Folded(String, Vec<Block>),
}

/// A chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// SVG from [`crate::chart`].
    pub svg: String,
    /// What it shows.
    pub caption: String,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What it shows; not seen where a heading says it already.
    pub caption: String,
    /// Columns.
    pub columns: Vec<Column>,
    /// How many cells at the beginning of a row name it.
    pub heads: usize,
    /// Rows of as many cells as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// A column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Unit, metric and direction, dim below the name.
    pub note: String,
    /// On which side its cells stand.
    pub align: Align,
    /// Whether what it says is secondary.
    pub dim: bool,
    /// Whether its cells are coloured; they stand in the middle then.
    pub heat: bool,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// How many samples are behind it, dim beside it.
    pub n: Option<u64>,
    /// What stands dim below it.
    pub note: String,
    /// What a pointer that rests on it is told.
    pub title: String,
    /// Where it stands between best (0) and worst (1), if it is coloured.
    pub heat: Option<f64>,
    /// Whether it stands out.
    pub bold: bool,
}

impl Column {
    /// A column of texts.
    #[must_use]
    pub fn text(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// A column of numbers.
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

    /// A secondary column.
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
