//! Assigns questions to figures, so that aspects, answers and positions of the right answer are
//! balanced.

use std::cell::LazyCell;

use kurbo::Point;

use super::asked_figure::AskedFigure;
use super::question::{Aspect, FigureQuestion, QuestionSpec};
use super::{WORDING, describe, draw, noise};
use crate::item::place_of;
use crate::set::Shades;
use crate::{Benchmark, Item, Options, Page, Picture, Rng};
use record::{Content, ImageRef, Labels, Value};

/// Benchmark name in items and logs.
pub const NAME: &str = "gepbench";
/// File name of the structured descriptions and captions.
pub const FIGURES: &str = "figures.jsonl";
/// Questions per 16 figures: the paper has 285,000 questions about 80,000 figures.
const QUESTIONS: usize = 57;
const FIGURES_OF_THEM: usize = 16;
/// Numbers of shapes; 9 of 15 figures have at most four shapes and count as easy.
const SHAPES: [usize; 15] = [2, 3, 3, 3, 4, 4, 4, 4, 4, 5, 6, 7, 8, 9, 10];
/// Figures with more shapes than this are hard (section 3.3).
const EASY: usize = 4;
/// Probability of noise (section 3.2).
const NOISE: f64 = 0.5;

/// Which figures of a set have noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Noise {
    /// A random half of the figures.
    #[default]
    Some,
    /// No figure has noise.
    None,
    /// All figures have noise.
    All,
    /// Every figure is drawn once without and once with noise, with the same questions.
    Both,
}

/// A figure as drawn in one picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Version<'a> {
    /// Name of the figure.
    pub name: &'a str,
    /// Path of the picture.
    pub path: &'a str,
    /// True if the picture has noise.
    pub noisy: bool,
}

/// The benchmark: `items` items from a seed, figure by figure.
#[derive(Clone, Copy, Debug)]
pub struct Gepbench {
    questions: usize,
    seed: u64,
    noise: Noise,
}

/// Streams of random numbers.
const FIGURE: u64 = 1;
const DRAWING: u64 = 2;
const NOISY: u64 = 3;
const NOISE_ITSELF: u64 = 4;
const COUNT_OF_SHAPES: u64 = 5;
const LETTER: u64 = 16;

impl Gepbench {
    /// Creates a benchmark with this number of items.
    pub const fn new(items: usize, seed: u64, noise: Noise) -> Self {
        let questions = match noise {
            Noise::Both => items.div_ceil(2),
            _ => items,
        };
        Self {
            questions,
            seed,
            noise,
        }
    }

    /// The figure with this number, and its questions.
    pub fn asked(&self, number: usize) -> AskedFigure {
        let wants = self.wants(number);
        let mut rng = Rng::new(self.seed, &[FIGURE, number as u64]);
        let place = place_of(number, SHAPES.len(), COUNT_OF_SHAPES, self.seed);
        let shapes = SHAPES.get(place).copied().unwrap_or(EASY);
        AskedFigure::found(&wants, shapes, &mut rng)
    }

    /// Specifications of a figure's questions.
    fn wants(&self, number: usize) -> Vec<QuestionSpec> {
        let first = |figure: usize| (figure * QUESTIONS).div_ceil(FIGURES_OF_THEM);
        let questions = first(number)..first(number + 1).min(self.questions);
        let aspects = Aspect::ALL.len();
        questions
            .filter_map(|question| {
                let aspect = *Aspect::ALL.get(question % aspects)?;
                let number = question / aspects;
                let kind = LETTER + aspect as u64;
                Some(QuestionSpec {
                    aspect,
                    number,
                    place: place_of(number, 4, kind, self.seed),
                    seed: self.seed,
                    exactly: true,
                })
            })
            .collect()
    }

