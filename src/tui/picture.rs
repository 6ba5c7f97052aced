//! Pictures for the screens: which are wanted, which are ready.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::graphics::{Drawn, Reply, Request};
use crate::media::{PictureCache, Source};

/// Bytes of drawn pictures that are kept.
const KEPT: usize = 48 << 20;

/// A picture that is ready, or why there is none.
pub enum Ready {
    /// The picture.
    Drawn(Drawn),
    /// Why there is none, and what would help.
    Missing(String, &'static str),
}

/// Pictures by key, and what the last drawing missed.
pub struct Pictures {
    ready: PictureCache<u64, Ready>,
    /// Sizes of whole pictures in their own pixels, by source.
    sizes: PictureCache<u64, (u32, u32)>,
    asked: Vec<(u64, u64)>,
    /// What the screen needs now.
    pub wanted: Vec<Request>,
    /// What it is likely to need next.
    pub ahead: Vec<Request>,
    /// How pictures are shown, in words.
    pub how: String,
}

impl Default for Pictures {
    fn default() -> Self {
        Self {
            ready: PictureCache::new(KEPT),
            sizes: PictureCache::new(1 << 16),
            asked: Vec::new(),
            wanted: Vec::new(),
            ahead: Vec::new(),
            how: String::new(),
        }
    }
}

fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Pictures {
    /// The key of a request: equal requests have equal keys.
    #[must_use]
    pub fn key(request: &Request) -> u64 {
        let region = request.region.map(|region| region.map(f64::to_bits));
        let boxes: Vec<_> = request
            .overlays
            .iter()
            .map(|overlay| format!("{overlay:?}"))
            .collect();
        digest(&(&request.source, request.area, region, boxes))
    }

    /// The picture of a request, if it is ready.
    pub fn get(&mut self, key: u64) -> Option<&Ready> {
        self.ready.get(&key)
    }

    /// Whether a request need not be made again.
    #[must_use]
    pub fn has(&self, key: u64) -> bool {
        self.ready.contains(&key)
    }

    /// The size of a source's picture in its own pixels, once it was seen.
    pub fn size(&mut self, source: &Source) -> Option<(u32, u32)> {
        self.sizes.get(&digest(source)).copied()
    }

    /// Remembers which source a key shows.
    pub fn note(&mut self, request: &Request) {
        self.asked.retain(|(key, _)| *key != request.key);
        self.asked.push((request.key, digest(&request.source)));
        let surplus = self.asked.len().saturating_sub(64);
        self.asked.drain(..surplus);
    }

    /// Takes what became of a request.
    pub fn receive(&mut self, reply: Reply) {
        match reply {
            Reply::Shown { key, drawn, pixels } => {
                if let Some((_, source)) = self.asked.iter().find(|(known, _)| *known == key) {
                    self.sizes.insert(*source, pixels, 16);
                }
                let bytes = drawn.bytes();
                self.ready.insert(key, Ready::Drawn(drawn), bytes);
            }
            Reply::Failed {
                key,
                sentence,
                hint,
            } => {
                let sentence = crate::format::visible(&sentence).into_owned();
                self.ready
                    .insert(key, Ready::Missing(sentence, hint.unwrap_or_default()), 256);
            }
        }
    }

    /// Forgets what was drawn: the terminal may have forgotten it too.
    pub fn forget(&mut self) {
        self.ready.clear();
    }
}
