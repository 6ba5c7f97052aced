//! Depth and surface normals: compares pairs of superpixels and combines
//! the results into one order.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::json;

use super::figures::mean;
use super::pairs::pairs;
use super::prompt::{Messages, form, one_of, schema};
use super::result::AnswerLog;
use super::scene::Scene;
use super::{ReferenceSource, SubQuestion, Task, answer, reference};
use crate::chain::{Ask, AskPath, Fold, JudgedAnswer, Outcome};
use crate::question::{Question, Unaskable};
use analysis::metric::{Order, global_order};
use media::{Touch, Values};

/// Weight of smoothness, as in the harness.
const SMOOTHNESS: f64 = 10.0;
/// Radius of a marking disc in pixels.
const RADIUS: u32 = 16;
/// Line width of a marking rectangle in pixels.
const WIDTH: u32 = 4;
const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];

/// A picture whose superpixels are compared in pairs.
pub(super) struct Ranking {
    of: Arc<ScenePairs>,
    /// Answers by position of the pair.
    said: BTreeMap<usize, JudgedAnswer>,
    is_begun: bool,
    is_lacking: bool,
}

/// A picture, its pairs, and reference values by source.
pub(super) struct ScenePairs {
    scene: Arc<Scene>,
    pairs: OnceLock<Vec<[u32; 2]>>,
    values: [OnceLock<Option<Vec<[f64; 3]>>>; 2],
}

/// The comparison of one pair of superpixels.
struct Pair {
    of: Arc<ScenePairs>,
    place: usize,
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pair({:?}, {})", self.of.scene, self.place)
    }
}

impl Ranking {
    pub(super) fn new(scene: Arc<Scene>) -> Self {
        let compared = ScenePairs {
            scene,
            pairs: OnceLock::new(),
            values: Default::default(),
        };
        Self {
            of: Arc::new(compared),
            said: BTreeMap::new(),
            is_begun: false,
            is_lacking: false,
        }
    }
}

/// Returns the path of a pair: `pair/7` for position 6.
fn path(place: usize) -> String {
    format!("pair/{}", place + 1)
}

impl Fold for Ranking {
    fn ready(&mut self) -> Vec<Ask> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Vec::new();
        }
        let ask = |place: usize| {
            let pair = Pair {
                of: Arc::clone(&self.of),
                place,
            };
            let scene = &self.of.scene;
            scene.ask(path(place), move || pair.question())
        };
        (0..self.of.scene.chain.pairs as usize).map(ask).collect()
    }

    fn receive(&mut self, path: &AskPath, said: Option<&JudgedAnswer>) {
        let (Some(place), Some(said)) = (path.place("pair/"), said) else {
            self.is_lacking = true;
            return;
        };
        self.said.insert(place, said.clone());
    }

    fn end(self: Box<Self>) -> Option<Outcome> {
        if self.is_lacking {
            return None;
        }
        self.of.outcome(&self.said).ok()
    }
}

impl Pair {
    fn question(self) -> Result<Question, Unaskable> {
        let view = self.of.scene.view()?;
        let [red, blue] = self.of.pair(self.place)?;
        let mut drawing = view.shown.clone();
        for (number, color) in [(red, RED), (blue, BLUE)] {
            let mask = view.regions.mask(|at| at + 1 == number);
            match self.of.scene.chain.task {
                Task::Depth => drawing.disc(view.regions.middle(&mask), RADIUS, color),
                _ => {
                    if let Some(bounds) = view.regions.bounds(&mask) {
                        drawing.rectangle(bounds, WIDTH, color);
                    }
                }
            }
        }
        let (system, question, schema, whole) = match self.of.scene.chain.task {
            Task::Depth => depth_words(),
            _ => normals_words(),
        };
        let scene = Arc::clone(&self.of.scene);
        let mut messages = Messages::new(&scene.asking, 1);
        messages.show(whole, &drawing)?;
        messages.add_text(question);
        Ok(scene.question(system, messages, schema, Arc::new(self)))
    }
}

type PairTexts = (String, &'static str, crate::client::Schema, &'static str);

