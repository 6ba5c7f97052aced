//! Segmentation: superpixels are shown in batches, each close up and with
//! surroundings, and each gets a class.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::json;

use super::prompt::{Messages, fields, form, numbered, replies, schema};
use super::result::AnswerLog;
use super::scene::{Scene, View};
use super::{ReferenceSource, SubQuestion, answer, reference};
use crate::chain::{Ask, AskPath, Fold, JudgedAnswer, Outcome};
use crate::question::{Question, Unaskable};
use analysis::metric::dense::IGNORED;
use media::Drawing;
use record::MapKind;

/// Margins in pixels of a superpixel's two crops: close, and with surroundings.
const AROUND: [u32; 2] = [1, 40];
/// Radius of a marking dot in pixels.
const RADIUS: u32 = 4;
const RED: [u8; 3] = [255, 0, 0];

/// A picture whose superpixels get classes.
pub(super) struct Segment {
    scene: Arc<Scene>,
    names: Arc<[String]>,
    /// Classes of each answered batch; `Err` with the answer if it is unreadable.
    batches: BTreeMap<usize, Result<Vec<Option<String>>, JudgedAnswer>>,
    asked: usize,
    is_lacking: bool,
}

/// The question about one batch.
struct Batch {
    scene: Arc<Scene>,
    names: Arc<[String]>,
    /// Position of the batch, from 0.
    place: usize,
    /// Classes named in earlier answers.
    told: Vec<String>,
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Batch({:?}, {})", self.scene, self.place)
    }
}

impl Segment {
    pub(super) fn new(scene: Arc<Scene>) -> Self {
        let maps = scene.sample.record.content.maps.iter();
        let mut labels = maps.filter(|map| map.kind == MapKind::Labels);
        let names = labels.find(|map| !map.names.is_empty());
        let names = names.map(|map| Arc::clone(&map.names));
        Self {
            scene,
            names: names.unwrap_or_default(),
            batches: BTreeMap::new(),
            asked: 0,
            is_lacking: false,
        }
    }

    /// Returns the number of batches; 1 until the picture is opened.
    fn count(&self) -> usize {
        let count = |view: &View| view.regions.count().div_ceil(self.scene.chain.batch) as usize;
        if self.batches.is_empty() {
            return 1;
        }
        self.scene.view().map_or(0, count)
    }
}

impl Fold for Segment {
    fn ready(&mut self) -> Vec<Ask> {
        // Sequential, because each batch lists the classes found before.
        if self.is_lacking || self.asked > self.batches.len() || self.asked >= self.count() {
            return Vec::new();
        }
        let mut told: Vec<String> = Vec::new();
        for class in self.batches.values().flatten().flatten().flatten() {
            if !told.contains(class) {
                told.push(class.clone());
            }
        }
        let batch = Batch {
            scene: Arc::clone(&self.scene),
            names: Arc::clone(&self.names),
            place: self.asked,
            told,
        };
        self.asked += 1;
        let path = format!("batch/{}", self.asked);
        vec![self.scene.ask(path, move || batch.question())]
    }

    fn receive(&mut self, path: &AskPath, said: Option<&JudgedAnswer>) {
        let place = path.place("batch/");
        let (Some(place), Some(said), Ok(view)) = (place, said, self.scene.view()) else {
            self.is_lacking = true;
            return;
        };
        let count = numbers(view, self.scene.chain.batch, place).count();
        let classes = answer::classes(&said.done.text, count);
        self.batches
            .insert(place, classes.ok_or_else(|| said.clone()));
    }

    fn end(self: Box<Self>) -> Option<Outcome> {
        if self.is_lacking || self.batches.len() < self.count() {
            return None;
        }
        let view = self.scene.view().ok()?;
        let mut told = AnswerLog::default();
        let mut labels = vec![u32::from(IGNORED); view.regions.count() as usize];
        for (place, classes) in &self.batches {
            let members = numbers(view, self.scene.chain.batch, *place);
            let classes = match classes {
                Ok(classes) => classes,
                Err(said) => {
                    told.unread((0, *place), &format!("batch {}", place + 1), said);
                    continue;
                }
            };
            let mut words = Vec::new();
            for (number, class) in members.zip(classes) {
                let class = class.as_deref().unwrap_or("unknown");
                let label = self
                    .names
                    .iter()
                    .position(|name| name.eq_ignore_ascii_case(class));
                if let Some(label) = label.and_then(|label| u32::try_from(label).ok()) {
                    labels[number as usize] = label;
                }
                words.push(format!("{} {class}", number + 1));
            }
            told.step(
                (0, *place),
                format!("batch {}: {}", place + 1, words.join(", ")),
            );
        }
        if told.is_unread() {
            return Some(self.scene.unreadable(&told));
        }
        self.scene.labels(&labels, &self.names, &told).ok()
    }
}

