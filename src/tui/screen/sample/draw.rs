//! Draws the sample: the picture, and the text next to it.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use crate::frame_output::{FrameOutput, Pane, PreviewPosition, ViewArea};
use crate::screen::part::{draw_text, why_empty};
use crate::shared::{AppState, FrameNeeds};
use base::format::visible;
use record::Row;
use workspace::picture::{Layers, source_count};

use super::answers::AnswerPair;
use super::picture::SamplePictures;
use super::{SampleView, Viewpoint, answer_groups, near, preview_text, tabs};

/// Minimum width to show the text next to the picture, in cells.
const WIDE: u16 = 70;
/// Minimum width of a preview to show its picture next to its text, in cells.
const SIDE_BY_SIDE: u16 = 80;
/// Height of a preview below which its picture is always next to its text, in rows.
const LOW: u16 = 14;
/// Minimum width of a low preview to show a picture, in cells.
const NARROWEST: u16 = 56;
/// Minimum height of any preview to show a picture, in rows.
const SHORTEST: u16 = 6;
/// Number of lines for the legend of a preview's picture.
const LEGEND: u16 = 3;
/// Maximum width of the text, because long lines are hard to read.
const READABLE: u16 = 100;

/// Draws the sample under the list's cursor.
pub fn draw(
    view: &SampleView,
    shared: &AppState,
    frame: &mut Frame<'_>,
    room: ViewArea,
) -> FrameOutput {
    let area = room.area;
    let mut drawn = FrameOutput {
        wanted: FrameNeeds {
            details: Vec::new(),
            ..wanted(shared)
        },
        ..FrameOutput::default()
    };
    if shared.list.here().is_none() {
        return draw_text(shared, &why_empty(shared), frame, area);
    }
    let answers = match AnswerPair::at(shared, 0) {
        Some(Ok(answers)) => answers,
        Some(Err(why)) => {
            let text = Line::styled(visible(why).into_owned(), shared.theme.error());
            frame.render_widget(Paragraph::new(text), area);
            return drawn;
        }
        None => return drawn,
    };
    if source_count(answers.first) == 0 {
        let [note, words] =
            Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(Rect {
                width: area.width.min(READABLE),
                ..area
            });
        let text = Line::styled("the log has no picture for this sample", shared.theme.dim());
        frame.render_widget(Paragraph::new(text), note);
        (drawn.view, drawn.wanted.trace) = tabs::draw(view, shared, frame, words);
        return drawn;
    }
    let [left, right] = parts(area);
    let pictures = SamplePictures {
        answers,
        layers: view.layers,
        view: view.view,
    };
    let left = ViewArea { area: left, ..room };
    pictures.draw(shared, &mut drawn.pictures, frame, left);
    (drawn.view, drawn.wanted.trace) = tabs::draw(view, shared, frame, right);
    pictures.prefetch(shared, left.area, &mut drawn.pictures);
    drawn
}

/// Draws a preview: the picture of the sample under the list's cursor, and its text. The text
/// scrolls.
pub fn preview(shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
    let mut drawn = FrameOutput {
        wanted: wanted(shared),
        panes: vec![Pane::Preview],
        preview: Some(shared.preview),
        ..FrameOutput::default()
    };
    let Some(answers) = AnswerPair::at(shared, 0) else {
        return drawn;
    };
    let answers = match answers {
        Ok(answers) => answers,
        Err(why) => {
            let text = Line::styled(visible(why).into_owned(), shared.theme.error());
            let text = Paragraph::new(text).wrap(Wrap { trim: false });
            frame.render_widget(text, room.area);
            return drawn;
        }
    };
    let mut words = room.area;
    if let Some([picture, text]) =
        preview_parts(room.area).filter(|_| source_count(answers.first) > 0)
    {
        let pictures = SamplePictures {
            answers,
            layers: Layers::All,
            view: Viewpoint::default(),
        };
        let place = ViewArea {
            area: picture,
            ..room
        };
        pictures.draw(shared, &mut drawn.pictures, frame, place);
        pictures.prefetch(shared, picture, &mut drawn.pictures);
        words = text;
    }
    let row = answers.first.list.row.0;
    let position = shared.preview;
    let from = if position.row == row {
        position.offset
    } else {
        0
    };
    let offset = preview_text::draw(shared, &answers, from, frame, words);
    drawn.preview = Some(PreviewPosition { row, offset });
    drawn
}

/// Splits a preview into picture and text. They are side by side in a low or wide area, otherwise
/// one above the other. Returns `None` if a picture does not fit.
fn preview_parts(area: Rect) -> Option<[Rect; 2]> {
    let is_low = area.height < LOW;
    if area.height < SHORTEST || is_low && area.width < NARROWEST {
        return None;
    }
    if is_low {
        // A cell is twice as high as wide.
        let picture = (2 * area.height + 2).min(area.width / 3);
        let sides = [Constraint::Length(picture), Constraint::Fill(1)];
        return Some(Layout::horizontal(sides).spacing(2).areas(area));
    }
    let parts = [Constraint::Percentage(50), Constraint::Fill(1)];
    let is_flat = area.width >= NARROWEST && area.width >= 3 * area.height;
    Some(if area.width >= SIDE_BY_SIDE || is_flat {
        let [picture, text] = Layout::horizontal(parts).spacing(2).areas::<2>(area);
        // Reserve space for a square picture with its legend. A taller area would move the legend
        // away from the picture.
        let height = picture.height.min(picture.width / 2 + LEGEND);
        [Rect { height, ..picture }, text]
    } else {
        Layout::vertical(parts).spacing(1).areas(area)
    })
}

/// Returns the records to load: details of the sample and its neighbours, and a summary of each
/// model's answer.
pub fn wanted(shared: &AppState) -> FrameNeeds {
    let here = shared.list.here();
    let rows = near(shared).into_iter();
    FrameNeeds {
        briefs: here.map_or_else(Vec::new, |row| answer_groups::rows(shared, row)),
        details: rows.map(|Row(row)| row).collect(),
        ..FrameNeeds::default()
    }
}

/// Splits the area into picture and text. They are side by side, or one above the other on a narrow
/// screen.
fn parts(area: Rect) -> [Rect; 2] {
    if area.width < WIDE {
        return Layout::vertical([Constraint::Percentage(50), Constraint::Fill(1)]).areas(area);
    }
    let most = Constraint::Max(READABLE.min(area.width * 45 / 100));
    Layout::horizontal([Constraint::Fill(1), most])
        .spacing(2)
        .areas(area)
}
