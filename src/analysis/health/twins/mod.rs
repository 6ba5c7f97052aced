//! Finds repeated samples: nearly the same question about nearly the same picture.

mod pictures;
mod texts;

use std::collections::{BTreeMap, HashMap};

use super::parts::{Part, Parts, Subject};
use super::result::{CheckResult, Outcome, Refusal};
use super::words::{content_words, hash, plain};
use super::{Check, real};

/// Minimum number of words, including options, of a question without pictures.
const MIN_WORDS: usize = 8;
/// Largest share of repeated questions if the log contains no pictures. If more questions are
/// repeated, they are probably about unknown pictures.
const MOST_REPEATED: f64 = 0.2;

/// Disjoint sets of indices (union-find).
#[derive(Clone, Debug, Default)]
struct Joined(Vec<usize>);

impl Joined {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// Returns the root of a set: its smallest member.
    fn root(&self, mut at: usize) -> usize {
        while self.0[at] != at {
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// Properties by which repeated samples are found.
#[derive(Clone, Debug)]
struct Traits {
    /// Index of the text as written, and of the first text that is nearly the same.
    text: [usize; 2],
    /// Number of words of question and options.
    words: usize,
    /// Indices of the pictures, each replaced by the first nearly equal picture; sorted.
    pictures: Vec<usize>,
    /// Target without case and punctuation.
    target: String,
    /// True if the question and its pictures are enough to recognize the sample.
    is_recognizable: bool,
}

/// Earlier sample: code and id.
type Twin = (u32, String);

/// Samples that repeat earlier samples.
#[derive(Clone, Debug, Default)]
pub struct Twins {
    traits: HashMap<u32, Traits>,
    /// First sample with nearly the same question and picture, and the same target, by code of the
    /// later sample.
    first: HashMap<u32, Twin>,
    /// First sample with nearly the same picture under another name, by code of the later sample.
    pictures: HashMap<u32, Twin>,
    /// True if any picture could be read.
    has_pictures: bool,
}

impl Twins {
    /// Compares all samples of each benchmark.
    pub fn new(parts: &Parts<'_>) -> Self {
        let mut found = Self {
            has_pictures: parts.pictures.iter().any(Option::is_some),
            ..Self::default()
        };
        let alike = pictures::joined(parts.pictures);
        let mut benchmarks: BTreeMap<&str, Vec<&Subject<'_>>> = BTreeMap::new();
        for part in &parts.all {
            let subjects = benchmarks.entry(&part.benchmark).or_default();
            subjects.extend(part.subjects.iter().filter(|it| it.content.is_some()));
        }
        for (_, mut subjects) in benchmarks {
            subjects.sort_by_key(|it| it.sample);
            found.compare_texts(&subjects, &alike);
            found.compare_pictures(&subjects, &alike);
        }
        found
    }

    fn compare_texts(&mut self, subjects: &[&Subject<'_>], alike: &Joined) {
        let (mut codes, mut texts) = (HashMap::new(), Vec::new());
        let mut own = Vec::new();
        for subject in subjects {
            let words = text_of(subject);
            let count = words.len();
            let code = *codes.entry(words.join(" ")).or_insert_with(|| {
                texts.push(words);
                texts.len() - 1
            });
            own.push((code, count));
        }
        let near = texts::joined(&texts);
        let has_pictures = subjects.iter().any(|it| it.has_picture());
        let mut first = HashMap::new();
        for (subject, (code, words)) in subjects.iter().zip(own) {
            let Some(content) = subject.content else {
                continue;
            };
            let mut pictures: Vec<usize> =
                content.pictures.iter().map(|at| alike.root(*at)).collect();
            pictures.sort_unstable();
            let is_recognizable = if pictures.is_empty() {
                !has_pictures && words >= MIN_WORDS
            } else {
                words > 0
            };
            let traits = Traits {
                text: [code, near.root(code)],
                words,
                pictures,
                target: plain(&content.target),
                is_recognizable,
            };
            if is_recognizable {
                let key = (
                    traits.text[1],
                    traits.pictures.clone(),
                    traits.target.clone(),
                );
                let first: &mut &Subject<'_> = first.entry(key).or_insert(subject);
                if first.sample != subject.sample {
                    let twin = (first.sample, first.id.clone());
                    self.first.insert(subject.sample, twin);
                }
            }
            self.traits.insert(subject.sample, traits);
        }
    }

    fn compare_pictures(&mut self, subjects: &[&Subject<'_>], alike: &Joined) {
        let mut first: HashMap<usize, (&Subject<'_>, usize)> = HashMap::new();
        for subject in subjects {
            for &picture in subject.content.map_or(&[][..], |it| &it.pictures) {
                let root = alike.root(picture);
                let (twin, other) = *first.entry(root).or_insert((subject, picture));
                if other != picture && twin.sample != subject.sample {
                    let twin = (twin.sample, twin.id.clone());
                    self.pictures.entry(subject.sample).or_insert(twin);
                }
            }
        }
    }

    /// Returns a key that is equal for samples with the same pictures, and for repeats of one
    /// sample; `None` for an unknown sample.
    pub fn family(&self, sample: u32) -> Option<u64> {
        let traits = self.traits.get(&sample)?;
        if !traits.pictures.is_empty() {
            return Some(hash(&traits.pictures));
        }
        let first = self.first.get(&sample).map_or(sample, |(first, _)| *first);
        Some(hash(&first))
    }

    /// Returns the samples with the same question and pictures as another sample, but another
    /// target.
    pub fn contradicted(&self, parts: &Parts<'_>) -> Vec<u32> {
        type Key<'a> = (&'a str, usize, &'a [usize]);
        let mut alike: HashMap<Key<'_>, Vec<(&str, u32)>> = HashMap::new();
        for part in &parts.all {
            for subject in &part.subjects {
                let Some(traits) = self.traits.get(&subject.sample) else {
                    continue;
                };
                let is_recognizable = !traits.pictures.is_empty() && traits.words > 0;
                if is_recognizable && !traits.target.is_empty() {
                    let key = (part.benchmark.as_str(), traits.text[0], &*traits.pictures);
                    let samples = alike.entry(key).or_default();
                    samples.push((&traits.target, subject.sample));
                }
            }
        }
        let differ = |samples: &&Vec<(&str, u32)>| samples.iter().any(|it| it.0 != samples[0].0);
        let found = alike.values().filter(differ).flatten();
        found.map(|(_, sample)| *sample).collect()
    }

    /// Returns the results of both checks: repeated samples and repeated pictures.
    pub fn results(&self, parts: &Parts<'_>) -> Vec<CheckResult> {
        let parts = parts.all.iter();
        parts
            .flat_map(|part| [self.samples(part), self.named_pictures(part)])
            .collect()
    }

    fn samples(&self, part: &Part<'_>) -> CheckResult {
        let subjects = part.subjects.iter();
        let known = subjects.filter_map(|it| Some((it, self.traits.get(&it.sample)?)));
        let known: Vec<(&Subject<'_>, &Traits)> = known.collect();
        let compared = known
            .iter()
            .filter(|(_, traits)| traits.is_recognizable)
            .count();
        if compared == 0 {
            let has_words = known.iter().any(|(_, traits)| traits.words > 0);
            let why = if has_words {
                Refusal::NoPictures
            } else {
                Refusal::NoQuestions
            };
            return part.refused(Check::Duplicate, why);
        }
        let samples = named(part, &self.first, "the same question and picture as");
        let is_blind = known.iter().all(|(_, traits)| traits.pictures.is_empty());
        if is_blind && real(samples.len()) > MOST_REPEATED * real(known.len()) {
            return part.refused(Check::Duplicate, Refusal::NoPictures);
        }
        CheckResult {
            outcome: Outcome::of(!samples.is_empty()),
            n: compared,
            samples,
            ..part.result(Check::Duplicate)
        }
    }

    fn named_pictures(&self, part: &Part<'_>) -> CheckResult {
        let subjects = part.subjects.iter();
        let n = subjects.filter(|it| it.has_picture()).count();
        if n == 0 || !self.has_pictures {
            return part.refused(Check::DuplicatePicture, Refusal::NoPictures);
        }
        let samples = named(part, &self.pictures, "nearly the same picture as");
        CheckResult {
            outcome: Outcome::of(!samples.is_empty()),
            n,
            samples,
            ..part.result(Check::DuplicatePicture)
        }
    }
}

/// Returns the samples of a part that repeat an earlier sample, with the reason.
fn named(part: &Part<'_>, first: &HashMap<u32, Twin>, why: &str) -> Vec<(u32, String)> {
    let subjects = part.subjects.iter();
    let named = subjects.filter_map(|it| Some((it.sample, first.get(&it.sample)?)));
    named
        .map(|(sample, (_, twin))| (sample, format!("{why} {twin}")))
        .collect()
}

/// Returns the words of a question and its options; the order of the options is ignored.
fn text_of(subject: &Subject<'_>) -> Vec<String> {
    let Some(content) = subject.content else {
        return Vec::new();
    };
    let mut words = content_words(&content.question);
    let mut options: Vec<String> = content.options.iter().map(|it| plain(it)).collect();
    options.sort();
    words.extend(
        options
            .iter()
            .flat_map(|it| it.split(' '))
            .map(str::to_owned),
    );
    words
}
