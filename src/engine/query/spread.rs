//! Computes the spread of scores over the values of an attribute.

use analysis::{Depth, Metrics, Score, spread_of_bins, spread_of_names, spread_of_splits};
use base::job::Ticket;
use regex::Regex;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, Needs, QueryError, Scope};

/// Name of the attribute that stands for the splits of data sets.
const SPLIT: &str = "split";

/// Query: variation of each model's score over the values of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spread {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Attribute whose values are compared.
    pub over: SpreadOver,
    /// Whether to include metrics that do not rank.
    pub all: bool,
}

/// Attribute over which a spread is computed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SpreadOver {
    /// Tags and conditions as on the command line, or the splits of data sets.
    By(String),
    /// Regular expression for model names with two groups: the model, and the value of the
    /// attribute.
    Name(String),
}

impl Ask for Spread {
    type Answer = Vec<analysis::Spread>;

    fn needs(&self) -> Needs {
        Needs::Sums
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let scores = || -> Result<Vec<Score>, QueryError> {
            let mut found = engine.scores(&self.scope, Depth::Intervals, ticket)?.found;
            found.retain(|score| self.all || score.headline);
            Ok(found)
        };
        match &self.over {
            SpreadOver::By(by) if by == SPLIT => Ok(spread_of_splits(&scores()?)),
            SpreadOver::By(by) => {
                let metrics = Metrics::of(self.all);
                let bins = engine.subgroups(&self.scope, Some(by), metrics, ticket)?;
                Ok(spread_of_bins(&bins.found))
            }
            SpreadOver::Name(pattern) => {
                let pattern = Regex::new(pattern)?;
                if pattern.captures_len() != 3 {
                    return Err(QueryError::Groups);
                }
                let part = |name: &str| {
                    let found = pattern.captures(name)?;
                    let group = |at| Some(found.get(at)?.as_str().to_owned());
                    Some([group(1)?, group(2)?])
                };
                spread_of_names(&scores()?, part).map_err(|models| QueryError::SameParts { models })
            }
        }
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let line = CommandLine::new("spread", &[], opened).scope(&self.scope);
        let line = match &self.over {
            SpreadOver::By(by) => line.option("--by", by),
            SpreadOver::Name(pattern) => line.option("--name", pattern),
        };
        Some(line.maybe("--metric", self.all.then_some("all")))
    }
}
