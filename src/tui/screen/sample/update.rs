//! Performs actions on the sample view.

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::effect::Effect;
use crate::shared::AppState;
use base::format::{visible, visible_lines};
use workspace::picture::{AvailableLayers, Layers, source_count};

use super::answers::{AnswerPair, next_second};
use super::viewpoint::{PictureStep, Viewpoint};
use super::{SampleView, picture};

/// Performs an action on the sample view.
pub fn act(sample: &mut SampleView, shared: &AppState, action: Action) -> Reply {
    let view = &mut sample.view;
    match action {
        Action::NextSample => return step(shared, 1),
        Action::PreviousSample => return step(shared, -1),
        Action::First => return step(shared, isize::MIN / 2),
        Action::Last => return step(shared, isize::MAX / 2),
        Action::Left | Action::Right | Action::Up | Action::Down => {
            return arrow(sample, shared, action);
        }
        Action::NextSecond => {
            let row = shared.list.here();
            let turned = row.map(|row| next_second(shared, row));
            return turned.unwrap_or_default().into();
        }
        Action::ZoomToBox => return zoom_to_box(sample, shared),
        Action::NextBandwidth => return Reply::with(Change::Bandwidth),
        Action::Copy => return copied(shared),
        Action::Trace | Action::NextPane => return next_tab(sample, shared),
        Action::PageUp => scroll(sample, -10),
        Action::PageDown => scroll(sample, 10),
        Action::ToggleOverlays => {
            sample.layers = match sample.layers {
                Layers::None => Layers::All,
                _ => Layers::None,
            };
        }
        Action::Flicker => {
            let answers = AnswerPair::here(shared);
            let known = answers.map_or_else(AvailableLayers::default, |answers| answers.known());
            sample.layers = sample.layers.next(known);
        }
        Action::ZoomIn => view.zoom(0.5),
        Action::ZoomOut => view.zoom(2.0),
        Action::ResetZoom => *view = Viewpoint::default(),
        Action::TurnRight => view.turn = view.turn.right(),
        Action::TurnLeft => view.turn = view.turn.left(),
        Action::NextPicture => return step_picture(sample, shared, PictureStep::Next),
        Action::PreviousPicture => return step_picture(sample, shared, PictureStep::Previous),
        _ => return Reply::PassOn,
    }
    Reply::DONE
}

/// Handles an arrow key. It pans a zoomed picture. Otherwise it changes the sample or scrolls the
/// response.
fn arrow(sample: &mut SampleView, shared: &AppState, action: Action) -> Reply {
    let (right, down) = match action {
        Action::Left => (-1, 0),
        Action::Right => (1, 0),
        Action::Up => (0, -1),
        _ => (0, 1),
    };
    if sample.view.region.is_some() {
        let direction = (f64::from(right), f64::from(down));
        sample.view.pan(direction);
    } else if right != 0 {
        return step(shared, right as isize);
    } else {
        scroll(sample, down as isize);
    }
    Reply::DONE
}

fn step_picture(sample: &mut SampleView, shared: &AppState, step: PictureStep) -> Reply {
    let Some(answers) = AnswerPair::here(shared) else {
        return Reply::DONE;
    };
    match source_count(answers.first) {
        0 | 1 => Reply::say("this sample has no further pictures"),
        _ if picture::has_maps_beside(&answers) => {
            Reply::say("maps are shown instead of further pictures")
        }
        count => {
            sample.view.step_picture(count, step);
            Reply::DONE
        }
    }
}

fn scroll(sample: &mut SampleView, lines: isize) {
    let offset = &mut sample.response.offset;
    *offset = offset.saturating_add_signed(lines);
}

fn zoom_to_box(sample: &mut SampleView, shared: &AppState) -> Reply {
    let Some(answers) = AnswerPair::here(shared) else {
        return Reply::DONE;
    };
    // Only the first picture has boxes.
    let boxes = match sample.view.picture {
        None | Some(0) => picture::boxes(shared, &answers, sample.layers),
        Some(_) => Vec::new(),
    };
    let (boxes, names): (Vec<_>, Vec<_>) = boxes.into_iter().unzip();
    sample.view.next_box(&boxes);
    match sample.view.boxed.and_then(|at| names.get(at)) {
        Some(name) => Reply::say(visible(name)),
        None if boxes.is_empty() => Reply::say("no box to zoom to"),
        None => Reply::DONE,
    }
}

fn step(shared: &AppState, step: isize) -> Reply {
    let list = &shared.list;
    let end = list.rows.len().saturating_sub(1);
    let at = list.table.selected.saturating_add_signed(step).min(end);
    Reply::with(Change::Show(at))
}

/// Shows the next tab, scrolled to the beginning.
fn next_tab(sample: &mut SampleView, shared: &AppState) -> Reply {
    if shared.list.here().is_some_and(|row| shared.is_blind(row)) {
        return Reply::say("hidden until the label is judged");
    }
    sample.tab = sample.tab.next();
    sample.response.restart();
    Reply::DONE
}

fn copied(shared: &AppState) -> Reply {
    let Some(answers) = AnswerPair::here(shared) else {
        return Reply::DONE;
    };
    let response = answers.first.record.response.as_deref();
    let response = visible_lines(response.unwrap_or_default()).into_owned();
    vec![
        Change::Say("copied the response".to_owned()),
        Effect::Copy(response).into(),
    ]
    .into()
}
