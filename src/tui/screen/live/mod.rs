//! A live model is asked again: the form, what it takes, the run with its flips as they arrive, and earlier runs that
//! can go on.

mod command;
mod draw;
mod field;
mod form;
mod hear;
mod open;
mod progress;
mod state;
mod trouble;
mod words;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use crate::action::Action;
use crate::app::{App, Effect};
use crate::keymap::View;
use crate::widget::table::TableSpot;
use rerun::Protocol;
use workspace::rerun_worker::RerunCommand;

use super::moved;
use progress::Listed;
use state::Stage;

pub use command::copy_command;
pub use draw::{render, status};
pub use form::take_field;
pub use hear::receive_live;
pub use state::LiveState;
pub use words::{Editor, draw as draw_words, paste as paste_words, type_key as type_words};

/// Goes to the live view with what is under the cursor, or with what the lens holds.
pub fn ask_again(app: &mut App) -> Vec<Effect> {
    let here = app.answers.samples.get(app.samples.table.selected).copied();
    app.live.row = here.filter(|_| app.view == View::Sample);
    if !matches!(app.live.stage, Stage::Running(_)) {
        app.live.stage = Stage::Form;
    }
    app.live.trouble = None;
    app.go(View::Live)
}

/// Looks at what there is to be asked.
pub fn look(app: &mut App) -> Vec<Effect> {
    if matches!(app.live.stage, Stage::Running(_)) {
        return Vec::new();
    }
    let protocol = app.live.protocol().unwrap_or(Protocol::Vanilla);
    app.live.looks += 1;
    let form = form::form(app, protocol, app.live.looks);
    vec![Effect::Live(RerunCommand::Look(Box::new(form)))]
}

/// What an action does here.
pub fn update(app: &mut App, action: Action) -> Vec<Effect> {
    match (&mut app.live.stage, action) {
        (Stage::Counting, Action::Stop) => app.live.stage = Stage::Form,
        (Stage::Form | Stage::Counted(_), _) => return form::update(app, action),
        (Stage::Over(_), Action::Ask) => {
            app.live.stage = Stage::Form;
            app.live.row = None;
            return look(app);
        }
        (Stage::Running(progress), Action::Pause) => {
            progress.paused = !progress.paused;
            return vec![Effect::Live(RerunCommand::Pause(progress.paused))];
        }
        (Stage::Running(progress), Action::Stop) => {
            progress.stopping = true;
            return vec![Effect::Live(RerunCommand::Stop)];
        }
        (Stage::Running(_) | Stage::Over(_), Action::Open) => return open::open(app),
        (Stage::Running(_) | Stage::Over(_), Action::Left) => turn_list(app, Listed::ALL.len() - 1),
        (Stage::Running(_) | Stage::Over(_), Action::Right) => turn_list(app, 1),
        (Stage::Running(progress) | Stage::Over(progress), other) => {
            let count = progress.list(app.live.listed).len();
            if let Some(at) = moved(app.live.table.selected, count, 10, other) {
                app.live.table.selected = at;
            }
        }
        _ => {}
    }
    Vec::new()
}

/// Another list of samples.
fn turn_list(app: &mut App, step: usize) {
    let at = Listed::ALL
        .iter()
        .position(|known| *known == app.live.listed);
    let next = Listed::ALL.get((at.unwrap_or_default() + step) % Listed::ALL.len());
    app.live.listed = next.copied().unwrap_or_default();
    app.live.table = crate::widget::table::TableState::default();
}

/// A click moves the cursor; a click on the cursor opens.
pub fn click(app: &mut App, area: Rect, x: u16, y: u16) -> Vec<Effect> {
    match draw::spot_at(app, area, x, y) {
        Some(TableSpot::Row(row)) if row == app.live.table.selected => update(app, Action::Open),
        Some(TableSpot::Row(row)) => {
            app.live.table.selected = row;
            Vec::new()
        }
        _ => Vec::new(),
    }
}
