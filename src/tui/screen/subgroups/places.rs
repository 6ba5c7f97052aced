//! Computes the areas of the charts and of the table of all models.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::shared::AppState;

use super::super::TWO_CHARTS;
use super::{bins::Rows, curve, models};

/// Minimum height of a curve below the dots, in rows.
const CURVE: u16 = 12;

/// Areas of the charts and of the table of models. The areas of table and curve can be empty.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// Area of the chart with the scores of the selected models.
    pub dots: Rect,
    /// Area of the table of all models.
    pub models: Rect,
    /// Area of the curve.
    pub curve: Rect,
}

impl Places {
    /// Computes the areas for these bins and a table of `models` rows. The curve is on the right in
    /// a wide area, and below in a tall area.
    fn new(area: Rect, bins: &Rows<'_>, models: usize, has_curve: bool) -> Self {
        let lines = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let is_wide = has_curve && area.width >= TWO_CHARTS;
        let [left, right] = Layout::horizontal([
            Constraint::Fill(1),
            Constraint::Length(if is_wide { area.width * 2 / 5 } else { 0 }),
        ])
        .areas(area);
        let scores = bins.first().map_or(1, |(_, cells)| cells.len().max(1));
        // Space for the title, its rule, the axis, and an empty line after each bin.
        let dots = lines(bins.len() * (scores + 1)).saturating_add(4);
        let spare = left.height.saturating_sub(dots.saturating_add(1));
        let table = models::height(models).min(spare);
        let table = if table < models::LEAST { 0 } else { table };
        let below = spare.saturating_sub(table + 1);
        let is_below = has_curve && !is_wide && below >= CURVE;
        let [dots, _, table, _, curve] = Layout::vertical([
            if table > 0 {
                Constraint::Length(dots)
            } else {
                Constraint::Fill(1)
            },
            Constraint::Length(u16::from(table > 0)),
            Constraint::Length(table),
            Constraint::Length(u16::from(is_below)),
            Constraint::Length(if is_below { below } else { 0 }),
        ])
        .areas(left);
        Self {
            dots,
            models: table,
            curve: if is_wide { right } else { curve },
        }
    }

    /// Computes the areas for the part of the view below its head.
    pub fn below_head(shared: &AppState, chart: Rect, models: &[String], bins: &Rows<'_>) -> Self {
        let has_curve = !models.is_empty() && curve::points(bins, 0).len() > 2;
        Self::new(chart, bins, models::all(shared, models).len(), has_curve)
    }
}
