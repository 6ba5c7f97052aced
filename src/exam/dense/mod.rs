//! Rooms with things in them, of which everything is known: what each pixel shows, how far away it is and which way it faces.
//!
//! They ask the six tasks of fm-vision-evals (R. Ramachandran et al., "How well does GPT-4o understand vision?",
//! section 3). Each is answered by a chain of questions, or by a specialist's map.

mod items;
mod reach;
mod render;
mod scene;
mod shape;
mod surface;
mod thing;

#[cfg(test)]
mod tests;

use crate::Item;
use crate::item::place_of;
use crate::set::{Benchmark, Page};
use scene::Scene;
use thing::Kind;

pub use items::{BENCHMARK, CLASSIFICATION, TASKS};

/// Side of the picture of a scene, in pixels.
pub const SIDE: u32 = 512;
/// Side of the picture of one thing, in pixels: a chain shows the middle of pictures in this size.
const CLOSE_UP: u32 = 224;
/// Stream of scenes.
const SCENES: u64 = 0x7363_656e;
/// Stream of points and options.
const ASKED: u64 = 0x6173_6b65;

/// How a scene is drawn. What is true of it is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// With patterns, shading, highlights and soft shadows.
    #[default]
    Rich,
    /// Each thing in one colour.
    Plain,
}

/// Scenes, each asked for the six tasks.
#[derive(Clone, Debug)]
pub struct DenseScenes {
    items: usize,
    seed: u64,
    side: u32,
    style: Style,
    /// What is asked of each scene.
    tasks: Vec<&'static str>,
}

impl DenseScenes {
    /// A set of so many items; six are asked of each scene.
    #[must_use]
    pub fn new(items: usize, seed: u64) -> Self {
        Self {
            items,
            seed,
            side: SIDE,
            style: Style::Rich,
            tasks: TASKS.into(),
        }
    }

    /// The same scenes in another style.
    #[must_use]
    pub fn in_style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// The same scenes in pictures of another side, in pixels.
    #[must_use]
    pub fn of_side(self, side: u32) -> Self {
        Self { side, ..self }
    }

    /// Those of the items that are of some tasks.
    #[must_use]
    pub fn of(self, tasks: &[&str]) -> Self {
        let known = TASKS.into_iter();
        let tasks = known.filter(|task| tasks.contains(task)).collect();
        Self { tasks, ..self }
    }
}

impl Benchmark for DenseScenes {
    fn pages(&self) -> usize {
        self.items.div_ceil(TASKS.len())
    }

    fn page(&self, number: usize) -> Page {
        self.made(number, true)
    }

    fn items(&self, number: usize) -> Vec<Item> {
        self.made(number, false).items
    }
}

impl DenseScenes {
    /// A page, with or without its pictures.
    fn made(&self, number: usize, is_drawn: bool) -> Page {
        let kind = Kind::ALL[place_of(number, Kind::ALL.len(), SCENES, self.seed)];
        let Some(scene) = Scene::new(kind, self.seed, number as u64) else {
            return Page::default();
        };
        let left = self.items - number * TASKS.len();
        let mut tasks: Vec<&str> = TASKS.into_iter().take(left).collect();
        tasks.retain(|task| self.tasks.contains(task));
        let mut page = items::page(self, number, &scene, &tasks);
        if is_drawn {
            page.pictures = items::pictures(self, number, &scene, &tasks);
        }
        page
    }
}
