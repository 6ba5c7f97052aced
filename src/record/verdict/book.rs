//! Combines the verdicts in all files: each author's latest entry per sample.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};

use super::{Entry, SampleKey, Verdict};

/// The latest entry of each author for each sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Book {
    samples: BTreeMap<SampleKey, BTreeMap<String, LatestEntry>>,
}

/// The latest entry of an author for a sample, and the index of its file.
#[derive(Clone, Debug, PartialEq)]
struct LatestEntry {
    entry: Entry,
    file: usize,
    /// True if any entry of this author for this sample came from a spot check.
    drawn: bool,
}

/// Verdicts of two authors, as pairs, on the samples that both judged.
pub type Pairs = Vec<(Verdict, Verdict)>;

impl Book {
    /// Adds the next entry of a file. Of two entries in one file, the later line counts; of two
    /// entries in different files, the later time.
    pub fn add(&mut self, file: usize, entry: Entry) {
        let words = self.samples.entry(entry.sample.clone()).or_default();
        let mut drawn = entry.drawn;
        if let Some(known) = words.get_mut(&entry.author) {
            known.drawn |= drawn;
            drawn = known.drawn;
            if known.file != file && known.entry.at > entry.at {
                return;
            }
        }
        let author = entry.author.clone();
        words.insert(author, LatestEntry { entry, file, drawn });
    }

    /// True if any author judged the sample in a spot check, even if the verdict changed later.
    pub fn is_drawn(&self, key: &SampleKey) -> bool {
        self.latest(key).values().any(|word| word.drawn)
    }

    /// True if no entries were added.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Returns the samples with current entries, one entry per author; withdrawn verdicts are
    /// omitted.
    pub fn words(&self) -> impl Iterator<Item = (&SampleKey, Vec<&Entry>)> {
        self.samples
            .iter()
            .map(|(key, words)| (key, current(words.values())))
            .filter(|(_, words)| !words.is_empty())
    }

    /// Returns the current entries for a sample, one per author; withdrawn verdicts are omitted.
    pub fn of(&self, key: &SampleKey) -> Vec<&Entry> {
        current(self.latest(key).into_values())
    }

    /// Returns the latest entry of each author for a sample, including withdrawals. Entries of
    /// earlier versions have no split and apply to the sample in every split.
    fn latest(&self, key: &SampleKey) -> BTreeMap<&str, &LatestEntry> {
        let without_split = SampleKey {
            split: String::new(),
            ..key.clone()
        };
        let keys = [&without_split, key];
        let entries = keys.into_iter().filter_map(|key| self.samples.get(key));
        let by_author = entries.flatten();
        by_author
            .map(|(author, entry)| (author.as_str(), entry))
            .collect()
    }

    /// Returns an author's current entry for a sample; `None` if it is missing or withdrawn.
    pub fn of_author(&self, key: &SampleKey, author: &str) -> Option<&Entry> {
        let word = &self.latest(key).get(author)?.entry;
        (word.verdict != Verdict::None).then_some(word)
    }

    /// Returns the time of an author's latest entry for a sample, even if it is a withdrawal.
    pub fn last_at(&self, key: &SampleKey, author: &str) -> Option<DateTime<Utc>> {
        Some(self.latest(key).get(author)?.entry.at)
    }

    /// Returns the decisive entry for a sample: an entry with the majority verdict, or on a tie the
    /// latest. If `author` is given, returns the entry of this author.
    pub fn counting(&self, key: &SampleKey, author: Option<&str>) -> Option<&Entry> {
        counting(&self.of(key), author)
    }

    /// Returns the authors with a current entry, sorted by name.
    pub fn authors(&self) -> BTreeSet<&str> {
        let words = self
            .samples
            .values()
            .flat_map(|words| current(words.values()));
        words.map(|word| word.author.as_str()).collect()
    }

    /// Returns the verdicts of two authors on the samples that both judged.
    pub fn pairs(&self, a: &str, b: &str) -> Pairs {
        let both = |key| {
            Some((
                self.of_author(key, a)?.verdict,
                self.of_author(key, b)?.verdict,
            ))
        };
        self.samples.keys().filter_map(both).collect()
    }
}

/// Like [`Book::counting`], but for given entries of one sample, one entry per author.
pub fn counting<'a>(words: &[&'a Entry], author: Option<&str>) -> Option<&'a Entry> {
    if let Some(author) = author {
        return words.iter().copied().find(|word| word.author == author);
    }
    let votes = |word: &Entry| {
        let alike = words.iter().filter(|other| other.verdict == word.verdict);
        alike.count()
    };
    let words = words.iter().copied();
    words.max_by_key(|word| (votes(word), word.at))
}

