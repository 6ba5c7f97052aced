//! Lists the splits of an ability.

use analysis::Split;
use base::job::Ticket;

use crate::{Ask, Engine, Needs, QueryError};

/// Query: splits that divide an ability's samples. Splits by measured quantities come first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Splits {
    /// Name of the benchmark.
    pub benchmark: String,
    /// Name of the ability.
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
