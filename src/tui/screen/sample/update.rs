//! What an action does on the sample screen.

use crate::action::Action;
use crate::app::{App, Effect};
use format::{visible, visible_lines};
use workspace::picture::{Known, Layers};

use super::viewpoint::Viewpoint;
use super::{answers_at, picture, row_at, second};

/// What an action does here.
pub fn update(app: &mut App, action: Action) -> Vec<Effect> {
    match action {
        Action::NextSample => return step(app, 1),
        Action::PreviousSample => return step(app, -1),
        Action::First => return step(app, isize::MIN / 2),
        Action::Last => return step(app, isize::MAX / 2),
        Action::Left | Action::Right | Action::Up | Action::Down => return arrow(app, action),
        Action::PageUp => scroll(app, -10),
        Action::PageDown => scroll(app, 10),
        Action::ToggleOverlays => {
            app.sample.before_hold = Some(app.sample.layers);
            app.sample.layers = match app.sample.layers {
                Layers::None => Layers::All,
                _ => Layers::None,
            };
        }
        Action::Flicker => {
            let known = match answers_at(app, 0) {
                Some(Ok(answers)) => answers.known(),
                _ => Known::default(),
            };
            app.sample.layers = app.sample.layers.next(known);
        }
        Action::NextSecond => {
            if let Some(row) = row_at(app, 0) {
                second::turn(app, row);
                return app.refresh();
            }
        }
        Action::ZoomIn => app.sample.view.zoom(0.5),
        Action::ZoomOut => app.sample.view.zoom(2.0),
        Action::ResetZoom => app.sample.view = Viewpoint::default(),
        Action::ZoomToBox => zoom_to_box(app),
        Action::TurnRight => app.sample.view.turn = app.sample.view.turn.right(),
        Action::TurnLeft => app.sample.view.turn = app.sample.view.turn.left(),
        Action::NextBandwidth => next_bandwidth(app),
        Action::Copy => return copied(app),
        _ => {}
    }
    Vec::new()
}

/// Arrows move within a part of a picture; else they go to other samples and scroll the response.
fn arrow(app: &mut App, action: Action) -> Vec<Effect> {
    let (right, down) = match action {
        Action::Left => (-1, 0),
        Action::Right => (1, 0),
        Action::Up => (0, -1),
        _ => (0, 1),
    };
    if app.sample.view.region.is_some() {
        let direction = (f64::from(right), f64::from(down));
        app.sample.view.pan(direction);
        return Vec::new();
    }
    if right != 0 {
        return step(app, right as isize);
    }
    scroll(app, down as isize);
    Vec::new()
}

fn scroll(app: &mut App, lines: isize) {
    let offset = &mut app.sample.response.offset;
    *offset = offset.saturating_add_signed(lines);
}

fn zoom_to_box(app: &mut App) {
    if let Some(Ok(answers)) = answers_at(app, 0) {
        let (boxes, names): (Vec<_>, Vec<_>) = picture::boxes(app, &answers).into_iter().unzip();
        app.sample.view.next_box(&boxes);
        let at = app.sample.view.boxed;
        app.notice = match at.and_then(|at| names.get(at)) {
            Some(name) => Some(visible(name).into_owned()),
            None if boxes.is_empty() => Some("no box to zoom to".to_owned()),
            None => None,
        };
    }
}

fn next_bandwidth(app: &mut App) {
    app.pictures.bandwidth = app.pictures.bandwidth.next();
    let name = app.pictures.bandwidth.name();
    app.notice = Some(match app.pictures.budget() {
        Some(bytes) => format!("bandwidth {name}: at most {} kB a picture", bytes / 1000),
        None => format!("bandwidth {name}: pictures of any size"),
    });
}

fn step(app: &mut App, step: isize) -> Vec<Effect> {
    let last = app.answers.samples.len().saturating_sub(1);
    app.samples.table.selected = app
        .samples
        .table
        .selected
        .saturating_add_signed(step)
        .min(last);
    app.sample.reset_view();
    app.refresh()
}

fn copied(app: &mut App) -> Vec<Effect> {
    let Some(Ok(answers)) = answers_at(app, 0) else {
        return Vec::new();
    };
    let response = answers.first.record.response.unwrap_or_default();
    app.notice = Some("copied the response".to_owned());
    vec![Effect::Copy(visible_lines(&response).into_owned())]
}
