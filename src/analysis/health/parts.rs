//! Gathers the samples of each ability with their content and answers.

use std::collections::{BTreeMap, HashMap};

use super::words::plain;
use super::{Contents, SampleContent, SmallPicture};
use crate::{Correctness, Selection, groups};
use record::{ItemId, Row};

/// Maximum number of different targets that count as a closed set of answers.
const CLOSED: usize = 20;

/// One model's answer to a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Vote<'a> {
    /// The answer is right.
    Right,
    /// The answer is wrong; holds its text, if it is known.
    Wrong(Option<&'a str>),
}

/// A sample with its content and answers.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// Sample code in the table.
    pub sample: u32,
    /// First item of the sample.
    pub item: ItemId,
    /// Id of the sample in the log.
    pub id: String,
    /// Cluster of the sample in the table: samples of one cluster share a picture.
    pub cluster: u32,
    /// Content; `None` if it could not be read.
    pub content: Option<&'a SampleContent>,
    /// Answers to the sample's first item by model code; the last answer of each model counts.
    pub votes: BTreeMap<u16, Vote<'a>>,
    /// Answers to a blank picture by model code.
    pub blank: BTreeMap<u16, Vote<'a>>,
    /// Possible answers; empty for open questions.
    pub candidates: Vec<String>,
    /// Index of the right candidate; 0 without candidates.
    pub right: usize,
}

impl Subject<'_> {
    /// Returns true if the log contains a picture of the sample.
    pub fn has_picture(&self) -> bool {
        self.content
            .is_some_and(|content| !content.pictures.is_empty())
    }
}

/// Samples of one ability.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// Benchmark of the ability.
    pub benchmark: String,
    /// Name of the ability.
    pub ability: String,
    /// Samples of the ability, in log order.
    pub subjects: Vec<Subject<'a>>,
}

/// Samples of all abilities.
#[derive(Clone, Debug)]
pub struct Parts<'a> {
    /// One part per ability, in the order of the abilities.
    pub all: Vec<Part<'a>>,
    /// Small copies of the pictures, see [`Contents::pictures`].
    pub pictures: &'a [Option<SmallPicture>],
}

impl<'a> Parts<'a> {
    /// Gathers the samples of a selection; `blank` marks rows that answer a blank picture.
    pub fn new(selection: Selection<'_>, blank: &[bool], contents: &'a Contents) -> Self {
        let answers = Answers {
            selection,
            correctness: Correctness::new(selection.table, selection.scoring),
            contents,
        };
        let mut found: Vec<(u16, Part<'a>)> = Vec::new();
        for group in groups(selection)
            .iter()
            .filter(|group| !group.is_further_filter)
        {
            let known = found.iter().position(|(code, _)| *code == group.ability.0);
            let at = known.unwrap_or_else(|| {
                let part = Part {
                    benchmark: group.name.benchmark.clone(),
                    ability: group.name.name.clone(),
                    subjects: Vec::new(),
                };
                found.push((group.ability.0, part));
                found.len() - 1
            });
            found[at].1.add(&answers, &group.rows);
        }
        let mut parts = Self {
            all: found.into_iter().map(|(_, part)| part).collect(),
            pictures: &contents.pictures,
        };
        parts.add_blank(&answers, blank);
        for part in &mut parts.all {
            part.choose_candidates();
        }
        parts
    }

    fn add_blank(&mut self, answers: &Answers<'_, 'a>, blank: &[bool]) {
        let table = answers.selection.table;
        let subjects = self.all.iter_mut().flat_map(|part| &mut part.subjects);
        let mut places: HashMap<u32, &mut Subject<'a>> =
            subjects.map(|subject| (subject.sample, subject)).collect();
        for (row, _) in (0..).zip(blank).filter(|(_, is_blank)| **is_blank) {
            let sample = table.sample_of()[table.item(Row(row)).0 as usize];
            if let (Some(vote), Some(subject)) = (answers.vote(row), places.get_mut(&sample)) {
                subject.blank.insert(table.model(Row(row)).0, vote);
            }
        }
    }

    /// Returns one item of each sample that is not in a sorted list.
    pub fn items_without(&self, samples: &[u32]) -> Vec<ItemId> {
        let subjects = self.all.iter().flat_map(|part| &part.subjects);
        let kept = subjects.filter(|it| samples.binary_search(&it.sample).is_err());
        let mut items: Vec<ItemId> = kept.map(|subject| subject.item).collect();
        items.sort_by_key(|item| item.0);
        items
    }
}

/// Answers of a selection with the contents of its samples.
struct Answers<'s, 'a> {
    selection: Selection<'s>,
    correctness: Correctness<'s>,
    contents: &'a Contents,
}

impl<'a> Answers<'_, 'a> {
    /// Returns the answer of a row; `None` if it is neither right nor wrong.
    fn vote(&self, row: u32) -> Option<Vote<'a>> {
        let is_right = self.correctness.is_right(Row(row))?;
        Some(if is_right {
            Vote::Right
        } else {
            Vote::Wrong(self.contents.answers.get(&row).map(String::as_str))
        })
    }
}

