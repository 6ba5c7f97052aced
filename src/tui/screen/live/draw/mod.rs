//! Draws the live view, from the form to the results.

mod answers;
mod columns;
mod counted;
mod earlier;
mod form;
mod list;
mod paged;
mod protocols;
mod result;
mod several;
mod steps;

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::screen::live::LiveView;
use crate::shared::AppState;

use super::state::LiveStage;
use crate::frame_output::FrameOutput;

pub use form::{below, row_at};
pub use list::sample_at;
pub use several::spot_at as answer_at;
pub use several::status;

/// Draws the screen for the current stage.
pub fn draw(live: &LiveView, shared: &AppState, frame: &mut Frame<'_>, area: Rect) -> FrameOutput {
    match &live.stage {
        LiveStage::Form | LiveStage::Counting | LiveStage::Counted(_) => {
            form::render(live, shared, frame, area);
            FrameOutput::default()
        }
        LiveStage::Asked(runs) if runs.alone().is_some() => {
            result::render(live, shared, runs, frame, area)
        }
        LiveStage::Asked(runs) => several::render(runs, shared, frame, area),
    }
}
