//! Reads the pictures of samples for the automatic tags that are computed from pixels.
//!
//! Facts are kept by the hash of a picture's bytes, in memory and in the cache folder, so that a
//! picture is decoded once.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use base::file::Inputs;
use base::job::Ticket;
use base::picture_facts::PictureFacts;
use blake3::Hash;
use media::Source;
use record::{AUTOMATIC_TAGS, Table};
use store::Cache;

use super::answered::each;
use super::likeness::{QueryProgress, first_rows};
use super::picture::{roots, source_of};

/// File in the cache folder; its number changes with the meaning of the facts.
const FILE: &str = "picture-facts.1.jsonl";
/// Largest number of pictures that are kept.
const MOST: usize = 500_000;
/// Fewest new pictures for which the file is written; fewer are decoded again in no time.
const WRITTEN: usize = 200;

/// Facts by the hash of a picture's bytes.
static KNOWN: LazyLock<Mutex<KnownFacts>> = LazyLock::new(|| Mutex::new(KnownFacts::read()));

#[derive(Default)]
struct KnownFacts {
    /// `None` for a picture that cannot be decoded.
    facts: HashMap<Hash, Option<PictureFacts>>,
    /// Number of pictures that the file lacks.
    new: usize,
}

impl KnownFacts {
    /// Reads the file, if there is one.
    fn read() -> Self {
        let path = Cache::usual().ok().map(|cache| cache.folder().join(FILE));
        let text = path.and_then(|path| std::fs::read_to_string(path).ok());
        Self::parse(&text.unwrap_or_default())
    }

    /// Reads the text of a file, without the lines that cannot be read.
    fn parse(text: &str) -> Self {
        let line = |line: &str| {
            let (hash, facts) = serde_json::from_str::<(String, PictureFacts)>(line).ok()?;
            Some((Hash::from_hex(hash).ok()?, Some(facts)))
        };
        let facts = text.lines().take(MOST).filter_map(line);
        Self {
            facts: facts.collect(),
            new: 0,
        }
    }

    fn insert(&mut self, hash: Hash, facts: Option<PictureFacts>) {
        if self.facts.len() < MOST {
            self.facts.insert(hash, facts);
            self.new += 1;
        }
    }

    /// Writes the file if enough is new. Without a cache folder the facts are not kept.
    fn write(&mut self) {
        if self.new < WRITTEN {
            return;
        }
        if let Ok(cache) = Cache::usual() {
            let (path, text) = (cache.folder().join(FILE), self.text());
            let written = base::file::write(&path, text.as_bytes(), &Inputs::none());
            if let Err(error) = written {
                tracing::warn!(%error, "facts about pictures are not kept");
            }
        }
        self.new = 0;
    }

    /// Returns the text of the file: a line for each picture that can be decoded.
    fn text(&self) -> String {
        let line = |(hash, facts): (&Hash, &Option<PictureFacts>)| {
            serde_json::to_string(&(hash.to_hex().as_str(), (*facts)?)).ok()
        };
        let lines: Vec<String> = self.facts.iter().filter_map(line).collect();
        lines.join("\n")
    }
}

fn known() -> MutexGuard<'static, KnownFacts> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads the first picture of every item of a table, so that the automatic tags of pictures have
/// values. Pictures that cannot be read, and those on another machine, have none: nothing is
/// downloaded. Does nothing if they were read, and nothing lasting if the ticket becomes stale.
pub fn measure(table: &Table, ticket: &Ticket) {
    if table.picture_facts().is_some() {
        return;
    }
    let all = 0..u32::try_from(table.len()).unwrap_or(u32::MAX);
    let (items, rows): (Vec<u32>, Vec<u32>) = first_rows(table, all).into_iter().unzip();
    let progress = QueryProgress::start(rows.len());
    let found = each(table, &rows, ticket, |row, record| {
        let source = record.content.images.first();
        let source = source.map(|image| source_of(image, &roots(table, row)));
        let facts = source.filter(|source| ticket.is_wanted() && source.is_local());
        let facts = facts.and_then(|source| of_picture(&source));
        progress.step();
        facts
    });
    let found = items.into_iter().zip(found);
    let found = found.filter_map(|(item, facts)| Some((item, facts??)));
    let facts: Vec<(u32, PictureFacts)> = found.collect();
    // Without pictures no cache folder is opened.
    if !facts.is_empty() {
        known().write();
    }
    if ticket.is_wanted() {
        table.set_picture_facts(facts);
    }
}

/// Reads the pictures as [`measure`] does, if a text names a tag of pictures that the logs lack.
pub fn measure_for(text: &str, table: &Table, ticket: &Ticket) {
    let mut tags = AUTOMATIC_TAGS.iter().filter(|tag| tag.is_of_picture);
    if tags.any(|tag| text.contains(tag.name) && table.automatic_tag(tag.name).is_some()) {
        measure(table, ticket);
    }
}

fn of_picture(source: &Source) -> Option<PictureFacts> {
    let bytes = source.read().ok()?;
    let hash = blake3::hash(&bytes);
    if let Some(facts) = known().facts.get(&hash) {
        return *facts;
    }
    let decoded = media::decode_in_turn(&bytes, &source.name(), 1).ok();
    let facts =
        decoded.and_then(|(decoded, _held)| media::facts(&decoded.pixels, bytes.len() as u64));
    known().insert(hash, facts);
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_as_they_were_written_and_damaged_lines_are_left_out() {
        let facts = PictureFacts {
            pixels: 50_176.0,
            aspect: 4.0 / 3.0,
            brightness: 0.1,
            contrast: 1.0 / 7.0,
            colourfulness: 0.0,
            sharpness: 1e-9,
            edges: 1.0,
            bits_per_pixel: 2.5,
            is_grey: true,
            hash: u64::MAX,
        };
        let mut written = KnownFacts::default();
        written.insert(blake3::hash(b"one"), Some(facts));
        written.insert(blake3::hash(b"no picture"), None);
        let text = written.text();
        assert_eq!(text.lines().count(), 1);
        let damaged = format!("{}\n[\"12\", {{}}]\n\n{text}", &text[..text.len() / 2]);
        let read = KnownFacts::parse(&damaged);
        let expected = HashMap::from([(blake3::hash(b"one"), Some(facts))]);
        assert_eq!((read.facts, read.new), (expected, 0));
    }
}
