//! Defines the scope of a query: the predictions that it uses.

use analysis::COVERAGE;
use record::{Scoring, Table};
use workspace::Lens;

/// Which predictions a query uses, and which rule scores them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scope {
    /// Filter expression; empty for all predictions.
    pub filter: String,
    /// Scoring rule: the harness's or Eyechart's own.
    pub scoring: Scoring,
    /// Share of samples that all ranked models must have answered.
    pub coverage: Coverage,
}

/// Share of samples that all ranked models of an ability must have answered, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coverage(u16);

impl Default for Coverage {
    fn default() -> Self {
        Self::of(COVERAGE)
    }
}

impl Coverage {
    /// Creates a coverage from a share between 0 and 1, rounded to thousandths.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 1000"
    )]
    pub const fn of(share: f64) -> Self {
        Self((share.clamp(0.0, 1.0) * 1000.0).round() as u16)
    }

    /// Returns the share, from 0 to 1.
    pub fn share(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

impl Scope {
    /// Sets the coverage; `None` sets the default coverage.
    #[must_use]
    pub fn with_coverage(self, share: Option<f64>) -> Self {
        Self {
            coverage: share.map_or_else(Coverage::default, Coverage::of),
            ..self
        }
    }

    /// Returns the scope that a lens selects in a table.
    pub fn of(lens: &Lens, table: &Table) -> Self {
        Self {
            filter: lens.expression(table),
            scoring: lens.scoring,
            coverage: Coverage::default(),
        }
    }
}
