//! Generates rooms with objects whose ground truth is known: label, depth and surface normal of
//! each pixel.
//!
//! The rooms serve the six tasks of fm-vision-evals (R. Ramachandran et al., "How well does GPT-4o
//! understand vision?", section 3). Each task is answered by a chain of questions, or by a
//! specialist's map.

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

/// Default side of a scene's picture, in pixels.
pub const SIDE: u32 = 512;
/// Side of an object's close-up, in pixels, which equals the size that the classification chain
/// shows.
const CLOSE_UP: u32 = 224;
/// Random stream for scenes.
const SCENES: u64 = 0x7363_656e;
/// Random stream for points and options.
const ASKED: u64 = 0x6173_6b65;

/// Drawing style of scenes; the ground truth does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// With patterns, shading, highlights and soft shadows.
    #[default]
    Rich,
    /// Each object in one flat colour.
    Plain,
}

/// A set of scenes, each with an item for every chosen task.
#[derive(Clone, Debug)]
pub struct DenseScenes {
    items: usize,
    seed: u64,
    side: u32,
    style: Style,
    /// Tasks of each scene.
    tasks: Vec<&'static str>,
}

impl DenseScenes {
    /// Creates a set of `items` items; each scene has six.
    pub fn new(items: usize, seed: u64) -> Self {
        Self {
            items,
            seed,
            side: SIDE,
            style: Style::Rich,
            tasks: TASKS.into(),
        }
    }

    /// Draws the same scenes in another style.
    #[must_use]
    pub fn in_style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// Draws the same scenes in pictures with this side, in pixels.
    #[must_use]
    pub fn of_side(self, side: u32) -> Self {
        Self { side, ..self }
    }

    /// Keeps the items of the named tasks.
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
    /// Builds a page, with or without its pictures.
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
