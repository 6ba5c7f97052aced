//! An encoder trained on one ability. [`TrainedEncoder::has_seen`] recognises its training
//! pictures.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use image::RgbaImage;
use image::imageops::rotate90;
use serde::{Deserialize, Serialize};

use super::kept::{TrainingSubject, cached};
use super::runs::{PicturedItem, train};
use super::training_set::TrainingSet;
use crate::encoder::{Encoder, Heads};
use record::Content;

/// Encoder, training set and ability.
type Subject = (Encoder, TrainingSet, String);

/// An encoder trained on one ability, with the digests of its training pictures.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TrainedEncoder {
    heads: Heads,
    ability: String,
    seen: HashSet<[u8; 32]>,
    /// Words of the options in the training items.
    words: BTreeSet<String>,
}

impl TrainedEncoder {
    /// Draws the training items and trains an encoder. Deterministic; takes seconds; cached within
    /// the process.
    pub fn train(encoder: Encoder, training_set: TrainingSet, ability: &str) -> Arc<Self> {
        static TRAINED: Mutex<BTreeMap<Subject, Arc<OnceLock<Arc<TrainedEncoder>>>>> =
            Mutex::new(BTreeMap::new());
        let slot = {
            let mut trained = TRAINED.lock().unwrap_or_else(PoisonError::into_inner);
            let subject = (encoder, training_set, ability.to_owned());
            Arc::clone(trained.entry(subject).or_default())
        };
        let train = || {
            let items = TrainingSubject {
                training_set,
                ability,
            };
            Arc::new(Self::learnt(encoder, items, || training_set.items(ability)))
        };
        Arc::clone(slot.get_or_init(train))
    }

    /// Loads the encoder from the disk cache, or trains it on `known` and caches it.
    pub fn learnt<K: AsRef<[PicturedItem]>>(
        encoder: Encoder,
        items: TrainingSubject<'_>,
        known: impl FnOnce() -> K,
    ) -> Self {
        cached(encoder.name(), items, || {
            Self::train_on(encoder, items.ability, known().as_ref())
        })
    }

    /// Trains an encoder on given items of one ability.
    pub fn train_on(encoder: Encoder, ability: &str, known: &[PicturedItem]) -> Self {
        let options = known.iter().flat_map(|asked| &asked.item.content.choices);
        Self {
            heads: train(encoder, ability, known),
            ability: ability.to_owned(),
            seen: known.iter().map(|asked| digest(&asked.picture)).collect(),
            words: options.flat_map(|choice| words(&choice.text)).collect(),
        }
    }

    /// Returns true if the picture, at any quarter turn, is one of the training pictures.
    pub fn has_seen(&self, picture: &RgbaImage) -> bool {
        let mut turned = picture.clone();
        (0..4).any(|_| {
            let seen = self.seen.contains(&digest(&turned));
            turned = rotate90(&turned);
            seen
        })
    }

    /// Returns true if at least one option has a word known from training; otherwise an answer
    /// would be a guess.
    fn knows_options(&self, content: &Content) -> bool {
        let mut choices = content.choices.iter();
        content.choices.is_empty()
            || choices.any(|choice| words(&choice.text).any(|word| self.words.contains(&word)))
    }

    /// Predicts the response to an item from its options and pixels, never from its target. Returns
    /// `None` if nothing in training covers it.
    pub fn respond(&self, content: &Content, picture: &RgbaImage) -> Option<String> {
        if !self.knows_options(content) {
            return None;
        }
        let untold = Content {
            target: None,
            ..content.clone()
        };
        self.heads.predict(&self.ability, &untold, picture)
    }
}

/// The words of an option in lower case, without short ones; all numbers map to one word.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter_map(|word| match word.to_lowercase() {
        word if word.starts_with(|c: char| c.is_ascii_digit()) => Some("0".to_owned()),
        word if word.chars().count() < 3 || matches!(word.as_str(), "the" | "and") => None,
        word => Some(word),
    })
}

fn digest(picture: &RgbaImage) -> [u8; 32] {
    *blake3::hash(picture.as_raw()).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abilities::levels::LevelledExam;
    use crate::training_set::TrainingSet;
    use record::Choice;

    fn with(options: &[&str]) -> Content {
        let choice = |text: &&str| Choice {
            letter: String::new(),
            text: (*text).to_owned(),
        };
        Content {
            choices: options.iter().map(choice).collect(),
            ..Content::default()
        }
    }

    #[test]
    fn what_is_kept_answers_as_before() {
        let few: Vec<PicturedItem> = TrainingSet::Exam
            .items("emotion")
            .into_iter()
            .take(40)
            .collect();
        for (ability, known) in [
            ("emotion", few),
            ("localization", items("localization")),
            ("ocr", items("ocr")),
            ("color", items("color")),
            ("counting", items("counting")),
        ] {
            let trained = TrainedEncoder::train_on(Encoder::Gabor, ability, &known);
            let bytes = postcard::to_stdvec(&trained).unwrap();
            let again: TrainedEncoder = postcard::from_bytes(&bytes).unwrap();
            for asked in &known[..8] {
                let of =
                    |trained: &TrainedEncoder| trained.respond(&asked.item.content, &asked.picture);
                assert_eq!(of(&again), of(&trained), "{ability}");
                assert!(of(&again).is_some(), "{ability}");
            }
            assert!(again.has_seen(&known[0].picture));
        }
    }

    fn items(ability: &str) -> Vec<PicturedItem> {
        let all = LevelledExam::at(14 * 20, &[1, 2], 7).of(&[ability]);
        crate::runs::pictured_items(&all, |_| true)
    }

    #[test]
    fn training_pictures_are_recognised_and_nothing_is_made_up() {
        let known: Vec<PicturedItem> = TrainingSet::Exam
            .items("texture")
            .into_iter()
            .take(24)
            .collect();
        let trained = TrainedEncoder::train_on(Encoder::Pixels, "texture", &known);
        let picture = &known[3].picture;
        assert!(trained.has_seen(picture) && trained.has_seen(&rotate90(&**picture)));
        let other = RgbaImage::new(256, 256);
        assert!(!trained.has_seen(&other));
        assert!(
            trained
                .respond(&with(&["striped", "slate"]), &other)
                .is_some()
        );
        assert_eq!(
            trained.respond(&with(&["labrador", "poodle"]), &other),
            None
        );
    }
}