impl<'a> Part<'a> {
    fn add(&mut self, answers: &Answers<'_, 'a>, rows: &[u32]) {
        let table = answers.selection.table;
        let known = self.subjects.iter().enumerate();
        let mut places: HashMap<u32, usize> = known.map(|(at, it)| (it.sample, at)).collect();
        for &row in rows {
            let item = table.item(Row(row));
            let sample = table.sample_of()[item.0 as usize];
            let at = *places.entry(sample).or_insert_with(|| {
                self.subjects.push(Subject {
                    sample,
                    item,
                    id: table.sample_id(item).to_owned(),
                    cluster: table.cluster_of()[item.0 as usize],
                    content: answers.contents.samples.get(&sample),
                    votes: BTreeMap::new(),
                    blank: BTreeMap::new(),
                    candidates: Vec::new(),
                    right: 0,
                });
                self.subjects.len() - 1
            });
            let subject = &mut self.subjects[at];
            // Items of other conditions can have another target and are skipped.
            if subject.item != item {
                continue;
            }
            if let Some(vote) = answers.vote(row) {
                subject.votes.insert(table.model(Row(row)).0, vote);
            }
        }
        self.subjects.sort_by_key(|subject| subject.sample);
    }

    /// Sets the candidates: the options, or the targets of the ability if they are few.
    fn choose_candidates(&mut self) {
        let is_open = |content: &&SampleContent| content.options.is_empty();
        let contents = self.subjects.iter().filter_map(|it| it.content);
        let targets = contents.filter(is_open).map(|it| plain(&it.target));
        let mut targets: Vec<String> = targets.filter(|it| !it.is_empty()).collect();
        let n = targets.len();
        targets.sort_unstable();
        targets.dedup();
        let is_closed = (2..=CLOSED).contains(&targets.len()) && n >= 5 * targets.len();
        for subject in &mut self.subjects {
            let Some(content) = subject.content else {
                continue;
            };
            if let (Some(right), true) = (content.right, content.options.len() > 1) {
                subject.candidates = content.options.iter().map(|it| plain(it)).collect();
                subject.right = right.min(content.options.len() - 1);
            } else if content.options.is_empty()
                && let (true, Ok(right)) =
                    (is_closed, targets.binary_search(&plain(&content.target)))
            {
                subject.candidates.clone_from(&targets);
                subject.right = right;
            }
        }
    }

    /// Returns the number of models that answered any sample.
    pub fn models(&self) -> usize {
        let votes = self.subjects.iter().flat_map(|it| it.votes.keys());
        let mut models: Vec<u16> = votes.copied().collect();
        models.sort_unstable();
        models.dedup();
        models.len()
    }
}
