//! Draws the pictures as they will be sent, and the box that the user draws.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};

use super::super::state::PlaygroundView;
use super::places;
use crate::frame_output::{ViewArea, uncovered_part};
use crate::graphics::Request;
use crate::picture::{FramePictures, PictureResult, Pictures};
use crate::screen::sample::show_picture;
use crate::shared::AppState;
use media::{Source, Turn};

/// Maximum number of pictures that are shown.
const SHOWN: usize = 4;

/// Draws the pictures as they will be sent.
pub fn render(
    view: &PlaygroundView,
    shared: &AppState,
    shown: &mut FramePictures,
    frame: &mut Frame<'_>,
    room: ViewArea,
) {
    let pictures = pictures(view);
    let covered = room.covered.filter(|_| shared.pictures.are_fragile());
    for (at, (source, area)) in pictures
        .iter()
        .zip(areas(room.area, pictures.len()))
        .enumerate()
    {
        shown.areas.push(area);
        let area = covered.map_or(area, |covered| uncovered_part(area, covered));
        let request = request(view, shared, at, source, area);
        show_picture(shared, request, "picture as it is sent", shown, frame, area);
    }
}

/// Converts a screen cell to fractions of the first picture. Returns `None` for a cell outside the
/// picture.
pub fn cell_at(
    view: &PlaygroundView,
    shared: &AppState,
    area: Rect,
    (x, y): (u16, u16),
) -> Option<[f64; 4]> {
    let pictures = pictures(view);
    let area = *areas(places(view, area).picture, pictures.len()).first()?;
    let request = request(view, shared, 0, pictures.first()?, area);
    let PictureResult::Drawn(drawn, _) = shared
        .pictures
        .show(request, &mut FramePictures::default())?
    else {
        return None;
    };
    let place = drawn.middle_of(area);
    if !place.contains(Position { x, y }) {
        return None;
    }
    let part = |at: u16, from: u16, length: u16| f64::from(at - from) / f64::from(length.max(1));
    Some([
        part(x, place.x, place.width),
        part(y, place.y, place.height),
        part(x + 1, place.x, place.width),
        part(y + 1, place.y, place.height),
    ])
}

fn pictures(view: &PlaygroundView) -> Vec<Source> {
    let preview = view.preview.as_ref();
    let asked = preview.and_then(|preview| preview.question.as_ref().ok());
    let pictures = asked.map(|asked| asked.pictures.iter().map(|(source, _)| source.clone()));
    pictures.into_iter().flatten().take(SHOWN).collect()
}

fn areas(area: Rect, count: usize) -> Vec<Rect> {
    let columns = Layout::horizontal(vec![Constraint::Fill(1); count]);
    columns.spacing(1).split(area).to_vec()
}

fn request(
    view: &PlaygroundView,
    shared: &AppState,
    at: usize,
    source: &Source,
    area: Rect,
) -> Request {
    // The user can draw a box only on the first picture.
    let pencil = view.pencil.iter().filter(|_| at == 0);
    Pictures::keyed(Request {
        key: 0,
        source: source.clone(),
        area: (area.width, area.height),
        overlays: pencil.map(super::super::pencil::Pencil::overlay).collect(),
        layers: Vec::new(),
        region: None,
        turn: Turn::NONE,
        budget: shared.pictures.budget(),
    })
}
