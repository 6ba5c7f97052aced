//! Difficulty dial of an ability, and the specification of one item.

use super::finish::Finish;
use crate::abilities::drawn::DrawnItem;
use crate::item::place_of;

/// Number of the hardest level; the easiest is 1.
pub const LEVELS: u8 = 10;

/// Physical quantity that makes an ability's levels easy or hard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dial {
    /// Name of the quantity and of the tag that holds it.
    pub name: &'static str,
    /// Quantity at level 1.
    first: f64,
    /// Quantity at level 10.
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

    /// As `new`, rounded to whole numbers.
    pub(super) const fn whole(name: &'static str, first: f64, last: f64) -> Self {
        Self {
            is_whole: true,
            ..Self::new(name, first, last)
        }
    }

    /// Quantity at a level from 1 to 10.
    pub fn quantity(self, level: u8) -> f64 {
        let share = f64::from(level.clamp(1, LEVELS) - 1) / f64::from(LEVELS - 1);
        // Rounded to three decimals, as in the tag.
        let exact = self.first * (self.last / self.first).powf(share);
        let parts = if self.is_whole { 1.0 } else { 1e3 };
        (exact * parts).round() / parts
    }
}

/// Specification of one item.
#[derive(Clone, Copy, Debug)]
pub struct ItemSpec {
    /// Value of the dial at the item's level.
    pub quantity: f64,
    /// Index of the item within its ability and level.
    pub number: usize,
    /// Code of ability and level, which separates their random streams.
    pub kind: u64,
    /// Seed of the exam, as a number.
    pub seed: u64,
}

impl ItemSpec {
    /// Index of the right answer among `answers`; all are equally frequent.
    pub fn place(&self, answers: usize) -> usize {
        place_of(self.number, answers, self.kind, self.seed)
    }
}

/// A drawn item with the processing of its pixels.
pub struct LevelItem {
    /// Picture, question and answer. The picture is in units; boxes are in pixels and not drawn
    /// yet.
    pub item: DrawnItem,
    /// Processing of the pixels before the boxes are drawn.
    pub finish: Finish,
}

impl LevelItem {
    /// Adds noise, which hides small details.
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

/// Standard deviation of the noise on small objects, in levels of 255.
const NOISE: f64 = 16.0;

impl From<DrawnItem> for LevelItem {
    fn from(item: DrawnItem) -> Self {
        Self {
            item,
            finish: Finish::default(),
        }
    }
}

/// A right option and three others of about equal length, so that length reveals nothing. Four
/// options are chosen around a random name, then one of them is drawn as the right one.
pub fn of_like_length(
    names: &[&'static str],
    rng: &mut crate::Rng,
) -> (&'static str, Vec<&'static str>) {
    // The sort is stable, so names of equal length stay in random order.
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

/// Difference in characters between the longest and the shortest of sorted names.
fn unlike(names: &[&str]) -> usize {
    let lengths = names.iter().map(|name| name.len());
    lengths.clone().max().unwrap_or(0) - lengths.min().unwrap_or(0)
}

/// Number of options.
pub const OPTIONS: usize = 4;
/// The possible answers to a comparison: the colours of the boxes.
pub const BOXES: [&str; 2] = ["red", "blue"];
