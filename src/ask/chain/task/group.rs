//! Grouping: starting at a point's superpixel, neighbours of the same object
//! are joined, breadth first.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::{Arc, OnceLock};

use super::prompt::{Messages, fields, form, numbered, one_of, replies, schema};
use super::result::AnswerLog;
use super::scene::Scene;
use super::segment::around;
use super::{ReferenceSource, SubQuestion, answer, reference};
use crate::chain::{Ask, AskPath, Fold, JudgedAnswer, Outcome};
use crate::question::{Question, Unaskable};
use media::{Drawing, Touch};

/// Margins in pixels of a region's two crops: close, and with surroundings.
const AROUND: [u32; 2] = [0, 40];
/// Number of earlier answers whose reasoning is repeated in the question.
const REMEMBERED: usize = 5;
const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];

/// An object that grows from a point.
pub(super) struct Group {
    scene: Arc<Scene>,
    /// The initial state, set once the picture is opened.
    first: Arc<OnceLock<Growth>>,
    /// The current state; `None` until a question is answered.
    growth: Option<Growth>,
    round: usize,
    is_waiting: bool,
    is_over: bool,
    is_lacking: bool,
    reasoning: VecDeque<Vec<String>>,
    told: AnswerLog,
}

/// The superpixels of an object, and the superpixels still to check.
#[derive(Clone, Debug)]
struct Growth {
    start: u32,
    members: BTreeSet<u32>,
    visited: BTreeSet<u32>,
    queue: VecDeque<u32>,
    neighbours: Arc<BTreeMap<u32, Vec<u32>>>,
    batch: Vec<u32>,
}

/// Asks which superpixels of a batch belong to the object.
struct MemberQuestion {
    scene: Arc<Scene>,
    first: Arc<OnceLock<Growth>>,
    growth: Option<Growth>,
    reasoning: Vec<Vec<String>>,
}

impl fmt::Debug for MemberQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Which({:?}, {:?})", self.scene, self.growth)
    }
}

impl Group {
    pub(super) fn new(scene: Arc<Scene>) -> Self {
        Self {
            scene,
            first: Arc::default(),
            growth: None,
            round: 0,
            is_waiting: false,
            is_over: false,
            is_lacking: false,
            reasoning: VecDeque::new(),
            told: AnswerLog::default(),
        }
    }
}

impl Growth {
    /// Returns the state at the sample's point, with its first batch.
    fn begin(scene: &Scene) -> Result<Self, Unaskable> {
        let outside = Unaskable::Part("its start point is outside the picture");
        let regions = &scene.view()?.regions;
        let (x, y) = reference::point(&scene.sample).ok_or(outside.clone())?;
        let start = regions.at(x, y).ok_or(outside)?;
        let mut neighbours: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for [a, b] in regions.neighbours(Touch::Corner) {
            neighbours.entry(a).or_default().push(b);
            neighbours.entry(b).or_default().push(a);
        }
        for near in neighbours.values_mut() {
            near.sort_unstable();
        }
        let queue = neighbours.get(&start).cloned().unwrap_or_default();
        let mut growth = Self {
            start,
            members: BTreeSet::from([start]),
            visited: BTreeSet::from([start]),
            queue: queue.into(),
            neighbours: Arc::new(neighbours),
            batch: Vec::new(),
        };
        growth.next(scene.chain.batch);
        Ok(growth)
    }

    /// Takes the next batch from the queue; empty at the end.
    fn next(&mut self, most: u32) {
        self.batch.clear();
        for _ in 0..most {
            let Some(next) = self.queue.pop_front() else {
                break;
            };
            if self.visited.insert(next) {
                self.batch.push(next);
            }
        }
    }

    /// Adds the members of the batch and queues their neighbours.
    fn add_members(&mut self, belongs: &[bool]) {
        let batch = self.batch.clone();
        for (member, _) in batch.iter().zip(belongs).filter(|(_, belongs)| **belongs) {
            self.members.insert(*member);
            for near in self.neighbours.get(member).into_iter().flatten() {
                if !self.visited.contains(near) && !self.queue.contains(near) {
                    self.queue.push_back(*near);
                }
            }
        }
    }
}

impl Fold for Group {
    fn ready(&mut self) -> Vec<Ask> {
        let is_at_end = || {
            self.growth
                .as_ref()
                .is_some_and(|growth| growth.batch.is_empty())
        };
        if self.is_waiting || self.is_over || self.is_lacking || is_at_end() {
            return Vec::new();
        }
        self.is_waiting = true;
        self.round += 1;
        let which = MemberQuestion {
            scene: Arc::clone(&self.scene),
            first: Arc::clone(&self.first),
            growth: self.growth.clone(),
            reasoning: self.reasoning.iter().cloned().collect(),
        };
        let path = format!("round/{}", self.round);
        vec![self.scene.ask(path, move || which.question())]
    }

