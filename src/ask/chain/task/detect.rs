//! Detection: asks for the classes in five parts of the picture, then finds a box for
//! each class by grid search.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use super::grid::{CELLS, Search};
use super::prompt::{Messages, fields, form, numbered, one_of, replies, schema};
use super::result::AnswerLog;
use super::scene::Scene;
use super::{REGIONS, ReferenceSource, SubQuestion, answer};
use crate::chain::{Ask, AskPath, Fold, JudgedAnswer, Outcome};
use crate::question::{Question, Unaskable};

/// Detection of the objects in one picture, in progress.
pub(super) struct Detect {
    scene: Arc<Scene>,
    classes: Arc<[String]>,
    /// Classes in each part of the picture; `None` if the answer is unreadable.
    parts: BTreeMap<usize, Option<Vec<String>>>,
    /// The search of each class and whether an answer is pending; filled once
    /// all parts are answered.
    searches: Vec<(String, Search, bool)>,
    is_begun: bool,
    is_lacking: bool,
    told: AnswerLog,
}

/// Asks which classes are in a part of the picture.
#[derive(Debug)]
struct PresenceQuestion {
    scene: Arc<Scene>,
    classes: Arc<[String]>,
    part: usize,
}

/// Asks which cells of a window contain a part of an object.
#[derive(Debug)]
struct CellQuestion {
    scene: Arc<Scene>,
    class: String,
    window: [u32; 4],
    cells: [[u32; 4]; CELLS],
}

impl Detect {
    pub(super) fn new(scene: Arc<Scene>) -> Self {
        let detections = scene.sample.record.detections.as_ref();
        let classes = detections.map(|known| Arc::clone(&known.classes));
        Self {
            scene,
            classes: classes.unwrap_or_default(),
            parts: BTreeMap::new(),
            searches: Vec::new(),
            is_begun: false,
            is_lacking: false,
            told: AnswerLog::default(),
        }
    }

    /// Returns the classes found in any part, in list order.
    fn found(&self) -> Vec<String> {
        let all: Vec<&String> = self.parts.values().flatten().flatten().collect();
        let classes = self.classes.iter();
        classes
            .filter(|class| all.contains(class))
            .cloned()
            .collect()
    }

    fn part(&mut self, part: usize, said: &JudgedAnswer) {
        let listed = answer::listed(&said.done.text, &self.classes);
        match &listed {
            Some(listed) => self.told.step(
                (0, part),
                format!("part {}: {}", part + 1, listed.join(", ")),
            ),
            None => self
                .told
                .unread((0, part), &format!("part {}", part + 1), said),
        }
        self.parts.insert(part, listed);
        if self.parts.len() < REGIONS {
            return;
        }
        let Ok(view) = self.scene.view() else {
            self.is_lacking = true;
            return;
        };
        let size = view.shown.size();
        let found = self.found().into_iter();
        self.searches = found
            .map(|class| (class, Search::new(size), false))
            .collect();
    }

    fn round(&mut self, class: &str, round: usize, said: &JudgedAnswer) {
        let place = self.searches.iter().position(|(known, ..)| known == class);
        let Some((place, (_, search, is_waiting))) =
            place.and_then(|place| Some((place, self.searches.get_mut(place)?)))
        else {
            return;
        };
        let at = (place + 1, round);
        *is_waiting = false;
        let step = format!("{class} {round}");
        let hits = answer::yes_or_no(&said.done.text, CELLS);
        let Some(hits) = hits.and_then(|hits| hits.try_into().ok()) else {
            let words = format!("{step} (the search ends)");
            self.told.unread(at, &words, said);
            search.stop();
            return;
        };
        let hits: [bool; CELLS] = hits;
        search.narrow(hits);
        let cells: Vec<String> = (1..)
            .zip(hits)
            .filter(|(_, hit)| *hit)
            .map(|(at, _): (usize, bool)| at.to_string())
            .collect();
        let cells = if cells.is_empty() {
            "none".to_owned()
        } else {
            cells.join(", ")
        };
        self.told.step(
            at,
            format!("{step}: cells {cells}, window {:?}", search.window),
        );
    }
}

impl Fold for Detect {
    fn ready(&mut self) -> Vec<Ask> {
        if self.is_lacking {
            return Vec::new();
        }
        if !std::mem::replace(&mut self.is_begun, true) {
            let ask = |part: usize| {
                let which = PresenceQuestion {
                    scene: Arc::clone(&self.scene),
                    classes: Arc::clone(&self.classes),
                    part,
                };
                self.scene
                    .ask(format!("part/{}", part + 1), move || which.question())
            };
            return (0..REGIONS).map(ask).collect();
        }
        let mut asks = Vec::new();
        for (class, search, is_waiting) in &mut self.searches {
            let Some(cells) = search.cells().filter(|_| !*is_waiting) else {
                continue;
            };
            *is_waiting = true;
            let path = format!("box/{}/{class}", search.round + 1);
            let place = CellQuestion {
                scene: Arc::clone(&self.scene),
                class: class.clone(),
                window: search.window,
                cells,
            };
            asks.push(self.scene.ask(path, move || place.question()));
        }
        asks
    }

