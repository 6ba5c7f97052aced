//! Which predictions a query asks about.

use analysis::COVERAGE;
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
    /// Which models are ranked.
    pub coverage: Coverage,
}

/// The share of samples that all ranked models of an ability must have answered, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coverage(u16);

impl Default for Coverage {
    fn default() -> Self {
        Self::of(COVERAGE)
    }
}

impl Coverage {
    /// A share from 0 to 1, rounded to thousandths.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 1000"
    )]
    pub const fn of(share: f64) -> Self {
        Self((share.clamp(0.0, 1.0) * 1000.0).round() as u16)
    }

    /// The share.
    #[must_use]
    pub fn share(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

impl Scope {
    /// The same with another coverage; `None`: the usual one.
    #[must_use]
    pub fn with_coverage(self, share: Option<f64>) -> Self {
        Self {
            coverage: share.map_or_else(Coverage::default, Coverage::of),
            ..self
        }
    }

    /// What a lens holds of a table.
    #[must_use]
    pub fn of(lens: &Lens, table: &Table) -> Self {
        Self {
            filter: lens.expression(table),
            scoring: lens.scoring,
            coverage: Coverage::default(),
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
            coverage: Coverage::default(),
        }
    }
}
