//! The exam with levels: ten levels of difficulty for each ability, set by a named physical
//! quantity.
//!
//! An item depends only on the seed, its ability, its level and its number. So it is the same in
//! every exam that contains it. Some properties could reveal the answer without the ability: place,
//! size, wording, order. They are drawn before the answer, or in the same way for all answers.

mod balance;
mod depth;
mod finish;
mod generator;
mod item_spec;
mod layout;
pub(super) mod names;
mod people;
mod species;
mod surfaces;
mod text;
mod things;

use super::canvas::Light;
use super::drawn::DrawnItem;
use super::{ItemPlace, Split, pictured};
use crate::dense::Style;
use crate::item::place_of;
use crate::set::{Benchmark, Page, Picture};
use crate::{Item, Rng};
use image::RgbImage;
use item_spec::{ItemSpec, LevelItem};
use record::{Content, Target, Value};

pub use generator::{GENERATOR, RICH, Seed, pinned};
pub use item_spec::{Dial, LEVELS};

/// An ability of the exam.
struct Ability {
    name: &'static str,
    /// Quantity that makes its levels easy or hard.
    dial: Dial,
    /// Expected share of right answers of the best blind guess.
    chance: f64,
    /// Draws an item from its specification.
    draw: fn(&ItemSpec, &mut Rng) -> LevelItem,
}

/// Declares [`ABILITIES`] from one row per ability: name, dial, chance and drawing.
macro_rules! abilities {
    ($($name:literal, $dial:expr, $chance:literal, $draw:path;)*) => {
        /// The fourteen abilities, in the order of AVA-Bench. Quantities in pixels refer to a
        /// picture of 512 pixels.
        const ABILITIES: [Ability; 14] = [$(Ability {
            name: $name,
            dial: $dial,
            chance: $chance,
            draw: $draw,
        },)*];
    };
}

abilities! {
    "absolute_depth", Dial::new("below_horizon_px", 74.0, 3.0), 0.15, depth::absolute;
    "relative_depth", Dial::new("foot_gap_px", 150.0, 2.0), 0.5, depth::relative;
    "ocr", Dial::new("capital_px", 40.0, 5.0), 0.0, text::draw;
    "counting", Dial::whole("fewest", 2.0, 60.0), 0.125, things::counting;
    "localization", Dial::new("object_px", 120.0, 8.0), 0.02, things::localization;
    "object_recognition", Dial::new("object_px", 140.0, 3.0), 0.25, things::recognition;
    "fine_grained", Dial::new("difference_percent", 70.0, 3.0), 0.25, species::draw;
    "scene_recognition", Dial::new("blur_px", 1.0, 64.0), 0.25, surfaces::scene;
    "action_recognition", Dial::new("figure_px", 260.0, 8.0), 0.25, people::action;
    "spatial", Dial::whole("offset_px", 120.0, 2.0), 0.5, things::spatial;
    "emotion", Dial::new("face_px", 200.0, 6.0), 0.25, people::emotion;
    "orientation", Dial::new("object_px", 220.0, 5.0), 0.25, people::orientation;
    "texture", Dial::new("contrast_percent", 80.0, 1.5), 0.25, surfaces::texture;
    "color", Dial::new("patch_px", 120.0, 4.0), 0.03, surfaces::color;
}

/// Address of an item in the exam.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemAddress {
    /// Index of the ability in the paper's order.
    pub ability: usize,
    /// Level from 1 (easy) to 10 (hard).
    pub level: u8,
    /// Index of the item within its ability and level.
    pub number: usize,
}

/// One in this many items of an ability and level is a test item.
const TEST: usize = 5;

impl ItemAddress {
    /// Split of an item.
    const fn split(self) -> Split {
        // Positions of right options repeat every two or four items. Five is coprime to both, so
        // both splits contain every position.
        if self.number % TEST == TEST - 1 {
            Split::Test
        } else {
            Split::Train
        }
    }
}

/// An exam with levels, drawn item by item.
#[derive(Clone, Debug)]
pub struct LevelledExam {
    seed: Seed,
    places: Vec<ItemAddress>,
    framed: bool,
    split: bool,
    style: Style,
    /// Size of the pictures relative to [`finish::SIDE`].
    times: u32,
}

impl LevelledExam {
    /// An exam of `count` items, spread evenly over the abilities and their levels.
    pub fn new(count: usize, seed: impl Into<Seed>) -> Self {
        let levels: Vec<u8> = (1..=LEVELS).collect();
        Self::at(count, &levels, seed)
    }

    /// As [`Self::new`], at the given levels only.
    pub fn at(count: usize, levels: &[u8], seed: impl Into<Seed>) -> Self {
        let seed = seed.into();
        let place = |item: usize| {
            let (ability, turn) = (item % ABILITIES.len(), item / ABILITIES.len());
            let at = place_of(turn, levels.len(), ORDER + ability as u64, seed.number());
            ItemAddress {
                ability,
                level: levels.get(at).copied().unwrap_or(1),
                number: turn / levels.len().max(1),
            }
        };
        Self {
            split: true,
            ..Self::of_places((0..count).map(place).collect(), seed)
        }
    }

    /// An exam of exactly these items.
    pub fn of_places(places: Vec<ItemAddress>, seed: impl Into<Seed>) -> Self {
        Self {
            places,
            seed: seed.into(),
            framed: true,
            split: false,
            style: Style::Plain,
            times: 1,
        }
    }

    /// Draws the same items in another style: plain (the default), or with light, shadows and
    /// grain.
    #[must_use]
    pub const fn in_style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// Draws the same items in pictures `times` larger than 512 pixels; boxes in questions and
    /// answers are scaled.
    #[must_use]
    pub const fn enlarged(mut self, times: u32) -> Self {
        self.times = times;
        self
    }

