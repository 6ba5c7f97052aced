//! Builds self-contained HTML files with tables, charts, a contents list, dark mode and print
//! styles.
//!
//! Pages with samples contain a script that filters them. A content security policy allows this
//! script and the style sheet by their hashes, and nothing else.
//!
//! The output is also well-formed XML. All text passes through [`escape`]; only a chart's SVG is
//! written as it is.

mod block;
mod card;
mod escape;
mod find;
mod fit;
mod head;
mod sheet;
mod write;

pub use block::{Block, Cell, Column, Figure, Page, SampleChoice, Table, VerdictMark};
pub use card::{Card, CardAnswer, CardOption, CardPicture};
pub use escape::escape;
pub use find::SampleFilter;
pub use sheet::{Sheet, SheetPicture};
pub use write::write;
