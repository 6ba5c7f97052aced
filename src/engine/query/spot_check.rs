//! Samples to judge.

use analysis::audit::{judged_by, spot_check};
use job::Ticket;
use record::Row;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, Needs, QueryError, Scope};

/// Samples that an author has not judged, spread over abilities and data sets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SpotCheck {
    /// Which predictions.
    pub scope: Scope,
    /// Who will judge.
    pub author: String,
    /// How many samples.
    pub size: usize,
    /// Seed of the draw.
    pub seed: u64,
}

impl SpotCheck {
    /// As the command line asks for it, else for this author; `None` if it asks for something else.
    #[must_use]
    pub fn of(args: &cli::Verdicts, author: &str) -> Option<Self> {
        Some(Self {
            scope: Scope::from(&args.lens),
            author: args.author.clone().unwrap_or_else(|| author.to_owned()),
            size: args.spot_check?,
            seed: args.seed,
        })
    }
}

impl Ask for SpotCheck {
    type Answer = Vec<Row>;

    fn needs(&self) -> Needs {
        Needs::Rows
    }

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Vec<Row>, QueryError> {
        let held = engine.rows(&self.scope)?;
        let judged = judged_by(&held.table, engine.book(), &self.author);
        let selection = held.selection(ticket);
        Ok(spot_check(selection, &judged, self.size, self.seed))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let line = CommandLine::new("verdicts", &[], opened).scope(&self.scope);
        let line = line.option("--author", &self.author);
        let line = line.option("--spot-check", self.size.to_string());
        Some(line.option("--seed", self.seed.to_string()))
    }
}
