//! Tests that a subgroup search reports planted failures first, and finds nothing if no failure is
//! planted.
//!
//! `EYECHART_SLICES=100` sets the number of logs of each kind. Of a hundred planted logs, 40 fail
//! on a word in the question. 30 fail on a property of the target box, and 30 on a property of the
//! picture.
//!
//! Boxes, questions and facts about answers are random. The pictures are those of
//! `sample_runs/exam`, so brightness, contrast, sharpness and other facts are correlated as in real
//! pictures.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::{Dice, opened};
use eyechart::analysis::Selection;
use eyechart::analysis::slices::{Search, Slice, slices};
use eyechart::base::picture_facts::PictureFacts;
use eyechart::record::verdict::Book;
use eyechart::record::{AnswerFacts, FinishReason, Scoring};
use serde_json::json;

/// Number of logs of each kind in an ordinary run.
const LOGS: u32 = 20;

const NOUNS: [&str; 7] = ["dog", "cat", "car", "tree", "man", "bus", "bench"];
const ADJECTIVES: [&str; 4] = ["red", "small", "brown", "old"];
const RELATIONS: [&str; 4] = ["left of", "right of", "above", "behind"];

impl Dice {
    fn one_of(&mut self, texts: &[&'static str]) -> &'static str {
        texts[self.below(u32::try_from(texts.len()).unwrap()) as usize]
    }

    fn thing(&mut self) -> String {
        let noun = self.one_of(&NOUNS);
        if self.share() < 0.5 {
            format!("the {} {noun}", self.one_of(&ADJECTIVES))
        } else {
            format!("the {noun}")
        }
    }

    fn question(&mut self) -> String {
        let (thing, relation) = (self.thing(), self.one_of(&RELATIONS));
        match self.below(5) {
            0 => format!("Is {thing} {relation} {}?", self.thing()),
            1 => format!("How many {}s are {relation} {thing}?", self.one_of(&NOUNS)),
            2 => format!("What color is {thing}?"),
            3 => format!("Which object is {relation} {thing}?"),
            _ => format!("Where is {thing}?"),
        }
    }
}

/// Facts about the pictures of the exam in `sample_runs`.
static PICTURES: LazyLock<Vec<PictureFacts>> = LazyLock::new(|| {
    fn find(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                find(&path, found);
            } else {
                found.push(path);
            }
        }
    }
    let mut files = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/exam/images");
    find(&folder, &mut files);
    files.sort();
    let of_file = |file: &PathBuf| {
        let bytes = fs::read(file).unwrap();
        let decoded = eyechart::media::decode(&bytes, "picture").unwrap();
        eyechart::media::facts(&decoded.pixels, bytes.len() as u64).unwrap()
    };
    files.iter().map(of_file).collect()
});

/// Returns the value below which the given percentage of the pictures lies.
fn quantile(of: fn(&PictureFacts) -> f64, percent: usize) -> f64 {
    let mut values: Vec<f64> = PICTURES.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() * percent / 100]
}

/// A sample without its score.
struct Asked {
    question: String,
    /// Centre and side of the square target box, as shares of the picture.
    target: [f64; 3],
    picture: PictureFacts,
    answer: AnswerFacts,
    /// Index of the right option.
    right: usize,
}

impl Asked {
    fn draw(dice: &mut Dice) -> Self {
        let side = 0.05 + 0.9 * dice.share() * dice.share();
        let centre = |dice: &mut Dice| side / 2.0 + (1.0 - side) * dice.share();
        Self {
            question: dice.question(),
            target: [centre(dice), centre(dice), side],
            picture: PICTURES[dice.below(u32::try_from(PICTURES.len()).unwrap()) as usize],
            right: dice.below(4) as usize,
            answer: AnswerFacts {
                words: 1 + dice.below(40),
                chosen: 1 + u16::try_from(dice.below(4)).unwrap(),
                hedges: dice.share() < 0.2,
                refuses: dice.share() < 0.05,
                finish_reason: Some(if dice.share() < 0.15 {
                    FinishReason::Length
                } else {
                    FinishReason::Stop
                }),
            },
        }
    }

