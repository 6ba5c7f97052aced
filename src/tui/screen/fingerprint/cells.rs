//! Content of the grid's cells, including acuity.

use super::data::{Fingerprint, blank};
use crate::widget::heat_grid::HeatCell;
use analysis::Acuity;
use serde::{Deserialize, Serialize};

base::named_enum! {
    /// Kind of content in the cells.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Cells {
        /// Acuity if items have levels; ranks otherwise.
        #[default]
        Acuity = "acuity",
        /// Ranks within each ability.
        Ranks = "ranks",
        /// Scores in the metric of each ability.
        Scores = "scores",
        /// Distance from the best score.
        Gaps = "distance from the best score",
        /// Confidence intervals of the ranks.
        Intervals = "intervals of the ranks",
    }
}

impl Cells {
    /// Returns the next kind, cycling.
    pub const fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }
}

impl Fingerprint<'_> {
    /// Returns a model's acuity in a column. Acuity belongs to the ranking metric, so columns of
    /// other metrics have none.
    pub fn acuity(&self, column: usize, row: usize) -> Option<&Acuity> {
        let (column, row) = (self.columns.get(column)?, self.models.get(row)?);
        let mut all = self.acuity.iter();
        let found = all.find(|one| one.ability == column.ability && one.model == row.model)?;
        (found.metric == column.metric).then_some(found)
    }

    /// Returns the next kind that this benchmark supports.
    pub fn after(&self, cells: Cells) -> Cells {
        let mut next = self.supported(cells).next();
        // The loop ends, because all benchmarks support scores.
        while next != self.supported(next) {
            next = next.next();
        }
        next
    }

    /// Returns the cell with the acuity level. Warmer colours are better. The cell is blank without
    /// acuity.
    pub fn acuity_cell(&self, column: usize, row: usize) -> HeatCell<'static> {
        let Some(acuity) = self.acuity(column, row) else {
            return blank();
        };
        let hardest = f64::from(analysis::metric::acuity::LEVELS);
        let level = acuity.found.threshold.clamp(1.0, hardest);
        HeatCell {
            text: acuity.found.reach().words().replace(' ', "").into(),
            heat: (hardest - level) / (hardest - 1.0),
            best: false,
        }
    }
}
