//! Score against the size or the date of models.

use analysis::{Against, Trend, trends};
use job::Ticket;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, Needs, QueryError, Scope};

/// Score against the size or the date of models, benchmark by benchmark and ability by ability.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Trends {
    /// Which predictions.
    pub scope: Scope,
    /// What scores stand against.
    pub against: Against,
}

impl Trends {
    /// As the command line asks for it.
    #[must_use]
    pub fn of(args: &cli::Trend) -> Self {
        Self {
            scope: Scope::from(&args.lens),
            against: match args.against {
                cli::Against::Parameters => Against::Parameters,
                cli::Against::Released => Against::Released,
            },
        }
    }
}

impl Ask for Trends {
    type Answer = Vec<Trend>;

    fn needs(&self) -> Needs {
        Needs::Sums
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Vec<Trend>, QueryError> {
        let scores = engine.scores(&self.scope, true, ticket)?.found;
        Ok(trends(&scores, engine.table().names(), self.against))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let against = (self.against == Against::Released).then_some(self.against.name());
        let line = CommandLine::new("trend", &[], opened).scope(&self.scope);
        Some(line.maybe("--against", against))
    }
}