    fn has(&self, word: &str) -> bool {
        let text: String = self.question.to_lowercase().replace('?', " ?");
        format!(" {text} ").contains(&format!(" {word} "))
    }
}

/// The property of a sample on which a model fails.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Nothing,
    Word(&'static str),
    /// A box that covers less than this share of the picture.
    SmallBox(f64),
    /// A box in this third of the picture, counted from the left, and in the middle third
    /// vertically.
    Column(u32),
    /// A picture whose brightness is below this value.
    Dark(f64),
    /// A picture whose sharpness is below this value.
    Blurred(f64),
    /// A picture in which edges cover at least this share.
    Cluttered(f64),
    /// An answer with hedging words.
    Hedging,
    /// An answer that reached the token limit.
    Cut,
    /// An answer that chooses this option.
    Chosen(u16),
}

impl Fault {
    fn draw(at: u32, dice: &mut Dice) -> Self {
        match at % 10 {
            0..4 => Self::Word(dice.one_of(&["left of", "above", "dog", "red", "color", "object"])),
            4 | 5 => Self::SmallBox([0.1, 0.2][dice.below(2) as usize]),
            6 => Self::Column(dice.below(3)),
            look => {
                let percent = [20, 30][dice.below(2) as usize];
                match look {
                    7 => Self::Dark(quantile(|it| it.brightness, percent)),
                    8 => Self::Blurred(quantile(|it| it.sharpness, percent)),
                    _ => Self::Cluttered(quantile(|it| it.edges, 90 - percent)),
                }
            }
        }
    }

    fn holds(self, asked: &Asked) -> bool {
        let third = |at: f64| u32::from(at >= 1.0 / 3.0) + u32::from(at >= 2.0 / 3.0);
        let [x, y, side] = asked.target;
        match self {
            Self::Nothing => false,
            Self::Word(word) => asked.has(word),
            Self::SmallBox(area) => side * side < area,
            Self::Column(column) => third(x) == column && third(y) == 1,
            Self::Dark(least) => asked.picture.brightness < least,
            Self::Blurred(least) => asked.picture.sharpness < least,
            Self::Cluttered(least) => asked.picture.edges >= least,
            Self::Hedging => asked.answer.hedges,
            Self::Cut => asked.answer.finish_reason == Some(FinishReason::Length),
            Self::Chosen(option) => asked.answer.chosen == option,
        }
    }

    /// Returns true if a finding is about this property, or selects exactly its samples by another
    /// one.
    fn is_named_by(self, found: &Slice, planted: u64) -> bool {
        let only = |tag: &str| found.automatic == [tag] && !found.expression.contains(' ');
        let named = match self {
            Self::Nothing => false,
            Self::Word(word) => found.words == format!("the question has \"{word}\""),
            Self::SmallBox(_) => only("auto.box_area") || only("auto.box_pixels"),
            Self::Column(_) => found.automatic == ["auto.box_place"],
            Self::Dark(_) => only("auto.brightness"),
            Self::Blurred(_) => only("auto.sharpness"),
            Self::Cluttered(_) => only("auto.edges"),
            Self::Hedging => found.words == "the answer hedges",
            Self::Cut => found.words == "the finish reason is \"length\"",
            Self::Chosen(option) => found.words == format!("the chosen option is number {option}"),
        };
        named || (found.n == planted && found.difference < 0.0)
    }
}

