//! Two words that name a corner together: `top left`, `lower-right`, `left above`, `Topleft`.

use std::ops::Range;

use super::context::Context;
use super::lexicon::{Side, is_one};
use super::passage::Passage;
use super::sense::{Sense, like};
use media::Orientation;

/// Pairs of words for the vertical sides, which stay together.
const PAIRS: [[&str; 2]; 4] = [
    ["top", "bottom"],
    ["upper", "lower"],
    ["above", "below"],
    ["up", "down"],
];

/// A corner in two words.
pub struct Corner {
    /// Where it stands.
    pub range: Range<usize>,
    /// How many words it has.
    pub words: usize,
    pair: [&'static str; 2],
    top: bool,
    left: bool,
    vertical_first: bool,
    between: String,
}

/// The corner that begins with a word.
#[must_use]
pub fn corner(passage: &Passage<'_>, at: usize) -> Option<Corner> {
    glued(passage, at).or_else(|| {
        let gap = passage.gap(at);
        if !matches!(gap, " " | "-" | "/" | "_") || at + 1 >= passage.len() {
            return None;
        }
        let range = passage.range(at).start..passage.range(at + 1).end;
        of(passage.word(at), passage.word(at + 1), gap, range, 2)
    })
}

/// `topleft` in one word.
fn glued(passage: &Passage<'_>, at: usize) -> Option<Corner> {
    let word = passage.word(at);
    let vertical = PAIRS
        .iter()
        .flatten()
        .find(|vertical| word.starts_with(**vertical))?;
    // `upright` is none.
    let rest = word.get(vertical.len()..).filter(|_| *vertical != "up")?;
    of(vertical, rest, "", passage.range(at), 1)
}

fn of(
    first: &str,
    second: &str,
    between: &str,
    range: Range<usize>,
    words: usize,
) -> Option<Corner> {
    let vertical = |word: &str| PAIRS.into_iter().find(|pair| is_one(word, pair));
    let (pair, vertical_first) = match (vertical(first), vertical(second)) {
        (Some(pair), None) => (pair, true),
        (None, Some(pair)) => (pair, false),
        _ => return None,
    };
    let (down, across) = if vertical_first {
        (first, second)
    } else {
        (second, first)
    };
    // `left up` is no corner, and `left top` is one.
    let is_way = pair[0] == "up" && !vertical_first;
    (is_one(across, &["left", "right"]) && !is_way).then(|| Corner {
        range,
        words,
        pair,
        top: down == pair[0],
        left: across == "left",
        vertical_first,
        between: between.to_owned(),
    })
}

impl Corner {
    /// What it says. `right above` is a corner only among corners: elsewhere `right` says `just`.
    #[must_use]
    pub fn sense(
        &self,
        passage: &Passage<'_>,
        at: usize,
        context: &Context,
        by: Orientation,
    ) -> Sense {
        let before = passage.before(at, 1);
        if self.words == 2
            && is_one(
                passage.after(at, 2),
                &["answer", "answers", "option", "options", "angle", "handed"],
            )
            && !self.left
        {
            return Sense::Doubt("`right` that may mean correct");
        }
        if is_one(before, &["tank", "crop"]) {
            return Sense::Doubt("a word that may say a direction");
        }
        if !self.vertical_first
            && self.pair[0] == "above"
            && !self.left
            && !["left above", "left below", "left-above", "left-below"]
                .iter()
                .any(|words| context.option_holds(words))
        {
            return Sense::Doubt("`right above` that may mean just above");
        }
        if self.pair[0] == "up"
            && !context.has(&[
                "direction",
                "moving",
                "move",
                "diagonally",
                "arrow",
                "pointing",
            ])
        {
            return Sense::Doubt("a word that may say a direction");
        }
        Sense::Turns(self.range.clone(), self.after(passage, by))
    }

    /// The corner after the move, in the same words and order.
    fn after(&self, passage: &Passage<'_>, by: Orientation) -> String {
        let vertical = if self.top { Side::Top } else { Side::Bottom };
        let across = if self.left { Side::Left } else { Side::Right };
        let sides = [vertical.after(by), across.after(by)];
        let is_left = sides.contains(&Side::Left);
        let down = self.pair[usize::from(!sides.contains(&Side::Top))];
        let across = if is_left { "left" } else { "right" };
        let (first, second) = if self.vertical_first {
            (down, across)
        } else {
            (across, down)
        };
        let old = &passage.text[self.range.clone()];
        let second_old = old.get(
            old.len()
                - if self.vertical_first {
                    if self.left { 4 } else { 5 }
                } else {
                    self.pair[usize::from(!self.top)].len()
                }..,
        );
        let second = if self.words == 2 {
            like(second_old.unwrap_or_default(), second)
        } else {
            second.to_owned()
        };
        let first = if old.chars().all(|sign| !sign.is_lowercase()) {
            first.to_uppercase()
        } else {
            like(old, first)
        };
        format!("{first}{}{second}", self.between)
    }
}
