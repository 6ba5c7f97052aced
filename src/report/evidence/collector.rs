//! Chooses the samples of a report, and makes their cards.

use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;

use super::failures::FoundSlice;
use super::sample::{self, Sides, card, mark};
use super::subgroups::PageSubgroups;
use super::{AbilityEvidence, Commands};
use crate::Summary;
use crate::html::{Card, Cell, Column, SheetPicture, Table, VerdictMark};
use analysis::{AnswerMatrix, AnsweredSample, Origin};
use base::format::{counted, first_words};
use base::job::Ticket;
use base::limits::Limit;
use record::{ItemId, Scoring, Table as Records};
use workspace::brief::brief;
use workspace::page::list_row;

/// Maximum number of samples per ability in the table of answers.
const BESIDE: usize = 8;
/// Maximum number of models in the table of answers.
const MODELS: usize = 12;
/// Maximum number of characters of an answer in that table.
const LONGEST: usize = 40;
/// Longer side of a picture on a sheet, in pixels.
const SHEET: u32 = 96;

/// Samples chosen for an ability, before cards are made.
pub struct AbilitySamples<'a> {
    /// Content of the ability on the page; cards are added later.
    pub evidence: AbilityEvidence,
    worst: Vec<&'a AnsweredSample>,
    around: Vec<&'a AnsweredSample>,
    differ: Vec<&'a AnsweredSample>,
}

impl<'a> AbilitySamples<'a> {
    /// Samples that get a card.
    fn shown(&self) -> impl Iterator<Item = &'a AnsweredSample> {
        self.worst.iter().chain(&self.around).copied()
    }
}

