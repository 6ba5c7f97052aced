//! Prepares pictures with their boxes for the contact sheet.

use super::page::detail;
use super::picture::{MarkedBox, marked, sources};
use media::Source;
use record::{Row, Scoring, Table};

/// The first picture of a sample, and the boxes on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Thumbnail {
    /// Source of the picture; `None` if the log has no picture for the sample.
    pub source: Option<Source>,
    /// Boxes of the question, the target and the answer.
    pub marked: Vec<MarkedBox>,
}

/// Returns picture and boxes of a prediction.
///
/// # Errors
/// If the log is missing, has changed, or is still being read.
pub fn thumbnail(table: &Table, row: Row, scoring: Scoring) -> Result<Thumbnail, String> {
    let detail = detail(table, row, scoring)?;
    Ok(Thumbnail {
        source: sources(table, &detail).into_iter().next(),
        marked: marked(&detail, None),
    })
}
