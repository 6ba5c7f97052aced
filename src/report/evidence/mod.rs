//! Collects the samples behind a report's numbers: each ability's worst with pictures and answers,
//! those of slices in which a model fails, and those on which models differ most.

mod collector;
mod commands;
mod failures;
mod sample;
mod subgroups;

use std::collections::HashSet;

use super::Summary;
use super::html::{Card, Cell, SampleChoice, Table};
use analysis::{AnswerColumns, AnswerMatrix};
use base::job::Ticket;
use engine::{Answers, Ask as _, Engine, QueryError, Report};
use record::Table as Records;
use workspace::load::Request;

use collector::{SampleCollector, sheet, shorten};
use sample::Sides;
use subgroups::PageSubgroups;

pub use commands::{Commands, SampleSelection};
pub use failures::{Failure, Failures};
pub(crate) use sample::{pictures, said};

/// Default number of sample cards per ability.
const EACH: usize = 4;

/// Samples that illustrate the numbers of a report.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// One entry per ability, in the order of the scores.
    pub abilities: Vec<AbilityEvidence>,
    /// Slices in which a model fails.
    pub failures: Failures,
    /// Sentences about omitted samples, with the reason.
    pub left_out: Vec<String>,
    /// Commands that list samples that are not on the page.
    pub commands: Commands,
    /// Names of the models, in the order of the cards' results.
    pub models: Vec<String>,
    /// Subgroups of the samples.
    pub subgroups: PageSubgroups,
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
        let search = failures::search(engine, query, &commands, ticket)?;
        let each = query.samples.unwrap_or(EACH);
        if each == 0 {
            return Ok(Evidence {
                failures: search.failures(|_| Vec::new()),
                commands,
                ..Evidence::default()
            });
        }
        let answers = Answers {
            scope: query.scope.clone(),
            beside: AnswerColumns::Models(models(self, table)),
        };
        let found: AnswerMatrix = answers.answer(engine, ticket)?;
        let mut subgroups = PageSubgroups::new(table, self);
        let search = search.placed(&mut subgroups, &found.columns);
        let collector = SampleCollector {
            table,
            scoring: query.scope.scoring,
            commands: &commands,
            found: &found,
            subgroups: &subgroups,
            ticket,
            sides: Sides::of(self.comparison.as_ref(), &commands),
        };
        let mut abilities = collector.abilities(self, each);
        collector.add_slices(&mut abilities, &search.found);
        let left_out = shorten(&mut abilities);
        collector.fill(&mut abilities);
        let failures = search.failures(|found| sheet(&abilities, &found.shown));
        if !ticket.is_wanted() {
            return Err(QueryError::Stopped);
        }
        Ok(Evidence {
            abilities: abilities.into_iter().map(|found| found.evidence).collect(),
            failures,
            left_out,
            models: found.columns,
            subgroups,
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
            choice: Some(self.choice(behind)),
            title,
            ..cell
        }
    }

    /// Filter of the page that shows these samples.
    fn choice(&self, behind: SampleSelection<'_>) -> SampleChoice {
        let place = |model: &str| self.models.iter().position(|known| known == model);
        let bin = behind
            .bin
            .and_then(|(by, bin)| self.subgroups.place(by, bin));
        SampleChoice {
            model: behind.model.and_then(place),
            subgroup: bin,
            only_wrong: false,
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