fn depth_words() -> PairTexts {
    let order = json!({"type": "array", "items": one_of(&["red", "blue"])});
    let system = format!(
        "You see a picture in which two places are marked, one with a red dot and one with a blue dot. Tell which of the two is nearer to the camera. What counts is the distance along the line of sight, not where the places lie in the picture. Use what shows depth: what hides what, relative size, perspective, shadows, sharpness. If you cannot tell for certain, say what is most likely.\n\n{}",
        form(r#""depth_order": ["colour of the nearer place", "colour of the farther place"]"#)
    );
    (
        system,
        "In which order are the two places, the nearer one first?",
        schema(vec![("depth_order".to_owned(), order)]),
        "The picture with the two places, marked red and blue:",
    )
}

fn normals_words() -> PairTexts {
    let color = one_of(&["red", "blue", "equal"]);
    let axes = ["right", "up", "out"].map(|axis| (axis.to_owned(), color.clone()));
    let system = format!(
        "You see a picture of a scene in which two regions are marked by a red and a blue rectangle. Tell which way their surfaces face, as seen by the camera. For each of three directions tell which region faces it more: to the right, upwards, and out of the picture towards the camera. Directions are a matter of degree: a surface that faces left faces right the least. Where both face a direction alike, say equal.\n\n{}",
        form(
            r#""right": "red, blue or equal", "up": "red, blue or equal", "out": "red, blue or equal""#
        )
    );
    (
        system,
        "Which region faces more to the right, which more upwards, which more out of the picture?",
        schema(axes.into()),
        "The picture with the two regions, marked red and blue:",
    )
}

impl SubQuestion for Pair {
    fn answer(&self, whose: ReferenceSource) -> Option<String> {
        let pair = self.of.pair(self.place).ok()?;
        if let Some(order) = self.of.scene.known(whose).orders.get(&pair) {
            return Some(order.to_string());
        }
        let values = self.of.values(whose)?;
        let [red, blue] = pair.map(|number| values.get(number as usize - 1));
        let (red, blue) = (red?, blue?);
        let more = |axis: usize| match red[axis].partial_cmp(&blue[axis]) {
            Some(std::cmp::Ordering::Greater) => "red",
            Some(std::cmp::Ordering::Less) => "blue",
            _ => "equal",
        };
        if self.of.scene.chain.task == Task::Depth {
            let order = if red[0] < blue[0] {
                ["red", "blue"]
            } else {
                ["blue", "red"]
            };
            return Some(json!({"depth_order": order}).to_string());
        }
        Some(json!({"right": more(0), "up": more(1), "out": more(2)}).to_string())
    }
}

impl ScenePairs {
    /// Returns the numbers of a pair's superpixels, from 1.
    fn pair(&self, place: usize) -> Result<[u32; 2], Unaskable> {
        let count = self.scene.view()?.regions.count();
        let wanted = self.scene.chain.pairs as usize;
        let pairs = self.pairs.get_or_init(|| pairs(count, wanted));
        let why = "the picture is a single superpixel; nothing to compare";
        pairs.get(place).copied().ok_or(Unaskable::Part(why))
    }

    /// Returns the reference value of each superpixel: its mean depth, or how far it faces right,
    /// up and to the viewer.
    fn values(&self, whose: ReferenceSource) -> Option<&Vec<[f64; 3]>> {
        let place = whose.pick(&self.values);
        let values = place.get_or_init(|| {
            let regions = &self.scene.view().ok()?.regions;
            let (width, height) = regions.size();
            let map = self.scene.known(whose).map.as_ref()?.at_size(width, height);
            let turned = if reference::is_turned(&self.scene.sample) {
                -1.0
            } else {
                1.0
            };
            match &map.values {
                Values::Depth(depth) => {
                    let means = mean(regions, depth);
                    Some(means.into_iter().map(|depth| [depth, 0.0, 0.0]).collect())
                }
                Values::Normals(normals) => {
                    let axis = |axis: usize| {
                        let along: Vec<f64> = normals.iter().map(|normal| normal[axis]).collect();
                        mean(regions, &along)
                    };
                    let [right, up, out] = [axis(0), axis(1), axis(2)];
                    let all = right.into_iter().zip(up).zip(out);
                    Some(all.map(|((x, y), z)| [x, turned * y, turned * z]).collect())
                }
                _ => None,
            }
        });
        values.as_ref()
    }

    fn outcome(&self, said: &BTreeMap<usize, JudgedAnswer>) -> Result<Outcome, Unaskable> {
        let view = self.scene.view()?;
        let mut told = AnswerLog::default();
        let mut orders: Vec<Vec<([usize; 2], Order)>> = vec![Vec::new(); 3];
        let mut pairs = Vec::new();
        for (place, said) in said {
            let pair = self.pair(*place)?;
            let words = read(self.scene.chain.task, &said.done.text);
            let at = pair.map(|number| number as usize - 1);
            let [red, blue] = pair;
            let step = format!("pair {}: red {red}, blue {blue}", place + 1);
            let Some(words) = words else {
                told.unread((0, *place), &step, said);
                continue;
            };
            told.step((0, *place), format!("{step}: {}", words.join(" ")));
            for (axis, word) in words.iter().enumerate() {
                let order = match word.as_str() {
                    "red" => Order::First,
                    "blue" => Order::Second,
                    _ => Order::Same,
                };
                orders[axis].push((at, order));
            }
            pairs.push((at, words));
        }
        if pairs.is_empty() {
            return Ok(self.scene.unreadable(&told));
        }
        let touching = view.regions.neighbours(Touch::Side);
        let touching: Vec<[usize; 2]> = touching
            .iter()
            .map(|pair| pair.map(|one| one as usize))
            .collect();
        let count = view.regions.count() as usize;
        let order = |axis: usize| {
            let orders = &orders[axis];
            global_order(count, orders, &touching, SMOOTHNESS).unwrap_or_else(|| vec![0.0; count])
        };
        if self.scene.chain.task == Task::Depth {
            // Higher rank means nearer, so the sign is reversed.
            let depths: Vec<f64> = order(0).iter().map(|near| -near).collect();
            return self.scene.depth(&depths, &pairs, &told);
        }
        let turned = reference::is_turned(&self.scene.sample);
        let axes = [0, 1, 2].map(|axis| {
            let sign = if turned && axis > 0 { -1.0 } else { 1.0 };
            order(axis).iter().map(|value| sign * value).collect()
        });
        self.scene.normals(&axes, &pairs, &told)
    }
}

/// Parses the answer to a pair: the nearer colour, or a colour for each axis.
fn read(task: Task, text: &str) -> Option<Vec<String>> {
    if task == Task::Depth {
        let is_red = answer::is_red_nearer(text)?;
        return Some(vec![if is_red { "red" } else { "blue" }.to_owned()]);
    }
    answer::facing(text).map(Vec::from)
}
