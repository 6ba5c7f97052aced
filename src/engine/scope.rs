//! Which predictions a query asks about.

use cli::Rules;
use record::{Scoring, Table};
use workspace::Lens;

/// Which predictions, and by whose rules they are scored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scope {
    /// A filter expression; empty for all predictions.
    pub filter: String,
    /// Whose rules score.
    pub scoring: Scoring,
}

impl Scope {
    /// What a lens holds of a table.
    #[must_use]
    pub fn of(lens: &Lens, table: &Table) -> Self {
        Self {
            filter: lens.expression(table),
            scoring: lens.scoring,
        }
    }
}

impl From<&cli::Lens> for Scope {
    fn from(lens: &cli::Lens) -> Self {
        Self {
            filter: lens.filter.clone(),
            scoring: match lens.scoring {
                Rules::Harness => Scoring::Harness,
                Rules::Strict => Scoring::Strict,
            },
        }
    }
}
