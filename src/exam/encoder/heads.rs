//! An encoder with one head per ability.

use std::collections::BTreeMap;

use image::RgbaImage;
use serde::{Deserialize, Serialize};

use super::Encoder;
use super::head::{Head, Training};
use record::Content;

/// A training example: an item's content and its picture.
#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    /// Question, options and target.
    pub content: &'a Content,
    /// The picture with its boxes drawn.
    pub picture: &'a RgbaImage,
}

/// An encoder with its trained heads, by ability.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Heads {
    encoder: Encoder,
    by_ability: BTreeMap<String, Head>,
    with_regions: bool,
}

impl Heads {
    /// An encoder without heads.
    pub const fn new(encoder: Encoder) -> Self {
        Self {
            encoder,
            by_ability: BTreeMap::new(),
            with_regions: false,
        }
    }

    /// Allows heads to use more than the views: where drawn boxes lie, what is above and below
    /// them, and salient objects. A head uses these only if they answer more held-out examples.
    #[must_use]
    pub fn with_regions(self) -> Self {
        Self {
            with_regions: true,
            ..self
        }
    }

    /// Trains the head of an ability; deterministic. Examples without a target are ignored; without
    /// examples no head is stored.
    pub fn learn(&mut self, ability: &str, examples: &[Example<'_>]) {
        let training = Training {
            encoder: self.encoder,
            with_regions: self.with_regions,
        };
        if let Some(head) = Head::train(training, ability, examples) {
            self.by_ability.insert(ability.to_owned(), head);
        }
    }

    /// The encoder that all heads share.
    pub const fn encoder(&self) -> Encoder {
        self.encoder
    }

    /// Predicted response to a question about a picture, in the ability's answer form: `B.
    /// striped`, `12`, `[10, 20, 90, 80]`, `[200, 30, 60]` or a text. Boxes are in pixels of this
    /// picture. Returns `None` for an ability without a head.
    pub fn predict(&self, ability: &str, content: &Content, picture: &RgbaImage) -> Option<String> {
        Some(
            self.by_ability
                .get(ability)?
                .respond(self.encoder, content, picture),
        )
    }
}
