//! Collects the samples behind a report's numbers: each ability's worst with pictures and answers,
//! and those on which models differ most.

mod commands;
mod sample;

use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;

use super::Summary;
use super::html::{Card, Cell, Column, Table};
use analysis::{AnswerColumns, AnswerMatrix, AnsweredSample, Origin};
use base::format::{counted, first_words};
use base::job::Ticket;
use base::limits::Limit;
use engine::{Answers, Ask as _, Engine, QueryError, Report};
use record::{Scoring, Table as Records};
use workspace::brief::brief;
use workspace::load::Request;
use workspace::page::list_row;

pub use commands::{Commands, SampleSelection};
use sample::{Sides, card, mark};
pub(crate) use sample::{pictures, said};

/// Default number of sample cards per ability.
const EACH: usize = 4;
/// Maximum number of samples per ability in the table of answers.
const BESIDE: usize = 8;
/// Maximum number of models in the table of answers.
const MODELS: usize = 12;
/// Maximum number of characters of an answer in that table.
const LONGEST: usize = 40;

/// Samples that illustrate the numbers of a report.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// One entry per ability, in the order of the scores.
    pub abilities: Vec<AbilityEvidence>,
    /// Sentences about omitted samples and pictures, with the reason.
    pub left_out: Vec<String>,
    /// Commands that list samples that are not on the page.
    pub commands: Commands,
}

/// Illustrating samples of one ability.
#[derive(Clone, Debug, Default)]
pub struct AbilityEvidence {
    /// Name of the benchmark, as in the logs.
    pub benchmark: String,
    /// Name of the ability, as in the logs.
    pub ability: String,
    /// Number of samples of the ability.
    pub count: u64,
    /// Cards of the worst samples, the worst first.
    pub worst: Vec<Card>,
    /// In an exam with levels, cards of the samples at the examined model's threshold.
    pub around: Vec<Card>,
    /// Answers to the samples on which models differ most; empty if no two models differ.
    pub answers: Table,
}

impl Summary {
    /// Collects the samples that illustrate the numbers.
    ///
    /// # Errors
    /// The query asks for unknown names, or the request was cancelled.
    pub(super) fn gather_evidence(
        &self,
        engine: &dyn Engine,
        query: &Report,
        request: &Request,
        ticket: &Ticket,
    ) -> Result<Evidence, QueryError> {
        let table = engine.table();
        let commands = Commands::new(request, &query.scope, table, self);
        let each = query.samples.unwrap_or(EACH);
        if each == 0 {
            return Ok(Evidence {
                commands,
                ..Evidence::default()
            });
        }
        let answers = Answers {
            scope: query.scope.clone(),
            beside: AnswerColumns::Models(models(self, table)),
        };
        let found = answers.answer(engine, ticket)?;
        let collector = SampleCollector {
            table,
            scoring: query.scope.scoring,
            commands: &commands,
            found: &found,
            ticket,
            sides: Sides::of(self.comparison.as_ref(), &commands),
        };
        let mut abilities = collector.abilities(self, each);
        let mut left_out = shorten(&mut abilities);
        let pictures_left = collector.fill(&mut abilities);
        if !ticket.is_wanted() {
            return Err(QueryError::Stopped);
        }
        if pictures_left > 0 {
            let pictures = counted(pictures_left, "picture");
            let limit = Limit::ReportPictures.message();
            left_out.push(format!("{pictures} left out: {limit}."));
        }
        Ok(Evidence {
            abilities: abilities.into_iter().map(|found| found.evidence).collect(),
            left_out,
            commands,
        })
    }
}

impl Evidence {
    /// Id of the page section with an ability's samples; `None` if the page has none.
    pub fn of(&self, benchmark: &str, ability: &str) -> Option<String> {
        let is_it = |one: &AbilityEvidence| one.benchmark == benchmark && one.ability == ability;
        let at = self.abilities.iter().position(is_it)?;
        let has_some = !self.abilities.get(at)?.worst.is_empty();
        has_some.then(|| Self::id(at))
    }

    /// Section id of the ability with this index.
    pub fn id(at: usize) -> String {
        format!("samples-{}", at + 1)
    }

    /// Adds a link to the samples behind a cell, and the command that lists them as tooltip.
    pub fn lead(&self, cell: Cell, behind: SampleSelection<'_>) -> Cell {
        self.link(cell, behind, &self.commands.samples(behind))
    }

    /// Adds a link to the samples behind a cell, and the given command as tooltip.
    pub fn link(&self, cell: Cell, behind: SampleSelection<'_>, command: &str) -> Cell {
        let title = match cell.title.as_str() {
            "" => command.to_owned(),
            title => format!("{title} · {command}"),
        };
        Cell {
            link: self.of(behind.benchmark, behind.ability),
            title,
            ..cell
        }
    }
}

/// Models sorted by average rank, then those without one.
fn models(summary: &Summary, table: &Records) -> Vec<String> {
    let known = table.names().models.values();
    let ranked = summary.average_ranks.iter().map(|rank| &rank.model);
    let mut seen = HashSet::new();
    let models = ranked.chain(known).filter(|model| known.contains(model));
    models
        .filter(|model| seen.insert(*model))
        .cloned()
        .collect()
}

/// Samples chosen for an ability, before cards are made.
struct AbilitySamples<'a> {
    evidence: AbilityEvidence,
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
fn shorten(abilities: &mut [AbilitySamples<'_>]) -> Vec<String> {
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

/// Inputs for collecting samples.
struct SampleCollector<'a> {
    table: &'a Records,
    scoring: Scoring,
    commands: &'a Commands,
    found: &'a AnswerMatrix,
    ticket: &'a Ticket,
    sides: Option<Sides>,
}

impl<'a> SampleCollector<'a> {
    /// Chooses the samples of each ability; texts are read later.
    fn abilities(&self, summary: &Summary, each: usize) -> Vec<AbilitySamples<'a>> {
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

    /// Makes the cards with texts and pictures. Returns the number of omitted pictures.
    fn fill(&self, abilities: &mut [AbilitySamples<'a>]) -> u64 {
        let wanted: Vec<&AnsweredSample> =
            abilities.iter().flat_map(AbilitySamples::shown).collect();
        let cards = wanted.par_iter().filter(|_| self.ticket.is_wanted());
        let cards: Vec<Card> = cards
            .map(|sample| {
                let id = self.table.sample_id(sample.item);
                let command = self.commands.sample(id, self.scoring);
                Card {
                    command,
                    ..card(self.table, self.scoring, sample, self.sides.as_ref())
                }
            })
            .collect();
        let answers: Vec<Table> = abilities
            .par_iter()
            .map(|ability| self.answers(&ability.differ))
            .collect();
        let (mut cards, mut number, mut bytes, mut left) = (cards.into_iter(), 0, 0, 0);
        let most = Limit::ReportPictures.length();
        let mut ids: BTreeMap<u32, String> = BTreeMap::new();
        for ability in abilities.iter_mut() {
            for (place, sample) in ability.shown().enumerate().collect::<Vec<_>>() {
                let Some(mut card) = cards.next() else { break };
                number += 1;
                card.id = format!("sample-{number}");
                ids.entry(sample.item.0).or_insert_with(|| card.id.clone());
                card.pictures.retain(|picture| {
                    let has_room = bytes + picture.bytes.len() <= most;
                    if has_room {
                        bytes += picture.bytes.len();
                    } else {
                        left += 1;
                    }
                    has_room
                });
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
        left
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
                    sample::said(&brief)
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
