//! Costs of runs.

use analysis::{Cost, costs};
use base::config::Prices;
use base::job::Ticket;

use crate::{Ask, Engine, Needs, QueryError};

/// Query: cost of each model in each ability.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    /// Token prices by model.
    pub prices: Prices,
}

impl Ask for Costs {
    type Answer = Vec<Cost>;

    fn needs(&self) -> Needs {
        Needs::Names
    }

    fn answer(&self, engine: &dyn Engine, _: &Ticket) -> Result<Vec<Cost>, QueryError> {
        Ok(costs(engine.table(), &self.prices))
    }
}
