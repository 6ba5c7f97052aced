//! Questions of six aspects with four options each (`GePBench` section 3.3, appendix A).
//!
//! No question has two right answers: a wrong option must be wrong by a clear margin, and what is neither
//! clearly right nor clearly wrong is not offered.

pub mod counting;
mod existence;
mod location;
mod reference;
pub mod relationship;
mod size;

use super::{Figure, Kind};
use crate::Dice;
use record::Labels;

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// Which shapes are there.
    Existence,
    /// How many.
    Counting,
    /// How large.
    Size,
    /// Where.
    Location,
    /// Which shape is larger, there, so often.
    Reference,
    /// How two shapes stand to each other.
    Relationship,
}

impl Aspect {
    /// All of them, in the order of the paper's Table 1.
    pub const ALL: [Self; 6] = [
        Self::Existence,
        Self::Counting,
        Self::Size,
        Self::Location,
        Self::Reference,
        Self::Relationship,
    ];

    /// Its name, which is the ability's.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Existence => "existence",
            Self::Counting => "counting",
            Self::Size => "size",
            Self::Location => "location",
            Self::Reference => "reference",
            Self::Relationship => "relationship",
        }
    }
}

/// Which question is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Want {
    /// What about.
    pub aspect: Aspect,
    /// How many questions of the aspect come before it; tells which form and which answer it is to have.
    pub number: usize,
    /// Where the right answer is to stand, 0 to 3.
    pub place: usize,
    /// The set's seed.
    pub seed: u64,
    /// Whether another form or answer will not do.
    pub exactly: bool,
}

impl Want {
    /// Which of `count` possibilities is wanted: all equally often, in an order of the seed.
    fn one_of(&self, count: usize, stream: u64) -> usize {
        let kind = (self.aspect as u64 + 1) << 8 | stream;
        crate::item::place_of(self.number, count, kind, self.seed)
    }

    /// The wanted possibility, and after it the others, upwards or downwards, if they will do.
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

/// A question whose answer is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question {
    /// The question.
    pub stem: String,
    /// The right answer.
    pub right: String,
    /// Three wrong ones.
    pub wrong: Vec<String>,
    /// The last of the wrong ones stays last.
    pub last_stays: bool,
    /// What to split by.
    pub tags: Labels,
}

/// The wanted question about a figure, if the figure allows it.
#[must_use]
pub fn ask(figure: &Figure, want: &Want, dice: &mut Dice) -> Option<Question> {
    match want.aspect {
        Aspect::Existence => existence::ask(figure, want, dice),
        Aspect::Counting => counting::ask(figure, want, dice),
        Aspect::Size => size::ask(figure, want, dice),
        Aspect::Location => location::ask(figure, want, dice),
        Aspect::Reference => reference::ask(figure, want, dice),
        Aspect::Relationship => relationship::ask(figure, want, dice),
    }
}

/// A name for the only shape of a kind in a figure, exact where another shape could be meant.
fn the(kind: Kind, figure: &Figure) -> &'static str {
    let others = kind.covers().iter().any(|other| figure.count(*other) > 0);
    if others {
        kind.exact_name()
    } else {
        kind.name()
    }
}

/// Kinds that are clearly not in the figure, in random order.
fn absent(figure: &Figure, dice: &mut Dice) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Kind::ALL
        .into_iter()
        .filter(|kind| figure.count(*kind) == 0)
        .collect();
    kinds.retain(|kind| !figure.seems_to_show(*kind));
    dice.shuffle(&mut kinds);
    kinds
}

/// Kinds that are clearly in the figure, in random order.
fn present(figure: &Figure, dice: &mut Dice) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Kind::ALL
        .into_iter()
        .filter(|kind| figure.count(*kind) > 0)
        .collect();
    dice.shuffle(&mut kinds);
    kinds
}

/// Names that mean these kinds alone.
fn names(kinds: &[Kind]) -> Vec<String> {
    kinds
        .iter()
        .map(|kind| kind.exact_name().to_owned())
        .collect()
}

/// A tag.
fn tag(name: &str, value: &str) -> Labels {
    Labels::from([(name.to_owned(), value.into())])
}
