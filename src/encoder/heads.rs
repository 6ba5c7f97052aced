//! An encoder with one head per ability.

use std::collections::BTreeMap;

use image::RgbaImage;
use serde::{Deserialize, Serialize};

use super::Encoder;
use super::head::Head;
use record::Content;

/// A training example: an item's content and its picture.
#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    /// Question, options and target.
    pub content: &'a Content,
    /// The picture with its boxes drawn.
    pub picture: &'a RgbaImage,
}

/// An encoder with its trained heads.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Heads {
    encoder: Encoder,
    by_ability: BTreeMap<String, Head>,
    with_regions: bool,
}

impl Heads {
    /// An encoder without heads.
    #[must_use]
    pub const fn new(encoder: Encoder) -> Self {
        Self {
            encoder,
            by_ability: BTreeMap::new(),
            with_regions: false,
        }
    }

    /// Heads that may also see where drawn boxes lie, what is above and below them, and each thing that stands out, where
    /// that answers more of the examples that are held out.
    #[must_use]
    pub fn with_regions(self) -> Self {
        Self {
            with_regions: true,
            ..self
        }
    }

    /// Trains the head of an ability; deterministic. Examples without a target are ignored; without any example there
    /// is no head.
    pub fn learn(&mut self, ability: &str, examples: &[Example<'_>]) {
        if let Some(head) = Head::train(self.encoder, ability, examples, self.with_regions) {
            self.by_ability.insert(ability.to_owned(), head);
        }
    }

    /// The encoder.
    #[must_use]
    pub const fn encoder(&self) -> Encoder {
        self.encoder
    }

    /// The response to a question about a picture, in the ability's form of answer: `B. striped`, `12`, `[10, 20, 90,
    /// 80]`, `[200, 30, 60]` or a text. Boxes are in pixels of this picture. Returns `None` for an ability without a
    /// head.
    #[must_use]
    pub fn predict(&self, ability: &str, content: &Content, picture: &RgbaImage) -> Option<String> {
        Some(
            self.by_ability
                .get(ability)?
                .respond(self.encoder, content, picture),
        )
    }
}
