//! Draws the playground's form, and messages below it.

use ratatui::Frame;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::super::EDITED;
use super::super::field::EditField;
use super::super::state::PlaygroundView;
use super::Places;
use crate::action::Action;
use crate::keymap::ViewId;
use crate::shared::AppState;
use crate::widget::fit;
use base::format::visible;

/// Width of the field names, in cells.
const NAMES: u16 = 13;

/// Draws the form, and the error or the keys below it.
pub fn render(view: &PlaygroundView, shared: &AppState, frame: &mut Frame<'_>, places: Places) {
    let lines: Vec<Line<'_>> = EditField::ALL
        .into_iter()
        .skip(super::first_row(view, &places))
        .map(|field| row(view, shared, field, places.form.width))
        .collect();
    frame.render_widget(Paragraph::new(lines), places.form);
    let told = Paragraph::new(status_line(view, shared)).wrap(Wrap { trim: true });
    frame.render_widget(told, places.told);
}

/// Returns a field's name, a mark if the field was edited, and its value.
fn row(view: &PlaygroundView, shared: &AppState, field: EditField, width: u16) -> Line<'static> {
    let theme = &shared.theme;
    let is_here = view.pencil.is_none() && field == view.field;
    let (sign, name_style) = if view.is_edited(field) {
        (EDITED, theme.accent())
    } else {
        (" ", theme.dim())
    };
    let value = shown(view, field);
    let room = width.saturating_sub(NAMES + 2);
    let value = fit(&visible(&value), room).into_owned();
    let style = if is_here {
        theme.cursor()
    } else {
        theme.text()
    };
    let name = format!("{:<width$}", field.name(), width = usize::from(NAMES));
    Line::from(vec![
        Span::styled(sign, theme.accent()),
        Span::styled(name, name_style),
        Span::styled(format!(" {value}"), style),
    ])
}

/// Returns a field's value in one line. If the field was not edited, returns the value from the
/// log.
fn shown(view: &PlaygroundView, field: EditField) -> String {
    let asked = view.preview.as_ref();
    let asked = asked.and_then(|preview| preview.question.as_ref().ok());
    let value = view.value(field);
    if field == EditField::Models {
        return ask::client::without_secrets(&value);
    }
    if !value.trim().is_empty() {
        return value.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let told = |value: Option<String>, usual: &str| value.unwrap_or_else(|| usual.to_owned());
    match field {
        EditField::Temperature => told(
            asked.and_then(|asked| Some(asked.temperature?.to_string())),
            "default",
        ),
        EditField::Tokens => told(
            asked.and_then(|asked| Some(asked.max_tokens?.to_string())),
            "default",
        ),
        EditField::Picture => match asked.and_then(|asked| asked.pictures.first()) {
            Some((_, (width, height))) => format!("unchanged, {width} x {height}"),
            None => "none".to_owned(),
        },
        _ => "–".to_owned(),
    }
}

/// Returns the error message, or the keys for the box that the user draws.
fn status_line(view: &PlaygroundView, shared: &AppState) -> Line<'static> {
    let theme = &shared.theme;
    if let Some(pencil) = &view.pencil {
        let key = |action| shared.key(ViewId::Playground, action);
        let (now, other) = if pencil.sizes {
            ("size", "moves")
        } else {
            ("move", "sizes")
        };
        let words = format!(
            "arrows {now} it, {} {other}; {} or Enter crops, {} masks, Esc cancels",
            key(Action::NextPane),
            key(Action::CropBox),
            key(Action::MaskBox),
        );
        return Line::styled(words, theme.accent());
    }
    match view.trouble.as_ref().or(view.refused.as_ref()) {
        Some(trouble) => Line::styled(visible(trouble).into_owned(), theme.error()),
        None => Line::default(),
    }
}