/// Searches a random log. Returns its most significant finding, and the number of samples with the
/// fault.
fn search(seed: u64, fault: impl Fn(&mut Dice) -> Fault) -> (Fault, Option<Slice>, u64) {
    let mut dice = Dice::new(seed);
    let fault = fault(&mut dice);
    let samples = 500 + dice.below(4_501);
    let (base, effect) = (0.5 + 0.35 * dice.share(), 0.15 + 0.15 * dice.share());
    let (mut planted, mut pictures, mut answers) = (0, Vec::new(), Vec::new());
    let mut line = |at: u32| {
        let asked = Asked::draw(&mut dice);
        let has = fault.holds(&asked);
        planted += u64::from(has);
        pictures.push((at, asked.picture));
        answers.push((at, asked.answer));
        let right = dice.share() < base - if has { effect } else { 0.0 };
        let [x, y, side] = asked.target.map(|part| part * 1_000.0);
        let sides = [
            x - side / 2.0,
            y - side / 2.0,
            x + side / 2.0,
            y + side / 2.0,
        ];
        let line = json!({
            "sample_id": at.to_string(), "ability": "any", "model": "m", "image": format!("{at}.png"),
            "question": asked.question, "metric": "accuracy", "score": u8::from(right),
            "boxes": [{"label": "thing", "role": "target", "xyxy": sides}],
            "tags": {"picture_size": "1000x1000"},
            "choices": ["w", "x", "y", "z"], "target": (["A", "B", "C", "D"][asked.right]),
        });
        line.to_string()
    };
    let lines: Vec<String> = (0..samples).map(&mut line).collect();
    let table = opened(&lines.join("\n"));
    assert_eq!(table.len(), samples as usize);
    table.set_picture_facts(pictures);
    table.set_answer_facts(answers);
    let selection = Selection::all(&table, Scoring::Harness);
    let found = slices(selection, &Search::default(), &Book::default());
    assert!(found.family > 300, "{} tried", found.family);
    (fault, found.slices.into_iter().next(), planted)
}

fn logs() -> u32 {
    let set = std::env::var("EYECHART_SLICES").ok();
    set.and_then(|set| set.parse().ok()).unwrap_or(LOGS)
}

/// Returns the logs whose most significant finding is not the planted failure, and what was found.
fn missed(seed: u64, logs: u32, draw: impl Fn(u32, &mut Dice) -> Fault) -> Vec<String> {
    let miss = |at: u32| {
        let (fault, found, planted) = search(seed + u64::from(at), |dice| draw(at, dice));
        let is_named = found
            .as_ref()
            .is_some_and(|found| fault.is_named_by(found, planted));
        let first = found.map(|found| found.words);
        (!is_named).then(|| format!("log {at}: {fault:?}, {planted} samples, first {first:?}"))
    };
    (0..logs).filter_map(miss).collect()
}

/// In November 2026, 73 of 100 planted failures were reported first, and 0 of 100 logs without
/// failures had a finding. At least 60 of 100 must be reported first. With fewer logs, the required
/// number is the one that a rate of 60 % reaches in about 95 of 100 runs.
#[test]
fn planted_failures_are_named_first() {
    let missed = missed(5_000, logs(), Fault::draw);
    let named = logs() - u32::try_from(missed.len()).unwrap();
    let all = f64::from(logs());
    let least = if logs() < 100 {
        0.6 * all - 1.645 * (0.24 * all).sqrt()
    } else {
        0.6 * all
    };
    println!("{named} of {all} planted failures are named first, all but {missed:#?}");
    assert!(f64::from(named) >= least, "{named} of {all}, not {least}");
}

#[test]
fn failures_of_answers_are_named_first() {
    let fault = |at: u32, dice: &mut Dice| match at % 3 {
        0 => Fault::Hedging,
        1 => Fault::Cut,
        _ => Fault::Chosen(1 + u16::try_from(dice.below(4)).unwrap()),
    };
    let missed = missed(13_000, 12, fault);
    assert!(missed.len() <= 3, "{missed:#?}");
}

/// Up to 5 of 100 logs may have a finding, and at most one of twenty.
#[test]
fn nothing_is_found_where_nothing_is_planted() {
    let found = (0..logs()).filter(|at| {
        search(9_000 + u64::from(*at), |_| Fault::Nothing)
            .1
            .is_some()
    });
    let found = found.count();
    println!("{found} of {} logs without failures have a finding", logs());
    assert!(
        found * 20 <= logs().max(20) as usize,
        "{found} of {}",
        logs()
    );
}
