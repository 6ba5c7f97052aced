//! Rewriting of a question for a rotated, mirrored or cropped picture.
//!
//! Only structured parts are rewritten: boxes and points in numbers, and options or targets that
//! are a direction as a whole. A sample with direction words elsewhere, or whose answer depends on
//! the rotation, is left out; [`TransformRefusal`] holds the reason. All functions are pure.

mod coordinates;
mod options;
mod scale;
mod sides;
#[cfg(test)]
mod tests;
mod words;
mod written;

use std::ops::Range;

use thiserror::Error;

pub use coordinates::{Frame, boxes_of};
pub use options::{QuestionText, RewrittenQuestion, listed_in, moved};
pub use scale::{Signs, StatedScale, Unit, stated_scale, unit};
pub use words::names_place;
pub use written::{ExpectedAnswer, expected_answer};

/// Byte range of a text and its replacement.
type Edit = (Range<usize>, String);

/// Reason why a text cannot be sent with a transformed picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not possible with a rotated, mirrored or cropped picture: {0}")]
pub struct TransformRefusal(pub &'static str);

/// Text rewritten for a transformed picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RewrittenText {
    /// Rewritten text.
    pub text: String,
    /// Text with its changes marked: `in the ‹upper left → upper right› corner`.
    pub marked: String,
    /// Number of changed places.
    pub changes: usize,
}

impl RewrittenText {
    /// Returns a text without changes.
    pub fn unchanged(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            marked: text.to_owned(),
            changes: 0,
        }
    }

    /// Returns `new` as a replacement of the whole text, or the unchanged text if both are equal.
    fn changed(old: &str, new: String) -> Self {
        if old == new {
            return Self::unchanged(old);
        }
        Self {
            marked: format!("‹{old} → {new}›"),
            text: new,
            changes: 1,
        }
    }

    /// Returns the text with `edits` applied. These must be in order and must not overlap.
    fn replaced(text: &str, edits: &[Edit]) -> Self {
        let mut said = Self::default();
        let mut from = 0;
        for (range, new) in edits {
            let old = &text[range.clone()];
            let between = &text[from..range.start];
            said.text.push_str(between);
            said.marked.push_str(between);
            said.text.push_str(new);
            if old == new {
                said.marked.push_str(new);
            } else {
                said.marked.extend(["‹", old, " → ", new, "›"]);
                said.changes += 1;
            }
            from = range.end;
        }
        said.text.push_str(&text[from..]);
        said.marked.push_str(&text[from..]);
        said
    }
}
