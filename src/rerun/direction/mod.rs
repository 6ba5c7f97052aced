//! Words of direction, and places in numbers, of a picture that was moved.
//!
//! A small grammar: each word of direction is looked at where it stands, and either says a direction in the picture
//! (`to the left of the car`), or stays (`top-down`, `none of the above`, `slices are left`, `the right answer`), or
//! cannot be told. A question with a word of the last kind is not asked of a moved picture: [`Doubt`] says why.
//! [`turned`] does so for a question with its options and its target. All functions are pure.

mod across;
mod context;
mod coordinates;
mod corner;
mod fixed;
mod free;
mod lexicon;
mod mixed;
mod options;
mod others;
mod passage;
mod scale;
mod sense;
#[cfg(test)]
mod tests;
mod unsure;
mod vertical;
mod written;

use std::ops::Range;

use thiserror::Error;

use media::Orientation;

use context::Context;
use corner::corner;
use lexicon::single;
use passage::Passage;
use sense::{Around, Sense};

pub use coordinates::{Frame, boxes_of};
pub use options::{Asked, Moved, listed_in, moved};
pub use scale::{Signs, Stated, Unit, stated, unit};
pub use written::{Wanted, wanted};

/// A part of a text, and what it becomes.
type Edit = (Range<usize>, String);

/// Why a text cannot be said of a moved picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0}, which cannot be turned for certain")]
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
    #[must_use]
    pub fn unchanged(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            marked: text.to_owned(),
            changes: 0,
        }
    }

    /// A text with some parts replaced; of two that overlap the first counts.
    fn replaced(text: &str, mut edits: Vec<Edit>) -> Self {
        edits.sort_by_key(|(range, _)| range.start);
        let mut said = Self::default();
        let mut from = 0;
        for (range, new) in &edits {
            if range.start < from {
                continue;
            }
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

/// What becomes of the words of direction in a text, of which `context` tells what they say.
fn words(text: &str, context: &Context, by: Orientation) -> Result<Vec<Edit>, Doubt> {
    let passage = Passage::new(text);
    let fixed = fixed::parts(&passage);
    let is_fixed = |range: &Range<usize>| {
        fixed
            .iter()
            .any(|part| part.start <= range.start && range.end <= part.end)
    };
    let mut edits: Vec<Edit> = Vec::new();
    let mut at = 0;
    while at < passage.len() {
        let range = passage.range(at);
        let (sense, taken) = if is_fixed(&range) {
            (None, 1)
        } else if let Some(corner) = corner(&passage, at) {
            (Some(corner.sense(&passage, at, context, by)), corner.words)
        } else if let Some((side, _)) = single(passage.word(at)) {
            (Some(one(&passage, at, side, context, by)), 1)
        } else {
            let follows = edits
                .last()
                .is_some_and(|(before, _)| before.end + 1 == range.start);
            (others::sense(&passage, at, context, by, follows), 1)
        };
        match sense {
            Some(Sense::Turns(range, new)) => edits.push((range, new)),
            Some(Sense::Doubt(why)) => return Err(Doubt(why)),
            Some(Sense::Stays) | None => {}
        }
        at += taken;
    }
    Ok(edits)
}

fn one(
    passage: &Passage<'_>,
    at: usize,
    side: lexicon::Side,
    context: &Context,
    by: Orientation,
) -> Sense {
    let around = Around {
        passage,
        at,
        side,
        by,
        context,
    };
    match around.word() {
        "left" | "right" => across::sense(&around),
        "upwards" if around.next(1) == "of" => Sense::Stays,
        word if word.ends_with("most") || word.contains("ward") => {
            let (_, family) = single(word).unwrap_or((side, lexicon::Family::Plain));
            around.direction(family, 0, 0)
        }
        _ => vertical::sense(&around),
    }
}