/// Returns the entries that are not withdrawn.
fn current<'a>(words: impl Iterator<Item = &'a LatestEntry>) -> Vec<&'a Entry> {
    let entries = words.map(|word| &word.entry);
    entries
        .filter(|entry| entry.verdict != Verdict::None)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, author: &str, verdict: Verdict, second: u32) -> Entry {
        let at = format!("2026-01-01T00:00:{second:02}Z");
        let line = format!(
            r#"{{"sample_id":"{id}","benchmark":"b","ability":"a","verdict":"{verdict}","author":"{author}","at":"{at}"}}"#
        );
        Entry::parse(line.as_bytes()).unwrap()
    }

    fn key(id: &str) -> SampleKey {
        entry(id, "", Verdict::Ok, 0).sample
    }

    #[test]
    fn entries_without_a_split_count_until_the_author_judges_the_split() {
        let of_split = |mut entry: Entry| {
            entry.sample.split = "val".to_owned();
            entry
        };
        let mut book = Book::default();
        book.add(0, entry("1", "ada", Verdict::WrongLabel, 1));
        book.add(0, entry("1", "bob", Verdict::Ok, 2));
        let val = of_split(entry("1", "", Verdict::Ok, 0)).sample;
        let verdicts = |book: &Book| {
            let words = book.of(&val).into_iter();
            words
                .map(|word| (word.author.clone(), word.verdict))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            verdicts(&book),
            [
                ("ada".to_owned(), Verdict::WrongLabel),
                ("bob".to_owned(), Verdict::Ok)
            ]
        );
        book.add(0, of_split(entry("1", "ada", Verdict::None, 3)));
        assert_eq!(verdicts(&book), [("bob".to_owned(), Verdict::Ok)]);
        assert_eq!(book.of(&key("1")).len(), 2);
    }

    #[test]
    fn the_last_line_of_a_file_and_the_latest_of_two_files_count() {
        let mut book = Book::default();
        book.add(0, entry("1", "ada", Verdict::Ok, 9));
        book.add(0, entry("1", "ada", Verdict::WrongLabel, 5));
        let verdict = |book: &Book| book.of_author(&key("1"), "ada").map(|word| word.verdict);
        assert_eq!(
            verdict(&book),
            Some(Verdict::WrongLabel),
            "a clock may go back"
        );
        book.add(1, entry("1", "ada", Verdict::Ok, 4));
        assert_eq!(verdict(&book), Some(Verdict::WrongLabel));
        book.add(1, entry("1", "ada", Verdict::Ambiguous, 6));
        assert_eq!(verdict(&book), Some(Verdict::Ambiguous));
        book.add(1, entry("1", "ada", Verdict::None, 6));
        assert_eq!(
            (verdict(&book), book.authors().len(), book.words().count()),
            (None, 0, 0)
        );
    }

    #[test]
    fn a_sample_stays_drawn_whoever_judges_it_again() {
        let mut book = Book::default();
        let drawn = |file, author: &str, drawn: bool, second| {
            let plain = entry("1", author, Verdict::WrongLabel, second);
            (file, Entry { drawn, ..plain })
        };
        for (file, entry) in [drawn(0, "ada", true, 2), drawn(0, "ada", false, 3)] {
            book.add(file, entry);
        }
        book.add(0, entry("1", "bob", Verdict::Ok, 4));
        book.add(0, entry("2", "bob", Verdict::Ok, 4));
        assert!(book.is_drawn(&key("1")) && !book.is_drawn(&key("2")));
        let mut book = Book::default();
        for (file, entry) in [drawn(0, "ada", false, 9), drawn(1, "ada", true, 2)] {
            book.add(file, entry);
        }
        assert!(book.is_drawn(&key("1")), "an older entry of another file");
    }

    #[test]
    fn most_authors_decide_and_then_the_latest() {
        let mut book = Book::default();
        book.add(0, entry("1", "ada", Verdict::Ok, 1));
        book.add(0, entry("1", "bob", Verdict::WrongLabel, 2));
        let counting =
            |book: &Book, author| book.counting(&key("1"), author).map(|word| word.verdict);
        assert_eq!(counting(&book, None), Some(Verdict::WrongLabel));
        assert_eq!(counting(&book, Some("ada")), Some(Verdict::Ok));
        book.add(0, entry("1", "eve", Verdict::Ok, 0));
        assert_eq!(counting(&book, None), Some(Verdict::Ok));
        assert_eq!(
            book.authors().into_iter().collect::<Vec<_>>(),
            ["ada", "bob", "eve"]
        );
    }

    #[test]
    fn pairs_are_samples_that_both_judged() {
        let mut book = Book::default();
        for (id, author, verdict) in [
            ("1", "ada", Verdict::Ok),
            ("1", "bob", Verdict::Ok),
            ("2", "ada", Verdict::Ok),
            ("3", "bob", Verdict::BadImage),
            ("3", "ada", Verdict::WrongLabel),
        ] {
            book.add(0, entry(id, author, verdict, 0));
        }
        let expected = [
            (Verdict::Ok, Verdict::Ok),
            (Verdict::WrongLabel, Verdict::BadImage),
        ];
        assert_eq!(book.pairs("ada", "bob"), expected);
        assert!(book.pairs("ada", "nobody").is_empty());
    }
}
