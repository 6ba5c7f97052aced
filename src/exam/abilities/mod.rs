//! The exam: generated items for the fourteen abilities of AVA-Bench.
//!
//! Questions, answer forms, box colours and balancing follow appendix A.2 of AVA-Bench. Every
//! ability has a number of classes (an emotion, a count, a depth bin) and a function that draws one
//! item of a class.

mod absolute_depth;
mod action;
mod background;
mod blur;
mod canvas;
mod color;
mod counting;
mod drawn;
mod emotion;
mod face;
mod fine_grained;
mod ground;
mod icon;
mod icons;
pub mod levels;
mod localization;
mod object_recognition;
mod ocr;
mod orientation;
mod palette;
mod poses;
mod relative_depth;
mod scene;
mod schedule;
mod spatial;
mod species;
mod texture;
mod topdown;
mod toy;

use crate::set::{Benchmark, Page, Picture};
use crate::{Item, Rng};
use drawn::DrawnItem;
use image::RgbImage;
use record::{Content, ImageRef, Value};
use schedule::Schedule;

pub use topdown::TopDown;

/// Name of the benchmark in items and logs.
pub const NAME: &str = "exam";

/// An ability and the function that draws its items.
struct Ability {
    name: &'static str,
    /// Number of classes, balanced in both splits.
    classes: usize,
    /// Draws an item of the class with this number.
    draw: fn(usize, &mut Rng) -> DrawnItem,
}

/// Declares [`ABILITIES`] from the name and the module of each.
macro_rules! abilities {
    ($($name:literal $module:ident;)*) => {
        /// The fourteen abilities, in the paper's order.
        const ABILITIES: [Ability; 14] = [$(Ability {
            name: $name,
            classes: $module::CLASSES,
            draw: $module::draw,
        },)*];
    };
}

abilities! {
    "absolute_depth" absolute_depth;
    "relative_depth" relative_depth;
    "ocr" ocr;
    "counting" counting;
    "localization" localization;
    "object_recognition" object_recognition;
    "fine_grained" fine_grained;
    "scene_recognition" scene;
    "action_recognition" action;
    "spatial" spatial;
    "emotion" emotion;
    "orientation" orientation;
    "texture" texture;
    "color" color;
}

/// Split of a set into training and test items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Four fifths of the items, for training.
    Train,
    /// One fifth of the items, for testing.
    Test,
}

impl Split {
    /// The value of the tag `split`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Test => "test",
        }
    }
}

/// The exam without levels, drawn item by item.
#[derive(Clone, Debug)]
pub struct Exam {
    seed: u64,
    schedules: Vec<Schedule>,
    /// Ability index and number of each item.
    places: Vec<(usize, usize)>,
    framed: bool,
    split: bool,
}

impl Exam {
    /// An exam of `count` items, spread evenly over the abilities.
    pub fn new(count: usize, seed: u64) -> Self {
        let abilities = ABILITIES.iter().enumerate();
        let schedules = abilities
            .map(|(at, ability)| {
                let items = (count + ABILITIES.len() - 1 - at) / ABILITIES.len();
                Schedule::new(items, ability.classes, Rng::new(seed, &[ORDER, at as u64]))
            })
            .collect();
        let places = (0..count).map(|item| (item % ABILITIES.len(), item / ABILITIES.len()));
        Self {
            seed,
            schedules,
            places: places.collect(),
            framed: true,
            split: true,
        }
    }

    /// Names of the abilities, in the paper's order.
    pub fn abilities() -> impl Iterator<Item = &'static str> {
        ABILITIES.iter().map(|ability| ability.name)
    }

    /// Keeps the items of one ability and split, unchanged.
    #[must_use]
    pub fn only(mut self, ability: &str, split: Split) -> Self {
        self = self.of(&[ability]);
        let schedules = &self.schedules;
        let wanted = |&(at, number): &(usize, usize)| {
            let schedule = schedules.get(at);
            schedule.is_some_and(|schedule| schedule.split(number) == split)
        };
        self.places.retain(wanted);
        self
    }

    /// Removes the split tags: all items are test items.
    #[must_use]
    pub fn whole(mut self) -> Self {
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
        self.places.retain(|&(at, _)| named(at));
        self
    }

    /// Leaves out the drawn boxes; the pictures get other paths.
    #[must_use]
    pub fn without_boxes(mut self) -> Self {
        self.framed = false;
        self
    }

    /// One item with its picture.
    fn item(&self, ability: usize, number: usize) -> Option<(Item, Picture)> {
        let (known, schedule) = (ABILITIES.get(ability)?, self.schedules.get(ability)?);
        let place = [ITEMS, ability as u64, number as u64];
        let mut rng = Rng::new(self.seed, &place);
        let drawn = (known.draw)(schedule.class(number), &mut rng);
        let (mut canvas, mut content) = drawn.answered(number, ability as u64, self.seed);
        if self.framed {
            drawn::frame(&mut canvas, &content.boxes);
        }
        if self.split {
            let split = Value::Text(schedule.split(number).name().to_owned());
            content.tags.insert("split".to_owned(), split);
        }
        let name = format!("{number:04}");
        let pixels = canvas.pixels();
        let place = ItemPlace {
            ability: known.name,
            name: &name,
            framed: self.framed,
        };
        Some(pictured(place, content, pixels))
    }
}

/// Names from which an item's id and the path of its picture are built.
#[derive(Clone, Copy)]
struct ItemPlace<'a> {
    ability: &'a str,
    /// Name of the item within its ability.
    name: &'a str,
    /// True if its boxes are drawn.
    framed: bool,
}

/// An item of an ability, and its picture.
fn pictured(
    ItemPlace {
        ability,
        name,
        framed,
    }: ItemPlace<'_>,
    mut content: Content,
    pixels: RgbImage,
) -> (Item, Picture) {
    let folder = if framed {
        "images"
    } else {
        "images/without_boxes"
    };
    let path = format!("{folder}/{ability}/{name}.png");
    content.images = vec![ImageRef::Path(path.clone())];
    let item = Item {
        id: format!("{ability}-{name}"),
        benchmark: NAME,
        ability: ability.to_owned(),
        content,
        ..Item::default()
    };
    (item, Picture { path, pixels })
}

impl Benchmark for Exam {
    fn pages(&self) -> usize {
        self.places.len()
    }

    fn page(&self, number: usize) -> Page {
        let place = self.places.get(number);
        let made = place.and_then(|&(ability, number)| self.item(ability, number));
        Page::of(made)
    }
}

/// Random stream for the order of classes.
const ORDER: u64 = 0x6f72_6465_7273;
/// Random stream for items.
const ITEMS: u64 = 0x0069_7465_6d73;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod words_tests;