    fn receive(&mut self, _path: &AskPath, said: Option<&JudgedAnswer>) {
        self.is_waiting = false;
        let begun = self.growth.take().or_else(|| self.first.get().cloned());
        let (Some(said), Some(mut growth)) = (said, begun) else {
            self.is_lacking = true;
            return;
        };
        let at = (0, self.round);
        let text = &said.done.text;
        let numbers = |some: &[u32]| {
            let numbers = some.iter().map(|number| (number + 1).to_string());
            numbers.collect::<Vec<_>>().join(", ")
        };
        if let Some(belongs) = answer::belongs(text, growth.batch.len()) {
            let joined = growth
                .batch
                .iter()
                .zip(&belongs)
                .filter(|(_, belongs)| **belongs);
            let joined: Vec<u32> = joined.map(|(member, _)| *member).collect();
            let asked = numbers(&growth.batch);
            let joined = if joined.is_empty() {
                "none".to_owned()
            } else {
                numbers(&joined)
            };
            self.told.step(
                at,
                format!("round {}: {asked} asked; belong: {joined}", self.round),
            );
            growth.add_members(&belongs);
            growth.next(self.scene.chain.batch);
            let steps = answer::reasoning(text);
            if !steps.is_empty() {
                self.reasoning.push_back(steps);
            }
            if self.reasoning.len() > REMEMBERED {
                self.reasoning.pop_front();
            }
        } else {
            let asked = numbers(&growth.batch);
            let words = format!("round {}: {asked} asked (the search ends)", self.round);
            self.told.unread(at, &words, said);
            self.is_over = true;
        }
        self.growth = Some(growth);
    }

    fn end(self: Box<Self>) -> Option<Outcome> {
        if self.is_lacking {
            return None;
        }
        if self.told.is_unread() {
            return Some(self.scene.unreadable(&self.told));
        }
        let members = self.growth?.members;
        self.scene
            .group(|number| members.contains(&number), &self.told)
            .ok()
    }
}

impl MemberQuestion {
    fn question(mut self) -> Result<Question, Unaskable> {
        let growth = if let Some(growth) = self.growth.take() {
            growth
        } else {
            let first = Growth::begin(&self.scene)?;
            self.first.get_or_init(|| first).clone()
        };
        if growth.batch.is_empty() {
            return Err(Unaskable::Part(
                "the picture is a single superpixel; nothing can be added",
            ));
        }
        let view = self.scene.view()?;
        let count = growth.batch.len();
        let system = format!(
            "You see a region of a picture with a red line around it, which is a part of one thing or of the background, and {count} regions with blue lines around them, numbered from 1. Tell for each blue region whether it belongs to the same thing or background as the red one. Think of the whole thing: a nose belongs to the animal, a wheel to the car. Another thing of the same kind is not the same thing.\n\n{}",
            form(&fields(count, "yes or no"))
        );
        // Four pictures of the red region, and three of each blue one.
        let mut messages = Messages::new(&self.scene.asking, 4 + 3 * count);
        if !self.reasoning.is_empty() {
            let told: Vec<String> = self.reasoning.iter().map(|steps| steps.join(" ")).collect();
            let told = told.join("\n");
            messages.add_text(format!(
                "What was thought of earlier regions of this picture:\n{told}"
            ));
        }
        let outlined = |mask: &[bool], color: [u8; 3]| -> Drawing {
            let mut drawing = view.shown.clone();
            drawing.outline(mask, color);
            drawing
        };
        let cluster = view.regions.mask(|at| growth.members.contains(&at));
        let red = outlined(&cluster, RED);
        let [close, wide] = AROUND;
        messages.show("The red region:", &around(view, &red, &cluster, close))?;
        messages.show("What is around it:", &around(view, &red, &cluster, wide))?;
        messages.show("It in the whole picture:", &red)?;
        let start = view.regions.mask(|at| at == growth.start);
        let first = outlined(&start, RED);
        messages.show("Where it began:", &around(view, &first, &start, close))?;
        for (number, member) in (1..).zip(&growth.batch) {
            let mask = view.regions.mask(|at| at == *member);
            let blue = outlined(&mask, BLUE);
            messages.show(
                format!("Blue region {number}:"),
                &around(view, &blue, &mask, close),
            )?;
            messages.show(
                format!("What is around blue region {number}:"),
                &around(view, &blue, &mask, wide),
            )?;
            messages.show(format!("Blue region {number} in the whole picture:"), &blue)?;
        }
        messages.add_text(
            "Which of the blue regions belong to the same thing or background as the red region?",
        );
        let schema = schema(numbered(count, &one_of(&["yes", "no"])));
        let scene = Arc::clone(&self.scene);
        self.growth = Some(growth);
        Ok(scene.question(system, messages, schema, Arc::new(self)))
    }
}

impl SubQuestion for MemberQuestion {
    fn answer(&self, whose: ReferenceSource) -> Option<String> {
        let view = self.scene.view().ok()?;
        let map = self.scene.map(whose)?;
        let mask = reference::pixels(&map)?;
        let word = |member: &u32| {
            let own = view
                .regions
                .numbers()
                .iter()
                .zip(mask)
                .filter(|(at, _)| *at == member);
            let (inside, all) = own.fold((0, 0), |(inside, all), (_, on)| {
                (inside + usize::from(*on), all + 1)
            });
            if 2 * inside > all { "yes" } else { "no" }
        };
        Some(replies(self.growth.as_ref()?.batch.iter().map(word)))
    }
}
