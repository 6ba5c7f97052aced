//! Collects the samples that illustrate a report.

use itertools::Itertools as _;

use super::collector::{SampleCollector, sheet, shorten};
use super::sample::Sides;
use super::subgroups::PageSubgroups;
use super::{Commands, Evidence, failures};
use crate::Summary;
use analysis::{AnswerColumns, AnswerMatrix};
use base::job::Ticket;
use engine::{Answers, Ask as _, Engine, QueryError, Report};
use record::Table as Records;
use workspace::load::Request;

/// Default number of sample cards per ability.
const EACH: usize = 4;

impl Summary {
    /// Adds illustrating samples, for formats that can show pictures.
    ///
    /// # Errors
    /// The query asks for unknown names, or the request was cancelled.
    pub fn with_evidence(
        mut self,
        engine: &dyn Engine,
        query: &Report,
        request: &Request,
        ticket: &Ticket,
    ) -> Result<Self, QueryError> {
        let evidence = match engine.in_memory(&query.scope, ticket) {
            Ok(Some(memory)) => self.gather_evidence(&memory, query, request, ticket)?,
            Ok(None) => self.gather_evidence(engine, query, request, ticket)?,
            Err(why @ QueryError::TooMany { .. }) => {
                let note = format!("no samples are shown: {why}");
                self.notes.push(note);
                return Ok(self);
            }
            Err(why) => return Err(why),
        };
        self.evidence = Some(evidence);
        Ok(self)
    }

    /// Collects the samples that illustrate the numbers.
    ///
    /// # Errors
    /// The query asks for unknown names, or the request was cancelled.
    fn gather_evidence(
        &self,
        engine: &dyn Engine,
        query: &Report,
        request: &Request,
        ticket: &Ticket,
    ) -> Result<Evidence, QueryError> {
        let table = engine.table();
        let bins: Vec<(&str, &str)> = self.bins().collect();
        let commands = Commands::new(request, &query.scope, table, &bins);
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
        let mut subgroups = PageSubgroups::new(table, &bins);
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

/// Models sorted by average rank, then models without an average rank.
fn models(summary: &Summary, table: &Records) -> Vec<String> {
    let known = table.names().models.values();
    let ranked = summary.average_ranks.iter().map(|rank| &rank.model);
    let models = ranked.chain(known).filter(|model| known.contains(model));
    models.unique().cloned().collect()
}
