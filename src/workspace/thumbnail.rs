//! The picture of a sample with its boxes, for a sheet of many.

use super::page::detail;
use super::picture::{Marked, marked, sources};
use media::Source;
use record::{Row, Scoring, Table};

/// The first picture of a sample, and the boxes on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Thumbnail {
    /// Where the picture is; `None` if the log names none.
    pub source: Option<Source>,
    /// The boxes of the question, the target and the answer.
    pub marked: Vec<Marked>,
}

/// The picture and the boxes of a prediction.
///
/// # Errors
/// One sentence: its log is gone, has changed, or is still being read.
pub fn thumbnail(table: &Table, row: Row, scoring: Scoring) -> Result<Thumbnail, String> {
    let detail = detail(table, row, scoring)?;
    Ok(Thumbnail {
        source: sources(table, &detail).into_iter().next(),
        marked: marked(&detail, None),
    })
}
