//! Scenes seen from above, each asked at four rotations as in `TDBench`. Directional answers rotate
//! with the picture; others stay.

use image::{RgbImage, imageops};

mod question;
mod things;

use super::canvas::LENGTH;
use super::drawn::frame;
use super::spatial::wider;
use crate::item::{Options, place_of};
use crate::set::{Benchmark, Page, Picture};
use crate::{Item, Rng};
use question::{SceneAnswer, SceneQuestion, asked};
use record::{Content, ImageRef, LabelledBox, ROTATION, Role, Target, Value};
use things::{drawn, things};

/// Name of the benchmark in items and logs.
const NAME: &str = "exam-topdown";
/// The abilities, asked in turn.
const ABILITIES: [&str; 6] = [
    "object_presence",
    "object_counting",
    "object_localization",
    "spatial_relationship",
    "attribute_recognition",
    "visual_grounding",
];
/// Maximum number of scenes tried for one question.
const TRIES: u64 = 50;

/// Question set about scenes seen from above.
#[derive(Clone, Copy, Debug)]
pub struct TopDown {
    questions: usize,
    seed: u64,
}

impl TopDown {
    /// Creates a set of `questions` questions, each at four rotations.
    pub const fn new(questions: usize, seed: u64) -> Self {
        Self { questions, seed }
    }

    /// Names of the six abilities.
    pub fn abilities() -> impl Iterator<Item = &'static str> {
        ABILITIES.into_iter()
    }

    /// The item rotated by `quarters` quarter turns clockwise.
    fn item(&self, number: usize, asked: &SceneQuestion, things: usize, quarters: usize) -> Item {
        let ability = ABILITIES[number % ABILITIES.len()];
        let mut content = Content {
            question: asked.question.clone(),
            images: vec![ImageRef::Path(path(number, quarters))],
            ..Content::default()
        };
        match &asked.answer {
            SceneAnswer::Fixed { right, wrong } => {
                let place = place_of(
                    number / ABILITIES.len(),
                    4,
                    (number % ABILITIES.len()) as u64,
                    self.seed,
                );
                let mut rng = Rng::new(self.seed, &[OPTIONS, number as u64]);
                let options = Options::placed(right.clone(), wrong.clone(), place, &mut rng);
                let (choices, target) = options.lettered();
                (content.choices, content.target) = (choices, Some(target));
            }
            SceneAnswer::Direction(names, right) => {
                let texts = names.iter().map(|name| (*name).to_owned()).collect();
                let right = (right + quarters) % names.len();
                let (choices, target) = Options { texts, right }.lettered();
                (content.choices, content.target) = (choices, Some(target));
            }
            SceneAnswer::Box(corners) => {
                content.target = Some(Target::Box(turned(*corners, quarters)));
            }
        }
        content.boxes = boxes(&asked.boxed, quarters);
        let count = f64::from(u32::try_from(things).unwrap_or(u32::MAX));
        content
            .tags
            .insert("things".to_owned(), Value::Number(count));
        let degrees = 90.0 * f64::from(u8::try_from(quarters).unwrap_or(0));
        Item {
            id: format!("topdown-{number:04}"),
            benchmark: NAME,
            ability: ability.to_owned(),
            condition: [(ROTATION.to_owned(), Value::Number(degrees))].into(),
            content,
            ..Item::default()
        }
    }
}

impl Benchmark for TopDown {
    fn pages(&self) -> usize {
        self.questions
    }

    fn page(&self, number: usize) -> Page {
        self.wanted(number, &|_| true)
    }

    fn wanted(&self, number: usize, wanted: &dyn Fn(&Item) -> bool) -> Page {
        // Not every scene allows every question.
        let mut scenes = (0..TRIES).filter_map(|attempt| {
            let mut rng = Rng::new(self.seed, &[SCENES, number as u64, attempt]);
            let things = things(&mut rng);
            let asked = asked(number % ABILITIES.len(), &things, &mut rng)?;
            Some((things, asked, rng))
        });
        let Some((things, asked, mut rng)) = scenes.next() else {
            return Page::default();
        };
        let mut page = Page::default();
        let items = (0..4).map(|quarters| self.item(number, &asked, things.len(), quarters));
        page.items = items.filter(|item| wanted(item)).collect();
        if page.items.is_empty() {
            return page;
        }
        let mut canvas = drawn(&things, &mut rng);
        frame(&mut canvas, &boxes(&asked.boxed, 0));
        let upright = canvas.pixels();
        let turned = [
            |upright: &RgbImage| upright.clone(),
            |upright: &RgbImage| imageops::rotate90(upright),
            |upright: &RgbImage| imageops::rotate180(upright),
            |upright: &RgbImage| imageops::rotate270(upright),
        ];
        for (quarters, turn) in turned.into_iter().enumerate() {
            let path = path(number, quarters);
            if page.items.iter().any(|item| item.picture() == Some(&path)) {
                let pixels = turn(&upright);
                page.pictures.push(Picture { path, pixels });
            }
        }
        page
    }
}

fn path(number: usize, quarters: usize) -> String {
    format!("images/topdown/{number:04}_{}.png", quarters * 90)
}

/// The red and the blue box after quarter turns clockwise.
fn boxes(boxed: &[[f64; 4]], quarters: usize) -> Vec<LabelledBox> {
    let colored = boxed.iter().zip(["red", "blue"]);
    let labelled = colored.map(|(corners, color)| LabelledBox {
        color: Some(color.to_owned()),
        ..LabelledBox::new("", Role::Reference, turned(wider(*corners), quarters))
    });
    labelled.collect()
}

/// A box after quarter turns clockwise.
fn turned([x0, y0, x1, y1]: [f64; 4], quarters: usize) -> [f64; 4] {
    match quarters {
        0 => [x0, y0, x1, y1],
        _ => turned([LENGTH - y1, x0, LENGTH - y0, x1], quarters - 1),
    }
}

/// Random stream for scenes.
const SCENES: u64 = 0x0074_6f70;
/// Random stream for options.
const OPTIONS: u64 = 0x746f_6f70;
