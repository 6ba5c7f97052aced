//! Describes the number that a question asks for, and excludes numbers that cannot be the answer.

use std::sync::LazyLock;

use super::doubt;
use super::number_text::Number;
use super::page::Page;
use super::phrases::PhraseSet;
use super::synonyms::{COLORS, ends_in_s, plain};

/// Units of quantities other than lengths.
static OTHER_UNIT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "square|cubic|s|h|min|km/h|m/s|second|seconds|sec|minute|minutes|hour|hours|day|days|year|years|pixel|pixels|px|degree|degrees|°|kg|kilogram|kilograms|mph|dollar|dollars|people|person|lengths",
    )
});

/// Words for the position of the camera.
static CAMERA: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "camera|viewer|observer|lens|me|us|you|viewpoint|photographer|here|front|position|perspective|image|point|where|foreground|kamera|caméra|cámara",
    )
});

/// General words that can stand for the counted objects.
static ANYTHING: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "objects|vehicles|animals|creatures|items|instances|others|rows|times|ones|individuals|persons|things|figures|elements|pieces|examples|units|points|is|are|was|does|total|this|its|groups|people|sides|across",
    )
});

/// Quantity that a question asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Quantity {
    #[default]
    Other,
    /// Number of objects.
    Count,
    /// Share between 0 and 1; percentages are divided by 100.
    Share,
    /// Distance between two objects.
    Distance,
    /// Distance from the camera.
    FromCamera,
}

/// Kind of number that the question asks for.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberKind {
    /// Unit of the answer in metres; `None` unless the question asks for a length.
    pub unit: Option<f64>,
    /// Quantity of the number.
    pub quantity: Quantity,
    /// Words for the counted objects in plain form, their noun last; empty if unknown.
    pub counted: Vec<String>,
    /// Content words of the question.
    pub asked: Vec<String>,
}

impl NumberKind {
    /// Returns true if a number cannot be the answer: it is a bound, a negative count or distance,
    /// has another unit, is a distance from another object, or counts other objects.
    pub fn excludes(&self, page: &Page, number: &Number) -> bool {
        let end = number.pieces.end;
        let sized = self.unit.is_some() || !self.counted.is_empty();
        let clause = end..doubt::sentence_end(page, end);
        let from = clause.clone().take(3).find(|at| {
            matches!(
                page.lower(*at),
                "from" | "above" | "below" | "beside" | "behind" | "between" | "beyond"
            )
        });
        let elsewhere = |from: usize| {
            page.is_word(from + 1) && !(from..clause.end).any(|at| CAMERA.has(page, at))
        };
        doubt::is_bound(page, number.pieces.start)
            || doubt::is_bound_after(page, end)
            || sized && number.value < 0.0
            || self.unit.is_some()
                && number.unit.is_none()
                && (OTHER_UNIT.has(page, end) || is_plural(page, end))
            || self.quantity == Quantity::FromCamera
                && number.unit.is_some()
                && from.is_some_and(elsewhere)
            || page.is(end, '?') && page.len() > end + 1
            || matches!(page.lower(end), "more" | "fewer" | "less") && page.lower(end + 1) == "than"
            || self.quantity == Quantity::FromCamera
                && !self
                    .asked
                    .iter()
                    .any(|word| matches!(word.as_str(), "object" | "thing" | "region"))
                && doubt::is_about_other(page, number.pieces.start, &self.asked)
            || self.is_denied(page, number)
            || self.counts_others(page, number)
    }

    /// Returns true if the counted objects are denied the property in the question: 'three people
    /// do not wear a helmet'.
    fn is_denied(&self, page: &Page, number: &Number) -> bool {
        let asks = |at: &usize| {
            let word = plain(page.lower(*at));
            self.asked.contains(&word) && self.counted.first() != Some(&word)
        };
        let end = doubt::sentence_end(page, number.pieces.end);
        let mut clause = (number.pieces.end..end).take_while(|at| !page.is(*at, ','));
        let not = clause.find(|at| {
            matches!(
                page.lower(*at),
                "not" | "don't" | "doesn't" | "without" | "aren't" | "isn't"
            )
        });
        !self.counted.is_empty() && not.is_some_and(|_| clause.any(|at| asks(&at)))
    }

    /// Returns true if a number is followed by a plural noun, or by a colour, that is not in the
    /// question.
    fn counts_others(&self, page: &Page, number: &Number) -> bool {
        let Some(noun) = self
            .counted
            .last()
            .filter(|noun| *noun != "people" && *noun != "person")
        else {
            return false;
        };
        let end = number.pieces.end;
        let mut near = (end..end + 3).take_while(|at| page.is_word(*at));
        let plural = near.find(|at| ends_in_s(page.lower(*at)));
        // The colour can differ: 'three blue cars', for a question about red cars.
        let is_color = |word: &str| COLORS.contains(&word);
        let other = |at: usize| {
            is_color(page.lower(at)) && !self.counted.iter().any(|word| word == page.lower(at))
        };
        let rival = self.counted.iter().any(|word| is_color(word))
            && (end..end + 3)
                .take_while(|at| page.is_word(*at) && plain(page.lower(*at)) != *noun)
                .any(other);
        rival
            || plural.is_some_and(|at| {
                !ANYTHING.has(page, at) && {
                    let word = plain(page.lower(at));
                    !self.asked.contains(&word) && !self.counted.contains(&word)
                }
            })
    }
}

/// Returns true if the piece after a number is a plural: '5 steps'.
fn is_plural(page: &Page, at: usize) -> bool {
    let word = page.lower(at);
    word.is_ascii() && ends_in_s(word)
}
