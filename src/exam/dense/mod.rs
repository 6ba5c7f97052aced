//! Rooms with things in them, of which everything is known: what each pixel shows, how far away it is and which way it faces.
//!
//! They ask the six tasks of fm-vision-evals (R. Ramachandran et al., "How well does GPT-4o understand vision?",
//! section 3). Each is answered by a chain of questions, or by a specialist's map.

mod items;
mod render;
mod scene;
mod shape;
mod surface;
mod thing;

#[cfg(test)]
mod tests;

use crate::item::place_of;
use crate::set::{Benchmark, Page};
use scene::Scene;
use thing::Kind;

pub use items::{BENCHMARK, CLASSIFICATION, TASKS};

/// Side of the picture of a scene, in pixels.
pub const SIDE: u32 = 512;
/// Side of the picture of one thing, in pixels.
const CLOSE_UP: u32 = 256;
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
#[derive(Clone, Copy, Debug)]
pub struct DenseScenes {
    items: usize,
    seed: u64,
    side: u32,
    style: Style,
    /// The only task that is asked for.
    only: Option<&'static str>,
}

impl DenseScenes {
    /// A set of so many items; six are asked of each scene.
    #[must_use]
    pub const fn new(items: usize, seed: u64) -> Self {
        Self {
            items,
            seed,
            side: SIDE,
            style: Style::Rich,
            only: None,
        }
    }

    /// The same scenes in another style.
    #[must_use]
    pub const fn in_style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// The same scenes in pictures of another side, in pixels.
    #[must_use]
    pub const fn of_side(self, side: u32) -> Self {
        Self { side, ..self }
    }

    /// As many items, all of one task, each of a scene of its own.
    #[must_use]
    pub fn only(self, task: &str) -> Self {
        let only = TASKS.into_iter().find(|known| *known == task);
        Self { only, ..self }
    }

    /// The names of the tasks, as abilities.
    pub fn abilities() -> impl Iterator<Item = &'static str> {
        TASKS.into_iter()
    }

    const fn per_page(&self) -> usize {
        if self.only.is_some() { 1 } else { TASKS.len() }
    }
}

impl Benchmark for DenseScenes {
    fn pages(&self) -> usize {
        self.items.div_ceil(self.per_page())
    }

    fn page(&self, number: usize) -> Page {
        let kind = Kind::ALL[place_of(number, Kind::ALL.len(), SCENES, self.seed)];
        let Some(scene) = Scene::new(kind, self.seed, number as u64) else {
            return Page::default();
        };
        let left = self.items - number * self.per_page();
        let tasks: Vec<&str> = match self.only {
            Some(task) => vec![task],
            None => TASKS.into_iter().take(left).collect(),
        };
        items::page(self, number, &scene, &tasks)
    }
}