    /// Versions of a figure; true means with noise.
    fn versions(&self, number: usize) -> &'static [bool] {
        match self.noise {
            Noise::None => &[false],
            Noise::All => &[true],
            Noise::Both => &[false, true],
            Noise::Some => {
                if Rng::new(self.seed, &[NOISY, number as u64]).chance(NOISE) {
                    &[true]
                } else {
                    &[false]
                }
            }
        }
    }

    fn item(
        &self,
        version: Version<'_>,
        asked: &AskedFigure,
        want: &QuestionSpec,
        question: &FigureQuestion,
    ) -> Item {
        let Version { name, path, noisy } = version;
        let mut rng = Rng::new(self.seed, &[LETTER, want.aspect as u64, want.number as u64]);
        let placed = if question.last_stays {
            Options::last_stays
        } else {
            Options::placed
        };
        let (right, wrong) = (question.right.clone(), question.wrong.clone());
        let (choices, target) = placed(right, wrong, want.place, &mut rng).lettered();
        let mut tags = question.tags.clone();
        tags.insert("shapes".to_owned(), whole(asked.figure.shapes.len()));
        tags.insert("wording".to_owned(), WORDING.into());
        let mut condition = Labels::new();
        if self.noise == Noise::Both {
            condition.insert("noise".to_owned(), Value::Flag(noisy));
        } else {
            let easy = asked.figure.shapes.len() <= EASY && !noisy;
            tags.insert("noise".to_owned(), Value::Flag(noisy));
            tags.insert(
                "split".to_owned(),
                if easy { "easy" } else { "hard" }.into(),
            );
        }
        Item {
            id: format!("{name}-{}", want.aspect.name()),
            benchmark: NAME,
            ability: want.aspect.name().to_owned(),
            condition,
            content: Content {
                question: question.stem.clone(),
                choices,
                target: Some(target),
                images: vec![ImageRef::Path(path.to_owned())],
                tags,
                ..Content::default()
            },
            ..Item::default()
        }
    }
}

impl Benchmark for Gepbench {
    fn pages(&self) -> usize {
        match self.questions {
            0 => 0,
            some => (some - 1) * FIGURES_OF_THEM / QUESTIONS + 1,
        }
    }

    fn shades(&self) -> Shades {
        Shades::Flat
    }

    fn page(&self, number: usize) -> Page {
        self.wanted(number, &|_| true)
    }

    fn wanted(&self, number: usize, wanted: &dyn Fn(&Item) -> bool) -> Page {
        let asked = self.asked(number);
        let name = format!("f{number:06}");
        let drawing = LazyCell::new(|| {
            let mut rng = Rng::new(self.seed, &[DRAWING, number as u64]);
            draw::draw(&asked.figure, &mut rng)
        });
        let mut page = Page::default();
        for &noisy in self.versions(number) {
            let suffix = if noisy && self.noise == Noise::Both {
                "-noise"
            } else {
                ""
            };
            let path = format!("images/{:03}/{name}{suffix}.png", number / 1000);
            let items = asked.questions.iter();
            let version = Version {
                name: &name,
                path: &path,
                noisy,
            };
            let items = items.map(|(want, question)| self.item(version, &asked, want, question));
            let items: Vec<Item> = items.filter(|item| wanted(item)).collect();
            if items.is_empty() && !asked.questions.is_empty() {
                continue;
            }
            let pixels = if noisy {
                let mut rng = Rng::new(self.seed, &[NOISE_ITSELF, number as u64]);
                noise::noisy(&asked.figure, &drawing, &mut rng)
            } else {
                drawing.pixels()
            };
            let line = describe::line(version, &asked.figure, &drawing);
            page.items.extend(items);
            page.beside.push((FIGURES, line));
            page.pictures.push(Picture { path, pixels });
        }
        page
    }
}

/// A whole number as a tag.
pub fn whole(number: usize) -> Value {
    Value::Number(u32::try_from(number).map_or(0.0, f64::from))
}

/// The quadrant of a point in words, for example `upper left`.
pub fn quadrant(point: Point, of: Point) -> &'static str {
    match (point.y < of.y, point.x < of.x) {
        (true, true) => "upper left",
        (true, false) => "upper right",
        (false, true) => "lower left",
        (false, false) => "lower right",
    }
}