/// Returns the superpixels of a batch, numbered from 0.
fn numbers(view: &View, batch: u32, place: usize) -> std::ops::Range<u32> {
    let first = u32::try_from(place)
        .unwrap_or(u32::MAX)
        .saturating_mul(batch);
    let count = view.regions.count();
    first.min(count)..first.saturating_add(batch).min(count)
}

/// Crops to a mask with a margin in pixels.
pub(super) fn around(view: &View, drawing: &Drawing, mask: &[bool], margin: u32) -> Drawing {
    let Some([x0, y0, x1, y1]) = view.regions.bounds(mask) else {
        return drawing.clone();
    };
    drawing.crop([
        x0.saturating_sub(margin),
        y0.saturating_sub(margin),
        (x1 + 1).saturating_add(margin),
        (y1 + 1).saturating_add(margin),
    ])
}

impl Batch {
    fn question(self) -> Result<Question, Unaskable> {
        let view = self.scene.view()?;
        let members = numbers(view, self.scene.chain.batch, self.place);
        let count = members.len();
        let mut system = format!(
            "You see a picture and {count} places in it, each marked by a red dot. Tell for each place the class of the thing or the background on which the dot lies: of the whole thing, not of the part, and not of the dot. Choose from these classes, spelled as here: {}",
            self.names.join("; ")
        );
        if !self.told.is_empty() {
            system.push_str("\n\nIn other places of this picture these classes were found so far; they may come again, and others may too: ");
            system.push_str(&self.told.join("; "));
        }
        system.push_str("\n\n");
        system.push_str(&form(&fields(count, "class")));
        // One of the whole picture, and each superpixel in two sizes.
        let mut messages = Messages::new(&self.scene.asking, 1 + AROUND.len() * count);
        messages.show("The whole picture:", &view.shown)?;
        for (margin, words) in AROUND.into_iter().zip([
            "Place",
            "What is around it, which may be of other classes: place",
        ]) {
            for (number, member) in (1..).zip(members.clone()) {
                let mask = view.regions.mask(|at| at == member);
                let mut drawing = view.shown.clone();
                drawing.disc(view.regions.middle(&mask), RADIUS, RED);
                let crop = around(view, &drawing, &mask, margin);
                messages.show(format!("{words} {number}:"), &crop)?;
            }
        }
        messages.add_text(format!("Which classes do places 1 to {count} have?"));
        let schema = schema(numbered(count, &json!({"type": "string"})));
        let scene = Arc::clone(&self.scene);
        Ok(scene.question(system, messages, schema, Arc::new(self)))
    }
}

impl SubQuestion for Batch {
    fn answer(&self, whose: ReferenceSource) -> Option<String> {
        let view = self.scene.view().ok()?;
        let known = self.scene.known(whose);
        let members = numbers(view, self.scene.chain.batch, self.place);
        // Superpixels are computed as in the log, so equal counts mean equal regions.
        if known.classes.len() == view.regions.count() as usize {
            let class = |member: u32| known.classes.get(&(member + 1)).cloned();
            let classes = members.map(|member| class(member).unwrap_or_default());
            return Some(replies(classes));
        }
        let map = self.scene.map(whose)?;
        let labels = reference::labels(&map)?;
        let class = |member: u32| {
            let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
            let both = view.regions.numbers().iter().zip(labels);
            for (_, label) in
                both.filter(|(at, label)| **at == member && **label != u32::from(IGNORED))
            {
                *counts.entry(*label).or_default() += 1;
            }
            // The most frequent label; on a tie, the smallest.
            let most = counts
                .iter()
                .max_by_key(|(label, count)| (**count, std::cmp::Reverse(**label)));
            let name = most.and_then(|(label, _)| self.names.get(*label as usize));
            name.map_or("unknown", String::as_str)
        };
        Some(replies(members.map(class)))
    }
}
