//! Building blocks of an HTML page.

use super::{Card, SampleFilter, Sheet};
use crate::{Align, Grid};

/// Content of an HTML page, without markup.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// Title of the page and of the browser window.
    pub title: String,
    /// Short lines below the title.
    pub about: Vec<String>,
    /// Blocks from top to bottom.
    pub blocks: Vec<Block>,
}

/// A part of a page: text, table, chart, cards or a group of blocks.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading of level 2, 3 or 4. Levels 2 and 3 appear in the contents list and cannot be
    /// nested in other blocks.
    Heading(u8, String),
    /// A paragraph of plain text.
    Text(String),
    /// A conclusion, shown in bold.
    Lead(String),
    /// The evidence of a conclusion, shown in small type.
    Note(String),
    /// The colours of coloured cells from best to worst, with an explanation.
    Scale(String),
    /// A shell command, on its own line.
    Command(String),
    /// A table with optional coloured cells.
    Table(Table),
    /// A chart with its caption.
    Figure(Figure),
    /// Blocks side by side, if the page is wide enough.
    Beside(Vec<Block>),
    /// Blocks below each other, used within `Beside`.
    Stack(Vec<Block>),
    /// A block that unfolds, with its title.
    Folded(String, Vec<Block>),
    /// Blocks with an id as link target. The id is unique on the page.
    Anchored(String, Vec<Block>),
    /// Sample cards, side by side.
    Cards(Vec<Card>),
    /// Small pictures that link to sample cards.
    Sheet(Sheet),
    /// Search fields for the sample cards of the page; at most one per page.
    Find(SampleFilter),
}

impl Block {
    /// Blocks nested in this block.
    pub(super) fn inner_mut(&mut self) -> &mut [Self] {
        match self {
            Self::Beside(inner)
            | Self::Stack(inner)
            | Self::Folded(_, inner)
            | Self::Anchored(_, inner) => inner,
            _ => &mut [],
        }
    }
}

/// A chart with its caption.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// SVG from [`crate::chart`].
    pub svg: String,
    /// Caption below the chart.
    pub caption: String,
}

/// A table with optional colours, links and tooltips.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Caption; hidden if a heading repeats it.
    pub caption: String,
    /// Columns from left to right.
    pub columns: Vec<Column>,
    /// Number of leading cells that name a row.
    pub heads: usize,
    /// Rows with one cell per column.
    pub rows: Vec<Vec<Cell>>,
}

/// A column's heading and style.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Heading of the column.
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

/// A table cell with optional colour, link and tooltip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Main text of the cell.
    pub text: String,
    /// Number of samples, dim, to the right of the text.
    pub n: Option<u64>,
    /// A note, dim below the text.
    pub note: String,
    /// Text of the tooltip; empty for no tooltip.
    pub title: String,
    /// Colour position from best (0) to worst (1).
    pub heat: Option<f64>,
    /// True for bold text.
    pub bold: bool,
    /// Id of the page section that the text links to.
    pub link: Option<String>,
    /// Filter that the link sets, if it links to the samples of an ability.
    pub choice: Option<SampleChoice>,
    /// Mark before an answer.
    pub mark: VerdictMark,
}

/// Filter of a link, as indices into the lists of the [`SampleFilter`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleChoice {
    /// Index of the model; `None` for all models.
    pub model: Option<usize>,
    /// Index of the subgroup; `None` for all samples.
    pub subgroup: Option<usize>,
    /// True for wrong and invalid answers only.
    pub only_wrong: bool,
}

/// Mark for the correctness of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum VerdictMark {
    /// The answer is right.
    Right,
    /// Correctness is unknown, or the cell is not an answer.
    #[default]
    None,
    /// The answer is wrong.
    Wrong,
    /// The response could not be parsed.
    Unread,
}

impl Column {
    /// Creates a left-aligned text column.
    pub fn text(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// Creates a right-aligned number column.
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

    /// Creates a column of coloured cells.
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

impl From<String> for Figure {
    /// A chart without a caption.
    fn from(svg: String) -> Self {
        let caption = String::new();
        Self { svg, caption }
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
    /// A page with sentences and tables.
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
            dim: ["95 %", "ranks"].contains(&name.as_str()),
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
