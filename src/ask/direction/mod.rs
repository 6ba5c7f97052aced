//! What a question says of a picture that was moved.
//!
//! Only what has a structure turns: boxes and points in numbers, and options or targets that are a direction as a whole.
//! A sample with words of direction elsewhere, or with an answer that depends on the move, is left out: [`Doubt`] holds
//! the reason. All functions are pure.

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
pub use options::{Asked, Moved, listed_in, moved};
pub use scale::{Signs, Stated, Unit, stated, unit};
pub use words::names_place;
pub use written::{Wanted, wanted};

/// A part of a text, and what it becomes.
type Edit = (Range<usize>, String);

/// Why a text cannot be sent with a moved picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not asked of a moved picture: {0}")]
pub struct Doubt(pub &'static str);

/// A text as it is to be said of a moved picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The text.
    pub text: String,
    /// The text with what changed: `in the ‹upper left → upper right› corner`.
    pub marked: String,
    /// How many places changed.
    pub changes: usize,
}

impl Said {
    /// A text that stays.
    pub fn unchanged(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            marked: text.to_owned(),
            changes: 0,
        }
    }

    /// A text that became another as a whole, or stayed.
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

    /// A text with some parts replaced, which are in order and do not overlap.
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
