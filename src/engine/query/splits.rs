//! What an ability can be split by.

use analysis::Split;
use job::Ticket;

use crate::{Ask, Engine, Needs, QueryError};

/// What tells the samples of an ability apart, measured quantities first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Splits {
    /// Benchmark.
    pub benchmark: String,
    /// Ability.
    pub ability: String,
}

impl Ask for Splits {
    type Answer = Vec<Split>;

    fn needs(&self) -> Needs {
        Needs::Names
    }

    fn answer(&self, engine: &dyn Engine, _: &Ticket) -> Result<Vec<Split>, QueryError> {
        Ok(engine.splits(&self.benchmark, &self.ability))
    }
}