    fn receive(&mut self, path: &AskPath, said: Option<&JudgedAnswer>) {
        let (AskPath::Part(name), Some(said)) = (path, said) else {
            self.is_lacking = true;
            return;
        };
        if let Some(part) = path.place("part/") {
            self.part(part, said);
        } else if let Some((round, class)) = name
            .strip_prefix("box/")
            .and_then(|rest| rest.split_once('/'))
        {
            self.round(class, round.parse().unwrap_or_default(), said);
        }
    }

    fn end(self: Box<Self>) -> Option<Outcome> {
        if self.is_lacking || self.parts.len() < REGIONS {
            return None;
        }
        if self.told.is_unread() {
            return Some(self.scene.unreadable(&self.told));
        }
        let found = self.searches.into_iter();
        let found: Vec<(String, [f64; 4])> = found
            .map(|(class, search, _)| (class, search.window.map(f64::from)))
            .collect();
        self.scene.boxes(&found, &self.told).ok()
    }
}

impl PresenceQuestion {
    /// Returns the pixels of the part: the quadrants from the top left, then the middle.
    fn region(&self) -> Result<[u32; 4], Unaskable> {
        let (width, height) = self.scene.view()?.shown.size();
        let (half, tall) = (width / 2, height / 2);
        Ok(match self.part {
            0 => [0, 0, half, tall],
            1 => [half, 0, width, tall],
            2 => [0, tall, half, height],
            3 => [half, tall, width, height],
            _ => [width / 4, height / 4, 3 * width / 4, 3 * height / 4],
        })
    }

    fn question(self) -> Result<Question, Unaskable> {
        let list = self.classes.join("; ");
        let system = format!(
            "You see a picture and a part that was cut out of it. Name every class of which something is to be seen in the part, however small, hidden or cut off; use the whole picture to understand what the part shows. Name only classes of this list, spelled as there: {list}\n\n{}",
            form(r#""classes": ["class", "class"]"#)
        );
        let view = self.scene.view()?;
        let mut messages = Messages::new(&self.scene.asking, 2);
        messages.show("The whole picture:", &view.shown)?;
        messages.show("The part:", &view.shown.crop(self.region()?))?;
        messages.add_text("Which classes are in the part?");
        let list = json!({"type": "array", "items": {"type": "string"}});
        let schema = schema(vec![("classes".to_owned(), list)]);
        let scene = Arc::clone(&self.scene);
        Ok(scene.question(system, messages, schema, Arc::new(self)))
    }
}

impl SubQuestion for PresenceQuestion {
    fn answer(&self, whose: ReferenceSource) -> Option<String> {
        let region = self.region().ok()?;
        let boxes = self.scene.known(whose).boxes.iter();
        let there = boxes.filter(|(_, corners)| meets(region, *corners));
        let classes: std::collections::BTreeSet<&String> = there.map(|(class, _)| class).collect();
        Some(json!({"classes": classes}).to_string())
    }
}

impl CellQuestion {
    fn question(self) -> Result<Question, Unaskable> {
        let class = &self.class;
        let system = format!(
            "You see a picture and nine parts of it: the cells of a grid, numbered from 1 to 9 row by row from the top left. Tell for each cell whether any part of the {class} is to be seen in it. A small part counts.\n\n{}",
            form(&fields(CELLS, "yes or no"))
        );
        let view = self.scene.view()?;
        let mut messages = Messages::new(&self.scene.asking, 1 + CELLS);
        messages.show("The whole picture:", &view.shown.crop(self.window))?;
        for (number, cell) in (1..).zip(self.cells) {
            let words = format!("Cell {number}. Is any part of the {class} in it?");
            messages.show(words, &view.shown.crop(cell))?;
        }
        let schema = schema(numbered(CELLS, &one_of(&["yes", "no"])));
        let scene = Arc::clone(&self.scene);
        Ok(scene.question(system, messages, schema, Arc::new(self)))
    }
}

impl SubQuestion for CellQuestion {
    fn answer(&self, whose: ReferenceSource) -> Option<String> {
        let boxes = &self.scene.known(whose).boxes;
        let word = |cell: [u32; 4]| {
            let mut own = boxes.iter().filter(|(class, _)| *class == self.class);
            let is_in = own.any(|(_, corners)| meets(cell, *corners));
            if is_in { "yes" } else { "no" }
        };
        Some(replies(self.cells.into_iter().map(word)))
    }
}

/// Returns true if a box overlaps a region.
fn meets(region: [u32; 4], [x0, y0, x1, y1]: [f64; 4]) -> bool {
    let [left, top, right, bottom] = region.map(f64::from);
    left < x1 && x0 < right && top < y1 && y0 < bottom
}
