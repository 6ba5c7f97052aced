//! The playground on screen: what is edited and the picture on the left, the answers on the right.

mod answers;
mod form;
mod picture;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::field::Field;
use super::state::PlaygroundView;
use crate::drawn::{Drawn, Room};
use crate::shared::Shared;
use format::{first_words, visible};
use record::Row;
use widget::fit;

pub use picture::cell_at;

/// Columns of the form on a wide screen, and on a narrow one.
const FORM: [u16; 2] = [52, 34];
/// The narrowest wide screen.
const WIDE: u16 = 110;

/// Where things stand.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// The sample, its target and the log's answer.
    pub head: Rect,
    /// The rows of the form.
    pub form: Rect,
    /// What is wrong, or which keys there are.
    pub told: Rect,
    /// The picture.
    pub picture: Rect,
    /// What the models say.
    pub answers: Rect,
}

/// Where things stand on a screen of this size.
pub fn places(view: &PlaygroundView, area: Rect) -> Places {
    let [head, below] = Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(area);
    let [wide, narrow] = FORM;
    let width = if area.width >= WIDE { wide } else { narrow };
    let [left, answers] = Layout::horizontal([
        Constraint::Length(width.min(area.width)),
        Constraint::Fill(1),
    ])
    .spacing(2)
    .areas(below);
    let rows = u16::try_from(view.fields().len()).unwrap_or(u16::MAX);
    let [form, told, picture] = Layout::vertical([
        Constraint::Length(rows),
        Constraint::Length(2),
        Constraint::Fill(1),
    ])
    .areas(left);
    Places {
        head,
        form,
        told,
        picture,
        answers,
    }
}

/// Draws the screen.
pub fn draw(view: &PlaygroundView, shared: &Shared, frame: &mut Frame<'_>, room: Room) -> Drawn {
    let Some(row) = view.row else {
        let text = "No sample is chosen: T on a sample opens it here.";
        return crate::screen::part::say(shared, text, frame, room.area);
    };
    let places = places(view, room.area);
    frame.render_widget(
        Paragraph::new(head(view, shared, row, places.head.width)),
        places.head,
    );
    form::render(view, shared, frame, places);
    let mut drawn = Drawn::default();
    let of_picture = Room {
        area: places.picture,
        ..room
    };
    picture::render(view, shared, &mut drawn.pictures, frame, of_picture);
    answers::render(view, shared, frame, places.answers);
    drawn
}

/// The sample with its target, and what the log's model made of it.
fn head(view: &PlaygroundView, shared: &Shared, row: u32, width: u16) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let names = shared.table.names();
    let model = names.model(shared.table.model(Row(row)));
    let preview = view.preview.as_ref();
    let asked = preview.and_then(|preview| preview.question.as_ref().ok());
    let target = asked.and_then(|asked| asked.content.target.as_ref());
    let target = target.map_or_else(|| "–".to_owned(), ToString::to_string);
    let right = preview.and_then(|preview| preview.before.as_ref()?.right);
    let id = shared.table.sample_id(shared.table.item(Row(row)));
    let mut spans = vec![
        Span::styled(visible(id).into_owned(), theme.header()),
        Span::styled("  target ", theme.dim()),
        Span::styled(
            visible(&first_words(&target, 40)).into_owned(),
            theme.target(),
        ),
        Span::styled(format!("  log: {} ", visible(model)), theme.dim()),
    ];
    if let Some(right) = right {
        let (sign, style) = theme.verdict(right);
        spans.push(Span::styled(format!("{sign} "), style));
    }
    let said = preview.and_then(|preview| preview.said.as_deref());
    let said = first_words(said.unwrap_or_default(), 60);
    spans.push(Span::styled(visible(&said).into_owned(), theme.text()));
    let question = asked.map_or_else(String::new, |asked| {
        asked.content.question.replace('\n', " ")
    });
    let question = fit(&visible(&question), width).into_owned();
    vec![Line::from(spans), Line::styled(question, theme.dim())]
}

impl PlaygroundView {
    /// The rows of the form that have a meaning now.
    pub fn fields(&self) -> Vec<Field> {
        let moves = !self.edited.edits.is_empty();
        let is_shown = |field: &Field| *field != Field::Turning || moves;
        Field::ALL.into_iter().filter(is_shown).collect()
    }
}