    /// Names of the abilities, in the paper's order.
    pub fn abilities() -> impl Iterator<Item = &'static str> {
        ABILITIES.iter().map(|ability| ability.name)
    }

    /// Difficulty dial of an ability; `None` for an unknown name.
    pub fn dial(ability: &str) -> Option<Dial> {
        let known = ABILITIES.iter().find(|known| known.name == ability)?;
        Some(known.dial)
    }

    /// Expected share of right answers of the best blind guess; `None` for an unknown ability.
    pub fn chance(ability: &str) -> Option<f64> {
        let known = ABILITIES.iter().find(|known| known.name == ability)?;
        Some(known.chance)
    }

    /// Keeps the items of one ability and split, unchanged.
    #[must_use]
    pub fn only(mut self, ability: &str, split: Split) -> Self {
        self = self.of(&[ability]);
        self.places.retain(|place| place.split() == split);
        self
    }

    /// Removes the split tags: all items are test items.
    #[must_use]
    pub const fn whole(mut self) -> Self {
        self.split = false;
        self
    }

    /// Keeps the items of some abilities, unchanged.
    #[must_use]
    pub fn of(mut self, abilities: &[&str]) -> Self {
        let named = |at: usize| {
            let known = ABILITIES.get(at);
            known.is_some_and(|known| abilities.contains(&known.name))
        };
        self.places.retain(|place| named(place.ability));
        self
    }

    /// Leaves out the drawn boxes; the pictures get other paths.
    #[must_use]
    pub const fn without_boxes(mut self) -> Self {
        self.framed = false;
        self
    }

    /// One item with its picture; the picture is empty unless `is_drawn`.
    fn item(&self, place: ItemAddress, is_drawn: bool) -> Option<(Item, Picture)> {
        let known = ABILITIES.get(place.ability)?;
        let path = [
            ITEMS,
            place.ability as u64,
            u64::from(place.level),
            place.number as u64,
        ];
        let mut rng = Rng::new(self.seed.number(), &path);
        let asked = ItemSpec {
            quantity: known.dial.quantity(place.level),
            number: place.number,
            kind: KINDS + 16 * place.ability as u64 + u64::from(place.level),
            seed: self.seed.number(),
        };
        let LevelItem { item, finish } = (known.draw)(&asked, &mut rng);
        let item = self.tagged(item, known, place, &asked);
        let (canvas, mut content) = item.answered(asked.number, asked.kind, asked.seed);
        enlarge(&mut content, self.times);
        let mut pixels = RgbImage::default();
        if is_drawn {
            let light = self.light(place);
            pixels = finish.picture(&canvas, self.times, light.as_ref(), &mut rng);
            if self.framed {
                finish::frame(&mut pixels, &content.boxes, self.times);
            }
        }
        let name = format!("{:02}-{:04}", place.level, place.number);
        let place = ItemPlace {
            ability: known.name,
            name: &name,
            framed: self.framed,
        };
        Some(pictured(place, content, pixels))
    }

    /// Light of an item in the rich style.
    fn light(&self, place: ItemAddress) -> Option<Light> {
        let path = [
            LIGHT,
            place.ability as u64,
            u64::from(place.level),
            place.number as u64,
        ];
        let light = || Light::new(&mut Rng::new(self.seed.number(), &path));
        (self.style == Style::Rich).then(light)
    }

    /// Adds the tags for level, dial and generator.
    fn tagged(
        &self,
        item: DrawnItem,
        known: &Ability,
        place: ItemAddress,
        asked: &ItemSpec,
    ) -> DrawnItem {
        let mut item = item
            .with_number("level", f64::from(place.level))
            .with_name("dial", known.dial.name)
            .with_number(known.dial.name, asked.quantity)
            .with_number("chance", known.chance)
            .with_name("generator", &self.seed.words(self.style, self.times));
        if self.style == Style::Rich {
            item = item.with_name("style", "rich");
        }
        if self.split {
            let split = Value::Text(place.split().name().to_owned());
            item.content.tags.insert("split".to_owned(), split);
        }
        item
    }
}

/// Scales boxes and sizes to a picture `times` larger.
fn enlarge(content: &mut Content, times: u32) {
    if times == 1 {
        return;
    }
    let larger = |corners: [f64; 4]| corners.map(|at| at * f64::from(times));
    for labelled in &mut content.boxes {
        labelled.xyxy = larger(labelled.xyxy);
    }
    if let Some(Target::Box(corners)) = &mut content.target {
        *corners = larger(*corners);
    }
    let side = finish::SIDE;
    let (before, after) = (
        format!("{side} x {side}"),
        format!("{0} x {0}", side * f64::from(times)),
    );
    content.question = content.question.replace(&before, &after);
}

impl Benchmark for LevelledExam {
    fn pages(&self) -> usize {
        self.places.len()
    }

    fn page(&self, number: usize) -> Page {
        let place = self.places.get(number);
        let made = place.and_then(|place| self.item(*place, true));
        Page::of(made)
    }

    fn items(&self, number: usize) -> Vec<Item> {
        let place = self.places.get(number);
        let made = place.and_then(|place| self.item(*place, false));
        Page::of(made).items
    }
}

/// Random stream for the light of rich drawings.
const LIGHT: u64 = 0x006c_6967_6874;
/// Random stream for the order of levels.
const ORDER: u64 = 0x6c65_7665_6c73;
/// Random stream for items.
const ITEMS: u64 = 0x6c65_7665_6c00;
/// Random stream for the positions of right options.
const KINDS: u64 = 0x6c65_7665_6c01 << 8;

#[cfg(test)]
mod cues;
#[cfg(test)]
mod lengths;
#[cfg(test)]
mod rich;
#[cfg(test)]
mod tests;
