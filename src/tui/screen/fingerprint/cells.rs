//! What the cells of the grid say, acuity among it.

use super::data::{Fingerprint, blank};
use analysis::Acuity;
use serde::{Deserialize, Serialize};
use widget::heat_grid::HeatCell;

/// What the cells say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cells {
    /// Acuity, where items have levels; ranks elsewhere.
    #[default]
    Acuity,
    /// Ranks.
    Ranks,
    /// Scores.
    Scores,
    /// How far from the best.
    Gaps,
    /// Intervals of the ranks.
    Intervals,
}

impl Cells {
    /// Its name on screen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Acuity => "acuity",
            Self::Ranks => "ranks",
            Self::Scores => "scores",
            Self::Gaps => "distance from the best score",
            Self::Intervals => "intervals of the ranks",
        }
    }

    /// What they say next.
    pub const fn next(self) -> Self {
        match self {
            Self::Acuity => Self::Ranks,
            Self::Ranks => Self::Scores,
            Self::Scores => Self::Gaps,
            Self::Gaps => Self::Intervals,
            Self::Intervals => Self::Acuity,
        }
    }
}

impl Fingerprint<'_> {
    /// A model's acuity in a column; it is that of the metric that ranks, so that other columns have none.
    pub fn acuity(&self, column: usize, row: usize) -> Option<&Acuity> {
        let (column, row) = (self.columns.get(column)?, self.models.get(row)?);
        let mut all = self.acuity.iter();
        let found = all.find(|one| one.ability == column.ability && one.model == row.model)?;
        (found.metric == column.metric).then_some(found)
    }

    /// What the cells say when they are asked to say something else.
    pub fn after(&self, cells: Cells) -> Cells {
        let mut next = self.can_say(cells).next();
        // Something else is said at last: there are scores whenever there is a cell.
        while next != self.can_say(next) {
            next = next.next();
        }
        next
    }

    /// The level, the better the warmer; nothing for what does not look.
    pub fn acuity_cell(&self, column: usize, row: usize) -> HeatCell<'static> {
        let Some(acuity) = self.acuity(column, row) else {
            return blank();
        };
        let hardest = f64::from(metric::acuity::LEVELS);
        let level = acuity.found.threshold.clamp(1.0, hardest);
        HeatCell {
            text: acuity.found.reach().words().replace(' ', "").into(),
            heat: (hardest - level) / (hardest - 1.0),
            dim: false,
            best: false,
        }
    }
}
