//! The live view on screen.

mod counted;
mod earlier;
mod form;
mod list;
mod result;
mod steps;

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::app::App;

use super::state::Stage;

pub use list::spot_at;
pub use result::status;

/// Draws the screen.
pub fn render(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    match &app.live.stage {
        Stage::Form | Stage::Counting | Stage::Counted(_) => form::render(app, frame, area),
        Stage::Running(_) | Stage::Over(_) => result::render(app, frame, area),
    }
}
