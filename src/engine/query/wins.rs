//! Every pair of models of an ability.

use analysis::{Wins, wins};
use job::Ticket;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, Needs, QueryError, Scope};

/// Every pair of models, ability by ability: who is better, by how much, and whether that is sure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pairs {
    /// Which predictions.
    pub scope: Scope,
}

impl Pairs {
    /// As the command line asks for it.
    #[must_use]
    pub fn of(args: &cli::Ranks) -> Self {
        Self {
            scope: Scope::from(&args.lens).with_coverage(args.coverage),
        }
    }
}

impl Ask for Pairs {
    type Answer = Vec<Wins>;

    fn needs(&self) -> Needs {
        Needs::Rows
    }

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Vec<Wins>, QueryError> {
        Ok(wins(engine.rows(&self.scope)?.tested(ticket)?))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        Some(CommandLine::new("wins", &[], opened).scope(&self.scope))
    }
}
