//! The six tasks of fm-vision-evals as chains of questions.
//!
//! Source: R. Ramachandran et al., "How well does GPT-4o understand vision?", section 3 and
//! appendix D, and its harness at commit fe957a7. Question order, crops, pairs and results follow
//! the harness. The wordings are Eyechart's own ([`VERSION`]).

mod answer;
mod classify;
mod detect;
mod each;
mod figures;
mod grid;
mod group;
mod memory;
mod pairs;
mod prompt;
mod ranking;
mod reference;
mod result;
mod scene;
mod segment;
mod settings;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use super::{Ask, AskPath, Chain, Fold, RequestRange};
use crate::asking::Asking;
use crate::sample::Sample;
use record::{Content, MapKind, Role};

pub use each::EachTask;
pub use settings::{Task, TaskChain};

use classify::Classify;
use scene::Scene;

/// Version of the wordings; part of each request's key.
const VERSION: &str = "eyechart-chain-1";
/// Requests of a detection before the classes are known: four quadrants and the middle.
const REGIONS: usize = 5;
/// Maximum requests per class of a detection.
const ROUNDS: usize = 7;
/// Typical requests per class: coarse grid, then fine grid.
const USUAL_ROUNDS: usize = 5;
/// Assumed number of classes in a picture without annotation.
const USUAL_CLASSES: usize = 3;
/// Typical requests of a group.
const USUAL_GROUP: usize = 6;
/// Maximum number of superpixels, as a multiple of the wanted number. Each superpixel has at least
/// half of the usual size, and the sides of the grid are rounded.
const MOST_SEGMENTS: usize = 5;

/// A sub-question of a chain that can be answered from reference data, without a model.
pub trait SubQuestion: Debug + Send + Sync {
    /// Returns the answer in the format that a model must use; `None` if it is unknown.
    fn answer(&self, whose: ReferenceSource) -> Option<String>;

    /// Returns the sub-question as a choice between options, for encoders, which ignore the
    /// wording. `None` if it has no options.
    fn choice(&self) -> Option<&Content> {
        None
    }
}

/// Source of reference data: annotation or log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReferenceSource {
    /// The annotation: gives the upper bound of a chain, with all questions answered correctly.
    Truth,
    /// The model in the sample's record: gives the result of a specialist under the constraints of
    /// a chain.
    Log,
}

impl ReferenceSource {
    /// Returns the value for this source from a pair of values: annotation, log.
    const fn pick<T>(self, [truth, log]: &[T; 2]) -> &T {
        match self {
            Self::Truth => truth,
            Self::Log => log,
        }
    }
}

impl Chain for TaskChain {
    fn bound(&self, sample: &Sample) -> RequestRange {
        let batches = |parts: usize| parts.div_ceil(self.batch.max(1) as usize).max(1);
        let segments = self.segments as usize;
        match self.task {
            Task::Classify => RequestRange::exactly(1),
            Task::Depth | Task::Normals => RequestRange::exactly(self.pairs as usize),
            Task::Segment => RequestRange {
                low: 1,
                likely: batches(segments),
                high: batches(MOST_SEGMENTS * segments),
            },
            Task::Group => RequestRange {
                low: 1,
                likely: USUAL_GROUP.min(MOST_SEGMENTS * segments),
                high: MOST_SEGMENTS * segments,
            },
            Task::Detect => {
                let detections = sample.record.detections.as_ref();
                let classes = detections.map_or(0, |known| known.classes.len());
                let truth = detections.map(|known| {
                    let classes: std::collections::BTreeSet<u32> =
                        known.truth.iter().map(|one| one.class).collect();
                    classes.len()
                });
                let likely = truth.filter(|count| *count > 0).unwrap_or(USUAL_CLASSES);
                RequestRange {
                    low: REGIONS,
                    likely: REGIONS + likely.min(classes) * USUAL_ROUNDS,
                    high: REGIONS + classes * ROUNDS,
                }
            }
        }
    }

    fn rounds(&self, sample: &Sample) -> usize {
        match self.task {
            Task::Classify | Task::Depth | Task::Normals => 1,
            Task::Segment | Task::Group => self.bound(sample).likely,
            // First all parts in parallel, then one round per step for all classes in parallel.
            Task::Detect => 1 + USUAL_ROUNDS,
        }
    }

    fn begin(&self, sample: &Arc<Sample>, asking: &Arc<Asking>) -> Box<dyn Fold> {
        let scene = Arc::new(Scene::new(*self, Arc::clone(sample), Arc::clone(asking)));
        match self.task {
            Task::Classify => Box::new(Classify::of_batch(Arc::new([scene]), 0)),
            Task::Detect => Box::new(detect::Detect::new(scene)),
            Task::Segment => Box::new(segment::Segment::new(scene)),
            Task::Group => Box::new(group::Group::new(scene)),
            Task::Depth | Task::Normals => Box::new(ranking::Ranking::new(scene)),
        }
    }

    fn batches(&self, samples: &[Arc<Sample>]) -> Vec<Vec<usize>> {
        if self.task != Task::Classify || self.batch < 2 {
            return Vec::new();
        }
        // Positions of the samples that have the same list of classes, in order.
        let mut of_list: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for (place, sample) in samples.iter().enumerate() {
            let classes = reference::classes(sample);
            of_list.entry(classes).or_default().push(place);
        }
        let of_list = of_list.values();
        let batches = of_list.flat_map(|places| places.chunks(self.batch as usize));
        batches.map(<[usize]>::to_vec).collect()
    }

    fn begin_batch(&self, batch: &[&Arc<Sample>], asking: &Arc<Asking>) -> Vec<Box<dyn Fold>> {
        let scene = |sample: &&Arc<Sample>| {
            let sample = Arc::clone(sample);
            Arc::new(Scene::new(*self, sample, Arc::clone(asking)))
        };
        let scenes: Arc<[Arc<Scene>]> = batch.iter().map(scene).collect();
        let folds = (0..scenes.len()).map(|at| Classify::of_batch(Arc::clone(&scenes), at));
        folds.map(|fold| Box::new(fold) as Box<dyn Fold>).collect()
    }
}

impl TaskChain {
    /// Returns why a sample cannot be asked by this chain; `None` if it can.
    pub fn unfit(&self, sample: &Sample) -> Option<&'static str> {
        if sample.pictures.is_empty() {
            return Some("no picture");
        }
        let record = &sample.record;
        let has = |kind: MapKind, role: Role| {
            let mut maps = record.content.maps.iter();
            maps.any(|map| map.kind == kind && map.role == role)
        };
        let names_labels = || {
            let mut maps = record.content.maps.iter();
            maps.any(|map| map.kind == MapKind::Labels && !map.names.is_empty())
        };
        match self.task {
            Task::Classify if reference::classes(sample).is_empty() => Some("no list of classes"),
            Task::Detect
                if record
                    .detections
                    .as_ref()
                    .is_none_or(|known| known.classes.is_empty()) =>
            {
                Some("no boxes with classes")
            }
            Task::Segment if !names_labels() => Some("no label map with names"),
            Task::Group if reference::point(sample).is_none() => Some("no start point"),
            Task::Depth if !has(MapKind::Depth, Role::Target) => Some("no depth map"),
            Task::Normals if !has(MapKind::Normals, Role::Target) => {
                Some("no map of surface normals")
            }
            _ => None,
        }
    }
}
