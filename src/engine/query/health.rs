//! Checks benchmarks for faulty samples.

use analysis::health::{self, health};
use base::job::Ticket;
use workspace::health::{PictureUse, contents};
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: faulty samples, and the ranks without them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Health {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Whether pictures are read and compared.
    pub pictures: PictureUse,
}

impl Ask for Health {
    type Answer = Box<health::Health>;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let held = engine.rows(&self.scope)?;
        let selection = held.tested(ticket)?;
        let contents = contents(selection, self.pictures);
        Ok(Box::new(health(selection, &contents)))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let line = CommandLine::new("health", &[], opened).scope(&self.scope);
        Some(match self.pictures {
            PictureUse::Compared => line,
            PictureUse::Named => line.option("--pictures", "off"),
        })
    }
}
