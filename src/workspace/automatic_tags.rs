//! Reads pictures and answers for the automatic tags that are computed from pixels and responses.
//!
//! Facts about a picture are stored under the hash of its bytes, in memory and in the cache folder.
//! So each picture is decoded only once.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use base::file::Inputs;
use base::job::Ticket;
use base::picture_facts::PictureFacts;
use blake3::Hash;
use media::Source;
use record::{
    AUTOMATIC_TAGS, AnswerFacts, AutomaticTag, Record, Row, Scoring, Subject, Table, right_choice,
};
use scorer::{hedges, refuses};
use store::Cache;

use super::answered::{answer_in, each};
use super::likeness::first_rows;
use super::picture::{roots, source_of};
use super::progress::QueryProgress;

/// File in the cache folder. Its number changes when the meaning of the facts changes.
const FILE: &str = "picture-facts.3.jsonl";
/// Maximum number of pictures whose facts are stored.
const MOST: usize = 500_000;
/// Minimum number of new pictures for writing the file. Fewer pictures are quickly decoded again.
const WRITTEN: usize = 200;

/// Facts by the hash of the picture's bytes.
static KNOWN: LazyLock<Mutex<KnownFacts>> = LazyLock::new(|| Mutex::new(KnownFacts::read()));

#[derive(Default)]
struct KnownFacts {
    /// Facts by picture; `None` if the picture cannot be decoded.
    facts: HashMap<Hash, Option<PictureFacts>>,
    /// Number of pictures that are not in the file yet.
    new: usize,
}

impl KnownFacts {
    /// Reads the file; empty if it does not exist.
    fn read() -> Self {
        let path = Cache::usual().ok().map(|cache| cache.folder().join(FILE));
        let text = path.and_then(|path| std::fs::read_to_string(path).ok());
        Self::parse(&text.unwrap_or_default())
    }

    /// Parses the text of a file. Skips invalid lines.
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

    /// Writes the file if there are enough new pictures. Does nothing if there is no cache folder.
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

/// Which contents of records the automatic tags need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TagSources {
    /// True if they need the first picture of every item.
    pub pictures: bool,
    /// True if they need the answer of every prediction.
    pub answers: bool,
}

impl TagSources {
    /// Returns what the automatic tags in a filter text need. Tags from logs need nothing.
    fn of(text: &str, table: &Table) -> Self {
        let mut found = Self::default();
        let is_named = |tag: &&AutomaticTag| {
            text.contains(tag.name) && table.automatic_tag(tag.name).is_some()
        };
        for tag in AUTOMATIC_TAGS.iter().filter(is_named) {
            found.pictures |=
                tag.subject == Subject::Picture || tag.needs_size && table.lacks_picture_sizes();
            found.answers |= tag.subject == Subject::Answer;
        }
        found
    }
}

/// Facts read for one row.
struct RowFacts {
    /// Boxed to save memory, because few rows have a picture.
    picture: Option<Box<PictureFacts>>,
    answer: Option<AnswerFacts>,
}

/// Reads those pictures and answers of a table that automatic tags need and that were not read yet.
///
/// Downloads nothing: unreadable and remote pictures get no values. If the ticket becomes stale,
/// the table is not changed.
pub fn read(table: &Table, wanted: TagSources, ticket: &Ticket) {
    let pictures = wanted.pictures && table.picture_facts().is_none();
    let answers = wanted.answers && table.answer_facts().is_none();
    if !pictures && !answers {
        return;
    }
    let all = 0..u32::try_from(table.len()).unwrap_or(u32::MAX);
    let first = first_rows(table, all.clone());
    let is_first = |row: Row| first.get(&table.item(row).0) == Some(&row.0);
    let rows: Vec<u32> = if answers {
        all.collect()
    } else {
        first.values().copied().collect()
    };
    let progress = QueryProgress::start(rows.len());
    let found = each(table, &rows, ticket, |row, record| {
        let picture = (pictures && is_first(row)).then(|| {
            let source = record.content.images.first();
            let source = source.map(|image| source_of(image, &roots(table, row)));
            let source = source.filter(|source| ticket.is_wanted() && source.is_local());
            of_picture(&source?)
        });
        let answer = answers.then(|| of_answer(table, row, record));
        progress.step();
        RowFacts {
            picture: picture.flatten().map(Box::new),
            answer: answer.flatten(),
        }
    });
    if !ticket.is_wanted() {
        return;
    }
    let found = rows.into_iter().zip(found);
    let found: Vec<(u32, RowFacts)> = found.filter_map(|(row, it)| Some((row, it?))).collect();
    if pictures {
        let facts = found
            .iter()
            .filter_map(|(row, it)| Some((table.item(Row(*row)).0, *it.picture.clone()?)));
        let mut facts: Vec<(u32, PictureFacts)> = facts.collect();
        facts.sort_unstable_by_key(|(item, _)| *item);
        // Without pictures, do not open a cache folder.
        if !facts.is_empty() {
            known().write();
        }
        table.set_picture_facts(facts);
    }
    if answers {
        let facts = found
            .iter()
            .filter_map(|(row, it)| Some((*row, it.answer?)));
        table.set_answer_facts(facts.collect());
    }
}

/// Like [`read`], for the automatic tags in a filter text.
pub fn read_for(text: &str, table: &Table, ticket: &Ticket) {
    read(table, TagSources::of(text, table), ticket);
}

/// Returns the facts about the answer in a record; `None` if it has no response.
fn of_answer(table: &Table, row: Row, record: &Record) -> Option<AnswerFacts> {
    let response = record.response.as_deref()?;
    let choices = record.content.choices.as_slice();
    let chosen = || {
        let mut scorings = [Scoring::Strict, Scoring::Harness].into_iter();
        let answer = scorings.find_map(|it| answer_in(table, row, record, it))?;
        let at = right_choice(choices, &answer.short)?;
        u16::try_from(at + 1).ok()
    };
    Some(AnswerFacts {
        words: u32::try_from(response.split_whitespace().count()).unwrap_or(u32::MAX),
        chosen: if choices.is_empty() {
            0
        } else {
            chosen().unwrap_or(0)
        },
        hedges: hedges(response),
        refuses: refuses(response),
        finish_reason: record.finish_reason,
    })
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
            letters: 0.25,
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
