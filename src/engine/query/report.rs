//! The whole report.

use analysis::{Subgroup, Threshold};
use cli::Metrics;
use job::Ticket;
use workspace::load::Request;

use super::{Compare, Compared, Ranking, Reliability, Scores, Subgroups};
use crate::ask::say_once;
use crate::{Ask, CommandLine, Engine, Needs, QueryError, Scope, answer};

/// Scores, subgroups and reliability: what `report` prints.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Report {
    /// Which predictions.
    pub scope: Scope,
    /// What to split by, as the command line has it; `None`: what is usual.
    pub by: Option<String>,
    /// Subgroups carry the metrics beside the one that ranks too.
    pub all: bool,
    /// Two models, or two filters, that are compared.
    pub compare: Option<[String; 2]>,
    /// How many of the worst samples of each ability a page shows; `None`: as many as is usual.
    pub samples: Option<usize>,
}

/// The parts of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Reported {
    /// Scores and ranks.
    pub ranking: Ranking,
    /// Subgroups.
    pub subgroups: Vec<Subgroup>,
    /// Reliability under rotation.
    pub reliability: Vec<analysis::Reliability>,
    /// Two sides of the same samples.
    pub comparison: Option<Box<Compared>>,
}

impl Report {
    /// The usual report of a scope.
    #[must_use]
    pub fn over(scope: &Scope) -> Self {
        Self {
            scope: scope.clone(),
            by: None,
            all: false,
            compare: None,
            samples: None,
        }
    }

    /// As the command line asks for it.
    #[must_use]
    pub fn of(args: &cli::Report) -> Self {
        Self {
            scope: Scope::from(&args.lens).with_coverage(args.coverage),
            by: args.by.clone(),
            all: args.metric == Metrics::All,
            compare: match args.compare.as_slice() {
                [a, b] => Some([a.clone(), b.clone()]),
                _ => None,
            },
            samples: args.samples,
        }
    }

    /// The part on scores.
    #[must_use]
    pub fn scores(&self) -> Scores {
        Scores {
            scope: self.scope.clone(),
            quick: false,
        }
    }

    /// The part on subgroups.
    #[must_use]
    pub fn subgroups(&self) -> Subgroups {
        Subgroups {
            scope: self.scope.clone(),
            by: self.by.clone(),
            all: self.all,
        }
    }

    /// The part on two sides.
    #[must_use]
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

    /// The part on reliability.
    #[must_use]
    pub fn reliability(&self) -> Reliability {
        Reliability {
            scope: self.scope.clone(),
        }
    }
}

impl Ask for Report {
    type Answer = Reported;

    fn needs(&self) -> Needs {
        Needs::Sums
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Reported, QueryError> {
        let comparison = self.comparison();
        let comparison = comparison.map(|query| answer(&query, engine, ticket));
        let by = (self.by.as_deref(), self.all);
        let parts = engine.subgroups(&self.scope, by, ticket)?;
        let mut ranking = self.scores().answer(engine, ticket)?;
        say_once(&mut ranking.notes, parts.notes);
        let reliability = match self.reliability().answer(engine, ticket) {
            Err(why @ QueryError::TooMany { .. }) => {
                let note = format!("reliability under rotation is not told: {why}");
                ranking.notes.push(note);
                Vec::new()
            }
            found => found?,
        };
        Ok(Reported {
            comparison: comparison.transpose()?.map(Box::new),
            subgroups: parts.found,
            ranking,
            reliability,
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
