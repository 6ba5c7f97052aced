//! Draws the playground: form and picture on the left, answers on the right.

mod answers;
mod form;
mod picture;

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::field::EditField;
use super::state::PlaygroundView;
use crate::frame_output::{FrameOutput, ViewArea};
use crate::shared::AppState;
use crate::widget::fit;
use crate::widget::prose::rows_of;
use base::format::{first_words, visible};
use record::Row;

pub use picture::cell_at;

/// Widths of the form: on a wide screen, and on a narrow screen.
const FORM: [u16; 2] = [52, 34];
/// Minimum width of a wide screen, in cells.
const WIDE: u16 = 110;

/// Screen height for each row of the question. For example, a screen of 24 rows shows two.
const HIGH: u16 = 12;
/// Number of cells per row that word wrap can leave unused.
const BREAK: u16 = 12;
/// Number of rows for the error message, or for the keys of a box.
const TOLD: u16 = 2;

/// Areas of the screen.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// Area of the sample, its target, and the log's answer.
    pub head: Rect,
    /// Area of the form's fields.
    pub form: Rect,
    /// Area of the error message, or of the keys of a box.
    pub told: Rect,
    /// Area of the pictures.
    pub picture: Rect,
    /// Area of the models' answers.
    pub answers: Rect,
}

/// Computes the areas for a screen of this size.
pub fn places(view: &PlaygroundView, area: Rect) -> Places {
    let asked = asked_lines(view);
    let rows = asked
        .iter()
        .map(|line| rows_of(&Line::raw(line.as_str()), area.width));
    // A tall screen shows the whole question with its options.
    let most = (area.height / HIGH).max(1);
    let rows = rows.fold(0, u16::saturating_add).clamp(1, most);
    let [head, below] = Layout::vertical([Length(1 + rows), Fill(1)]).areas(area);
    let [wide, narrow] = FORM;
    let width = if area.width >= WIDE { wide } else { narrow };
    let [left, answers] = Layout::horizontal([Length(width.min(area.width)), Fill(1)])
        .spacing(2)
        .areas(below);
    let rows = u16::try_from(EditField::ALL.len()).unwrap_or(u16::MAX);
    // On a low screen, the form scrolls so that the error stays visible.
    let rows = rows.min(left.height.saturating_sub(TOLD));
    let [form, told, picture] = Layout::vertical([Length(rows), Length(TOLD), Fill(1)]).areas(left);
    Places {
        head,
        form,
        told,
        picture,
        answers,
    }
}

/// Returns the index of the first visible field, chosen so that the selected field is visible.
pub fn first_row(view: &PlaygroundView, places: &Places) -> usize {
    let at = EditField::ALL.iter().position(|field| *field == view.field);
    (at.unwrap_or(0) + 1).saturating_sub(usize::from(places.form.height).max(1))
}

/// Draws the form and the pictures on the left, and the answers on the right.
pub fn draw(
    view: &PlaygroundView,
    shared: &AppState,
    frame: &mut Frame<'_>,
    room: ViewArea,
) -> FrameOutput {
    let Some(row) = view.row else {
        let text = "No sample is selected: press T on a sample to open it here.";
        return crate::screen::part::draw_text(shared, text, frame, room.area);
    };
    let places = places(view, room.area);
    let lines = head(view, shared, row, places.head);
    frame.render_widget(
        Paragraph::new(lines).wrap(Wrap { trim: false }),
        places.head,
    );
    form::render(view, shared, frame, places);
    let mut drawn = FrameOutput::default();
    let of_picture = ViewArea {
        area: places.picture,
        ..room
    };
    picture::render(view, shared, &mut drawn.pictures, frame, of_picture);
    drawn.view = answers::render(view, shared, frame, places.answers);
    drawn
}

/// Returns the lines with the sample, its target and the log's answer.
fn head(view: &PlaygroundView, shared: &AppState, row: u32, place: Rect) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let (width, rows) = (place.width, place.height.saturating_sub(1));
    let names = shared.table.names();
    let model = names.model(shared.table.model(Row(row)));
    let preview = view.preview.as_ref();
    let asked = preview.and_then(|preview| preview.question.as_ref().ok());
    let target = asked.and_then(|asked| asked.content.target.as_ref());
    let target = target.map_or_else(|| "–".to_owned(), ToString::to_string);
    let right = preview.and_then(|preview| preview.before.as_ref()?.right);
    let item = shared.table.item(Row(row));
    let id = shared.table.sample_id(item);
    // The log's answer belongs to the original question, whose target can be different.
    let before = Some(shared.table.target(item)).filter(|before| *before != target);
    let before = before.filter(|before| !before.is_empty() && asked.is_some());
    let mut spans = vec![
        Span::styled(visible(id).into_owned(), theme.header()),
        Span::styled("  target ", theme.dim()),
        Span::styled(
            visible(&first_words(&target, 40)).into_owned(),
            theme.target(),
        ),
        Span::styled(format!("  log: {} ", visible(model)), theme.dim()),
    ];
    if let Some(before) = before {
        let words = format!("(target {}) ", first_words(before, 30));
        spans.push(Span::styled(visible(&words).into_owned(), theme.dim()));
    }
    if let Some(right) = right {
        let (sign, style) = theme.verdict(right);
        spans.push(Span::styled(format!("{sign} "), style));
    }
    let said = preview.and_then(|preview| preview.said.as_deref());
    let said = first_words(said.unwrap_or_default(), 60);
    spans.push(Span::styled(visible(&said).into_owned(), theme.text()));
    let asked = asked_lines(view);
    let needed = asked
        .iter()
        .map(|line| rows_of(&Line::raw(line.as_str()), width));
    if needed.fold(0, u16::saturating_add) > rows {
        // Leave room for unused cells of word wrap, so that cut text always gets a mark.
        let room = (width * rows).saturating_sub(BREAK * rows.saturating_sub(1));
        let asked = fit(&visible(&asked.join("  ")), room).into_owned();
        return vec![Line::from(spans), Line::styled(asked, theme.dim())];
    }
    let asked = asked.iter();
    let asked = asked.map(|line| Line::styled(visible(line).into_owned(), theme.dim()));
    std::iter::once(Line::from(spans)).chain(asked).collect()
}

/// Returns a line with the question and a line with its options.
fn asked_lines(view: &PlaygroundView) -> Vec<String> {
    let preview = view.preview.as_ref();
    let Some(asked) = preview.and_then(|preview| preview.question.as_ref().ok()) else {
        return Vec::new();
    };
    let content = &asked.content;
    let options = content.choices.iter();
    let options = options.map(|choice| format!("{}. {}", choice.letter, choice.text));
    let options: Vec<String> = options.collect();
    let lines = [content.question.replace('\n', " "), options.join("  ")];
    lines.into_iter().filter(|line| !line.is_empty()).collect()
}
