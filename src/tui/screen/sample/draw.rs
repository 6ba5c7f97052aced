//! The sample on screen: the picture, and the text beside it.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use crate::drawn::{Drawn, Room};
use crate::screen::part::say;
use crate::shared::Shared;
use format::visible;
use workspace::picture::sources;

use super::SampleView;
use super::answers::Answers;
use super::{picture, text};

/// The narrowest screen with the text beside the picture.
const WIDE: u16 = 70;
/// The widest column of text that is pleasant to read.
const READABLE: u16 = 100;

/// Draws the screen.
pub fn draw(view: &SampleView, shared: &Shared, frame: &mut Frame<'_>, room: Room) -> Drawn {
    let area = room.area;
    let mut drawn = Drawn::default();
    if shared.list.here().is_none() {
        let words = "No sample passes; F drops the filter, Esc walks back.";
        return say(shared, words, frame, area);
    }
    let answers = match Answers::at(shared, &view.details, 0) {
        Some(Ok(answers)) => answers,
        Some(Err(why)) => {
            let text = Line::styled(visible(why).into_owned(), shared.theme.error());
            frame.render_widget(Paragraph::new(text), area);
            return drawn;
        }
        None => return drawn,
    };
    if sources(&shared.table, answers.first).is_empty() {
        let [note, words] =
            Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(Rect {
                width: area.width.min(READABLE),
                ..area
            });
        let text = Line::styled("the log names no picture", shared.theme.dim());
        frame.render_widget(Paragraph::new(text), note);
        drawn.view = text::draw(shared, &answers, &view.response, frame, words);
        return drawn;
    }
    let [left, right] = parts(area);
    let state = (view.layers, view.view);
    let left = Room { area: left, ..room };
    picture::draw(shared, &answers, state, &mut drawn.pictures, frame, left);
    drawn.view = text::draw(shared, &answers, &view.response, frame, right);
    picture::look_ahead(shared, &view.details, state, left.area, &mut drawn.pictures);
    drawn
}

/// Where the picture stands and where the text: beside it, or below where that is too narrow.
fn parts(area: Rect) -> [Rect; 2] {
    if area.width < WIDE {
        return Layout::vertical([Constraint::Percentage(50), Constraint::Fill(1)]).areas(area);
    }
    let most = Constraint::Max(READABLE.min(area.width * 45 / 100));
    Layout::horizontal([Constraint::Fill(1), most])
        .spacing(2)
        .areas(area)
}
