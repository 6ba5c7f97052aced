//! The editor of prompt wordings for a live model, with a preview for a real question.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use crate::change::{Change, Reply};
use crate::frame_output::ScrollState;
use crate::shared::AppState;
use crate::widget::text_edit::{TextEdit, TextInput};
use ask::Template;
use base::format::visible_lines;
use record::Content;

use super::part::{KeyLabel, Overlay, leaves, open, screen_less};

/// Maximum number of wordings.
const MOST: usize = 9;

/// Wordings that are being edited, and the questions for their preview.
#[derive(Clone, Debug)]
pub struct WordingEditor {
    texts: Vec<TextEdit>,
    at: usize,
    /// Questions for the preview.
    contents: Vec<Content>,
    /// Index of the question in the preview.
    sample: usize,
}

impl WordingEditor {
    /// Creates an editor with some wordings.
    pub fn new(words: &[String], contents: Vec<Content>) -> Self {
        let texts: Vec<TextEdit> = words.iter().map(|text| TextEdit::new(text)).collect();
        Self {
            texts,
            at: 0,
            contents,
            sample: 0,
        }
    }

    fn text(&mut self) -> Option<&mut TextEdit> {
        self.texts.get_mut(self.at)
    }

    fn words(&self) -> Vec<String> {
        self.texts.iter().map(TextEdit::text).collect()
    }

    /// Adds a wording as a copy of the current one.
    fn add(&mut self) {
        if self.texts.len() >= MOST {
            return;
        }
        if let Some(copy) = self.texts.get(self.at).cloned() {
            self.at += 1;
            self.texts.insert(self.at, copy);
        }
    }

    fn remove(&mut self) {
        if self.texts.len() > 1 {
            self.texts.remove(self.at);
            self.at = self.at.min(self.texts.len() - 1);
        }
    }
}

impl Overlay for WordingEditor {
    /// Draws the wording, its error if there is one, and the preview.
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let title = format!("wording {} of {}", self.at + 1, self.texts.len());
        let size = screen_less(frame, [8, 6]);
        let inner = open(shared, frame, &title, size);
        let [places, text, told, shown] =
            Layout::vertical([Length(1), Fill(1), Length(2), Fill(1)]).areas(inner);
        let line = "{question} {options} {letters} {hint}";
        frame.render_widget(Line::styled(line, shared.theme.dim()), places);
        let Some(edit) = self.texts.get(self.at) else {
            return (inner, ScrollState::Nothing);
        };
        let theme = &shared.theme;
        let whole = edit.text();
        let style = |known: bool| {
            if known { theme.accent() } else { theme.error() }
        };
        let marks: Vec<_> = Template::places(&whole)
            .into_iter()
            .map(|(range, known)| (range, style(known)))
            .collect();
        let input = TextInput {
            theme,
            text: edit,
            marks: &marks,
        };
        frame.render_widget(input, text);
        let name = format!("wording {}", self.at + 1);
        match Template::new(&name, &whole) {
            Err(error) => {
                let wrong = Line::styled(error.to_string(), theme.error());
                frame.render_widget(Paragraph::new(wrong).wrap(Wrap { trim: true }), told);
            }
            Ok(template) => draw_preview(shared, self, &template, told, shown, frame),
        }
        (inner, ScrollState::Nothing)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![
            ("Esc", "done"),
            ("Tab", "next wording"),
            ("^N", "add"),
            ("^X", "remove"),
            ("PgDn", "other sample"),
        ]
    }

    /// Each key applies its change at once, so that closing the editor loses nothing.
    fn key(&mut self, _: &AppState, key: KeyEvent) -> Reply {
        match leaves(key) {
            Some(Change::Close) => {
                return vec![Change::LiveWords(self.words(), true), Change::Close].into();
            }
            Some(change) => return Reply::with(change),
            None => {}
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let (count, samples) = (self.texts.len().max(1), self.contents.len().max(1));
        match key.code {
            KeyCode::Char('n') if control => self.add(),
            KeyCode::Char('x') if control => self.remove(),
            KeyCode::Tab => self.at = (self.at + 1) % count,
            KeyCode::BackTab => self.at = (self.at + count - 1) % count,
            KeyCode::PageDown => self.sample = (self.sample + 1) % samples,
            KeyCode::PageUp => self.sample = (self.sample + samples - 1) % samples,
            _ => {
                if let Some(text) = self.text() {
                    text.on_key(key);
                }
            }
        }
        Reply::with(Change::LiveWords(self.words(), false))
    }

    fn paste(&mut self, _: &AppState, text: &str) -> Vec<Change> {
        if let Some(edit) = self.text() {
            edit.insert(text);
        }
        vec![Change::LiveWords(self.words(), false)]
    }
}

/// Draws a question as the model will receive it.
fn draw_preview(
    shared: &AppState,
    editor: &WordingEditor,
    template: &Template,
    told: Rect,
    shown: Rect,
    frame: &mut Frame<'_>,
) {
    let theme = &shared.theme;
    let contents = &editor.contents;
    let Some(content) = contents.get(editor.sample) else {
        let line = Line::styled("no sample is selected for the preview", theme.dim());
        return frame.render_widget(line, told);
    };
    let head = format!(
        "sample {} of {} as it is sent",
        editor.sample + 1,
        contents.len()
    );
    let head = vec![Line::default(), Line::styled(head, theme.header())];
    frame.render_widget(Paragraph::new(head), told);
    let text = template.fill(content);
    let text = visible_lines(&text).into_owned();
    let text = Paragraph::new(text).style(theme.text());
    frame.render_widget(text.wrap(Wrap { trim: false }), shown);
}
