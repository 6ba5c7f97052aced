//! An encoder trained on one ability. [`TrainedEncoder::has_seen`] recognises its training pictures.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use image::RgbaImage;
use image::imageops::rotate90;

use super::runs::{PicturedItem, train};
use super::training_set::TrainingSet;
use encoder::{Encoder, Heads};
use record::Content;

/// Which encoder learns what.
type Subject = (Encoder, TrainingSet, String);

/// An encoder trained on one ability, with the digests of its training pictures.
#[derive(Clone, Debug)]
pub struct TrainedEncoder {
    heads: Heads,
    ability: String,
    seen: HashSet<blake3::Hash>,
    /// Words of the options in the training items.
    words: BTreeSet<String>,
}

impl TrainedEncoder {
    /// Draws the training items and trains an encoder on them; deterministic, takes seconds, once in a process.
    #[must_use]
    pub fn train(encoder: Encoder, training_set: TrainingSet, ability: &str) -> Arc<Self> {
        static TRAINED: Mutex<BTreeMap<Subject, Arc<OnceLock<Arc<TrainedEncoder>>>>> =
            Mutex::new(BTreeMap::new());
        let slot = {
            let mut trained = TRAINED.lock().unwrap_or_else(PoisonError::into_inner);
            let subject = (encoder, training_set, ability.to_owned());
            Arc::clone(trained.entry(subject).or_default())
        };
        let train = || {
            Arc::new(Self::train_on(
                encoder,
                ability,
                &training_set.items(ability),
            ))
        };
        Arc::clone(slot.get_or_init(train))
    }

    /// Trains an encoder on given items of one ability.
    #[must_use]
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
    #[must_use]
    pub fn has_seen(&self, picture: &RgbaImage) -> bool {
        let mut turned = picture.clone();
        (0..4).any(|_| {
            let seen = self.seen.contains(&digest(&turned));
            turned = rotate90(&turned);
            seen
        })
    }

    /// Returns true if at least one option has a word known from training; otherwise an answer would be a guess.
    #[must_use]
    fn knows_options(&self, content: &Content) -> bool {
        let mut choices = content.choices.iter();
        content.choices.is_empty()
            || choices.any(|choice| words(&choice.text).any(|word| self.words.contains(&word)))
    }

    /// The response to an item, from its options and pixels, never from its target. Returns `None` if the encoder was
    /// trained on nothing that could answer it.
    #[must_use]
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

/// The content words of an option, lower case; all numbers map to one word.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter_map(|word| match word.to_lowercase() {
        word if word.starts_with(|c: char| c.is_ascii_digit()) => Some("0".to_owned()),
        word if word.chars().count() < 3 || matches!(word.as_str(), "the" | "and") => None,
        word => Some(word),
    })
}

fn digest(picture: &RgbaImage) -> blake3::Hash {
    blake3::hash(picture.as_raw())
}

#[cfg(test)]
mod tests {
    use super::*;
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
