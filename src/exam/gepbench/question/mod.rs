//! Asks questions of six aspects with four options each (`GePBench` section 3.3, appendix A).
//!
//! No question has two right answers: a wrong option is wrong by a clear margin, and borderline
//! options are not offered.

pub mod counting;
mod existence;
mod location;
mod reference;
pub mod relationship;
mod size;

use super::{Figure, ShapeKind};
use crate::Rng;
use record::Labels;

base::named_enum! {
    /// What a question is about; the ability in logs.
    ///
    /// [`Self::ALL`] is in the order of the paper's Table 1.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Aspect {
        /// Which shapes are present.
        Existence = "existence",
        /// How many shapes there are.
        Counting = "counting",
        /// How large a shape is.
        Size = "size",
        /// Where a shape is.
        Location = "location",
        /// Which shape has an attribute.
        Reference = "reference",
        /// How two shapes are related.
        Relationship = "relationship",
    }
}

/// Specification of a wanted question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuestionSpec {
    /// Aspect of the question.
    pub aspect: Aspect,
    /// Number of earlier questions of this aspect; determines form and answer.
    pub number: usize,
    /// Index of the right option, 0 to 3.
    pub place: usize,
    /// Seed of the set.
    pub seed: u64,
    /// True if no other form or answer is accepted.
    pub exactly: bool,
}

impl QuestionSpec {
    /// Index of one of `count` possibilities. All are equally frequent, in an order drawn from the
    /// seed.
    fn one_of(&self, count: usize, stream: u64) -> usize {
        let kind = (self.aspect as u64 + 1) << 8 | stream;
        crate::item::place_of(self.number, count, kind, self.seed)
    }

    /// The wanted possibility; then, unless an exact match is required, the others in ascending or
    /// descending order.
    fn tries(&self, count: usize, stream: u64) -> impl Iterator<Item = usize> + use<> {
        let first = self.one_of(count, stream);
        let rest = if self.exactly {
            0
        } else {
            count.saturating_sub(1)
        };
        let upwards = (self.number / 7).is_multiple_of(2);
        (0..=rest).map(move |step| {
            let step = if upwards { step } else { count - step };
            (first + step) % count.max(1)
        })
    }
}

/// A question about a figure with its known answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FigureQuestion {
    /// The question text.
    pub stem: String,
    /// The right answer.
    pub right: String,
    /// Three wrong options.
    pub wrong: Vec<String>,
    /// True if the last wrong option (`none of the above`) stays last.
    pub last_stays: bool,
    /// Tags of the item, such as the form of the question.
    pub tags: Labels,
}

/// Asks the specified question, if the figure allows it.
pub fn ask(figure: &Figure, want: &QuestionSpec, rng: &mut Rng) -> Option<FigureQuestion> {
    match want.aspect {
        Aspect::Existence => existence::ask(figure, want, rng),
        Aspect::Counting => counting::ask(figure, want, rng),
        Aspect::Size => size::ask(figure, want, rng),
        Aspect::Location => location::ask(figure, want, rng),
        Aspect::Reference => reference::ask(figure, want, rng),
        Aspect::Relationship => relationship::ask(figure, want, rng),
    }
}

/// Name for the only shape of a kind in a figure; the exact name if the plain one is ambiguous.
fn the(kind: ShapeKind, figure: &Figure) -> &'static str {
    let others = kind.covers().iter().any(|other| figure.count(*other) > 0);
    if others {
        kind.exact_name()
    } else {
        kind.name()
    }
}

/// Kinds that are clearly absent from the figure, in random order.
fn absent(figure: &Figure, rng: &mut Rng) -> Vec<ShapeKind> {
    let mut kinds: Vec<ShapeKind> = ShapeKind::ALL
        .into_iter()
        .filter(|kind| figure.count(*kind) == 0)
        .collect();
    kinds.retain(|kind| !figure.seems_to_show(*kind));
    rng.shuffle(&mut kinds);
    kinds
}

/// Kinds that are clearly present in the figure, in random order.
fn present(figure: &Figure, rng: &mut Rng) -> Vec<ShapeKind> {
    let mut kinds: Vec<ShapeKind> = ShapeKind::ALL
        .into_iter()
        .filter(|kind| figure.count(*kind) > 0)
        .collect();
    rng.shuffle(&mut kinds);
    kinds
}

/// Exact names of the kinds.
fn names(kinds: &[ShapeKind]) -> Vec<String> {
    kinds
        .iter()
        .map(|kind| kind.exact_name().to_owned())
        .collect()
}

/// A single tag with a text value.
fn tag(name: &str, value: &str) -> Labels {
    Labels::from([(name.to_owned(), value.into())])
}
