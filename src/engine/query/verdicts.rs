//! Verdicts for filters.

use analysis::audit::verdict_sets;
use job::Ticket;

use crate::{Ask, Engine, Needs, QueryError};

/// The verdicts on every item, one bit a kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Verdicts;

impl Ask for Verdicts {
    type Answer = Vec<u8>;

    fn needs(&self) -> Needs {
        Needs::Names
    }

    fn answer(&self, engine: &dyn Engine, _: &Ticket) -> Result<Vec<u8>, QueryError> {
        Ok(verdict_sets(engine.table(), engine.book()))
    }
}
