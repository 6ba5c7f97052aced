//! What is drawn: an ability's dial, and what one item is asked to be.

use super::finish::Finish;
use crate::abilities::drawn::DrawnItem;
use crate::item::place_of;

/// The hardest level; the easiest is 1.
pub const LEVELS: u8 = 10;

/// The physical quantity behind the levels of an ability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dial {
    /// Its name, which is also the tag that holds it.
    pub name: &'static str,
    /// At level 1.
    first: f64,
    /// At level 10.
    last: f64,
    is_whole: bool,
}

impl Dial {
    /// A quantity that goes from `first` at level 1 to `last` at level 10 in equal ratios.
    pub(super) const fn new(name: &'static str, first: f64, last: f64) -> Self {
        Self {
            name,
            first,
            last,
            is_whole: false,
        }
    }

    /// The same in whole numbers.
    pub(super) const fn whole(name: &'static str, first: f64, last: f64) -> Self {
        Self {
            is_whole: true,
            ..Self::new(name, first, last)
        }
    }

    /// The quantity at a level.
    #[must_use]
    pub fn quantity(self, level: u8) -> f64 {
        let share = f64::from(level.clamp(1, LEVELS) - 1) / f64::from(LEVELS - 1);
        // Three decimals, as the tag has them.
        let exact = self.first * (self.last / self.first).powf(share);
        let parts = if self.is_whole { 1.0 } else { 1e3 };
        (exact * parts).round() / parts
    }
}

/// What one item is asked to be.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The quantity of the dial.
    pub quantity: f64,
    /// Counts the items of the ability and level.
    pub number: usize,
    /// Tells ability and level apart.
    pub kind: u64,
    /// The seed of the exam.
    pub seed: u64,
}

impl Asked {
    /// The place of the right one of so many answers: each equally often.
    pub fn place(&self, answers: usize) -> usize {
        place_of(self.number, answers, self.kind, self.seed)
    }
}

/// A drawn item, and what becomes of its pixels.
pub struct Drawn {
    /// The picture without boxes, in units, with question and answer; boxes are in pixels.
    pub item: DrawnItem,
    /// What becomes of the pixels before the boxes are drawn.
    pub finish: Finish,
}

impl Drawn {
    /// With noise, so that what is small is lost in it at last.
    pub fn noisy(self) -> Self {
        Self {
            finish: Finish {
                noise: NOISE,
                ..self.finish
            },
            ..self
        }
    }
}

/// Standard deviation of the noise on small things, in steps of 255.
const NOISE: f64 = 16.0;

impl From<DrawnItem> for Drawn {
    fn from(item: DrawnItem) -> Self {
        Self {
            item,
            finish: Finish::default(),
        }
    }
}

/// A right option and three others as long as it, or as nearly as names go. Length tells nothing: the four are chosen
/// around a name drawn at will, and which of them is right is drawn after that.
pub fn of_like_length(
    names: &[&'static str],
    rng: &mut crate::Rng,
) -> (&'static str, Vec<&'static str>) {
    // Among names of one length the order is drawn, and the sort keeps it.
    let mut names = names.to_vec();
    rng.shuffle(&mut names);
    names.sort_by_key(|name| name.len());
    let around = rng.below(names.len());
    let fours = names.windows(OPTIONS.min(names.len()).max(1)).enumerate();
    let with_it = fours.filter(|(at, four)| (*at..at + four.len()).contains(&around));
    let fours: Vec<&[&str]> = with_it.map(|(_, four)| four).collect();
    let least = fours.iter().map(|four| unlike(four)).min();
    let fours: Vec<&[&str]> = fours
        .into_iter()
        .filter(|four| Some(unlike(four)) == least)
        .collect();
    let four = rng.pick(&fours).copied().unwrap_or(&[]).to_vec();
    (rng.choose(&four), four)
}

/// How many characters the longest of sorted names is longer than the shortest.
fn unlike(names: &[&str]) -> usize {
    let lengths = names.iter().map(|name| name.len());
    lengths.clone().max().unwrap_or(0) - lengths.min().unwrap_or(0)
}

/// Number of options.
pub const OPTIONS: usize = 4;
/// The boxes of a comparison, by their colours: its answers.
pub const BOXES: [&str; 2] = ["red", "blue"];
