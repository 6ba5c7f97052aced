//! Builds self-contained HTML files with tables, charts, a contents list, dark mode and print
//! styles.
//!
//! The output is also well-formed XML. All text passes through [`escape`]; only a chart's SVG is
//! written as it is.

mod block;
mod card;
mod write;

pub use block::{Block, Cell, Column, Figure, Page, Table, VerdictMark};
pub use card::{Card, CardAnswer, CardOption, CardPicture};
pub use write::{escape, write};
