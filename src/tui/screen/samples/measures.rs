//! Computes the layout of the matrix of answers: column widths, row height, and areas of the
//! pictures.

use ratatui::layout::Rect;

use crate::screen::PREVIEW;
use crate::shared::AppState;
use crate::widget::table::{HEADER, TableState};
use analysis::{AnswerMatrix, AnsweredSample};
use record::Row;

use super::sheet::shape;
use super::tile::Thumb;

/// Minimum and maximum width of an answer, in cells.
const ANSWER: (u16, u16) = (15, 32);
/// Minimum width of an answer on a narrow screen, in cells. There, signs for all models are more
/// useful than a few complete answers.
const BRIEF: u16 = 7;
/// Width of the id column and of the target column, in cells.
pub const ID: u16 = 14;
/// Number of lines of a row with a sharp picture.
const SHARP: u16 = 4;
/// Number of lines of a row with a picture of half blocks, which have two pixels per line.
const BLOCKS: u16 = 7;
/// Minimum height of the matrix to show sharp pictures by default, in rows.
const TALL: u16 = 24;
/// Minimum width of the matrix to show pictures, in cells.
const WIDE: u16 = 76;
/// Maximum number of samples that are searched for a picture.
const FIRST: usize = 24;

/// Widths of the columns and height of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measures {
    /// True if each id is preceded by the sign of a verdict.
    pub judged: bool,
    /// Width of the pictures; 0 for no pictures.
    pub picture: u16,
    /// Height of each row in lines.
    pub lines: u16,
    /// Number of visible columns of answers.
    pub shown: usize,
    /// Width of each column of answers.
    pub answer: u16,
}

/// Returns false if the first samples are loaded and none of them has a picture.
pub fn has_pictures(shared: &AppState, matrix: &AnswerMatrix) -> bool {
    let rows = matrix.rows.iter().take(FIRST);
    let rows = rows.flat_map(AnsweredSample::answers);
    let known = rows.filter_map(|Row(row)| shared.fetched.thumbnails.peek(&row)?.as_ref().ok());
    let mut known = known.peekable();
    known.peek().is_none() || known.any(|thumbnail| thumbnail.source.is_some())
}

impl Measures {
    /// Computes the layout for an area. `wanted` is the user's choice to show pictures. By default,
    /// a tall screen shows sharp pictures.
    pub fn new(shared: &AppState, matrix: &AnswerMatrix, wanted: Option<bool>, area: Rect) -> Self {
        let is_sharp = shared.pictures.are_fragile();
        let wanted = wanted.unwrap_or(is_sharp && area.height >= TALL);
        let fits = area.width >= WIDE && !shared.pictures.are_off();
        let lines = match (wanted && fits && has_pictures(shared, matrix), is_sharp) {
            (false, _) => 1,
            (true, true) => SHARP,
            (true, false) => BLOCKS,
        };
        // A cell is twice as high as wide.
        let picture = u32::from(2 * lines) * 100 / shape(shared).max(1);
        let picture = u16::try_from(picture).unwrap_or(u16::MAX);
        let mut measures = Self {
            judged: !shared.verdicts.book.is_empty(),
            picture: if lines > 1 { picture } else { 0 },
            lines,
            shown: 1,
            answer: 0,
        };
        let (usual, most) = ANSWER;
        let least = if area.width < PREVIEW { BRIEF } else { usual };
        let left = area.width.saturating_sub(measures.lead() + 1);
        let fit = usize::from(left / (least + 2)).max(1);
        measures.shown = fit.min(matrix.columns.len().max(1));
        let each = left / u16::try_from(measures.shown).unwrap_or(1);
        measures.answer = each.saturating_sub(2).min(most);
        measures
    }

    /// Returns the width of the verdict's sign; 0 if it is hidden.
    const fn sign(self) -> u16 {
        if self.judged { 3 } else { 0 }
    }

    /// Returns the width of all columns before the first answer: verdict, id, picture and target.
    pub const fn lead(self) -> u16 {
        let picture = if self.picture > 0 {
            self.picture + 2
        } else {
            0
        };
        self.sign() + 2 * (ID + 2) + picture
    }

    /// Returns the pictures of the visible rows, nearest to the cursor first. Each picture shows
    /// the boxes of the answer in the cursor's column.
    pub fn thumbs(
        self,
        matrix: &AnswerMatrix,
        (table, column): (TableState, usize),
        area: Rect,
    ) -> Vec<Thumb> {
        if self.picture == 0 {
            return Vec::new();
        }
        let seen = usize::from(area.height.saturating_sub(HEADER) / self.lines);
        let samples = matrix.rows.iter().enumerate();
        let samples = samples.skip(table.offset).take(seen);
        let thumb = |(at, sample): (usize, &AnsweredSample)| {
            let below = u16::try_from(at - table.offset).ok()? * self.lines;
            let answer = sample.cell(column);
            let Row(row) = answer.or_else(|| sample.answers().next())?;
            let area = Rect {
                x: area.x + self.sign() + ID + 2,
                y: area.y + HEADER + below,
                width: self.picture,
                height: self.lines,
            };
            let place = area;
            let distance = at.abs_diff(table.selected);
            Some((distance, Thumb { row, area, place }))
        };
        let mut found: Vec<(usize, Thumb)> = samples.filter_map(thumb).collect();
        found.sort_by_key(|(distance, _)| *distance);
        found.into_iter().map(|(_, thumb)| thumb).collect()
    }
}
