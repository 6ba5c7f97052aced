//! Collects the samples behind a report's numbers: the worst samples of each ability with pictures
//! and answers, samples of slices in which a model fails, and samples on which models differ most.

mod collector;
mod commands;
mod failures;
mod gather;
mod sample;
mod subgroups;

use super::html::{Card, Cell, SampleChoice, Table};
use subgroups::PageSubgroups;

pub use commands::{Commands, SampleSelection};
pub use failures::{Failure, Failures};
pub(crate) use sample::{answer_text, pictures};

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

impl Evidence {
    /// Id of the page section with an ability's samples; `None` if the page has none.
    pub fn section_id(&self, benchmark: &str, ability: &str) -> Option<String> {
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
            link: self.section_id(behind.benchmark, behind.ability),
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
