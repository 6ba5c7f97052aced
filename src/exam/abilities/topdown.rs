//! Ground seen from above, asked at four rotations, as `TDBench` does: what depends on directions turns with
//! the picture, everything else stays.

use image::imageops;

mod question;
mod things;

use super::canvas::LENGTH;
use super::drawn::frame;
use super::spatial::wider;
use crate::item::{Options, place_of};
use crate::set::{Benchmark, Page, Picture};
use crate::{Dice, Item};
use question::{Answer, Asked, asked};
use record::{Content, ImageRef, LabelledBox, Role, Target, Value};
use things::{drawn, things};

/// Name of the benchmark.
const NAME: &str = "exam-topdown";
/// What is asked, in turn.
const ABILITIES: [&str; 6] = [
    "object_presence",
    "object_counting",
    "object_localization",
    "spatial_relationship",
    "attribute_recognition",
    "visual_grounding",
];
/// Scenes that are tried for a question.
const TRIES: u64 = 50;

/// Questions about ground seen from above.
#[derive(Clone, Copy, Debug)]
pub struct TopDown {
    questions: usize,
    seed: u64,
}

impl TopDown {
    /// `questions` questions, each at four rotations.
    #[must_use]
    pub const fn new(questions: usize, seed: u64) -> Self {
        Self { questions, seed }
    }

    /// Names of the abilities.
    pub fn abilities() -> impl Iterator<Item = &'static str> {
        ABILITIES.into_iter()
    }

    /// The item at a rotation of so many quarters clockwise.
    fn item(&self, number: usize, asked: &Asked, things: usize, quarters: usize) -> Item {
        let ability = ABILITIES[number % ABILITIES.len()];
        let mut content = Content {
            question: asked.question.clone(),
            images: vec![ImageRef::Path(path(number, quarters))],
            ..Content::default()
        };
        match &asked.answer {
            Answer::Fixed { right, wrong } => {
                let place = place_of(
                    number / ABILITIES.len(),
                    4,
                    (number % ABILITIES.len()) as u64,
                    self.seed,
                );
                let mut dice = Dice::new(self.seed, &[OPTIONS, number as u64]);
                let options = Options::placed(right.clone(), wrong.clone(), place, &mut dice);
                let (choices, target) = options.lettered();
                (content.choices, content.target) = (choices, Some(target));
            }
            Answer::Direction(names, right) => {
                let texts = names.iter().map(|name| (*name).to_owned()).collect();
                let right = (right + quarters) % names.len();
                let (choices, target) = Options { texts, right }.lettered();
                (content.choices, content.target) = (choices, Some(target));
            }
            Answer::Box(corners) => content.target = Some(Target::Box(turned(*corners, quarters))),
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
            condition: [("rotation".to_owned(), Value::Number(degrees))].into(),
            content,
        }
    }
}

impl Benchmark for TopDown {
    fn pages(&self) -> usize {
        self.questions
    }

    fn page(&self, number: usize) -> Page {
        // Not every scene can be asked everything.
        let mut scenes = (0..TRIES).filter_map(|attempt| {
            let mut dice = Dice::new(self.seed, &[SCENES, number as u64, attempt]);
            let things = things(&mut dice);
            let asked = asked(number % ABILITIES.len(), &things, &mut dice)?;
            Some((things, asked, dice))
        });
        let Some((things, asked, mut dice)) = scenes.next() else {
            return Page::default();
        };
        let mut canvas = drawn(&things, &mut dice);
        frame(&mut canvas, &boxes(&asked.boxed, 0));
        let mut pixels = canvas.pixels();
        let mut page = Page::default();
        for quarters in 0..4 {
            let path = path(number, quarters);
            page.items
                .push(self.item(number, &asked, things.len(), quarters));
            let next = imageops::rotate90(&pixels);
            page.pictures.push(Picture { path, pixels });
            pixels = next;
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
        number: None,
        label: String::new(),
        role: Role::Reference,
        xyxy: turned(wider(*corners), quarters),
        color: Some(color.to_owned()),
    });
    labelled.collect()
}

/// Where a box comes to lie after quarter turns clockwise.
fn turned([x0, y0, x1, y1]: [f64; 4], quarters: usize) -> [f64; 4] {
    match quarters {
        0 => [x0, y0, x1, y1],
        _ => turned([LENGTH - y1, x0, LENGTH - y0, x1], quarters - 1),
    }
}

/// The stream of scenes.
const SCENES: u64 = 0x0074_6f70;
/// The stream of options.
const OPTIONS: u64 = 0x746f_6f70;
