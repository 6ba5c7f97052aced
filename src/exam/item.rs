//! An item: one question about one picture, with its known answer.

use reader::own;
use record::{Choice, Content, Detections, ImageRef, Labels, Record, Target};

use super::Rng;

/// One question about one picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Item {
    /// Id, unique within the set, ability and condition.
    pub id: String,
    /// Benchmark name, such as `gepbench`.
    pub benchmark: &'static str,
    /// Ability; in `GePBench` the aspect.
    pub ability: String,
    /// Condition that differs between repetitions of a question, such as `noise` or `rotation`.
    pub condition: Labels,
    /// Question, options, target, picture, boxes, tags.
    pub content: Content,
    /// For detection: the target boxes of all asked classes.
    pub detections: Option<Detections>,
}

impl Item {
    /// Converts the item to a record without model and response.
    pub fn record(self) -> Record {
        Record {
            sample_id: self.id,
            benchmark: self.benchmark.to_owned(),
            ability: self.ability,
            condition: self.condition,
            content: self.content,
            detections: self.detections,
            ..Record::default()
        }
    }

    /// Writes the item as a line of Eyechart's own format, without model, response and line break.
    pub fn line(self) -> String {
        own::write_item(&self.record())
    }

    /// Path of the item's picture relative to the set's folder.
    pub fn picture(&self) -> Option<&str> {
        match self.content.images.first() {
            Some(ImageRef::Path(path)) => Some(path),
            _ => None,
        }
    }
}

/// The options of a multiple-choice question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The texts, in the order shown.
    pub texts: Vec<String>,
    /// Index of the right option.
    pub right: usize,
}

impl Options {
    /// Puts the right answer at index `at` and the wrong ones around it in random order.
    pub fn placed(right: String, mut wrong: Vec<String>, at: usize, rng: &mut Rng) -> Self {
        rng.shuffle(&mut wrong);
        let at = at.min(wrong.len());
        wrong.insert(at, right);
        Self {
            texts: wrong,
            right: at,
        }
    }

    /// As [`Self::placed`], but the last wrong option (`none of the above`) stays last unless the
    /// right answer is there.
    pub fn last_stays(right: String, mut wrong: Vec<String>, at: usize, rng: &mut Rng) -> Self {
        let last = wrong.pop();
        let mut options = Self::placed(right, wrong, at, rng);
        options.texts.extend(last);
        options
    }

    /// The options with letters `A`, `B`, ..., and the letter of the right one.
    pub fn lettered(self) -> (Vec<Choice>, Target) {
        let choice = |(text, letter): (String, char)| Choice {
            letter: letter.to_string(),
            text,
        };
        let choices: Vec<Choice> = self.texts.into_iter().zip('A'..='Z').map(choice).collect();
        let letter = choices.get(self.right).map(|choice| choice.letter.clone());
        (choices, Target::Text(letter.unwrap_or_default()))
    }
}

/// Index of the right answer for item `number`. Every block of `places` consecutive items uses each
/// index once, in an order drawn from the seed. `kind` separates the orders of different kinds of
/// question.
pub fn place_of(number: usize, places: usize, kind: u64, seed: u64) -> usize {
    let (block, at) = (number / places.max(1), number % places.max(1));
    let mut order: Vec<usize> = (0..places).collect();
    Rng::new(seed, &[PLACES, kind, block as u64]).shuffle(&mut order);
    order.get(at).copied().unwrap_or(0)
}

/// Random stream for answer positions.
const PLACES: u64 = 0x706c_6163_6573;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_answer_stands_where_it_was_put() {
        let mut rng = Rng::new(5, &[]);
        let wrong = || ["b", "c", "d"].map(str::to_owned).to_vec();
        for at in 0..4 {
            let options = Options::placed("a".to_owned(), wrong(), at, &mut rng);
            assert_eq!(options.texts[at], "a");
            let (choices, target) = options.lettered();
            let letter = ["A", "B", "C", "D"][at];
            assert_eq!(target, Target::Text(letter.to_owned()));
            assert_eq!(choices[at].letter, letter);
            assert_eq!(choices.len(), 4);
        }
    }

    #[test]
    fn every_block_of_questions_has_every_place() {
        let places: Vec<usize> = (0..400).map(|number| place_of(number, 4, 2, 9)).collect();
        for block in places.chunks(4) {
            let mut block = block.to_vec();
            block.sort_unstable();
            assert_eq!(block, [0, 1, 2, 3]);
        }
        assert_ne!(places[..40], places[40..80], "the order does not repeat");
        let others: Vec<usize> = (0..400).map(|number| place_of(number, 4, 3, 9)).collect();
        assert_ne!(places, others);
    }

    #[test]
    fn a_line_reads_back() {
        let item = Item {
            id: "f1-size".to_owned(),
            benchmark: "gepbench",
            ability: "size".to_owned(),
            content: Content {
                question: "How large?".to_owned(),
                images: vec![ImageRef::Path("images/f1.png".to_owned())],
                target: Some(Target::Text("B".to_owned())),
                ..Content::default()
            },
            ..Item::default()
        };
        assert_eq!(item.picture(), Some("images/f1.png"));
        let line = item.clone().line();
        assert!(
            !line.contains("model") && !line.contains("response"),
            "{line}"
        );
        assert_eq!(own::parse_asked(line.as_bytes()), Ok(item.content));
    }
}