/// Shortens the lists of worst samples if their total exceeds the limit; all abilities get the same
/// share.
pub fn shorten(abilities: &mut [AbilitySamples<'_>]) -> Vec<String> {
    let most = Limit::ReportSamples.length();
    let total: usize = abilities.iter().map(|ability| ability.worst.len()).sum();
    if total <= most {
        return Vec::new();
    }
    let each = most / abilities.len().max(1);
    let mut room = most;
    for ability in abilities.iter_mut() {
        ability.worst.truncate(each.max(1).min(room));
        room -= ability.worst.len();
    }
    let samples = counted((total - (most - room)) as u64, "sample");
    let limit = Limit::ReportSamples.message();
    vec![format!("{samples} left out: {limit}.")]
}

/// Returns a thumbnail for each of a slice's samples that has a card in the report.
pub fn sheet(abilities: &[AbilitySamples<'_>], items: &[ItemId]) -> Vec<SheetPicture> {
    let cards = abilities.iter().flat_map(|ability| {
        let samples = ability.worst.iter().map(|sample| sample.item);
        samples.zip(&ability.evidence.worst)
    });
    let cards: BTreeMap<ItemId, &Card> = cards.collect();
    let picture = |item: &ItemId| {
        let card = cards.get(item)?;
        let picture = card.pictures.first();
        let picture = picture.and_then(|picture| picture.encoded.as_ref());
        Some(SheetPicture {
            id: card.id.clone(),
            title: card.title.clone(),
            picture: picture.and_then(|picture| picture.within(SHEET)),
        })
    };
    items.par_iter().filter_map(picture).collect()
}

/// Inputs for collecting samples.
pub struct SampleCollector<'a> {
    /// Table with the predictions.
    pub table: &'a Records,
    /// Rules that score them.
    pub scoring: Scoring,
    /// Commands that list samples.
    pub commands: &'a Commands,
    /// All samples with the answers of all models.
    pub found: &'a AnswerMatrix,
    /// Subgroups of the samples.
    pub subgroups: &'a PageSubgroups,
    /// Ticket that cancels the collection.
    pub ticket: &'a Ticket,
    /// The models whose boxes are drawn.
    pub sides: Option<Sides>,
}

impl<'a> SampleCollector<'a> {
    /// Chooses the samples of each ability; texts are read later.
    pub fn abilities(&self, summary: &Summary, each: usize) -> Vec<AbilitySamples<'a>> {
        let table = self.table;
        let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let mut abilities: Vec<AbilitySamples<'a>> = Vec::new();
        let scored = summary.scores.iter();
        let scored = scored.filter(|score| score.origin == Origin::Samples);
        for score in scored {
            let key = (score.benchmark.as_str(), score.ability.as_str());
            if places.contains_key(&key) {
                continue;
            }
            places.insert(key, abilities.len());
            abilities.push(AbilitySamples {
                evidence: AbilityEvidence {
                    benchmark: score.benchmark.clone(),
                    ability: score.ability.clone(),
                    ..AbilityEvidence::default()
                },
                worst: Vec::new(),
                around: self.around(summary, &score.benchmark, &score.ability),
                differ: Vec::new(),
            });
        }
        let place = |sample: &AnsweredSample| {
            let name = table.ability(sample.item)?;
            places
                .get(&(name.benchmark.as_str(), name.name.as_str()))
                .copied()
        };
        let mut seen: HashSet<(usize, u32)> = HashSet::new();
        for sample in self.found.worst_first() {
            let Some(at) = place(sample) else { continue };
            let Some(ability) = abilities.get_mut(at) else {
                continue;
            };
            // A sample asked under several conditions is listed once, with its worst condition.
            let code = table.sample_of().get(sample.item.0 as usize).copied();
            if !seen.insert((at, code.unwrap_or_default())) {
                continue;
            }
            ability.evidence.count += 1;
            if ability.worst.len() < each {
                ability.worst.push(sample);
            }
        }
        for sample in &self.found.rows {
            let differs = sample.disagreement() > 0.0 || sample.variance > 0.0;
            let Some(at) = place(sample).filter(|_| differs) else {
                continue;
            };
            let ability = abilities.get_mut(at);
            if let Some(ability) = ability.filter(|ability| ability.differ.len() < BESIDE) {
                ability.differ.push(sample);
            }
        }
        abilities
    }

    /// Adds each slice's displayed samples to the worst samples of its ability, without duplicates.
    pub fn add_slices(&self, abilities: &mut [AbilitySamples<'a>], slices: &[FoundSlice]) {
        let samples = self.found.rows.iter();
        let samples: BTreeMap<ItemId, &AnsweredSample> =
            samples.map(|sample| (sample.item, sample)).collect();
        for found in slices {
            let slice = &found.slice;
            let is_its = |one: &&mut AbilitySamples<'_>| {
                let evidence = &one.evidence;
                (&evidence.benchmark, &evidence.ability) == (&slice.benchmark, &slice.ability)
            };
            let Some(ability) = abilities.iter_mut().find(is_its) else {
                continue;
            };
            for item in &found.shown {
                let is_known = ability.worst.iter().any(|sample| sample.item == *item);
                let sample = samples.get(item).filter(|_| !is_known);
                ability.worst.extend(sample.copied());
            }
        }
    }

    /// Samples at the thresholds of the examined models.
    fn around(&self, summary: &Summary, benchmark: &str, ability: &str) -> Vec<&'a AnsweredSample> {
        let results = summary.exams_of(benchmark).flat_map(|exam| &exam.abilities);
        let own = results.filter(|row| row.acuity.ability == ability);
        let rows = own.flat_map(|row| row.acuity.around).flatten();
        let items = rows.map(|row| self.table.item(row));
        items
            .filter_map(|item| self.found.rows.iter().find(|sample| sample.item == item))
            .collect()
    }

    /// Makes the cards with texts and pictures.
    pub fn fill(&self, abilities: &mut [AbilitySamples<'a>]) {
        let wanted: Vec<&AnsweredSample> =
            abilities.iter().flat_map(AbilitySamples::shown).collect();
        let cards = wanted.par_iter().filter(|_| self.ticket.is_wanted());
        let cards: Vec<Card> = cards
            .map(|sample| {
                let id = self.table.sample_id(sample.item);
                let command = self.commands.sample(id, self.scoring);
                Card {
                    command,
                    results: self.results(sample),
                    subgroups: self.subgroups.containing(sample.item),
                    ..card(self.table, self.scoring, sample, self.sides.as_ref())
                }
            })
            .collect();
        let answers: Vec<Table> = abilities
            .par_iter()
            .map(|ability| self.answers(&ability.differ))
            .collect();
        let (mut cards, mut number) = (cards.into_iter(), 0);
        let mut ids: BTreeMap<u32, String> = BTreeMap::new();
        for ability in abilities.iter_mut() {
            for (place, sample) in ability.shown().enumerate().collect::<Vec<_>>() {
                let Some(mut card) = cards.next() else { break };
                number += 1;
                card.id = format!("sample-{number}");
                ids.entry(sample.item.0).or_insert_with(|| card.id.clone());
                if place < ability.worst.len() {
                    ability.evidence.worst.push(card);
                } else {
                    ability.evidence.around.push(card);
                }
            }
        }
        for (ability, mut answers) in abilities.iter_mut().zip(answers) {
            for (sample, row) in ability.differ.iter().zip(&mut answers.rows) {
                if let Some(first) = row.first_mut() {
                    first.link = ids.get(&sample.item.0).cloned();
                }
            }
            ability.evidence.answers = answers;
        }
    }

    /// Column and verdict of each model's answer.
    fn results(&self, sample: &AnsweredSample) -> Vec<(usize, VerdictMark)> {
        let result = |column: usize| {
            let list = list_row(self.table, sample.cell(column)?, self.scoring);
            Some((column, mark(&list)))
        };
        (0..self.found.columns.len()).filter_map(result).collect()
    }

    /// Table of answers: one row per sample, one column per model.
    fn answers(&self, samples: &[&AnsweredSample]) -> Table {
        let has_some = |column: &usize| samples.iter().any(|one| one.cell(*column).is_some());
        let all: Vec<usize> = (0..self.found.columns.len()).filter(has_some).collect();
        let shown = all.get(..MODELS).unwrap_or(&all);
        if shown.len() < 2 {
            return Table::default();
        }
        let mut columns = vec![Column::text("sample"), Column::text("target")];
        let names = shown.iter().filter_map(|at| self.found.columns.get(*at));
        columns.extend(names.map(|name| Column::text(name)));
        let hidden = all.len() - shown.len();
        let caption = if hidden == 0 {
            String::new()
        } else {
            format!(
                "The first {MODELS} of {} models by average rank.",
                all.len()
            )
        };
        Table {
            caption,
            columns,
            heads: 1,
            rows: samples
                .iter()
                .map(|sample| self.row(sample, shown))
                .collect(),
        }
    }

    fn row(&self, sample: &AnsweredSample, shown: &[usize]) -> Vec<Cell> {
        let id = self.table.sample_id(sample.item);
        let mut target = self.table.target(sample.item).to_owned();
        let mut condition = String::new();
        let mut cells = Vec::new();
        for column in shown {
            let Some(row) = sample.cell(*column) else {
                cells.push(Cell::from("·"));
                continue;
            };
            let list = list_row(self.table, row, self.scoring);
            condition.clone_from(&list.condition);
            let words = match brief(self.table, row, self.scoring) {
                Ok(brief) => {
                    target.clone_from(&brief.target);
                    sample::answer_text(&brief)
                }
                Err(why) => why,
            };
            cells.push(Cell {
                mark: mark(&list),
                ..Cell::from(first_words(&words, LONGEST))
            });
        }
        let name = Cell {
            title: self.commands.sample(id, self.scoring),
            note: condition,
            ..Cell::from(id)
        };
        let target = Cell::from(first_words(&target, LONGEST));
        [name, target].into_iter().chain(cells).collect()
    }
}
