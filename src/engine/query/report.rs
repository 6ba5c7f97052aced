//! A report of all results.

use analysis::{Subgroup, Threshold};
use base::job::Ticket;
use workspace::NamedComparison;
use workspace::load::Request;

use super::{Compare, Ranking, Reliability, Scores, Subgroups};
use crate::ask::say_once;
use crate::{Ask, CommandLine, Engine, Needs, QueryError, Scope, answer};

/// Query: scores, subgroups and reliability, as printed by `report`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Report {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Splits, as on the command line; `None` for the default splits.
    pub by: Option<String>,
    /// Whether to include metrics that do not rank in the subgroups.
    pub all: bool,
    /// Two models, or two filters, to compare.
    pub compare: Option<[String; 2]>,
    /// Number of worst samples per ability on the page; `None` for the default number.
    pub samples: Option<usize>,
}

/// Contents of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportData {
    /// Scores and ranks of all models.
    pub ranking: Ranking,
    /// Subgroups of all splits.
    pub subgroups: Vec<Subgroup>,
    /// Reliability under rotation of each model and ability.
    pub reliability: Vec<analysis::Reliability>,
    /// How often each model keeps the answer key of the original for a changed picture.
    pub memory: Vec<analysis::BenchmarkMemory>,
    /// Comparison of two sides; `None` if not requested.
    pub comparison: Option<Box<NamedComparison>>,
}

impl Report {
    /// Returns the default report of a scope.
    pub fn over(scope: &Scope) -> Self {
        Self {
            scope: scope.clone(),
            by: None,
            all: false,
            compare: None,
            samples: None,
        }
    }

    /// Returns the query for the report's scores.
    pub fn scores(&self) -> Scores {
        Scores {
            scope: self.scope.clone(),
            quick: false,
        }
    }

    /// Returns the query for the report's subgroups.
    pub fn subgroups(&self) -> Subgroups {
        Subgroups {
            scope: self.scope.clone(),
            by: self.by.clone(),
            all: self.all,
        }
    }

    /// Returns the query for the comparison of two sides; `None` if it was not requested.
    pub fn comparison(&self) -> Option<Compare> {
        Some(Compare {
            sides: self.compare.clone()?,
            scope: self.scope.clone(),
            by: self.by.clone(),
            within: None,
            all: self.all,
            threshold: Threshold::None,
            quick: false,
        })
    }

    /// Returns the query for the report's reliability.
    pub fn reliability(&self) -> Reliability {
        Reliability {
            scope: self.scope.clone(),
        }
    }
}

impl Ask for Report {
    type Answer = ReportData;

    fn needs(&self) -> Needs {
        Needs::Sums
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<ReportData, QueryError> {
        let comparison = self.comparison();
        let comparison = comparison.map(|query| answer(&query, engine, ticket));
        let (by, metrics) = (self.by.as_deref(), analysis::Metrics::of(self.all));
        let parts = engine.subgroups(&self.scope, by, metrics, ticket)?;
        let mut ranking = self.scores().answer(engine, ticket)?;
        say_once(&mut ranking.notes, parts.notes);
        let reliability = match self.reliability().answer(engine, ticket) {
            Err(why @ QueryError::TooMany { .. }) => {
                let note = format!("reliability under rotation is not shown: {why}");
                ranking.notes.push(note);
                Vec::new()
            }
            found => found?,
        };
        let memory = match engine.rows_with(&self.scope, analysis::TWIN) {
            Err(why @ QueryError::TooMany { .. }) => {
                let note = format!("memorised keys are not shown: {why}");
                ranking.notes.push(note);
                Vec::new()
            }
            held => held?.map_or_else(Vec::new, |held| analysis::memory(held.selection(ticket))),
        };
        Ok(ReportData {
            comparison: comparison.transpose()?.map(Box::new),
            subgroups: parts.found,
            ranking,
            reliability,
            memory,
        })
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let line = CommandLine::new("report", &[], opened).scope(&self.scope);
        let metric = self.all.then_some("all");
        let samples = self.samples.map(|samples| samples.to_string());
        let line = line
            .maybe("--by", self.by.as_ref())
            .maybe("--metric", metric)
            .maybe("--samples", samples);
        Some(match &self.compare {
            Some([a, b]) => line.pair("--compare", [a, b]),
            None => line,
        })
    }
}
